package sketch

import (
	"goreify/reify/choice"
	"goreify/reify/ir"
)

// coefficients returns a chain of products and sums of type t whose constant factors
// are near to the largest that do not overflow. Strength reduction, scalar evolution
// and constraint elimination multiply such constants with each other, and must not
// when the product does not fit. The products after the first are mostly of one
// variable, by several constants.
func (w *products) coefficients(t ir.Int, v *source) ir.Expr {
	of := ir.Int{Bits: max(t.Bits, 32), Signed: true}
	if of.Bits < 64 && w.manyTypes() && w.s.Chance(1, 4) {
		of.Bits = 64
	}
	e := w.large(of, w.load(of, v))
	u := choice.Pick(w.s, w.counts)
	for range w.s.Intn(3) {
		if w.s.Chance(1, 4) {
			u = choice.Pick(w.s, w.counts)
		}
		// The symbol makes room for the next product.
		e = bin(additiveOp(w.s), e, w.symbol(of))
		e = bin(additiveOp(w.s), e, w.large(of, scalar(of, u)))
	}
	return convert(t, bin(ir.Add, e, w.symbol(of)))
}

// large returns a product of x, or of a remainder of x, with a factor that is about the
// largest; or the quotient when that is divided again.
func (w *products) large(t ir.Int, x ir.Expr) ir.Expr {
	k := int64(w.s.Range(2, 9))
	if w.s.Chance(1, 2) {
		k = w.s.Int64(2, 1<<w.s.Range(4, 20))
	}
	limit := int64(1)<<31 - 1
	if t.Bits == 64 && w.s.Chance(1, 2) {
		limit = 1<<63 - 1
	}
	factor := limit/k - w.s.Int64(-1, 2)
	if w.s.Chance(1, 3) {
		factor = -factor
	}
	switch w.s.Weighted(2, 4, 2) {
	case 1:
		x = bin(ir.Rem, x, constantOf(t, k))
	case 2:
		x = bin(ir.Div, x, constantOf(t, factor))
	}
	x = bin(ir.Mul, x, constantOf(t, factor))
	switch w.s.Weighted(5, 2, 1, 1) {
	case 1:
		x = bin(ir.Div, x, constantOf(t, factor))
	case 2:
		x = bin(ir.Div, x, constantOf(t, k))
	case 3:
		x = bin(ir.Rem, x, constantOf(t, limit/(k+1)))
	}
	return x
}
