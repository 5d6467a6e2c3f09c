package core

import "goreify/reify/ir"

func Bin(op ir.Op, x, y ir.Expr) *ir.Binary { return &ir.Binary{Op: op, X: x, Y: y} }

// Convert returns e as a value of type t.
func Convert(t ir.Int, e ir.Expr) ir.Expr {
	if ir.IntOf(e) == t {
		return e
	}
	return &ir.Convert{T: t, X: e}
}

// Const returns v, wrapped, as a constant of type t.
func Const(t ir.Int, v int64) *ir.Const { return &ir.Const{T: t, V: t.Wrap(v)} }

func Zero(t ir.Int) *ir.Const { return &ir.Const{T: t} }

// Unsigned returns the unsigned type of the width of t.
func Unsigned(t ir.Int) ir.Int { return ir.Int{Bits: t.Bits} }

// As is convert, except that a constant is converted at once.
func As(t ir.Int, x ir.Expr) ir.Expr {
	if c, ok := x.(*ir.Const); ok {
		return Const(t, c.V)
	}
	return Convert(t, x)
}

// Modulo is wrapped, except that a constant is converted at once.
func Modulo(op ir.Op, t ir.Int, x, y ir.Expr) ir.Expr {
	u := Unsigned(t)
	return Wrapped(op, t, As(u, x), As(u, y))
}

// A function for each node that is made often, so that its fields have one order.

func Load(p ir.Place) *ir.Load                        { return &ir.Load{Place: p} }
func LoadPtr(p ir.Place) *ir.LoadPtr                  { return &ir.LoadPtr{Place: p} }
func Ref(v *ir.Var) *ir.VarRef                        { return &ir.VarRef{Var: v} }
func Elem(base ir.Place, index ir.Expr) *ir.Elem      { return &ir.Elem{Base: base, Index: index} }
func Member(base ir.Place, field int) *ir.Member      { return &ir.Member{Base: base, Field: field} }
func Deref(x ir.Expr) *ir.Deref                       { return &ir.Deref{X: x} }
func AddressOf(p ir.Place) *ir.AddrOf                 { return &ir.AddrOf{Place: p} }
func PtrAdd(x, index ir.Expr) *ir.PtrAdd              { return &ir.PtrAdd{X: x, Index: index} }
func Unary(op ir.UnOp, x ir.Expr) *ir.Unary           { return &ir.Unary{Op: op, X: x} }
func Select(c, x, y ir.Expr) *ir.Select               { return &ir.Select{If: c, X: x, Y: y} }
func PtrSelect(c, x, y ir.Expr) *ir.PtrSelect         { return &ir.PtrSelect{If: c, X: x, Y: y} }
func Assign(dst ir.Place, e ir.Expr) *ir.Assign       { return &ir.Assign{Dst: dst, Src: e} }
func AssignPtr(dst ir.Place, e ir.Expr) *ir.AssignPtr { return &ir.AssignPtr{Dst: dst, Src: e} }
func AssignFloat(dst ir.Place, e ir.Expr) *ir.AssignFloat {
	return &ir.AssignFloat{Dst: dst, Src: e}
}
func AssignVec(dst ir.Place, e ir.Expr) *ir.AssignVec     { return &ir.AssignVec{Dst: dst, Src: e} }
func FloatBin(op ir.Op, x, y ir.Expr) *ir.FloatBinary     { return &ir.FloatBinary{Op: op, X: x, Y: y} }
func FloatConvert(t ir.Float, x ir.Expr) *ir.FloatConvert { return &ir.FloatConvert{T: t, X: x} }
func FloatOf(t ir.Float, x ir.Expr) *ir.FloatOf           { return &ir.FloatOf{T: t, X: x} }
func FloatConst(t ir.Float, v float64) *ir.FloatConst     { return &ir.FloatConst{T: t, V: v} }
func VecBin(op ir.Op, x, y ir.Expr) *ir.VecBinary         { return &ir.VecBinary{Op: op, X: x, Y: y} }
func VecUnary(op ir.UnOp, x ir.Expr) *ir.VecUnary         { return &ir.VecUnary{Op: op, X: x} }
func VecConvert(t ir.Vector, x ir.Expr) *ir.VecConvert    { return &ir.VecConvert{T: t, X: x} }
func VecCast(t ir.Vector, x ir.Expr) *ir.VecCast          { return &ir.VecCast{T: t, X: x} }
func WideBin(op ir.Op, x, y ir.Expr) *ir.WideBinary       { return &ir.WideBinary{Op: op, X: x, Y: y} }
func WideUnary(op ir.UnOp, x ir.Expr) *ir.WideUnary       { return &ir.WideUnary{Op: op, X: x} }
func WideOf(t ir.Wide, x ir.Expr) *ir.WideOf              { return &ir.WideOf{T: t, X: x} }
func WideSelect(c, x, y ir.Expr) *ir.WideSelect           { return &ir.WideSelect{If: c, X: x, Y: y} }

// LoadVar returns the value of a scalar.
func LoadVar(v *ir.Var) *ir.Load { return Load(Ref(v)) }
