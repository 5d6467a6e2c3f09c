//go:build cgo && z3

package z3

import (
	"math/bits"

	"github.com/aclements/go-z3/z3"

	"goreify/reify/ir"
)

// bitwise returns x op y.
func (a *arithmetic) bitwise(op ir.Op, x, y value) value {
	xb, yb, w := a.align(x, y)
	switch op {
	case ir.And:
		return value{x.t, a.and(xb, yb), w}
	case ir.Or:
		return value{x.t, a.or(xb, yb), w}
	case ir.Xor:
		return value{x.t, a.xor(xb, yb), w}
	}
	panic("z3: not bitwise: " + op.String())
}

// shift returns x op y. It requires that y is a count and, of a signed x that
// is shifted to the left, that it is not negative and that the type holds the
// result (6.5.7p3, p4).
func (a *arithmetic) shift(op ir.Op, x, y value) value {
	n := x.t.Bits
	w := max(y.width, bits.Len(uint(n))) + 1
	// As an unsigned number, a negative count is a large one.
	a.require(a.ult(a.widen(y, w), a.num(int64(n), w)))
	xb, count := a.widen(x, n), a.count(y, n)
	if op == ir.Shr {
		build := a.lsr
		if x.t.Signed {
			build = a.asr
		}
		return a.fit(x.t, build(xb, count), n)
	}
	v := a.lsl(xb, count)
	if x.t.Signed {
		a.require(a.not(a.slt(xb, a.num(0, n))))
		a.require(a.not(a.slt(v, a.num(0, n))))
		a.require(a.eq(a.lsr(v, count), xb))
	}
	return a.fit(x.t, v, n)
}

// count returns y, which is less than n, in n bits.
func (a *arithmetic) count(y value, n int) z3.BV {
	if y.width > n {
		return a.bits(y.bv, n-1, 0)
	}
	return a.widen(y, n)
}

// unary returns op x of Neg and Not.
func (a *arithmetic) unary(op ir.UnOp, x value) value {
	if op == ir.Neg {
		return a.sum(ir.Sub, a.constant(x.t, 0), x)
	}
	w := x.t.Bits
	if x.t.Signed {
		w = x.width // the sign goes on
	}
	return value{x.t, a.complement(a.widen(x, w)), w}
}

// overflow encodes __builtin_add_overflow and its like: the exact result, its value
// wrapped to dst, and whether the two differ.
func (a *arithmetic) overflow(op ir.Op, x, y value, dst ir.Int) (result value, flag z3.Bool) {
	if !x.t.Signed {
		x = a.nonNegative(x)
	}
	if !y.t.Signed {
		y = a.nonNegative(y)
	}
	w := max(x.width, y.width) + 1
	build := a.add
	switch op {
	case ir.Sub:
		build = a.sub
	case ir.Mul:
		w, build = x.width+y.width, a.mul
	}
	w = max(w, dst.Bits) + 1 // so that an unsigned dst never has the sign
	exact := build(a.widen(x, w), a.widen(y, w))
	result = value{dst, a.bits(exact, dst.Bits-1, 0), dst.Bits}
	return result, a.not(a.eq(a.widen(result, w), exact))
}
