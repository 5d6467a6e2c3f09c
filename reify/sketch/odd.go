package sketch

import (
	"goreify/reify/choice"
	"goreify/reify/ir"
)

// An oddForm is a value of type t, computed in a width of n bits that no type of
// ir.Int has, which pairs of shifts and masks make.
type oddForm func(w *widths, t ir.Int, n int, x, y ir.Expr) ir.Expr

var oddForms = []oddForm{oddSum, oddSum, oddSum, oddCompare, oddFits, oddRotate, oddInsert, oddShift, oddDivide}

// odd returns a value that is computed in odd widths. It has no symbols and is defined
// for all values of its variables.
func (w *widths) odd(depth int) ir.Expr {
	t := choice.Pick(w.s, w.palette.types)
	n := 1 + choice.Pick(w.s, w.wide.odd)%(t.Bits-1)
	x, y := w.variable(), w.variable()
	if depth > 1 && w.s.Chance(1, 2) {
		x = w.odd(depth - 1)
	}
	if w.s.Chance(1, 4) {
		y = w.edge(t)
	}
	return choice.Pick(w.s, w.wide.oddForms)(w, t, n, as(t, x), as(t, y))
}

// oddCut returns the low n bits of x, sign- or zero-extended by the type t, in one of
// the usual ways of writing it in C.
func (w *widths) oddCut(t ir.Int, n int, x ir.Expr) ir.Expr {
	u := unsigned(t)
	k := int64(t.Bits - n)
	ones := constantOf(u, int64(uint64(1)<<n-1))
	shl := func() ir.Expr { return bin(ir.Shl, as(u, x), constantOf(u, k)) }
	switch {
	case t.Signed && w.s.Chance(1, 4): // ((x & m) ^ s) - s
		s := int64(1) << (n - 1)
		e := bin(ir.Xor, bin(ir.And, as(u, x), ones), constantOf(u, s))
		return convert(t, bin(ir.Sub, e, constantOf(u, s)))
	case t.Signed:
		return bin(ir.Shr, convert(t, shl()), constantOf(t, k))
	case w.s.Chance(1, 2):
		return bin(ir.And, as(u, x), ones)
	}
	return bin(ir.Shr, shl(), constantOf(u, k))
}

// oddSum is a sum, product or the like, cut.
func oddSum(w *widths, t ir.Int, n int, x, y ir.Expr) ir.Expr {
	if w.s.Chance(1, 2) {
		x, y = w.oddCut(t, n, x), w.oddCut(t, n, y)
	}
	op := choice.Pick(w.s, []ir.Op{ir.Add, ir.Add, ir.Sub, ir.Mul, ir.Xor, ir.And})
	return w.oddCut(t, n, modulo(op, t, x, y))
}

// oddCompare compares two cut values.
func oddCompare(w *widths, t ir.Int, n int, x, y ir.Expr) ir.Expr {
	if w.s.Chance(1, 2) {
		y = w.oddCut(t, n, y)
	}
	return convert(t, bin(comparisonOp(w.s), w.oddCut(t, n, x), y))
}

// oddFits tells whether x has no more than n bits.
func oddFits(w *widths, t ir.Int, n int, x, y ir.Expr) ir.Expr {
	c := bin(choice.Pick(w.s, equalities), w.oddCut(t, n, x), w.again(x))
	if w.s.Chance(1, 2) {
		return nodeSelect(c, w.again(x), y)
	}
	return convert(t, c)
}

// oddRotate is x, rotated in n bits.
func oddRotate(w *widths, t ir.Int, n int, x, _ ir.Expr) ir.Expr {
	u := unsigned(t)
	k := int64(w.s.Range(1, max(1, n-1)))
	x = w.oddCut(u, n, as(u, x))
	e := bin(ir.Or, bin(ir.Shl, x, constantOf(u, k)), bin(ir.Shr, ir.CopyExpr(x), constantOf(u, max(0, int64(n)-k))))
	return w.oddCut(t, n, e)
}

// oddInsert is x with n bits of y somewhere.
func oddInsert(w *widths, t ir.Int, n int, x, y ir.Expr) ir.Expr {
	u := unsigned(t)
	k := int64(w.s.Range(0, t.Bits-n))
	mask := int64(uint64(1)<<n-1) << k
	y = bin(ir.Shl, w.oddCut(u, n, y), constantOf(u, k))
	return convert(t, bin(ir.Or, bin(ir.And, as(u, x), constantOf(u, ^mask)), y))
}

// oddShift is a cut value, shifted again.
func oddShift(w *widths, t ir.Int, n int, x, y ir.Expr) ir.Expr {
	if w.s.Chance(1, 2) {
		return shifted(w, t, w.oddCut(t, n, x), y)
	}
	return bin(ir.Shr, w.oddCut(t, n, x), constantOf(t, int64(w.s.Range(0, n-1))))
}

// oddDivide is a quotient or remainder of cut values.
func oddDivide(w *widths, t ir.Int, n int, x, y ir.Expr) ir.Expr {
	if _, ok := y.(*ir.Const); !ok {
		y = w.oddCut(t, n, y)
	}
	return divided(w, t, w.oddCut(t, n, x), y)
}
