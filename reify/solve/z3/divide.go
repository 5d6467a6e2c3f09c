//go:build cgo && !noz3

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
func (e *encoder) divide(op ir.Op, x, y value) value {
	e.require(e.not(e.eq(y.bv, e.num(0, y.width))))
	t := x.t
	if !t.Signed {
		x, y = e.nonNegative(x), e.nonNegative(y)
	} else if x.width == t.Bits {
		lowest := e.eq(x.bv, e.num(t.Min(), x.width))
		e.require(e.not(e.both(lowest, e.eq(y.bv, e.num(-1, y.width)))))
	}
	key := dividing{x.t, x.bv.AsAST().ID(), y.bv.AsAST().ID()}
	d, ok := e.divisions[key]
	if !ok {
		d = e.division(x, y)
		e.divisions[key] = d
		e.divs = append(e.divs, key)
		e.names.divisions++
	}
	result := d.quotient
	if op == ir.Rem {
		result = d.remainder
	}
	if !t.Signed {
		width := max(1, result.width-1) // all but the sign, which is 0
		return value{t, e.bits(result.bv, width-1, 0), width}
	}
	return result
}

// nonNegative returns an unsigned value as one of a signed type with a bit more.
func (e *encoder) nonNegative(v value) value {
	return value{ir.Int{Bits: v.t.Bits + 1, Signed: true}, e.zext(v.bv, 1), v.width + 1}
}

// division returns the only q and r such that q*y + r = x, none of it
// overflowing, |r| < |y|, and r is zero or has the sign of x. Z3's own division
// is a circuit as wide as the type even if y is a constant or has few bits;
// this is one product.
func (e *encoder) division(x, y value) division {
	t := x.t
	w := max(x.width, y.width) + 1 // room for -Min
	xb, yb := e.widen(x, w), e.widen(y, w)
	if q := e.sdiv(xb, yb); e.folded(t, q) != nil {
		return division{e.fit(t, q, w), e.fit(t, e.srem(xb, yb), w)}
	}
	d := division{
		quotient:  e.fresh("q", t, min(x.width+1, t.Bits)),
		remainder: e.fresh("r", t, min(x.width, y.width)),
	}
	r := d.remainder
	e.require(e.compare(ir.Eq, e.sum(ir.Add, e.product(d.quotient, y), r), x))
	e.require(e.slt(e.magnitude(r, w), e.magnitude(y, w)))
	zero := e.eq(r.bv, e.num(0, r.width))
	e.require(e.either(zero, e.same(e.negative(r), e.negative(x))))
	return d
}

func (e *encoder) fresh(prefix string, t ir.Int, width int) value {
	return value{t, e.free(fmt.Sprintf("%s%d", prefix, e.names.divisions), width), width}
}

func (e *encoder) negative(v value) z3.Bool { return e.slt(v.bv, e.num(0, v.width)) }

// magnitude returns |v| in w bits.
func (e *encoder) magnitude(v value, w int) z3.BV {
	bv := e.widen(v, w)
	return e.ite(e.negative(v), e.sub(e.num(0, w), bv), bv)
}
