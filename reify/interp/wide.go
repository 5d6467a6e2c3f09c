package interp

import (
	"fmt"
	"math/big"

	"goreify/reify/ir"
)

// wide evaluates an expression of a wide type to its value, which must not be changed.
func (m *machine) wide(e ir.Expr) (*big.Int, ir.Wide, error) {
	switch e := e.(type) {
	case *ir.Load:
		l, t, err := load[ir.Wide](m, e.Place)
		if err != nil {
			return nil, t, err
		}
		return joined(t, m.mem.cells[l.addr:l.addr+t.Cells()]), t, nil
	case *ir.Convert:
		t := e.T.(ir.Wide)
		if ir.FamilyOf(e.X) == ir.Wides {
			x, of, err := m.wide(e.X)
			if err != nil {
				return nil, t, err
			}
			if m.o.Held != nil {
				m.holdsOfWide(e, of.Bits, t.Bits, x)
			}
			return cut(t, x), t, nil
		}
		x, of, err := m.eval(e.X)
		if m.o.Held != nil && err == nil {
			m.holdsOfWide(e, of.Bits, t.Bits, bigOf(of, x))
		}
		return cut(t, bigOf(of, x)), t, err
	case *ir.Unary:
		x, t, err := m.wide(e.X)
		if err != nil {
			return nil, t, err
		}
		v, err := m.at.wideUnary(e.Op, t, x)
		return v, t, err
	case *ir.Binary:
		x, y, t, err := operands(e.Op, e.X, e.Y, m.wide)
		if err != nil {
			return nil, t, err
		}
		v, err := m.at.wideBinary(e.Op, t, x, y)
		if err == nil {
			m.holdsWide(e, t, x, y)
		}
		return v, t, err
	case *ir.Select:
		return selected(m, e, m.wide)
	}
	panic(fmt.Sprintf("interp: unknown wide expression %T", e))
}

// wideUnary computes op x in t.
func (at *frame) wideUnary(op ir.UnOp, t ir.Wide, x *big.Int) (*big.Int, error) {
	switch op {
	case ir.Neg:
		return at.wideBinary(ir.Sub, t, new(big.Int), x)
	case ir.Not:
		return cut(t, new(big.Int).Not(x)), nil
	}
	panic(fmt.Sprintf("interp: %s of %s", op, t))
}

// wideBinary computes x op y in t.
func (at *frame) wideBinary(op ir.Op, t ir.Wide, x, y *big.Int) (*big.Int, error) {
	switch op {
	case ir.And:
		return new(big.Int).And(x, y), nil
	case ir.Or:
		return new(big.Int).Or(x, y), nil
	case ir.Xor:
		return new(big.Int).Xor(x, y), nil
	case ir.Shl, ir.Shr:
		return at.wideShift(op, t, x, y)
	case ir.Div, ir.Rem:
		if y.Sign() == 0 {
			return nil, at.ub(DivisionByZero, "%v %s 0", x, op)
		}
	}
	v := unwrapped(op, x, y)
	w := cut(t, v)
	if t.Signed && w.Cmp(v) != 0 && (!at.rules.wrapsWide || op.Divides()) {
		return nil, at.ub(SignedOverflow, "%v %s %v does not fit %s", x, op, y, t)
	}
	if op == ir.Rem { // 6.5.5p6: undefined if the quotient is
		w = new(big.Int).Rem(x, y)
	}
	return w, nil
}

// wideShift computes x op y (6.5.7).
func (at *frame) wideShift(op ir.Op, t ir.Wide, x, y *big.Int) (*big.Int, error) {
	if !y.IsInt64() || y.Sign() < 0 || y.Int64() >= int64(t.Bits) { // p3
		return nil, at.ub(ShiftAmount, "%v %s %v in %s", x, op, y, t)
	}
	n := uint(y.Int64())
	if op == ir.Shr {
		return new(big.Int).Rsh(x, n), nil
	}
	v := new(big.Int).Lsh(x, n)
	w := cut(t, v)
	if t.Signed && (x.Sign() < 0 || w.Cmp(v) != 0) && !at.rules.wrapsWide { // p4
		return nil, at.ub(ShiftOverflow, "%v << %d in %s", x, n, t)
	}
	return w, nil
}

// overflows evaluates a builtin that tells whether op overflows.
func (m *machine) overflows(op ir.Op, args []ir.Expr) (int64, ir.Int, error) {
	x, y, t, err := operands(op, args[0], args[1], m.wide)
	if err != nil {
		return 0, ir.I32, err
	}
	v := unwrapped(op, x, y)
	return truth(cut(t, v).Cmp(v) != 0), ir.I32, nil
}

// unwrapped returns a sum, difference, product or quotient. Of Rem it returns the
// quotient, too.
func unwrapped(op ir.Op, x, y *big.Int) *big.Int {
	switch op {
	case ir.Add:
		return new(big.Int).Add(x, y)
	case ir.Sub:
		return new(big.Int).Sub(x, y)
	case ir.Mul:
		return new(big.Int).Mul(x, y)
	case ir.Div, ir.Rem:
		return new(big.Int).Quo(x, y)
	}
	panic(fmt.Sprintf("interp: %s of a wide integer", op))
}

// cut returns x modulo 2^Bits of t (6.3.1.3).
func cut(t ir.Wide, x *big.Int) *big.Int {
	if t.Signed && x.BitLen() < t.Bits || !t.Signed && x.Sign() >= 0 && x.BitLen() <= t.Bits {
		return x
	}
	high := new(big.Int).Rsh(x, uint(t.Bits))
	if t.Signed && x.Bit(t.Bits-1) == 1 {
		high.Add(high, big.NewInt(1))
	}
	return high.Sub(x, high.Lsh(high, uint(t.Bits)))
}

// bigOf returns x, a value of type t.
func bigOf(t ir.Int, x int64) *big.Int {
	if t.Signed || x >= 0 {
		return big.NewInt(x)
	}
	return new(big.Int).SetUint64(uint64(x))
}

// low returns the low cell of x.
func low(x *big.Int) int64 { return cut(ir.Wide{Bits: 64, Signed: true}, x).Int64() }

// joined returns the value of type t that cells hold.
func joined(t ir.Wide, cells []int64) *big.Int {
	last := len(cells) - 1
	x := bigOf(ir.Int{Bits: 64, Signed: t.Signed}, cells[last])
	for i := last - 1; i >= 0; i-- {
		v := bigOf(ir.U64, cells[i])
		x = v.Add(v, x.Lsh(x, 64))
	}
	return x
}

// split returns the cells that hold x, a value of type t.
func split(t ir.Wide, x *big.Int) (cells []int64) {
	rest := new(big.Int).Set(x)
	for range t.Cells() {
		cells = append(cells, low(rest))
		rest.Rsh(rest, 64)
	}
	return cells
}
