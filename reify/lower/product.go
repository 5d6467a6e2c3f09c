package lower

import "goreify/reify/ir"

// Products makes of the high half of a product, which earlier passes make, a sum of
// products of quarters.
var Products = Pass{
	Name:   "products",
	guards: true,
	Lowers: func(n ir.Node) bool {
		b, ok := n.(*ir.Builtin)
		return ok && b.Fn == ir.MulHigh
	},
	expr: func(r *rewriter, e ir.Expr) ir.Expr {
		b, ok := e.(*ir.Builtin)
		if !ok || b.Fn != ir.MulHigh {
			return nil
		}
		low := func(e ir.Expr) ir.Expr { return bin(ir.And, e, number(ir.U64, 1<<32-1)) }
		high := func(e ir.Expr) ir.Expr { return by(ir.Shr, e, 32) }
		x, y := r.half(b.Args[0]), r.half(b.Args[1])
		xl, xh := r.half(low(x)), r.half(high(x))
		yl, yh := r.half(low(y)), r.half(high(y))
		inner := r.half(bin(ir.Add, bin(ir.Mul, xh, yl), high(bin(ir.Mul, xl, yl))))
		outer := r.half(bin(ir.Add, bin(ir.Mul, xl, yh), low(inner)))
		return bin(ir.Add, bin(ir.Add, bin(ir.Mul, xh, yh), high(inner)), high(outer))
	},
}
