//go:build cgo && !noz3

package z3

import (
	"fmt"
	"math/big"

	"github.com/aclements/go-z3/z3"

	"goreify/reify/ir"
)

// arith returns x op y and requires what makes it defined: the rules ADD, SUB,
// MUL, DIV and REM of appendix B.
func (e *encoder) arith(op ir.Op, x, y value) value {
	switch op {
	case ir.Add, ir.Sub:
		return e.sum(op, x, y)
	case ir.Mul:
		return e.product(x, y)
	case ir.Div, ir.Rem:
		return e.divide(op, x, y)
	}
	panic("z3: not arithmetic: " + op.String())
}

func (e *encoder) sum(op ir.Op, x, y value) value {
	build := e.add
	if op == ir.Sub {
		build = e.sub
	}
	if !x.t.Signed {
		n := x.t.Bits
		return e.fit(x.t, build(e.widen(x, n), e.widen(y, n)), n)
	}
	w := max(x.width, y.width) + 1
	return e.fit(x.t, build(e.widen(x, w), e.widen(y, w)), w)
}

// fit returns the number bv of w bits as a value of type t. It requires that t
// holds it, if t is signed; an unsigned bv has as many bits as t already.
//
// The value is a variable of its own, the SSA version of the paper's appendix A,
// and neither bv nor its low bits. Given the low bits Z3 builds a second
// multiplier for them, and has to find out that the two agree; given bv it
// multiplies out what a loop nests. The names make nearly all the difference
// between problems that it solves and problems that it does not.
func (e *encoder) fit(t ir.Int, bv z3.BV, w int) value {
	if v := e.folded(t, bv); v != nil {
		if t.Signed && literalWidth(t, v) > t.Bits {
			e.require(e.eq(e.num(0, 1), e.num(1, 1)))
			v = new(big.Int)
		}
		return e.literal(t, v)
	}
	n := min(w, t.Bits)
	id := bv.AsAST().ID()
	low, ok := e.fitted[id]
	if !ok {
		low = e.free(fmt.Sprintf("t%d", e.names.fitted), n)
		e.names.fitted++
		e.fitted[id] = low
		e.fits = append(e.fits, id)
		e.require(e.eq(e.sext(low, w-n), bv))
	}
	return value{t, low, n}
}

// product is exact where Table 1 is not: one bit more does not hold every
// product, so that a literal reading accepts overflows. Twice the bits do, but
// a multiplier that wide is out of Z3's reach. One bit more and a test of the
// leading bits for what falls off are exact too.
func (e *encoder) product(x, y value) value {
	n := x.t.Bits
	if !x.t.Signed {
		return e.fit(x.t, e.mul(e.widen(x, n), e.widen(y, n)), n)
	}
	if w := x.width + y.width; w <= n {
		return e.fit(x.t, e.mul(e.widen(x, w), e.widen(y, w)), w)
	}
	xb, yb := e.widen(x, n), e.widen(y, n)
	e.require(e.not(e.leadingBitsOverflow(xb, yb, n)))
	return e.fit(x.t, e.mul(e.sext(xb, 1), e.sext(yb, 1)), n+1)
}

// leadingBitsOverflow tells of two signed numbers of n bits, n > 2, whether
// i+j >= n-1, where i and j are the positions of their highest bits that differ
// from the sign. Then the product does not fit in n bits: it is at least
// 2^(n-1) in magnitude, and more if it is negative. Otherwise it is at most 2^n,
// so that n+1 bits show whether it fits: 2^n itself looks like -2^n there.
func (e *encoder) leadingBitsOverflow(x, y z3.BV, n int) z3.Bool {
	differ := func(v z3.BV) z3.BV { return e.xor(v, e.sext(e.bits(v, n-1, n-1), n-1)) }
	mx, my := differ(x), differ(y)
	above := e.bits(mx, n-2, n-2) // whether x has a bit at or above position n-1-j
	over := e.and(above, e.bits(my, 1, 1))
	for j := 2; j <= n-2; j++ {
		above = e.or(above, e.bits(mx, n-1-j, n-1-j))
		over = e.or(over, e.and(above, e.bits(my, j, j)))
	}
	return e.eq(over, e.num(1, 1))
}
