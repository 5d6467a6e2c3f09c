package idioms

import (
	"goreify/reify/choice"
	"goreify/reify/ir"
	"goreify/reify/sketch/core"
)

// magnitude is x < 0 ? -x : x.
func magnitude(w *core.Exprs, t ir.Int, v *core.Source) ir.Expr {
	s := ir.Int{Bits: t.Bits, Signed: true}
	x1, x2 := w.Twice(s, v)
	neg := core.Unary(ir.Neg, x2)
	return core.Convert(t, core.Select(core.Bin(ir.Lt, x1, core.Zero(s)), neg, ir.CopyExpr(x1)))
}

// rangeTest is x >= lo && x <= hi, or its opposite.
func rangeTest(w *core.Exprs, t ir.Int, v *core.Source) ir.Expr {
	c := core.Promote(v.Leaves[0].T)
	x, y := w.Twice(c, v)
	lo := int64(w.S.Range(0, 100))
	hi := lo + int64(w.S.Range(1, 100))
	if w.S.Chance(1, 2) {
		return core.Convert(t, core.Bin(ir.LAnd, core.Bin(ir.Ge, x, core.Const(c, lo)), core.Bin(ir.Le, y, core.Const(c, hi))))
	}
	return core.Convert(t, core.Bin(ir.LOr, core.Bin(ir.Lt, x, core.Const(c, lo)), core.Bin(ir.Gt, y, core.Const(c, hi))))
}

// oneOf is x == a || x == b || ..., for values that are close together.
func oneOf(w *core.Exprs, t ir.Int, v *core.Source) ir.Expr {
	c := core.Promote(v.Leaves[0].T)
	x, _ := w.Twice(c, v)
	at := int64(w.S.Range(0, 60))
	e := ir.Expr(core.Bin(ir.Eq, x, core.Const(c, at)))
	for range w.S.Range(1, 4) {
		at += int64(w.S.Range(1, 6))
		e = core.Bin(ir.LOr, e, core.Bin(ir.Eq, ir.CopyExpr(x), core.Const(c, at)))
	}
	return core.Convert(t, e)
}

// power is x * x * ..., without a sign.
func power(w *core.Exprs, t ir.Int, v *core.Source) ir.Expr {
	u := core.Unsigned(t)
	x, _ := w.Twice(u, v)
	e := x
	for range w.S.Range(1, 5) {
		e = core.Bin(ir.Mul, e, ir.CopyExpr(x))
	}
	return core.Convert(t, e)
}

// factored is x * y ± x * z, without a sign.
func factored(w *core.Exprs, t ir.Int, v *core.Source) ir.Expr {
	u := core.Unsigned(t)
	x, y := w.Twice(u, v)
	return core.Convert(t, core.Bin(core.AdditiveOp(w.S), core.Bin(ir.Mul, x, w.Any(u)), core.Bin(ir.Mul, y, w.Any(u))))
}

// twoMasks is (x ⊗ c) ⊕ (x ⊗ d) for bitwise operators.
func twoMasks(w *core.Exprs, t ir.Int, v *core.Source) ir.Expr {
	x, y := w.Twice(t, v)
	inner := core.BitwiseOp(w.S)
	return core.Bin(core.BitwiseOp(w.S), core.Bin(inner, x, w.Constant(t)), core.Bin(inner, y, w.Constant(t)))
}

// bytesOf is a[k] | a[k + 1] << 8 and so on for an array of bytes, in either order, or
// blend if the function has no such array.
func bytesOf(w *core.Exprs, t ir.Int, v *core.Source) ir.Expr {
	for _, s := range w.Vars {
		l := s.Leaves[0]
		if l.T != ir.U8 || len(l.Steps) != 1 || l.Steps[0].Kind != core.ToElem || l.Steps[0].Len < 4 || l.Root.Volatile {
			continue
		}
		big := w.S.Chance(1, 2)
		at := w.S.Intn(l.Steps[0].Len - 3)
		var e ir.Expr
		for k := range 4 {
			fixed := func(int) ir.Expr { return core.Const(ir.I32, int64(at+k)) }
			by := 8 * k
			if big {
				by = 24 - by
			}
			x := core.Bin(ir.Shl, core.Convert(ir.U32, core.Load(l.Place(fixed))), core.Const(ir.U32, int64(by)))
			if e == nil {
				e = x
			} else {
				e = core.Bin(ir.Or, e, x)
			}
		}
		return core.Convert(t, e)
	}
	return blend(w, t, v)
}

// cancelling is a sum, without a sign, parts of which are subtracted again.
func cancelling(w *core.Exprs, t ir.Int, v *core.Source) ir.Expr {
	u := core.Unsigned(t)
	x, x2 := w.Twice(u, v)
	y, y2 := w.Twice(u, choice.Pick(w.S, w.Vars))
	z := w.Any(u)
	e := core.Bin(ir.Sub, core.Bin(ir.Add, core.Bin(ir.Add, x, y), core.Bin(ir.Sub, z, x2)), y2)
	if w.S.Chance(1, 2) {
		op := choice.Pick(w.S, []ir.Op{ir.And, ir.Or})
		e = core.Bin(op, core.Bin(op, ir.CopyExpr(x), w.Any(u)), core.Bin(op, ir.CopyExpr(y), core.Unary(ir.Not, ir.CopyExpr(x))))
	}
	return core.Convert(t, e)
}

// byteProduct is a product of two bytes, as one of 16 bits.
func byteProduct(w *core.Exprs, t ir.Int, v *core.Source) ir.Expr {
	b := ir.Int{Bits: 8, Signed: w.S.Chance(1, 2)}
	byteOf := func(v *core.Source) ir.Expr { return core.Convert(ir.I32, core.Convert(b, w.Load(ir.I32, v))) }
	product := core.Bin(ir.Mul, byteOf(v), byteOf(choice.Pick(w.S, w.Vars)))
	return core.Convert(t, core.Convert(ir.Int{Bits: 16, Signed: b.Signed}, product))
}
