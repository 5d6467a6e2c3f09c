package lower

import "goreify/reify/ir"

// Overflow makes of a sum, difference or product that is told whether it has wrapped one
// of 64 bits, or of 128 in halves, and a comparison with its wrapped value. An Overflow
// that stores to two places of which each may trap stays: nothing may be stored before
// both are known.
var Overflow = Pass{
	Name: "overflow",
	Lowers: func(n ir.Node) bool {
		s, ok := n.(*ir.Overflow)
		return ok && (ir.Harmless(s.Dst) || ir.Harmless(s.Flag))
	},
	stmt: func(r *rewriter, s ir.Stmt) bool {
		o, ok := s.(*ir.Overflow)
		if !ok || !r.Lowers(o) {
			return false
		}
		var value, changed ir.Expr
		if ir.IntOf(o.X).Bits <= 32 && ir.IntOf(o.Y).Bits <= 32 {
			value, changed = r.overflowOf64(o)
		} else {
			value, changed = r.overflowOf128(o)
		}
		dst, flag := r.held(o.Dst, true), r.held(o.Flag, true)
		store := []ir.Stmt{
			&ir.Assign{Dst: dst, Src: convert(o.Dst.Type().(ir.Int), value)},
			&ir.Assign{Dst: flag, Src: convert(o.Flag.Type().(ir.Int), changed)},
		}
		if !ir.Harmless(flag) { // before anything is stored
			store[0], store[1] = store[1], store[0]
		}
		r.out = append(r.out, store...)
		return true
	},
}

// overflowOf64 computes an operator on numbers of 32 bits, whose result 64 bits hold.
func (r *rewriter) overflowOf64(o *ir.Overflow) (value, changed ir.Expr) {
	t, d := ir.I64, o.Dst.Type().(ir.Int)
	if o.Op == ir.Mul && !ir.IntOf(o.X).Signed && !ir.IntOf(o.Y).Signed {
		t = ir.U64
	}
	value = read(r.keep(&ir.Binary{Op: o.Op, X: convert(t, o.X), Y: convert(t, o.Y)}))
	switch {
	case d == t:
		return value, number(ir.I32, 0)
	case d.Bits == 64:
		return value, bin(ir.Lt, convert(ir.I64, ir.CopyExpr(value)), number(ir.I64, 0))
	}
	return value, bin(ir.Ne, convert(t, convert(d, ir.CopyExpr(value))), value)
}

// overflowOf128 computes the halves of a result of 128 bits.
func (r *rewriter) overflowOf128(o *ir.Overflow) (value, changed ir.Expr) {
	operand := func(e ir.Expr) wide {
		t := ir.I128
		t.Signed = ir.IntOf(e).Signed
		x := wide{t: ir.Wide{Bits: 64, Signed: t.Signed}, lo: r.half(convert(ir.U64, e))}
		return wide{t, x.lo, r.highOf(x)}
	}
	x := operand(o.X)
	z := r.operate(o.Op, x, operand(o.Y))
	d := o.Dst.Type().(ir.Int)
	w := wide{t: ir.Wide{Bits: 64, Signed: d.Signed}, lo: z.lo}
	if d.Bits < 64 {
		w.lo = r.half(convert(ir.U64, convert(d, ir.CopyExpr(z.lo))))
	}
	return z.lo, r.compare(ir.Ne, z, wide{z.t, w.lo, r.highOf(w)})
}
