package sketch

import (
	"math/bits"

	"goreify/reify/choice"
	"goreify/reify/ir"
)

// A wideForm joins two values of type t, or makes another one of the first.
type wideForm func(w *exprWriter, t ir.Wide, x, y wideValue) wideValue

// wideForms is the table of what wides are drawn from.
var wideForms = []wideForm{
	wideAdd, wideAdd, wideSubtract, wideMultiply, wideMultiply, wideMultiply, wideBits, wideBits, wideShiftBy, wideShiftBy,
	wideRotate, wideDivide, wideDivide, wideMagnitude, wideSign, wideFlag, wideJoin, wideComplement, wideNarrowed,
}

// wideModulo returns x op y: in t if it holds the result whatever the values are,
// or has no sign, else in that without a sign.
func (w *exprWriter) wideModulo(op ir.Op, t ir.Wide, x, y wideValue) wideValue {
	need := max(x.bits, y.bits) + 1
	if op == ir.Mul {
		need = x.bits + y.bits
	}
	if op.Bitwise() {
		need = max(x.bits, y.bits)
	}
	if t.Signed && (op.Bitwise() || need <= t.Bits) {
		return wideValue{wideBin(op, x.e, y.e), min(need, t.Bits)}
	}
	u := t
	u.Signed = false
	e := wideBin(op, w.wideAs(u, x).e, w.wideAs(u, y).e)
	return w.wideAs(t, wideValue{e, u.Bits + 1})
}

func wideAdd(w *exprWriter, t ir.Wide, x, y wideValue) wideValue {
	return w.wideModulo(ir.Add, t, x, y)
}

func wideSubtract(w *exprWriter, t ir.Wide, x, y wideValue) wideValue {
	return w.wideModulo(ir.Sub, t, x, y)
}

func wideMultiply(w *exprWriter, t ir.Wide, x, y wideValue) wideValue {
	return w.wideModulo(ir.Mul, t, x, y)
}

func wideBits(w *exprWriter, t ir.Wide, x, y wideValue) wideValue {
	return w.wideModulo(bitwiseOp(w.s), t, x, y)
}

// anyWide returns e as a value that may need all bits of its type.
func anyWide(e ir.WideExpr) wideValue { return wideValue{e, fewest(e.Type(), 200, false)} }

// wideCount returns a count that is less than the width of t: a constant, or a
// variable with some bits masked, or a remainder.
func (w *exprWriter) wideCount(t ir.Wide) ir.WideExpr {
	switch w.s.Weighted(3, 2, 1) {
	case 0:
		n := choice.Pick(w.s, []int{1, t.Bits - 1, t.Bits / 2, 63, 64, w.s.Range(0, t.Bits-1)})
		return wideConstant(t, int64(min(n, t.Bits-1)))
	case 1:
		mask := int64(1)<<(bits.Len(uint(t.Bits))-1) - 1
		return &ir.WideOf{T: t, X: bin(ir.And, as(ir.U32, w.variable()), constantOf(ir.U32, mask))}
	}
	return &ir.WideOf{T: t, X: bin(ir.Rem, as(ir.U32, w.variable()), constantOf(ir.U32, int64(t.Bits)))}
}

// wideShiftBy is x << n or x >> n.
func wideShiftBy(w *exprWriter, t ir.Wide, x, _ wideValue) wideValue {
	if w.s.Chance(1, 2) {
		return wideValue{wideBin(ir.Shr, x.e, w.wideCount(t)), x.bits}
	}
	u := t
	u.Signed = false
	return w.wideAs(t, anyWide(wideBin(ir.Shl, w.wideAs(u, x).e, w.wideCount(u))))
}

// wideRotate is x rotated in the width of t.
func wideRotate(w *exprWriter, t ir.Wide, x, _ wideValue) wideValue {
	u := t
	u.Signed = false
	k := int64(w.s.Range(1, t.Bits-1))
	x = w.wideAs(u, x)
	e := wideBin(ir.Or, wideBin(ir.Shl, x.e, wideConstant(u, k)), wideBin(ir.Shr, w.wideAgain(x).e, wideConstant(u, int64(t.Bits)-k)))
	return w.wideAs(t, anyWide(e))
}

// wideDivide is x / y or x % y, where y is kept from being 0 or -1.
func wideDivide(w *exprWriter, t ir.Wide, x, y wideValue) wideValue {
	op := choice.Pick(w.s, []ir.Op{ir.Div, ir.Rem})
	if w.s.Chance(1, 2) {
		return anyWide(wideBin(op, x.e, w.wideDivisor(t)))
	}
	if t.Signed {
		u := t
		u.Signed = false
		y = w.wideAs(t, wideValue{wideBin(ir.Shr, w.wideAs(u, y).e, wideConstant(u, 1)), t.Bits})
	}
	return anyWide(wideBin(op, x.e, wideBin(ir.Or, y.e, wideConstant(t, 1))))
}

// wideDivisor returns a constant of type t that is neither 0 nor -1.
func (w *exprWriter) wideDivisor(t ir.Wide) ir.WideExpr {
	c := w.edge(choice.Pick(w.s, computed[:])).(*ir.Const)
	if w.s.Chance(1, 2) {
		c = constantOf(ir.I32, choice.Pick(w.s, []int64{3, 5, 7, 10, 100, 1000, 641, 65537, 1e9}))
	}
	in := ir.Int{Bits: min(t.Bits, 64), Signed: t.Signed}
	if v := in.Wrap(c.V); v == 0 || t.Signed && v == -1 {
		c = constantOf(ir.I32, 1)
	}
	return &ir.WideOf{T: t, X: c}
}

// wideMagnitude is (x ^ s) - s, where s is the sign of x in all bits, without a sign.
func wideMagnitude(w *exprWriter, t ir.Wide, x, _ wideValue) wideValue {
	s, u := t, t
	s.Signed, u.Signed = true, false
	x = w.wideAs(s, x)
	sign := func() ir.WideExpr {
		return w.wideAs(u, wideValue{wideBin(ir.Shr, w.wideAgain(x).e, wideConstant(s, int64(t.Bits-1))), 1}).e
	}
	e := wideBin(ir.Sub, wideBin(ir.Xor, w.wideAs(u, x).e, sign()), sign())
	return w.wideAs(t, anyWide(e))
}

// wideSign is the sign of x: 0 or -1, or 1 without a sign.
func wideSign(_ *exprWriter, t ir.Wide, x, _ wideValue) wideValue {
	return wideValue{wideBin(ir.Shr, x.e, wideConstant(t, int64(t.Bits-1))), 2}
}

// wideFlag is a comparison as a number, or its negative.
func wideFlag(w *exprWriter, t ir.Wide, x, y wideValue) wideValue {
	var e ir.WideExpr = &ir.WideOf{T: t, X: &ir.WideCompare{Op: comparisonOp(w.s), X: x.e, Y: y.e}}
	flag := wideValue{e, 2}
	switch {
	case !t.Signed && w.s.Chance(1, 3):
		return anyWide(&ir.WideUnary{Op: ir.Neg, X: e})
	case w.s.Chance(1, 3):
		flag.e = &ir.WideUnary{Op: ir.Neg, X: e}
	}
	return flag
}

// wideJoin is x << n | y, where y has at most n bits.
func wideJoin(w *exprWriter, t ir.Wide, x, y wideValue) wideValue {
	u := t
	u.Signed = false
	n := min(t.Bits-1, choice.Pick(w.s, []int{8, 16, 32, 64, 64, t.Bits / 2}))
	v := convert(ir.Int{Bits: choice.Pick(w.s, []int{32, 64})}, w.variable())
	e := wideBin(ir.Shl, w.wideAs(u, x).e, wideConstant(u, int64(n)))
	return w.wideAs(t, anyWide(wideBin(choice.Pick(w.s, []ir.Op{ir.Or, ir.Or, ir.Xor, ir.Add}), e, &ir.WideOf{T: u, X: v})))
}

// wideComplement is ~x, or -x where t has no sign.
func wideComplement(w *exprWriter, t ir.Wide, x, _ wideValue) wideValue {
	op := ir.Not
	if !t.Signed && w.s.Chance(1, 2) {
		op = ir.Neg
	}
	if op == ir.Neg || !t.Signed {
		return anyWide(&ir.WideUnary{Op: op, X: x.e})
	}
	return wideValue{&ir.WideUnary{Op: op, X: x.e}, x.bits}
}

// wideNarrowed is x, cut to another type and extended again.
func wideNarrowed(w *exprWriter, t ir.Wide, x, _ wideValue) wideValue {
	if w.s.Chance(1, 2) {
		return w.wideAs(t, w.wideAs(w.drawWide(), x))
	}
	return w.wideLeafOf(t, &ir.WideToInt{T: choice.Pick(w.s, computed[:]), X: x.e})
}
