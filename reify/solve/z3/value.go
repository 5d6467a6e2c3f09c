//go:build cgo && z3

package z3

import (
	"math/big"

	"github.com/aclements/go-z3/z3"

	"goreify/reify/ir"
)

// A value is the result of an expression, in as few bits as are known to hold it. A
// coefficient of 8 bits stays one, so that its product with another of 8 bits costs a
// multiplier of 16 bits and no constraint against overflow.
type value struct {
	t     ir.Int
	bv    z3.BV
	width int // of bv, at most t.Bits; sign- or zero-extension as t says gives the rest
}

// widen returns v's bits extended to width bits, which may be more than its type has.
func (a *arithmetic) widen(v value, width int) z3.BV {
	if v.t.Signed {
		return a.sext(v.bv, width-v.width)
	}
	return a.zext(v.bv, width-v.width)
}

// constant returns the value of a constant in the representation of ir.Const.
func (a *arithmetic) constant(t ir.Int, v int64) value {
	n := big.NewInt(v)
	if !t.Signed {
		n.SetUint64(uint64(v))
	}
	return a.literal(t, n)
}

// literal returns a value of type t, which holds v.
func (a *arithmetic) literal(t ir.Int, v *big.Int) value {
	width := literalWidth(t, v)
	return value{t, a.bigNum(v, width), width}
}

// literalWidth returns the number of bits that v takes as a value of type t.
func literalWidth(t ir.Int, v *big.Int) int {
	switch {
	case !t.Signed:
		return max(1, v.BitLen())
	case v.Sign() < 0:
		return new(big.Int).Not(v).BitLen() + 1
	}
	return v.BitLen() + 1
}

// folded returns the number of type t that bv is for all values of the symbols, or nil.
// Given pinned symbols, much of the first round of a loop folds.
func (a *arithmetic) folded(t ir.Int, bv z3.BV) *big.Int {
	simple := a.keepBV(a.ctx.Simplify(bv, nil))
	v, _ := simple.AsBigUnsigned()
	if t.Signed {
		v, _ = simple.AsBigSigned()
	}
	return v
}

// truth returns 0 or 1 of type i32, which is what comparisons yield.
func (a *arithmetic) truth(c z3.Bool) value {
	return value{ir.I32, a.ite(c, a.num(1, 2), a.num(0, 2)), 2}
}

// convert wraps v to the type t, or asks for Bool whether it is other than zero.
func (a *arithmetic) convert(v value, t ir.Int) value {
	switch {
	case t == ir.Bool && v.width > 1 || t == ir.Bool && v.t.Signed:
		return value{t, a.ite(a.eq(v.bv, a.num(0, v.width)), a.num(0, 1), a.num(1, 1)), 1}
	case v.t.Signed == t.Signed && v.width <= t.Bits:
		return value{t, v.bv, v.width}
	case !v.t.Signed && t.Signed && v.width < t.Bits:
		return value{t, a.zext(v.bv, 1), v.width + 1}
	case v.width >= t.Bits:
		return value{t, a.bits(v.bv, t.Bits-1, 0), t.Bits}
	default: // the sign of a signed value reaches all bits of an unsigned type
		return value{t, a.widen(v, t.Bits), t.Bits}
	}
}

// align returns the bits of two values of one type at the smallest width that
// holds both.
func (a *arithmetic) align(x, y value) (z3.BV, z3.BV, int) {
	w := max(x.width, y.width)
	return a.widen(x, w), a.widen(y, w), w
}

// choose returns x if c holds, else y, which has the same type.
func (a *arithmetic) choose(c z3.Bool, x, y value) value {
	xb, yb, w := a.align(x, y)
	return value{x.t, a.ite(c, xb, yb), w}
}

// compare returns the truth of x op y.
func (a *arithmetic) compare(op ir.Op, x, y value) z3.Bool {
	xb, yb, _ := a.align(x, y)
	less := a.slt
	if !x.t.Signed {
		less = a.ult
	}
	switch op {
	case ir.Lt:
		return less(xb, yb)
	case ir.Le:
		return a.not(less(yb, xb))
	case ir.Gt:
		return less(yb, xb)
	case ir.Ge:
		return a.not(less(xb, yb))
	case ir.Eq:
		return a.eq(xb, yb)
	case ir.Ne:
		return a.not(a.eq(xb, yb))
	}
	panic("z3: not a comparison: " + op.String())
}
