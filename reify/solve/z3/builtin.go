//go:build cgo && z3

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
func (a *arithmetic) builtin(fn ir.Fn, x value) value {
	n := x.t.Bits
	bv := a.widen(x, n)
	zero := a.eq(bv, a.num(0, n))
	switch fn {
	case ir.Expect, ir.ExpectProbably:
		return x
	case ir.Abs:
		return a.choose(a.negative(x), a.unary(ir.Neg, a.ifNegative(x)), x)
	case ir.Popcount:
		return value{ir.I32, a.ones(bv, n), counted}
	case ir.Parity:
		return value{ir.I32, a.and(a.ones(bv, n), a.num(1, counted)), counted}
	case ir.Clz:
		a.require(a.not(zero))
		return value{ir.I32, a.firstOne(bv, n, func(i int) int { return n - 1 - i }), counted}
	case ir.Ctz:
		a.require(a.not(zero))
		return value{ir.I32, a.firstOne(bv, n, func(i int) int { return i }), counted}
	case ir.Ffs:
		first := a.firstOne(bv, n, func(i int) int { return i })
		return value{ir.I32, a.ite(zero, a.num(0, counted), a.add(first, a.num(1, counted))), counted}
	case ir.Bswap:
		swapped := a.bits(bv, 7, 0)
		for i := 8; i < n; i += 8 {
			swapped = a.concat(swapped, a.bits(bv, i+7, i))
		}
		return value{x.t, swapped, n}
	}
	panic("z3: unknown builtin " + fn.String())
}

// ifNegative returns x if it is negative, else 0: that has a negation wherever
// the magnitude of x is one of its type.
func (a *arithmetic) ifNegative(x value) value {
	return a.choose(a.negative(x), x, a.constant(x.t, 0))
}

func (a *arithmetic) bit(x z3.BV, i int) z3.Bool { return a.eq(a.bits(x, i, i), a.num(1, 1)) }

// ones returns how many of the n bits are 1.
func (a *arithmetic) ones(x z3.BV, n int) z3.BV {
	sum := a.num(0, counted)
	for i := range n {
		sum = a.add(sum, a.zext(a.bits(x, i, i), counted-1))
	}
	return sum
}

// firstOne returns the place of the bit that is 1 and whose place is the lowest.
// at gives the bit of a place.
func (a *arithmetic) firstOne(x z3.BV, n int, at func(place int) int) z3.BV {
	result := a.num(0, counted)
	for place := n - 1; place >= 0; place-- {
		result = a.ite(a.bit(x, at(place)), a.num(int64(place), counted), result)
	}
	return result
}
