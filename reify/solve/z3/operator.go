//go:build cgo && !noz3

package z3

import (
	"github.com/aclements/go-z3/z3"

	"goreify/reify/ir"
)

// bitwise returns x op y.
func (e *encoder) bitwise(op ir.Op, x, y value) value {
	xb, yb, w := e.align(x, y)
	switch op {
	case ir.And:
		return value{x.t, e.and(xb, yb), w}
	case ir.Or:
		return value{x.t, e.or(xb, yb), w}
	case ir.Xor:
		return value{x.t, e.xor(xb, yb), w}
	}
	panic("z3: not bitwise: " + op.String())
}

// shift returns x op y. It requires that y is a count and, of a signed x that
// is shifted to the left, that it is not negative and that the type holds the
// result (6.5.7p3, p4).
func (e *encoder) shift(op ir.Op, x, y value) value {
	n := x.t.Bits
	w := max(y.width, literalBits(n)) + 1
	// As an unsigned number, a negative count is a large one.
	e.require(e.ult(e.widen(y, w), e.num(int64(n), w)))
	xb, count := e.widen(x, n), e.count(y, n)
	if op == ir.Shr {
		build := e.lsr
		if x.t.Signed {
			build = e.asr
		}
		return e.fit(x.t, build(xb, count), n)
	}
	v := e.lsl(xb, count)
	if x.t.Signed {
		e.require(e.not(e.slt(xb, e.num(0, n))))
		e.require(e.not(e.slt(v, e.num(0, n))))
		e.require(e.eq(e.lsr(v, count), xb))
	}
	return e.fit(x.t, v, n)
}

// literalBits returns how many bits it takes to write n.
func literalBits(n int) (bits int) {
	for ; n > 0; n /= 2 {
		bits++
	}
	return bits
}

// count returns y, which is less than n, in n bits.
func (e *encoder) count(y value, n int) z3.BV {
	if y.width > n {
		return e.bits(y.bv, n-1, 0)
	}
	return e.widen(y, n)
}

// unary returns op x of Neg and Not.
func (e *encoder) unary(op ir.UnOp, x value) value {
	if op == ir.Neg {
		return e.sum(ir.Sub, e.constant(x.t, 0), x)
	}
	w := x.t.Bits
	if x.t.Signed {
		w = x.width // the sign goes on
	}
	return value{x.t, e.complement(e.widen(x, w)), w}
}

// overflow encodes __builtin_add_overflow and its like: the exact result, what
// dst holds of it, and whether that is less.
func (e *encoder) overflow(op ir.Op, x, y value, dst ir.Int) (result value, flag z3.Bool) {
	if !x.t.Signed {
		x = e.nonNegative(x)
	}
	if !y.t.Signed {
		y = e.nonNegative(y)
	}
	w := max(x.width, y.width) + 1
	build := e.add
	switch op {
	case ir.Sub:
		build = e.sub
	case ir.Mul:
		w, build = x.width+y.width, e.mul
	}
	w = max(w, dst.Bits) + 1 // so that an unsigned dst never has the sign
	exact := build(e.widen(x, w), e.widen(y, w))
	result = value{dst, e.bits(exact, dst.Bits-1, 0), dst.Bits}
	return result, e.not(e.eq(e.widen(result, w), exact))
}
