package products

import (
	"goreify/reify/choice"
	"goreify/reify/ir"
	"goreify/reify/sketch/core"
)

// coefficients returns a chain of products and sums of type t whose constant factors
// are near to the largest that do not overflow. Strength reduction, scalar evolution
// and constraint elimination multiply such constants with each other, and must not
// when the product does not fit. The products after the first are mostly of one
// variable, by several constants.
func (w *products) coefficients(t ir.Int, v *core.Source) ir.Expr {
	of := ir.Int{Bits: max(t.Bits, 32), Signed: true}
	if of.Bits < 64 && w.ManyTypes() && w.S.Chance(1, 4) {
		of.Bits = 64
	}
	e := w.large(of, w.Load(of, v))
	u := choice.Pick(w.S, w.Counts)
	for range w.S.Intn(3) {
		if w.S.Chance(1, 4) {
			u = choice.Pick(w.S, w.Counts)
		}
		// The symbol makes room for the next product.
		e = core.Bin(core.AdditiveOp(w.S), e, w.Symbol(of))
		e = core.Bin(core.AdditiveOp(w.S), e, w.large(of, core.Scalar(of, u)))
	}
	return core.Convert(t, core.Bin(ir.Add, e, w.Symbol(of)))
}

// large returns a product of x, or of a remainder of x, with a factor that is about the
// largest; or the quotient when that is divided again.
func (w *products) large(t ir.Int, x ir.Expr) ir.Expr {
	k := int64(w.S.Range(2, 9))
	if w.S.Chance(1, 2) {
		k = w.S.Int64(2, 1<<w.S.Range(4, 20))
	}
	limit := int64(1)<<31 - 1
	if t.Bits == 64 && w.S.Chance(1, 2) {
		limit = 1<<63 - 1
	}
	factor := limit/k - w.S.Int64(-1, 2)
	if w.S.Chance(1, 3) {
		factor = -factor
	}
	switch w.S.Weighted(2, 4, 2) {
	case 1:
		x = core.Bin(ir.Rem, x, core.Const(t, k))
	case 2:
		x = core.Bin(ir.Div, x, core.Const(t, factor))
	}
	x = core.Bin(ir.Mul, x, core.Const(t, factor))
	switch w.S.Weighted(5, 2, 1, 1) {
	case 1:
		x = core.Bin(ir.Div, x, core.Const(t, factor))
	case 2:
		x = core.Bin(ir.Div, x, core.Const(t, k))
	case 3:
		x = core.Bin(ir.Rem, x, core.Const(t, limit/(k+1)))
	}
	return x
}
