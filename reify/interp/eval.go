package interp

import (
	"cmp"
	"fmt"

	"goreify/reify/ir"
)

// eval evaluates an expression and says its type, which is known once the
// operands are and needs no walk of its own.
func (m *machine) eval(e ir.Expr) (int64, ir.Int, error) {
	switch e := e.(type) {
	case *ir.Const:
		if !holds(e.T, e.V) {
			return 0, e.T, m.at.invalid(e.T, e.V, "constant")
		}
		return e.V, e.T, nil
	case *ir.Sym:
		return 0, e.T, m.at.symbol(e)
	case *ir.Load:
		if ref, ok := e.Place.(*ir.VarRef); ok && m.private(ref.Var) { // as most are
			addr := m.at.base[ref.Var.Index]
			if !m.mem.defined[addr] {
				return 0, ir.Int{}, m.noValue(m.scalarAt(ref.Var, addr), addr)
			}
			if m.o.Held != nil {
				m.holdsLoad(e, ref.Var.Type.(ir.Int), m.mem.cells[addr])
			}
			return m.mem.cells[addr], ref.Var.Type.(ir.Int), nil
		}
		since := len(m.order.accesses)
		v, addr, t, err := m.direct(e.Place)
		if err != nil {
			return 0, ir.Int{}, err
		}
		if v == nil {
			l, err := m.locate(e.Place)
			if err != nil {
				return 0, ir.Int{}, err
			}
			x, err := m.load(l, since)
			if err == nil {
				m.holdsLoad(e, l.integer(), x)
			}
			return x, l.integer(), err
		}
		x, err := m.loadDirect(v, addr, since)
		if err == nil {
			m.holdsLoad(e, t.(ir.Int), x)
		}
		return x, t.(ir.Int), err
	case *ir.Binary:
		if e.Op.Logical() {
			return m.logical(e)
		}
		if of := e.Of(); of != ir.Integers {
			return m.relate(e, of)
		}
		x, tx, err := m.eval(e.X)
		if err != nil {
			return 0, tx, err
		}
		y, ty, err := m.eval(e.Y)
		if err != nil {
			return 0, ty, err
		}
		if tx != ty || tx.Bits < 32 {
			checkOperands(e.Op, tx, ty)
		}
		if m.o.Held == nil { // as in most runs
			return m.at.binary(e.Op, tx, x, y)
		}
		v, t, err := m.at.binary(e.Op, tx, x, y)
		if err == nil {
			m.holds(e, tx, x, y)
		}
		return v, t, err
	case *ir.Convert:
		return m.toInt(e)
	case *ir.Call:
		return m.call(e)
	case *ir.Checksum:
		v, err := m.checksum(e.Of)
		return v, ir.U32, err
	}
	return m.evalOther(e)
}

// evalOther is eval for the expressions that are not in the paper's subset,
// which is kept fast.
func (m *machine) evalOther(e ir.Expr) (int64, ir.Int, error) {
	switch e := e.(type) {
	case *ir.Unary:
		x, t, err := m.eval(e.X)
		if err != nil {
			return 0, t, err
		}
		checkOperands(e.Op, t, t)
		return m.at.unary(e.Op, t, x)
	case *ir.Select:
		v, t, err := selected(m, e, m.eval)
		if err == nil {
			checkOperands(e, t, t)
		}
		return v, t, err
	case *ir.Builtin:
		return m.builtin(e)
	}
	panic(fmt.Sprintf("interp: unknown expression %T", e))
}

// relate evaluates an integer that an operator makes of values of another family.
func (m *machine) relate(e *ir.Binary, of ir.Family) (int64, ir.Int, error) {
	switch of {
	case ir.Pointers:
		return m.relatePointers(e)
	case ir.Floats: // NaN does not occur
		x, y, _, err := operands(e.Op, e.X, e.Y, m.float)
		return compare(e.Op, ir.I64, int64(cmp.Compare(x, y)), 0), ir.I32, err
	case ir.Wides:
		x, y, t, err := operands(e.Op, e.X, e.Y, m.wide)
		if err != nil {
			return 0, ir.I32, err
		}
		m.holdsWide(e, t, x, y)
		return compare(e.Op, ir.I64, int64(x.Cmp(y)), 0), ir.I32, nil
	}
	panic(fmt.Sprintf("interp: %s of %s stands where an integer must", e.Op, of))
}

// operands evaluates the operands of op, which have one type.
func operands[V any, T comparable](op fmt.Stringer, a, b ir.Expr, eval func(ir.Expr) (V, T, error)) (x, y V, t T, err error) {
	if x, t, err = eval(a); err != nil {
		return x, y, t, err
	}
	y, ty, err := eval(b)
	if err == nil && t != ty {
		panic(fmt.Sprintf("interp: operands of %s are %v and %v", op, t, ty))
	}
	return x, y, t, err
}

// load reads the object of type T at p, whose scalars all have a value.
func load[T ir.Type](m *machine, p ir.Place) (l location, t T, err error) {
	since := len(m.order.accesses)
	if l, err = m.locate(p); err != nil {
		return l, t, err
	}
	t, ok := l.t.(T)
	if !ok {
		panic(fmt.Sprintf("interp: %s of type %s stands where a %T must", l.v, l.t, t))
	}
	n := ir.Count(l.t)
	if err := m.loadAll(l, n, since); err != nil {
		return l, t, err
	}
	for addr := l.addr; addr < l.addr+n; addr++ {
		if !m.mem.defined[addr] {
			return l, t, m.noValue(l, addr)
		}
	}
	return l, t, nil
}

// toInt evaluates a conversion to an integer.
func (m *machine) toInt(e *ir.Convert) (int64, ir.Int, error) {
	t := e.T.(ir.Int)
	switch ir.FamilyOf(e.X) {
	case ir.Floats:
		x, _, err := m.float(e.X)
		if err != nil {
			return 0, t, err
		}
		v, err := m.at.floatToInt(t, x)
		return v, t, err
	case ir.Wides:
		x, of, err := m.wide(e.X)
		if err != nil {
			return 0, t, err
		}
		if m.o.Held != nil {
			m.holdsOfWide(e, of.Bits, t.Bits, x)
		}
		if t == ir.Bool {
			return truth(x.Sign() != 0), t, nil
		}
		return convert(t, low(x)), t, nil
	}
	v, of, err := m.eval(e.X)
	if m.o.Held != nil && err == nil {
		m.holdsOf(e, of.Bits, t.Bits, v)
	}
	return convert(t, v), t, err
}

// checkOperands panics unless the types of the operands of op are what the
// checker of ir allows.
func checkOperands(op fmt.Stringer, x, y ir.Int) {
	if x != y || x.Bits < 32 {
		panic(fmt.Sprintf("interp: operands of %s are %s and %s", op, x, y))
	}
}

func (at *frame) symbol(s *ir.Sym) error {
	where := "an initialiser"
	if at.block != nil {
		where = "block " + at.block.Name
	}
	return fmt.Errorf("@%s: %s: ?%d: %w", at.f.Name, where, s.ID, ErrSymbol)
}
