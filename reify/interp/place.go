package interp

import (
	"fmt"

	"goreify/reify/ir"
)

// A location is an object or a part of one: the value of a place during its evaluation.
type location struct {
	v     *ir.Var  // the variable it is a part of
	base  int      // where the variable starts in memory
	addr  int      // where it starts
	t     ir.Type  // the type that it is accessed by
	union bool     // it may be a part of a union
	via   *pointee // nil if the place names the variable
}

// A pointee is the further data of a location that is reached through a pointer.
type pointee struct {
	object             int // number of the variable among memory.objects
	from, to           int // the target of the pointer, in memory
	constant, volatile bool
	// An integer may be accessed by the type of the other sign (6.5p7). Then declared
	// is the type of that integer; it is zero for all other locations.
	declared ir.Int
}

// direct evaluates the indices of a place that is a variable or an element of one, as
// all places of the paper's subset are. It returns the variable, the start of the place
// in memory, and its type. For all other places, of which nothing has been evaluated
// then, it returns nil and no error.
func (m *machine) direct(p ir.Place) (*ir.Var, int, ir.Type, error) {
	switch p := p.(type) {
	case *ir.VarRef:
		return p.Var, m.at.base[p.Var.Index], p.Var.Type, nil
	case *ir.Elem:
		v, addr, t, err := m.direct(p.Base)
		if v == nil || err != nil {
			return nil, 0, nil, err
		}
		i, elem, err := m.index(p.Index, v, t)
		return v, addr + i*ir.Count(elem), elem, err
	case *ir.Member, *ir.Deref:
		return nil, 0, nil, nil
	}
	panic(fmt.Sprintf("interp: unknown place %T", p))
}

// locate evaluates the indices and pointers of a place.
func (m *machine) locate(p ir.Place) (location, error) {
	switch p := p.(type) {
	case *ir.VarRef:
		base := m.at.base[p.Var.Index]
		return location{v: p.Var, base: base, addr: base, t: p.Var.Type}, nil
	case *ir.Elem:
		l, err := m.locate(p.Base)
		if err != nil {
			return l, err
		}
		i, elem, err := m.index(p.Index, l.v, l.t)
		l.addr += i * ir.Count(elem)
		l.t = elem
		return l, err
	case *ir.Member:
		l, err := m.locate(p.Base)
		if err != nil {
			return l, err
		}
		return l.member(p.Field), nil
	case *ir.Deref:
		x, t, err := m.pointer(p.X)
		if err != nil {
			return location{}, err
		}
		return m.follow(x, t)
	}
	panic(fmt.Sprintf("interp: unknown place %T", p))
}

// index evaluates an index into a t, a part of v. It also returns the type of the elements
// or lanes.
func (m *machine) index(e ir.Expr, v *ir.Var, t ir.Type) (int, ir.Type, error) {
	a, ok := t.(ir.Array)
	if !ok {
		lanes, ok := t.(ir.Vector)
		if !ok {
			panic(fmt.Sprintf("interp: index into %s of type %s", v, t))
		}
		a = ir.Array{Elem: lanes.Elem, Len: lanes.Lanes}
	}
	i, ti, err := m.eval(e)
	if err != nil {
		return 0, a.Elem, err
	}
	// As uint64 a negative index is larger than any length, and so is a large u64.
	if uint64(i) >= uint64(a.Len) {
		return 0, a.Elem, m.at.wrong(OutOfBounds, "index %s into %s in %s", ti.Format(i), t, v)
	}
	return int(i), a.Elem, nil
}

// record returns the type of l, which is one.
func (l location) record() *ir.Record {
	r, ok := l.t.(*ir.Record)
	if !ok {
		panic(fmt.Sprintf("interp: member of %s of type %s", l.v, l.t))
	}
	return r
}

// member returns a member of l, which is a record.
func (l location) member(field int) location {
	r := l.record()
	l.addr += r.Offset(field)
	l.t = r.Member(field)
	l.union = l.union || r.Union
	return l
}

// integer returns the type of l, which is one.
func (l location) integer() ir.Int {
	t, ok := l.t.(ir.Int)
	if !ok {
		panic(fmt.Sprintf("interp: %s of type %s stands where an integer must", l.v, l.t))
	}
	return t
}

// shared reports whether a function that is called can access l, too.
func (m *storage) shared(l location) bool { return l.v.Kind.Lasts() || m.mem.exposed }

// private reports whether reads of v have no effect, and calls do not change it.
func (m *storage) private(v *ir.Var) bool { return !v.Kind.Lasts() && !v.Volatile && !m.mem.exposed }

// name writes the scalar at addr, which is a part of l.
func (l location) name(addr int) string { return scalarName(l.v, addr-l.base) }

// scalarAt returns a part of the variable v: the scalar at addr, of which no type is known.
func (m *storage) scalarAt(v *ir.Var, addr int) location {
	return location{v: v, base: m.at.base[v.Index], addr: addr}
}

// volatile reports whether an access to l is one to a volatile object. The error is not
// nil if only l, and not the pointer by which it is reached, is volatile.
func (m *storage) volatile(l location) (bool, error) {
	if l.via == nil {
		return l.v.Volatile, nil
	}
	if l.v.Volatile && !l.via.volatile {
		return true, m.at.ub(VolatileAccess, "%s is volatile, what is pointed to is not", l.name(l.addr))
	}
	return l.via.volatile, nil
}

// loadDirect is load for a place that is direct.
func (m *storage) loadDirect(v *ir.Var, addr, since int) (int64, error) {
	if v.Volatile {
		if err := m.readVolatile(addr); err != nil {
			return 0, err
		}
	}
	if !m.mem.defined[addr] {
		return 0, m.noValue(m.scalarAt(v, addr), addr)
	}
	if !m.private(v) {
		if err := m.read(addr, since, v.Volatile); err != nil {
			return 0, err
		}
	}
	return m.mem.cells[addr], nil
}

// load reads the scalar l. Accesses from since on have been made to locate it.
func (m *storage) load(l location, since int) (int64, error) {
	if err := m.loadAll(l, 1, since); err != nil {
		return 0, err
	}
	if !m.mem.defined[l.addr] {
		return 0, m.noValue(l, l.addr)
	}
	v := m.mem.cells[l.addr]
	if l.via != nil && l.via.declared != (ir.Int{}) {
		v = convert(l.integer(), v)
	}
	return v, nil
}

// loadAll notes that the n scalars of l are read, with a value or without.
func (m *storage) loadAll(l location, n, since int) error {
	volatile, err := m.volatile(l)
	if err != nil {
		return err
	}
	m.loaded = l.addr
	for addr := l.addr; addr < l.addr+n; addr++ {
		if volatile {
			if err := m.readVolatile(addr); err != nil {
				return err
			}
		}
		if volatile || m.shared(l) {
			if err := m.read(addr, since, volatile); err != nil {
				return err
			}
		}
	}
	return nil
}

// noValue returns the error for a read of the scalar at addr, a part of l.
func (m *storage) noValue(l location, addr int) error {
	name := l.name(addr)
	switch {
	case m.pending == addr+1:
		return m.at.ub(UnsequencedAccess, "%s is read beside the builtin that stores to it", name)
	case m.mem.inactive(l, addr):
		return m.at.ub(InactiveMember, "%s is not the member that was last written", name)
	}
	return m.at.ub(UninitializedRead, "%s has no value", name)
}

// storeDirect is store for a place that is direct.
func (m *storage) storeDirect(v *ir.Var, addr int, value int64) error {
	if v.Const || m.tells {
		return m.store(m.scalarAt(v, addr), value)
	}
	if v.Volatile {
		m.at.loop.noteSideEffect()
	}
	m.mem.cells[addr] = value
	m.mem.defined[addr] = true
	if v.Kind.Lasts() || m.mem.exposed {
		m.wrote(addr)
	}
	return nil
}

// store writes the scalar l.
func (m *storage) store(l location, value int64) error {
	return m.storeAll(l, []int64{value}, nil)
}

// storeAll writes scalars of l from the first on. Those that are not defined lose
// their value; all are if defined is nil.
func (m *storage) storeAll(l location, values []int64, defined []bool) error {
	if l.via != nil && l.via.declared != (ir.Int{}) {
		for i, v := range values {
			values[i] = convert(l.via.declared, v)
		}
	}
	volatile, constant := l.v.Volatile, l.v.Const
	if l.via != nil {
		var err error
		if volatile, err = m.volatile(l); err != nil {
			return err
		}
		constant = constant || l.via.constant
	}
	if constant {
		return m.at.ub(ConstWrite, "%s is const", l.name(l.addr))
	}
	if volatile {
		m.at.loop.noteSideEffect()
	}
	if l.union {
		if err := m.activate(l); err != nil {
			return err
		}
	}
	if m.shared(l) {
		for i := range values {
			m.wrote(l.addr + i)
		}
	}
	for i, v := range values {
		m.put(l, i, v, defined == nil || defined[i])
	}
	if l.union {
		m.cast(l, len(values))
	}
	return nil
}

// put gives scalar i of l a value, or none.
func (m *storage) put(l location, i int, value int64, defined bool) {
	m.mem.cells[l.addr+i], m.mem.defined[l.addr+i] = value, defined
	if m.tells {
		elem := l.addr + i - l.base
		if _, ok := ir.Cell(l.v.Type, elem).(ir.Pointer); ok {
			value = m.mem.public(address(value))
		}
		m.stores = append(m.stores, Store{Var: l.v, Elem: elem, Value: value, Lost: !defined})
	}
}
