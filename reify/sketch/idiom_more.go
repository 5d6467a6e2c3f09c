package sketch

import (
	"goreify/reify/choice"
	"goreify/reify/ir"
)

// magnitude is x < 0 ? -x : x.
func magnitude(w *exprWriter, t ir.Int, v *source) ir.Expr {
	s := ir.Int{Bits: t.Bits, Signed: true}
	x1, x2 := w.twice(s, v)
	neg := nodeUnary(ir.Neg, x2)
	return convert(t, nodeSelect(bin(ir.Lt, x1, constant0(s)), neg, ir.CopyExpr(x1)))
}

// rangeTest is x >= lo && x <= hi, or its opposite.
func rangeTest(w *exprWriter, t ir.Int, v *source) ir.Expr {
	c := promote(v.leaves[0].t)
	x, y := w.twice(c, v)
	lo := int64(w.s.Range(0, 100))
	hi := lo + int64(w.s.Range(1, 100))
	if w.s.Chance(1, 2) {
		return convert(t, bin(ir.LAnd, bin(ir.Ge, x, constantOf(c, lo)), bin(ir.Le, y, constantOf(c, hi))))
	}
	return convert(t, bin(ir.LOr, bin(ir.Lt, x, constantOf(c, lo)), bin(ir.Gt, y, constantOf(c, hi))))
}

// oneOf is x == a || x == b || ..., for values that are close together.
func oneOf(w *exprWriter, t ir.Int, v *source) ir.Expr {
	c := promote(v.leaves[0].t)
	x, _ := w.twice(c, v)
	at := int64(w.s.Range(0, 60))
	e := ir.Expr(bin(ir.Eq, x, constantOf(c, at)))
	for range w.s.Range(1, 4) {
		at += int64(w.s.Range(1, 6))
		e = bin(ir.LOr, e, bin(ir.Eq, ir.CopyExpr(x), constantOf(c, at)))
	}
	return convert(t, e)
}

// power is x * x * ..., without a sign.
func power(w *exprWriter, t ir.Int, v *source) ir.Expr {
	u := unsigned(t)
	x, _ := w.twice(u, v)
	e := x
	for range w.s.Range(1, 5) {
		e = bin(ir.Mul, e, ir.CopyExpr(x))
	}
	return convert(t, e)
}

// factored is x * y ± x * z, without a sign.
func factored(w *exprWriter, t ir.Int, v *source) ir.Expr {
	u := unsigned(t)
	x, y := w.twice(u, v)
	return convert(t, bin(additiveOp(w.s), bin(ir.Mul, x, w.any(u)), bin(ir.Mul, y, w.any(u))))
}

// twoMasks is (x ⊗ c) ⊕ (x ⊗ d) for bitwise operators.
func twoMasks(w *exprWriter, t ir.Int, v *source) ir.Expr {
	x, y := w.twice(t, v)
	inner := bitwiseOp(w.s)
	return bin(bitwiseOp(w.s), bin(inner, x, w.constant(t)), bin(inner, y, w.constant(t)))
}

// bytesOf is a[k] | a[k + 1] << 8 and so on for an array of bytes, in either order, or
// blend if the function has no such array.
func bytesOf(w *exprWriter, t ir.Int, v *source) ir.Expr {
	for _, s := range w.vars {
		l := s.leaves[0]
		if l.t != ir.U8 || len(l.steps) != 1 || l.steps[0].kind != toElem || l.steps[0].len < 4 || l.root.Volatile {
			continue
		}
		big := w.s.Chance(1, 2)
		at := w.s.Intn(l.steps[0].len - 3)
		var e ir.Expr
		for k := range 4 {
			fixed := func(int) ir.Expr { return constantOf(ir.I32, int64(at+k)) }
			by := 8 * k
			if big {
				by = 24 - by
			}
			x := bin(ir.Shl, convert(ir.U32, nodeLoad(l.place(fixed))), constantOf(ir.U32, int64(by)))
			if e == nil {
				e = x
			} else {
				e = bin(ir.Or, e, x)
			}
		}
		return convert(t, e)
	}
	return blend(w, t, v)
}

// cancelling is a sum, without a sign, parts of which are subtracted again.
func cancelling(w *exprWriter, t ir.Int, v *source) ir.Expr {
	u := unsigned(t)
	x, x2 := w.twice(u, v)
	y, y2 := w.twice(u, choice.Pick(w.s, w.vars))
	z := w.any(u)
	e := bin(ir.Sub, bin(ir.Add, bin(ir.Add, x, y), bin(ir.Sub, z, x2)), y2)
	if w.s.Chance(1, 2) {
		op := choice.Pick(w.s, []ir.Op{ir.And, ir.Or})
		e = bin(op, bin(op, ir.CopyExpr(x), w.any(u)), bin(op, ir.CopyExpr(y), nodeUnary(ir.Not, ir.CopyExpr(x))))
	}
	return convert(t, e)
}

// byteProduct is a product of two bytes, as one of 16 bits.
func byteProduct(w *exprWriter, t ir.Int, v *source) ir.Expr {
	b := ir.Int{Bits: 8, Signed: w.s.Chance(1, 2)}
	byteOf := func(v *source) ir.Expr { return convert(ir.I32, convert(b, w.load(ir.I32, v))) }
	product := bin(ir.Mul, byteOf(v), byteOf(choice.Pick(w.s, w.vars)))
	return convert(t, convert(ir.Int{Bits: 16, Signed: b.Signed}, product))
}
