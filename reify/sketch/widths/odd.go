package widths

import (
	"goreify/reify/choice"
	"goreify/reify/ir"
	"goreify/reify/sketch/core"
)

// An oddForm is a value of type t, computed in a width of n bits that no type of
// ir.Int has, which pairs of shifts and masks make.
type oddForm func(w *widths, t ir.Int, n int, x, y ir.Expr) ir.Expr

var oddForms = []oddForm{oddSum, oddSum, oddSum, oddCompare, oddFits, oddRotate, oddInsert, oddShift, oddDivide}

// odd returns a value that is computed in odd widths. It has no symbols and is defined
// for all values of its variables.
func (w *widths) odd(depth int) ir.Expr {
	t := choice.Pick(w.S, w.palette.types)
	n := 1 + choice.Pick(w.S, w.wide.odd)%(t.Bits-1)
	x, y := w.variable(), w.variable()
	if depth > 1 && w.S.Chance(1, 2) {
		x = w.odd(depth - 1)
	}
	if w.S.Chance(1, 4) {
		y = w.Edge(t)
	}
	return choice.Pick(w.S, w.wide.oddForms)(w, t, n, core.As(t, x), core.As(t, y))
}

// oddCut returns the low n bits of x, sign- or zero-extended by the type t, in one of
// the usual ways of writing it in C.
func (w *widths) oddCut(t ir.Int, n int, x ir.Expr) ir.Expr {
	u := core.Unsigned(t)
	k := int64(t.Bits - n)
	ones := core.Const(u, int64(uint64(1)<<n-1))
	shl := func() ir.Expr { return core.Bin(ir.Shl, core.As(u, x), core.Const(u, k)) }
	switch {
	case t.Signed && w.S.Chance(1, 4): // ((x & m) ^ s) - s
		s := int64(1) << (n - 1)
		e := core.Bin(ir.Xor, core.Bin(ir.And, core.As(u, x), ones), core.Const(u, s))
		return core.Convert(t, core.Bin(ir.Sub, e, core.Const(u, s)))
	case t.Signed:
		return core.Bin(ir.Shr, core.Convert(t, shl()), core.Const(t, k))
	case w.S.Chance(1, 2):
		return core.Bin(ir.And, core.As(u, x), ones)
	}
	return core.Bin(ir.Shr, shl(), core.Const(u, k))
}

// oddSum is a sum, product or the like, cut.
func oddSum(w *widths, t ir.Int, n int, x, y ir.Expr) ir.Expr {
	if w.S.Chance(1, 2) {
		x, y = w.oddCut(t, n, x), w.oddCut(t, n, y)
	}
	op := choice.Pick(w.S, []ir.Op{ir.Add, ir.Add, ir.Sub, ir.Mul, ir.Xor, ir.And})
	return w.oddCut(t, n, core.Modulo(op, t, x, y))
}

// oddCompare compares two cut values.
func oddCompare(w *widths, t ir.Int, n int, x, y ir.Expr) ir.Expr {
	if w.S.Chance(1, 2) {
		y = w.oddCut(t, n, y)
	}
	return core.Convert(t, core.Bin(core.ComparisonOp(w.S), w.oddCut(t, n, x), y))
}

// oddFits tells whether x has no more than n bits.
func oddFits(w *widths, t ir.Int, n int, x, y ir.Expr) ir.Expr {
	c := core.Bin(choice.Pick(w.S, core.Equalities), w.oddCut(t, n, x), w.again(x))
	if w.S.Chance(1, 2) {
		return core.Select(c, w.again(x), y)
	}
	return core.Convert(t, c)
}

// oddRotate is x, rotated in n bits.
func oddRotate(w *widths, t ir.Int, n int, x, _ ir.Expr) ir.Expr {
	u := core.Unsigned(t)
	k := int64(w.S.Range(1, max(1, n-1)))
	x = w.oddCut(u, n, core.As(u, x))
	e := core.Bin(ir.Or, core.Bin(ir.Shl, x, core.Const(u, k)), core.Bin(ir.Shr, ir.CopyExpr(x), core.Const(u, max(0, int64(n)-k))))
	return w.oddCut(t, n, e)
}

// oddInsert is x with n bits of y somewhere.
func oddInsert(w *widths, t ir.Int, n int, x, y ir.Expr) ir.Expr {
	u := core.Unsigned(t)
	k := int64(w.S.Range(0, t.Bits-n))
	mask := int64(uint64(1)<<n-1) << k
	y = core.Bin(ir.Shl, w.oddCut(u, n, y), core.Const(u, k))
	return core.Convert(t, core.Bin(ir.Or, core.Bin(ir.And, core.As(u, x), core.Const(u, ^mask)), y))
}

// oddShift is a cut value, shifted again.
func oddShift(w *widths, t ir.Int, n int, x, y ir.Expr) ir.Expr {
	if w.S.Chance(1, 2) {
		return shifted(w, t, w.oddCut(t, n, x), y)
	}
	return core.Bin(ir.Shr, w.oddCut(t, n, x), core.Const(t, int64(w.S.Range(0, n-1))))
}

// oddDivide is a quotient or remainder of cut values.
func oddDivide(w *widths, t ir.Int, n int, x, y ir.Expr) ir.Expr {
	if _, ok := y.(*ir.Const); !ok {
		y = w.oddCut(t, n, y)
	}
	return divided(w, t, w.oddCut(t, n, x), y)
}
