//go:build cgo && z3

package z3

import (
	"fmt"

	"github.com/aclements/go-z3/z3"

	"goreify/reify/ir"
)

// A division is x / y and x % y.
type division struct{ quotient, remainder value }

// A dividing names a division by its type and the identifiers of its operands.
type dividing struct {
	t    ir.Int
	x, y uint64
}

// divide returns x / y or x % y. It leaves out the third definedness rule of
// DIV and REM in appendix B, v/s*s = v: it would allow exact divisions only,
// which C does not ask for.
func (a *arithmetic) divide(op ir.Op, x, y value) value {
	a.require(a.not(a.eq(y.bv, a.num(0, y.width))))
	t := x.t
	if !t.Signed {
		x, y = a.nonNegative(x), a.nonNegative(y)
	} else if x.width == t.Bits {
		lowest := a.eq(x.bv, a.num(t.Min(), x.width))
		a.require(a.not(a.both(lowest, a.eq(y.bv, a.num(-1, y.width)))))
	}
	key := dividing{x.t, x.bv.AsAST().ID(), y.bv.AsAST().ID()}
	d, ok := a.divisions[key]
	if !ok {
		d = a.division(x, y)
		a.divisions[key] = d
		a.divs = append(a.divs, key)
		a.names.divisions++
	}
	result := d.quotient
	if op == ir.Rem {
		result = d.remainder
	}
	if !t.Signed {
		width := max(1, result.width-1) // all bits except the sign, which is 0
		return value{t, a.bits(result.bv, width-1, 0), width}
	}
	return result
}

// nonNegative returns an unsigned value as one of a signed type with a bit more.
func (a *arithmetic) nonNegative(v value) value {
	return value{ir.Int{Bits: v.t.Bits + 1, Signed: true}, a.zext(v.bv, 1), v.width + 1}
}

// division returns the only q and r such that q*y + r = x, none of it
// overflowing, |r| < |y|, and r is zero or has the sign of x. Z3's own division
// is a circuit as wide as the type even if y is a constant or has few bits;
// this is one product.
func (a *arithmetic) division(x, y value) division {
	t := x.t
	w := max(x.width, y.width) + 1 // room for -Min
	xb, yb := a.widen(x, w), a.widen(y, w)
	if q := a.sdiv(xb, yb); a.folded(t, q) != nil {
		return division{a.fit(t, q, w), a.fit(t, a.srem(xb, yb), w)}
	}
	d := division{
		quotient:  a.fresh("q", t, min(x.width+1, t.Bits)),
		remainder: a.fresh("r", t, min(x.width, y.width)),
	}
	r := d.remainder
	a.require(a.compare(ir.Eq, a.sum(ir.Add, a.product(d.quotient, y), r), x))
	a.require(a.slt(a.magnitude(r, w), a.magnitude(y, w)))
	zero := a.eq(r.bv, a.num(0, r.width))
	a.require(a.either(zero, a.same(a.negative(r), a.negative(x))))
	return d
}

func (a *arithmetic) fresh(prefix string, t ir.Int, width int) value {
	return value{t, a.free(fmt.Sprintf("%s%d", prefix, a.names.divisions), width), width}
}

func (a *arithmetic) negative(v value) z3.Bool { return a.slt(v.bv, a.num(0, v.width)) }

// magnitude returns |v| in w bits.
func (a *arithmetic) magnitude(v value, w int) z3.BV {
	bv := a.widen(v, w)
	return a.ite(a.negative(v), a.sub(a.num(0, w), bv), bv)
}
