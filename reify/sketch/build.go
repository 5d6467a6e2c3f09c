package sketch

import "goreify/reify/ir"

func bin(op ir.Op, x, y ir.Expr) *ir.Binary { return &ir.Binary{Op: op, X: x, Y: y} }

// convert returns e as a value of type t.
func convert(t ir.Int, e ir.Expr) ir.Expr {
	if ir.IntOf(e) == t {
		return e
	}
	return &ir.Convert{T: t, X: e}
}

// constantOf returns v, wrapped, as a constant of type t.
func constantOf(t ir.Int, v int64) *ir.Const { return &ir.Const{T: t, V: t.Wrap(v)} }

func constant0(t ir.Int) *ir.Const { return &ir.Const{T: t} }

// unsigned returns the unsigned type of the width of t.
func unsigned(t ir.Int) ir.Int { return ir.Int{Bits: t.Bits} }

// as is convert, except that a constant is converted at once.
func as(t ir.Int, x ir.Expr) ir.Expr {
	if c, ok := x.(*ir.Const); ok {
		return constantOf(t, c.V)
	}
	return convert(t, x)
}

// modulo is wrapped, except that a constant is converted at once.
func modulo(op ir.Op, t ir.Int, x, y ir.Expr) ir.Expr {
	u := unsigned(t)
	return wrapped(op, t, as(u, x), as(u, y))
}
