//go:build cgo && !noz3

package z3

import (
	"github.com/aclements/go-z3/z3"

	"goreify/reify/ir"
)

// counted is the width of the numbers that the builtins below count bits in: it
// holds 64 as a signed number.
const counted = 8

// builtin returns what the function returns for its arguments, and requires
// that it is defined for them.
func (e *encoder) builtin(fn ir.Fn, x value) value {
	n := x.t.Bits
	bv := e.widen(x, n)
	zero := e.eq(bv, e.num(0, n))
	switch fn {
	case ir.Expect:
		return x
	case ir.Abs:
		return e.choose(e.negative(x), e.unary(ir.Neg, e.ifNegative(x)), x)
	case ir.Popcount:
		return value{ir.I32, e.ones(bv, n), counted}
	case ir.Parity:
		return value{ir.I32, e.and(e.ones(bv, n), e.num(1, counted)), counted}
	case ir.Clz:
		e.require(e.not(zero))
		return value{ir.I32, e.firstOne(bv, n, func(i int) int { return n - 1 - i }), counted}
	case ir.Ctz:
		e.require(e.not(zero))
		return value{ir.I32, e.firstOne(bv, n, func(i int) int { return i }), counted}
	case ir.Ffs:
		first := e.firstOne(bv, n, func(i int) int { return i })
		return value{ir.I32, e.ite(zero, e.num(0, counted), e.add(first, e.num(1, counted))), counted}
	case ir.Bswap:
		swapped := e.bits(bv, 7, 0)
		for i := 8; i < n; i += 8 {
			swapped = e.concat(swapped, e.bits(bv, i+7, i))
		}
		return value{x.t, swapped, n}
	}
	panic("z3: unknown builtin " + fn.String())
}

// ifNegative returns x if it is negative, else 0: that has a negation wherever
// the magnitude of x is one of its type.
func (e *encoder) ifNegative(x value) value {
	return e.choose(e.negative(x), x, e.constant(x.t, 0))
}

func (e *encoder) bit(x z3.BV, i int) z3.Bool { return e.eq(e.bits(x, i, i), e.num(1, 1)) }

// ones returns how many of the n bits are 1.
func (e *encoder) ones(x z3.BV, n int) z3.BV {
	sum := e.num(0, counted)
	for i := range n {
		sum = e.add(sum, e.zext(e.bits(x, i, i), counted-1))
	}
	return sum
}

// firstOne returns the place of the bit that is 1 and whose place is the lowest.
// at gives the bit of a place.
func (e *encoder) firstOne(x z3.BV, n int, at func(place int) int) z3.BV {
	result := e.num(0, counted)
	for place := n - 1; place >= 0; place-- {
		result = e.ite(e.bit(x, at(place)), e.num(int64(place), counted), result)
	}
	return result
}
