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
		l, t, err := load[ir.Wide](m, e.Place)
		if err != nil {
			return int128{}, t, err
		}
		return int128{uint64(m.mem.cells[l.addr+1]), uint64(m.mem.cells[l.addr])}, t, nil
	case *ir.Convert:
		t := e.T.(ir.Wide)
		if ir.FamilyOf(e.X) == ir.Wides {
			x, _, err := m.wide(e.X)
			return x.cut(t), t, err
		}
		x, of, err := m.eval(e.X)
		return wideOf(of, x).cut(t), t, err
	case *ir.Unary:
		x, t, err := m.wide(e.X)
		if err != nil {
			return x, t, err
		}
		switch e.Op {
		case ir.Neg:
			v, err := m.at.wideBinary(ir.Sub, t, int128{}, x)
			return v, t, err
		case ir.Not:
			return int128{^x.hi, ^x.lo}.cut(t), t, nil
		}
		panic(fmt.Sprintf("interp: %s of %s", e.Op, t))
	case *ir.Binary:
		x, y, t, err := operands(e.Op, e.X, e.Y, m.wide)
		if err != nil {
			return x, t, err
		}
		v, err := m.at.wideBinary(e.Op, t, x, y)
		return v, t, err
	case *ir.Select:
		return selected(m, e, m.wide)
	}
	panic(fmt.Sprintf("interp: unknown wide expression %T", e))
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
	v, fits := x.compute(op, y, t.Signed)
	w := v.cut(t)
	if t.Signed && (!fits || w != v) {
		return x, at.ub(SignedOverflow, "%v %s %v does not fit %s", x.number(t), op, y.number(t), t)
	}
	if op == ir.Rem { // 6.5.5p6: undefined if the quotient is
		_, w, _ = x.div(y, t.Signed)
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

// overflows evaluates a builtin that tells whether op overflows.
func (m *machine) overflows(op ir.Op, args []ir.Expr) (int64, ir.Int, error) {
	x, y, t, err := operands(op, args[0], args[1], m.wide)
	if err != nil {
		return 0, ir.I32, err
	}
	v, fits := x.compute(op, y, t.Signed)
	return truth(!fits || v.cut(t) != v), ir.I32, nil
}
