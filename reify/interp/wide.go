package interp

import (
	"fmt"
	"math/big"

	"goreify/reify/ir"
)

// wide evaluates an expression of a wide type.
func (m *machine) wide(e ir.Expr) (int128, ir.Wide, error) {
	switch e := e.(type) {
	case *ir.Load:
		return m.loadWide(e.Place)
	case *ir.Convert:
		t := e.T.(ir.Wide)
		if ir.FamilyOf(e.X) == ir.Wides {
			x, _, err := m.wide(e.X)
			return x.cut(t), t, err
		}
		x, of, err := m.eval(e.X)
		v := int128{0, uint64(x)}
		if of.Signed {
			v.hi = uint64(x >> 63)
		}
		return v.cut(t), t, err
	case *ir.Unary:
		x, t, err := m.wide(e.X)
		if err != nil {
			return x, t, err
		}
		switch e.Op {
		case ir.Neg:
			v, err := m.wideBinary(ir.Sub, t, int128{}, x)
			return v, t, err
		case ir.Not:
			return int128{^x.hi, ^x.lo}.cut(t), t, nil
		}
		panic(fmt.Sprintf("interp: %s of %s", e.Op, t))
	case *ir.Binary:
		x, y, t, err := m.wides(e.Op, e.X, e.Y)
		if err != nil {
			return x, t, err
		}
		v, err := m.wideBinary(e.Op, t, x, y)
		return v, t, err
	case *ir.Select:
		return selected(m, e, m.wide)
	}
	panic(fmt.Sprintf("interp: unknown wide expression %T", e))
}

// wides evaluates the operands of op.
func (m *machine) wides(op ir.Op, a, b ir.Expr) (x, y int128, t ir.Wide, err error) {
	if x, t, err = m.wide(a); err != nil {
		return x, y, t, err
	}
	y, ty, err := m.wide(b)
	if err == nil && t != ty {
		panic(fmt.Sprintf("interp: operands of %s are %s and %s", op, t, ty))
	}
	return x, y, t, err
}

// wideBinary computes x op y in t.
func (at *frame) wideBinary(op ir.Op, t ir.Wide, x, y int128) (int128, error) {
	switch op {
	case ir.And:
		return int128{x.hi & y.hi, x.lo & y.lo}, nil
	case ir.Or:
		return int128{x.hi | y.hi, x.lo | y.lo}, nil
	case ir.Xor:
		return int128{x.hi ^ y.hi, x.lo ^ y.lo}, nil
	case ir.Shl, ir.Shr:
		return at.wideShift(op, t, x, y)
	case ir.Div, ir.Rem:
		if y == (int128{}) {
			return x, at.ub(DivisionByZero, "%v %s 0", x.number(t), op)
		}
	}
	var v int128
	fits := true // 128 bits hold the result
	switch op {
	case ir.Add:
		v, fits = x.add(y)
	case ir.Sub:
		v, fits = x.sub(y)
	case ir.Mul:
		v, fits = x.mul(y, t.Signed)
	case ir.Div, ir.Rem:
		var rest int128
		v, rest, fits = x.div(y, t.Signed)
		if op == ir.Rem {
			// 6.5.5p6: undefined if the quotient is.
			fits = fits && v.cut(t) == v
			v = rest
		}
	default:
		panic(fmt.Sprintf("interp: %s of %s", op, t))
	}
	w := v.cut(t)
	if t.Signed && (!fits || w != v) {
		return x, at.ub(SignedOverflow, "%v %s %v does not fit %s", x.number(t), op, y.number(t), t)
	}
	return w, nil
}

// wideShift computes x op y (6.5.7).
func (at *frame) wideShift(op ir.Op, t ir.Wide, x, y int128) (int128, error) {
	if y.hi != 0 || y.lo >= uint64(t.Bits) { // p3
		return x, at.ub(ShiftAmount, "%v %s %v in %s", x.number(t), op, y.number(t), t)
	}
	n := uint(y.lo)
	if op == ir.Shr {
		return x.shr(n, t.Signed), nil
	}
	v := x.shl(n).cut(t)
	if t.Signed && (x.negative() || v.shr(n, true) != x) { // p4
		return x, at.ub(ShiftOverflow, "%v << %d in %s", x.number(t), n, t)
	}
	return v, nil
}

// number returns x, a value of type t, for a message.
func (x int128) number(t ir.Wide) *big.Int {
	hi := new(big.Int).SetUint64(x.hi)
	if t.Signed {
		hi.SetInt64(int64(x.hi))
	}
	return hi.Add(hi.Lsh(hi, 64), new(big.Int).SetUint64(x.lo))
}

func isWide(t ir.Type) bool {
	_, ok := t.(ir.Wide)
	return ok
}

// loadWide reads a variable of a wide type.
func (m *machine) loadWide(p ir.Place) (int128, ir.Wide, error) {
	since := len(m.accesses)
	l, err := m.locate(p)
	if err != nil {
		return int128{}, ir.Wide{}, err
	}
	t, ok := l.t.(ir.Wide)
	if !ok {
		panic(fmt.Sprintf("interp: %s of type %s stands where a wide integer must", l.v, l.t))
	}
	err = m.loadAll(l, 2, since)
	return int128{uint64(m.mem[l.addr+1]), uint64(m.mem[l.addr])}, t, err
}

// compareWides evaluates e.
func (m *machine) compareWides(e *ir.Binary) (int64, error) {
	x, y, t, err := m.wides(e.Op, e.X, e.Y)
	if err != nil {
		return 0, err
	}
	if x.hi != y.hi {
		return compare(e.Op, ir.Int{Bits: 64, Signed: t.Signed}, int64(x.hi), int64(y.hi)), nil
	}
	return compare(e.Op, ir.U64, int64(x.lo), int64(y.lo)), nil
}

// wideOverflows evaluates a builtin that tells whether op overflows.
func (m *machine) wideOverflows(op ir.Op, args []ir.Expr) (int64, ir.Int, error) {
	x, y, t, err := m.wides(op, args[0], args[1])
	if err != nil {
		return 0, ir.I32, err
	}
	return truth(overflowsWide(op, t, x.number(t), y.number(t))), ir.I32, nil
}

// overflowsWide reports whether t does not hold x op y.
func overflowsWide(op ir.Op, t ir.Wide, x, y *big.Int) bool {
	z := unbounded(op, x, y)
	if t.Signed {
		if z.Sign() < 0 {
			z.Not(z) // -1 - z
		}
		return z.BitLen() >= t.Bits
	}
	return z.Sign() < 0 || z.BitLen() > t.Bits
}
