// Package idioms is the shape of expressions that peephole passes look for: rotates,
// minima, saturations.
package idioms

import (
	"goreify/reify/choice"
	"goreify/reify/ir"
	"goreify/reify/sketch/core"
)

// Shape is the shape of forms that peephole passes look for. Its share is a weight among
// the forms of terms.
type Shape struct{}

// New gives the function its idioms, and writes nothing else.
func (Shape) New(w *core.Writer) core.Part {
	w.Idioms = idioms
	return nil
}

// idioms is the table that idioms are drawn from.
var idioms = []core.IdiomFunc{
	minMax, minMax, absDiff, clamp,
	rotate, rotate, byteSwap, bitTest, lowBit, blend, average, sign,
	saturate, multiple, multiple, quotient, roundUp, crcStep, congruential,
	magnitude, rangeTest, oneOf, power, factored, twoMasks, bytesOf,
	bytesOf, bytesOf, byteProduct, cancelling, cancelling,
}

// minMax is x < y ? x : y.
func minMax(w *core.Exprs, t ir.Int, v *core.Source) ir.Expr {
	x1, x2 := w.Twice(t, v)
	var y1, y2 ir.Expr
	if w.S.Chance(1, 2) {
		c := w.Constant(t)
		y1, y2 = c, core.Const(t, c.V)
	} else {
		y1, y2 = w.Twice(t, choice.Pick(w.S, w.Vars))
	}
	op := choice.Pick(w.S, core.Orders)
	return core.Select(core.Bin(op, x1, y1), x2, y2)
}

// absDiff is x > y ? x - y : y - x, mostly in the unsigned type, where neither
// overflows.
func absDiff(w *core.Exprs, t ir.Int, v *core.Source) ir.Expr {
	u := t
	u.Signed = u.Signed && w.S.Chance(1, 4)
	x1, x2 := w.Twice(u, v)
	y1, y2 := w.Twice(u, choice.Pick(w.S, w.Vars))
	return core.Convert(t, core.Select(
		core.Bin(ir.Gt, x1, y1),
		core.Bin(ir.Sub, x2, y2),
		core.Bin(ir.Sub, ir.CopyExpr(y1), ir.CopyExpr(x1)),
	))
}

// clamp is x < lo ? lo : x > hi ? hi : x.
func clamp(w *core.Exprs, t ir.Int, v *core.Source) ir.Expr {
	x1, x2 := w.Twice(t, v)
	lo, hi := int64(0), choice.Pick(w.S, []int64{1, 9, 127, 255, 32767, 65535})
	if t.Signed && w.S.Chance(1, 2) {
		lo = -hi - 1
	}
	upper := core.Select(core.Bin(ir.Gt, x2, core.Const(t, hi)), core.Const(t, hi), ir.CopyExpr(x1))
	return core.Select(core.Bin(ir.Lt, x1, core.Const(t, lo)), core.Const(t, lo), upper)
}

// rotate is (x << k) | (x >> (w - k)), with a constant or a variable k.
func rotate(w *core.Exprs, t ir.Int, v *core.Source) ir.Expr {
	u := core.Unsigned(t)
	x, y := w.Twice(u, v)
	op := choice.Pick(w.S, []ir.Op{ir.Or, ir.Or, ir.Add, ir.Xor})
	if w.S.Chance(1, 2) {
		k := int64(w.S.Range(1, t.Bits-1))
		return core.Convert(t, core.Bin(op,
			core.Bin(ir.Shl, x, core.Const(u, k)),
			core.Bin(ir.Shr, y, core.Const(u, int64(t.Bits)-k))))
	}
	k1, k2 := w.Twice(u, choice.Pick(w.S, w.Counts))
	m := int64(t.Bits - 1)
	return core.Convert(t, core.Bin(op,
		core.Bin(ir.Shl, x, core.Bin(ir.And, k1, core.Const(u, m))),
		core.Bin(ir.Shr, y, core.Bin(ir.And, core.Unary(ir.Neg, k2), core.Const(u, m)))))
}

// byteSwap is a byte swap of 32 bits, or of the lower 16, written with shifts.
func byteSwap(w *core.Exprs, t ir.Int, v *core.Source) ir.Expr {
	x1, x2 := w.Twice(ir.U32, v)
	c := func(n int64) ir.Expr { return core.Const(ir.U32, n) }
	if w.S.Chance(1, 3) {
		return core.Convert(t, core.Bin(ir.Or,
			core.Bin(ir.Shl, core.Bin(ir.And, x1, c(255)), c(8)),
			core.Bin(ir.And, core.Bin(ir.Shr, x2, c(8)), c(255))))
	}
	x3, x4 := ir.CopyExpr(x1), ir.CopyExpr(x1)
	outer := core.Bin(ir.Or, core.Bin(ir.Shl, x1, c(24)), core.Bin(ir.Shr, x2, c(24)))
	inner := core.Bin(ir.Or,
		core.Bin(ir.And, core.Bin(ir.Shl, x3, c(8)), c(0xff0000)),
		core.Bin(ir.And, core.Bin(ir.Shr, x4, c(8)), c(0xff00)))
	return core.Convert(t, core.Bin(ir.Or, outer, inner))
}

// bitTest is (x >> k) & 1, or x & (1 << k) compared with 0.
func bitTest(w *core.Exprs, t ir.Int, v *core.Source) ir.Expr {
	u := core.Unsigned(t)
	k := int64(w.S.Intn(t.Bits))
	if w.S.Chance(1, 2) {
		return core.Convert(t, core.Bin(ir.And, core.Bin(ir.Shr, w.Load(u, v), core.Const(u, k)), core.Const(u, 1)))
	}
	op := choice.Pick(w.S, core.Equalities)
	return core.Convert(t, core.Bin(op, core.Bin(ir.And, w.Load(u, v), core.Const(u, 1<<k)), core.Zero(u)))
}

// lowBit is x & -x, or x & (x - 1).
func lowBit(w *core.Exprs, t ir.Int, v *core.Source) ir.Expr {
	u := core.Unsigned(t)
	x, y := w.Twice(u, v)
	if w.S.Chance(1, 2) {
		return core.Convert(t, core.Bin(ir.And, x, core.Unary(ir.Neg, y)))
	}
	return core.Convert(t, core.Bin(ir.And, x, core.Bin(ir.Sub, y, core.Const(u, 1))))
}

// blend is (x & m) | (y & ~m).
func blend(w *core.Exprs, t ir.Int, v *core.Source) ir.Expr {
	m := w.Constant(t)
	return core.Bin(choice.Pick(w.S, []ir.Op{ir.Or, ir.Xor, ir.Or}),
		core.Bin(ir.And, w.Load(t, v), m),
		core.Bin(ir.And, w.Any(t), core.Const(t, ^m.V)))
}

// average is (x & y) + ((x ^ y) >> 1).
func average(w *core.Exprs, t ir.Int, v *core.Source) ir.Expr {
	x1, x2 := w.Twice(t, v)
	y1, y2 := w.Twice(t, choice.Pick(w.S, w.Vars))
	return core.Bin(ir.Add, core.Bin(ir.And, x1, y1),
		core.Bin(ir.Shr, core.Bin(ir.Xor, x2, y2), core.Const(t, 1)))
}

// sign is (x >> w-1) | (x != 0).
func sign(w *core.Exprs, t ir.Int, v *core.Source) ir.Expr {
	x1, x2 := w.Twice(t, v)
	return core.Bin(ir.Or, core.Bin(ir.Shr, x1, core.Const(t, int64(t.Bits-1))),
		core.Convert(t, core.Bin(ir.Ne, x2, core.Zero(t))))
}

// saturate is an addition without a sign that stops at the end of the type.
func saturate(w *core.Exprs, t ir.Int, v *core.Source) ir.Expr {
	u := core.Unsigned(t)
	x1, x2 := w.Twice(u, v)
	y1, y2 := w.Twice(u, choice.Pick(w.S, w.Vars))
	if w.S.Chance(1, 2) {
		return core.Convert(t, core.Select(
			core.Bin(ir.Lt, core.Bin(ir.Add, x1, y1), x2),
			core.Const(u, -1),
			core.Bin(ir.Add, ir.CopyExpr(x1), y2),
		))
	}
	return core.Convert(t, core.Select(core.Bin(ir.Gt, x1, y1), core.Bin(ir.Sub, x2, y2), core.Zero(u)))
}

// multiple is x * c for a c that is cheaper as shifts and additions.
func multiple(w *core.Exprs, t ir.Int, v *core.Source) ir.Expr {
	c := choice.Pick(w.S, []int64{3, 5, 7, 9, 10, 12, 15, 17, 24, 31, 33, 63, 65, 127, 255, -1, -3})
	if t.Signed && w.S.Chance(1, 2) {
		// Bounded, for the sake of products.
		x := core.Bin(ir.Rem, w.Load(t, v), core.Const(t, int64(w.S.Range(2, 1000))))
		return core.Bin(ir.Mul, x, core.Const(t, c))
	}
	return core.Wrapped(ir.Mul, t, w.Load(t, v), core.Const(t, c))
}

// quotient is a division by a constant, beside the remainder now and then.
func quotient(w *core.Exprs, t ir.Int, v *core.Source) ir.Expr {
	d := choice.Pick(w.S, []int64{2, 3, 4, 5, 7, 8, 10, 16, 60, 100, 255, 256, 1000, 641})
	if t.Signed && w.S.Chance(1, 4) {
		d = -d
	}
	x1, x2 := w.Twice(t, v)
	q := core.Bin(choice.Pick(w.S, []ir.Op{ir.Div, ir.Rem}), x1, core.Const(t, d))
	if w.S.Chance(1, 2) {
		return q
	}
	return core.Bin(ir.Sub, x2, core.Bin(ir.Mul, core.Bin(ir.Div, ir.CopyExpr(x1), core.Const(t, d)), core.Const(t, d)))
}

// roundUp is (x + a-1) & -a.
func roundUp(w *core.Exprs, t ir.Int, v *core.Source) ir.Expr {
	u := core.Unsigned(t)
	a := int64(1) << w.S.Range(1, 8)
	return core.Convert(t, core.Bin(ir.And, core.Bin(ir.Add, w.Load(u, v), core.Const(u, a-1)), core.Const(u, -a)))
}

// crcStep is (x >> 1) ^ (x & 1 ? poly : 0).
func crcStep(w *core.Exprs, t ir.Int, v *core.Source) ir.Expr {
	x1, x2 := w.Twice(ir.U32, v)
	poly := ir.Expr(core.Select(
		core.Bin(ir.And, x2, core.Const(ir.U32, 1)),
		core.Const(ir.U32, 0xedb88320), core.Zero(ir.U32),
	))
	if w.S.Chance(1, 2) {
		poly = core.Bin(ir.And, core.Unary(ir.Neg, core.Bin(ir.And, ir.CopyExpr(x1), core.Const(ir.U32, 1))), core.Const(ir.U32, 0xedb88320))
	}
	return core.Convert(t, core.Bin(ir.Xor, core.Bin(ir.Shr, x1, core.Const(ir.U32, 1)), poly))
}

// congruential is a step of a linear congruential generator.
func congruential(w *core.Exprs, t ir.Int, v *core.Source) ir.Expr {
	return core.Convert(t, core.Bin(ir.Add,
		core.Bin(ir.Mul, w.Load(ir.U32, v), core.Const(ir.U32, 1664525)),
		core.Const(ir.U32, 1013904223)))
}
