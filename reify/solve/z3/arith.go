//go:build cgo && z3

package z3

import (
	"fmt"
	"math/big"

	"github.com/aclements/go-z3/z3"

	"goreify/reify/ir"
)

// arithmetic encodes operations on values. The formula has the conditions for
// operations to be defined, and all other conditions of the path. A term that has a
// name keeps it: under takes back the additions of a guard.
type arithmetic struct {
	*terms
	guarding
	fitted    map[uint64]z3.BV                // by the term fitted; looked up only
	divisions map[dividing]division           // looked up only
	names     struct{ fitted, divisions int } // how many there have been
	formula   []z3.Bool
}

func newArithmetic(t *terms) arithmetic {
	return arithmetic{terms: t, fitted: make(map[uint64]z3.BV), divisions: make(map[dividing]division)}
}

// arith returns x op y and requires that it is defined: the rules ADD, SUB, MUL, DIV
// and REM of appendix B.
func (a *arithmetic) arith(op ir.Op, x, y value) value {
	switch op {
	case ir.Add, ir.Sub:
		return a.sum(op, x, y)
	case ir.Mul:
		return a.product(x, y)
	case ir.Div, ir.Rem:
		return a.divide(op, x, y)
	}
	panic("z3: not arithmetic: " + op.String())
}

func (a *arithmetic) sum(op ir.Op, x, y value) value {
	build := a.add
	if op == ir.Sub {
		build = a.sub
	}
	if !x.t.Signed {
		n := x.t.Bits
		return a.fit(x.t, build(a.widen(x, n), a.widen(y, n)), n)
	}
	w := max(x.width, y.width) + 1
	return a.fit(x.t, build(a.widen(x, w), a.widen(y, w)), w)
}

// fit returns the number bv of w bits as a value of type t. It requires that t
// holds it, if t is signed; an unsigned bv has as many bits as t already.
//
// The value is a variable of its own, the SSA version of the paper's appendix A, and
// neither bv nor its low bits. Given the low bits Z3 builds a second multiplier for
// them, and has to find out that the two agree; given bv it multiplies out the nested
// operations of a loop. The names make nearly all the difference between problems that
// it solves and problems that it does not.
func (a *arithmetic) fit(t ir.Int, bv z3.BV, w int) value {
	if v := a.folded(t, bv); v != nil {
		if t.Signed && literalWidth(t, v) > t.Bits {
			a.require(a.eq(a.num(0, 1), a.num(1, 1)))
			v = new(big.Int)
		}
		return a.literal(t, v)
	}
	n := min(w, t.Bits)
	id := bv.AsAST().ID()
	low, ok := a.fitted[id]
	if !ok {
		low = a.free(fmt.Sprintf("t%d", a.names.fitted), n)
		a.names.fitted++
		a.fitted[id] = low
		a.fits = append(a.fits, id)
		a.require(a.eq(a.sext(low, w-n), bv))
	}
	return value{t, low, n}
}

// product is exact where Table 1 is not: one bit more does not hold every product, so
// that a literal reading accepts overflows. Twice the bits do, and a multiplier that
// wide is out of Z3's reach. One bit more and a test of the leading bits for overflow
// are exact too.
func (a *arithmetic) product(x, y value) value {
	n := x.t.Bits
	if !x.t.Signed {
		return a.fit(x.t, a.mul(a.widen(x, n), a.widen(y, n)), n)
	}
	if w := x.width + y.width; w <= n {
		return a.fit(x.t, a.mul(a.widen(x, w), a.widen(y, w)), w)
	}
	xb, yb := a.widen(x, n), a.widen(y, n)
	a.require(a.not(a.leadingBitsOverflow(xb, yb, n)))
	return a.fit(x.t, a.mul(a.sext(xb, 1), a.sext(yb, 1)), n+1)
}

// leadingBitsOverflow tells of two signed numbers of n bits, n > 2, whether
// i+j >= n-1, where i and j are the positions of their highest bits that differ
// from the sign. Then the product does not fit in n bits: it is at least
// 2^(n-1) in magnitude, and more if it is negative. Otherwise it is at most 2^n,
// so that n+1 bits show whether it fits: 2^n itself looks like -2^n there.
func (a *arithmetic) leadingBitsOverflow(x, y z3.BV, n int) z3.Bool {
	differ := func(v z3.BV) z3.BV { return a.xor(v, a.sext(a.bits(v, n-1, n-1), n-1)) }
	mx, my := differ(x), differ(y)
	above := a.bits(mx, n-2, n-2) // whether x has a bit at or above position n-1-j
	over := a.and(above, a.bits(my, 1, 1))
	for j := 2; j <= n-2; j++ {
		above = a.or(above, a.bits(mx, n-1-j, n-1-j))
		over = a.or(over, a.and(above, a.bits(my, j, j)))
	}
	return a.eq(over, a.num(1, 1))
}
