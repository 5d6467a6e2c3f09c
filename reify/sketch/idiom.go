package sketch

import (
	"goreify/reify/choice"
	"goreify/reify/ir"
)

// Idioms is the shape of forms that peephole passes look for. Its share is a weight among
// the forms of terms.
type Idioms struct{}

// New gives the function its idioms, and writes nothing else.
func (Idioms) New(w *writer) Part {
	w.idioms = idioms
	return nil
}

// idioms is the table that idioms are drawn from.
var idioms = []idiomFunc{
	minMax, minMax, absDiff, clamp,
	rotate, rotate, byteSwap, bitTest, lowBit, blend, average, sign,
	saturate, multiple, multiple, quotient, roundUp, crcStep, congruential,
	magnitude, rangeTest, oneOf, power, factored, twoMasks, bytesOf,
	bytesOf, bytesOf, byteProduct, cancelling, cancelling,
}

// minMax is x < y ? x : y.
func minMax(w *exprWriter, t ir.Int, v *source) ir.Expr {
	x1, x2 := w.twice(t, v)
	var y1, y2 ir.Expr
	if w.s.Chance(1, 2) {
		c := w.constant(t)
		y1, y2 = c, constantOf(t, c.V)
	} else {
		y1, y2 = w.twice(t, choice.Pick(w.s, w.vars))
	}
	op := choice.Pick(w.s, orders)
	return nodeSelect(bin(op, x1, y1), x2, y2)
}

// absDiff is x > y ? x - y : y - x, mostly in the unsigned type, where neither
// overflows.
func absDiff(w *exprWriter, t ir.Int, v *source) ir.Expr {
	u := t
	u.Signed = u.Signed && w.s.Chance(1, 4)
	x1, x2 := w.twice(u, v)
	y1, y2 := w.twice(u, choice.Pick(w.s, w.vars))
	return convert(t, nodeSelect(
		bin(ir.Gt, x1, y1),
		bin(ir.Sub, x2, y2),
		bin(ir.Sub, ir.CopyExpr(y1), ir.CopyExpr(x1)),
	))
}

// clamp is x < lo ? lo : x > hi ? hi : x.
func clamp(w *exprWriter, t ir.Int, v *source) ir.Expr {
	x1, x2 := w.twice(t, v)
	lo, hi := int64(0), choice.Pick(w.s, []int64{1, 9, 127, 255, 32767, 65535})
	if t.Signed && w.s.Chance(1, 2) {
		lo = -hi - 1
	}
	upper := nodeSelect(bin(ir.Gt, x2, constantOf(t, hi)), constantOf(t, hi), ir.CopyExpr(x1))
	return nodeSelect(bin(ir.Lt, x1, constantOf(t, lo)), constantOf(t, lo), upper)
}

// rotate is (x << k) | (x >> (w - k)), with a constant or a variable k.
func rotate(w *exprWriter, t ir.Int, v *source) ir.Expr {
	u := unsigned(t)
	x, y := w.twice(u, v)
	op := choice.Pick(w.s, []ir.Op{ir.Or, ir.Or, ir.Add, ir.Xor})
	if w.s.Chance(1, 2) {
		k := int64(w.s.Range(1, t.Bits-1))
		return convert(t, bin(op,
			bin(ir.Shl, x, constantOf(u, k)),
			bin(ir.Shr, y, constantOf(u, int64(t.Bits)-k))))
	}
	k1, k2 := w.twice(u, choice.Pick(w.s, w.counts))
	m := int64(t.Bits - 1)
	return convert(t, bin(op,
		bin(ir.Shl, x, bin(ir.And, k1, constantOf(u, m))),
		bin(ir.Shr, y, bin(ir.And, nodeUnary(ir.Neg, k2), constantOf(u, m)))))
}

// byteSwap is a byte swap of 32 bits, or of the lower 16, written with shifts.
func byteSwap(w *exprWriter, t ir.Int, v *source) ir.Expr {
	x1, x2 := w.twice(ir.U32, v)
	c := func(n int64) ir.Expr { return constantOf(ir.U32, n) }
	if w.s.Chance(1, 3) {
		return convert(t, bin(ir.Or,
			bin(ir.Shl, bin(ir.And, x1, c(255)), c(8)),
			bin(ir.And, bin(ir.Shr, x2, c(8)), c(255))))
	}
	x3, x4 := ir.CopyExpr(x1), ir.CopyExpr(x1)
	outer := bin(ir.Or, bin(ir.Shl, x1, c(24)), bin(ir.Shr, x2, c(24)))
	inner := bin(ir.Or,
		bin(ir.And, bin(ir.Shl, x3, c(8)), c(0xff0000)),
		bin(ir.And, bin(ir.Shr, x4, c(8)), c(0xff00)))
	return convert(t, bin(ir.Or, outer, inner))
}

// bitTest is (x >> k) & 1, or x & (1 << k) compared with 0.
func bitTest(w *exprWriter, t ir.Int, v *source) ir.Expr {
	u := unsigned(t)
	k := int64(w.s.Intn(t.Bits))
	if w.s.Chance(1, 2) {
		return convert(t, bin(ir.And, bin(ir.Shr, w.load(u, v), constantOf(u, k)), constantOf(u, 1)))
	}
	op := choice.Pick(w.s, equalities)
	return convert(t, bin(op, bin(ir.And, w.load(u, v), constantOf(u, 1<<k)), constant0(u)))
}

// lowBit is x & -x, or x & (x - 1).
func lowBit(w *exprWriter, t ir.Int, v *source) ir.Expr {
	u := unsigned(t)
	x, y := w.twice(u, v)
	if w.s.Chance(1, 2) {
		return convert(t, bin(ir.And, x, nodeUnary(ir.Neg, y)))
	}
	return convert(t, bin(ir.And, x, bin(ir.Sub, y, constantOf(u, 1))))
}

// blend is (x & m) | (y & ~m).
func blend(w *exprWriter, t ir.Int, v *source) ir.Expr {
	m := w.constant(t)
	return bin(choice.Pick(w.s, []ir.Op{ir.Or, ir.Xor, ir.Or}),
		bin(ir.And, w.load(t, v), m),
		bin(ir.And, w.any(t), constantOf(t, ^m.V)))
}

// average is (x & y) + ((x ^ y) >> 1).
func average(w *exprWriter, t ir.Int, v *source) ir.Expr {
	x1, x2 := w.twice(t, v)
	y1, y2 := w.twice(t, choice.Pick(w.s, w.vars))
	return bin(ir.Add, bin(ir.And, x1, y1),
		bin(ir.Shr, bin(ir.Xor, x2, y2), constantOf(t, 1)))
}

// sign is (x >> w-1) | (x != 0).
func sign(w *exprWriter, t ir.Int, v *source) ir.Expr {
	x1, x2 := w.twice(t, v)
	return bin(ir.Or, bin(ir.Shr, x1, constantOf(t, int64(t.Bits-1))),
		convert(t, bin(ir.Ne, x2, constant0(t))))
}

// saturate is an addition without a sign that stops at the end of the type.
func saturate(w *exprWriter, t ir.Int, v *source) ir.Expr {
	u := unsigned(t)
	x1, x2 := w.twice(u, v)
	y1, y2 := w.twice(u, choice.Pick(w.s, w.vars))
	if w.s.Chance(1, 2) {
		return convert(t, nodeSelect(
			bin(ir.Lt, bin(ir.Add, x1, y1), x2),
			constantOf(u, -1),
			bin(ir.Add, ir.CopyExpr(x1), y2),
		))
	}
	return convert(t, nodeSelect(bin(ir.Gt, x1, y1), bin(ir.Sub, x2, y2), constant0(u)))
}

// multiple is x * c for a c that is cheaper as shifts and additions.
func multiple(w *exprWriter, t ir.Int, v *source) ir.Expr {
	c := choice.Pick(w.s, []int64{3, 5, 7, 9, 10, 12, 15, 17, 24, 31, 33, 63, 65, 127, 255, -1, -3})
	if t.Signed && w.s.Chance(1, 2) {
		// Bounded, for the sake of products.
		x := bin(ir.Rem, w.load(t, v), constantOf(t, int64(w.s.Range(2, 1000))))
		return bin(ir.Mul, x, constantOf(t, c))
	}
	return wrapped(ir.Mul, t, w.load(t, v), constantOf(t, c))
}

// quotient is a division by a constant, beside the remainder now and then.
func quotient(w *exprWriter, t ir.Int, v *source) ir.Expr {
	d := choice.Pick(w.s, []int64{2, 3, 4, 5, 7, 8, 10, 16, 60, 100, 255, 256, 1000, 641})
	if t.Signed && w.s.Chance(1, 4) {
		d = -d
	}
	x1, x2 := w.twice(t, v)
	q := bin(choice.Pick(w.s, []ir.Op{ir.Div, ir.Rem}), x1, constantOf(t, d))
	if w.s.Chance(1, 2) {
		return q
	}
	return bin(ir.Sub, x2, bin(ir.Mul, bin(ir.Div, ir.CopyExpr(x1), constantOf(t, d)), constantOf(t, d)))
}

// roundUp is (x + a-1) & -a.
func roundUp(w *exprWriter, t ir.Int, v *source) ir.Expr {
	u := unsigned(t)
	a := int64(1) << w.s.Range(1, 8)
	return convert(t, bin(ir.And, bin(ir.Add, w.load(u, v), constantOf(u, a-1)), constantOf(u, -a)))
}

// crcStep is (x >> 1) ^ (x & 1 ? poly : 0).
func crcStep(w *exprWriter, t ir.Int, v *source) ir.Expr {
	x1, x2 := w.twice(ir.U32, v)
	poly := ir.Expr(nodeSelect(
		bin(ir.And, x2, constantOf(ir.U32, 1)),
		constantOf(ir.U32, 0xedb88320), constant0(ir.U32),
	))
	if w.s.Chance(1, 2) {
		poly = bin(ir.And, nodeUnary(ir.Neg, bin(ir.And, ir.CopyExpr(x1), constantOf(ir.U32, 1))), constantOf(ir.U32, 0xedb88320))
	}
	return convert(t, bin(ir.Xor, bin(ir.Shr, x1, constantOf(ir.U32, 1)), poly))
}

// congruential is a step of a linear congruential generator.
func congruential(w *exprWriter, t ir.Int, v *source) ir.Expr {
	return convert(t, bin(ir.Add,
		bin(ir.Mul, w.load(ir.U32, v), constantOf(ir.U32, 1664525)),
		constantOf(ir.U32, 1013904223)))
}
