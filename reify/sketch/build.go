package sketch

import "goreify/reify/ir"

func bin(op ir.Op, x, y ir.Expr) *ir.Binary { return &ir.Binary{Op: op, X: x, Y: y} }

// convert returns e as a value of type t.
func convert(t ir.Int, e ir.Expr) ir.Expr {
	if ir.IntOf(e) == t {
		return e
	}
	return &ir.Convert{T: t.Boxed(), X: e}
}

// constantOf returns v, wrapped, as a constant of type t.
func constantOf(t ir.Int, v int64) *ir.Const { return &ir.Const{T: t, V: t.Wrap(v)} }

func constant0(t ir.Int) *ir.Const { return &ir.Const{T: t} }

// unsigned returns the unsigned type of the width of t.
func unsigned(t ir.Int) ir.Int { return ir.Int{Bits: t.Bits} }
