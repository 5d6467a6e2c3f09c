package interp

import (
	"fmt"
	"math"
	"math/bits"
	"slices"

	"goreify/reify/ir"
)

// execOther is exec for the statements that are not in the paper's subset.
func (m *machine) execOther(s ir.Stmt) error {
	switch s := s.(type) {
	case *ir.Assign:
		return m.assignOther(s)
	case *ir.Overflow:
		return m.overflow(s)
	case *ir.Transfer:
		return m.transfer(s)
	case *ir.Fill:
		return m.fill(s)
	case *ir.Unreachable:
		return m.at.wrong(UnreachableReached, "executed")
	case *ir.Assume:
		return m.assume(s)
	}
	panic(fmt.Sprintf("interp: unknown statement %T", s))
}

// tell reports s, which has been executed, to Options.Trace.
func (m *machine) tell(s ir.Stmt) {
	e := Event{
		Func: m.at.f, Depth: m.at.depth, Step: len(m.at.path) - 1, Block: m.at.block,
		Stmt: s, Stores: m.stores,
	}
	if a, ok := s.(*ir.Assign); ok && isInteger(a.Dst) {
		e.Assign, e.Elem, e.Value = a, m.stores[0].Elem, m.stores[0].Value
	}
	m.o.Trace(e)
	m.stores = m.stores[:0]
}

// checkPointers panics unless a pointer of type src can be assigned to dst
// (6.5.16.1p1).
func checkPointers(dst ir.Pointer, value ir.Type) {
	src, ok := value.(ir.Pointer)
	if !ok || dst.Elem != src.Elem || src.Const && !dst.Const || src.Volatile && !dst.Volatile {
		panic(fmt.Sprintf("interp: %s assigned to %s", src, dst))
	}
}

// assignOther executes an assignment of what is no integer.
func (m *machine) assignOther(s *ir.Assign) error {
	scalars, defined, t, err := m.scalars(s.Src)
	if err != nil {
		return err
	}
	return m.assignTo(s, t, scalars, defined)
}

// assignTo stores the scalars of the value of s, of type t, which has just been evaluated.
func (m *machine) assignTo(s *ir.Assign, t ir.Type, scalars []int64, defined []bool) error {
	from := m.loaded
	l, err := m.locate(s.Dst)
	if err != nil {
		return err
	}
	if p, ok := l.t.(ir.Pointer); ok {
		checkPointers(p, t)
	} else if l.t != t {
		panic(fmt.Sprintf("interp: %s assigned to %s in %q", t, l.t, s))
	}
	if l.union && isLoad(s.Src) {
		if err := m.moved(l, from); err != nil {
			return err
		}
	}
	return m.storeAll(l, scalars, defined)
}

// scalars evaluates what is no integer to the scalars that memory holds of it. If defined is
// not nil, it says which of them have a value.
func (m *machine) scalars(e ir.Expr) (list []int64, defined []bool, t ir.Type, err error) {
	switch ir.FamilyOf(e) {
	case ir.Pointers:
		x, t, err := m.pointer(e)
		return []int64{int64(x)}, nil, t, err
	case ir.Floats:
		x, t, err := m.float(e)
		return []int64{int64(math.Float64bits(x))}, nil, t, err
	case ir.Wides:
		x, t, err := m.wide(e)
		if err != nil {
			return nil, nil, t, err
		}
		return split(t, x), nil, t, nil
	case ir.Vectors:
		lanes, t, err := m.vector(e)
		return lanes, nil, t, err
	}
	return m.loadRecord(e.(*ir.Load).Place)
}

// loadRecord reads a record to be assigned (6.5.16.1). Members without a value may be copied
// (6.2.6.1p6).
func (m *machine) loadRecord(p ir.Place) (list []int64, defined []bool, t ir.Type, err error) {
	since := len(m.order.accesses)
	src, err := m.locate(p)
	if err != nil {
		return nil, nil, nil, err
	}
	n := ir.Count(src.t)
	if m.pending > src.addr && m.pending <= src.addr+n {
		return nil, nil, nil, m.noValue(src, m.pending-1)
	}
	if err := m.loadAll(src, n, since); err != nil {
		return nil, nil, nil, err
	}
	if m.mem.inactive(src, src.addr) {
		return nil, nil, nil, m.noValue(src, src.addr)
	}
	return slices.Clone(m.mem.cells[src.addr : src.addr+n]), slices.Clone(m.mem.defined[src.addr : src.addr+n]), src.t, nil
}

// overflow evaluates the operands and the destination, which are the arguments of the
// builtin, and then the place of the flag. The builtin may store before that or after,
// so the destination must not be touched meanwhile.
func (m *machine) overflow(s *ir.Overflow) error {
	x, tx, err := m.eval(s.X)
	if err != nil {
		return err
	}
	y, ty, err := m.eval(s.Y)
	if err != nil {
		return err
	}
	dst, err := m.locate(s.Dst)
	if err != nil {
		return err
	}
	before, had := m.pending, m.mem.defined[dst.addr]
	m.pending, m.mem.defined[dst.addr] = dst.addr+1, false
	flag, err := m.locate(s.Flag)
	if err != nil {
		return err
	}
	if m.mem.defined[dst.addr] {
		return m.at.ub(UnspecifiedOrder, "%s is stored to by a call and a builtin", dst.name(dst.addr))
	}
	m.pending, m.mem.defined[dst.addr] = before, had
	if flag.addr == dst.addr {
		return m.at.ub(UnsequencedAccess, "%s is stored to twice", dst.name(dst.addr))
	}
	if t := flag.integer(); t != ir.I32 && t != ir.Bool {
		panic(fmt.Sprintf("interp: flag of type %s in %q", flag.t, s))
	}
	checkOperands(s.Op, tx, tx)
	checkOperands(s.Op, ty, ty)
	v, changed := overflowed(s.Op, dst.integer(), tx, x, ty, y)
	if err := m.store(dst, v); err != nil {
		return err
	}
	return m.store(flag, truth(changed))
}

// overflowed computes x op y, of values of types tx and ty, in t, and reports whether t
// does not hold it. 128 bits tell, as no product of two words has a high word of ones.
func overflowed(op ir.Op, t, tx ir.Int, x int64, ty ir.Int, y int64) (v int64, overflow bool) {
	highX, highY := extension(tx, x), extension(ty, y)
	var high, low, carry uint64
	switch op {
	case ir.Add:
		low, carry = bits.Add64(uint64(x), uint64(y), 0)
		high = highX + highY + carry
	case ir.Sub:
		low, carry = bits.Sub64(uint64(x), uint64(y), 0)
		high = highX - highY - carry
	case ir.Mul:
		high, low = bits.Mul64(uint64(x), uint64(y))
		high += highX*uint64(y) + highY*uint64(x)
	default:
		panic(fmt.Sprintf("interp: overflow of %s", op))
	}
	v = convert(t, int64(low))
	return v, int64(low) != v || high != extension(t, v)
}

// extension returns the word above x, a value of type t.
func extension(t ir.Int, x int64) uint64 {
	if t.Signed {
		return uint64(x >> 63)
	}
	return 0
}

// assume checks the condition of an Assume.
func (m *machine) assume(s *ir.Assume) error {
	v, _, err := m.eval(s.Cond)
	if err != nil {
		return err
	}
	if v == 0 {
		return m.at.wrong(UnreachableReached, "the condition of an assumption does not hold")
	}
	return nil
}
