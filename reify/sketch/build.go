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

// A function for each node that is made often, so that its fields have one order.

func nodeLoad(p ir.Place) *ir.Load                        { return &ir.Load{Place: p} }
func nodeLoadPtr(p ir.Place) *ir.LoadPtr                  { return &ir.LoadPtr{Place: p} }
func nodeRef(v *ir.Var) *ir.VarRef                        { return &ir.VarRef{Var: v} }
func nodeElem(base ir.Place, index ir.Expr) *ir.Elem      { return &ir.Elem{Base: base, Index: index} }
func nodeMember(base ir.Place, field int) *ir.Member      { return &ir.Member{Base: base, Field: field} }
func nodeDeref(x ir.Expr) *ir.Deref                       { return &ir.Deref{X: x} }
func nodeAddressOf(p ir.Place) *ir.AddrOf                 { return &ir.AddrOf{Place: p} }
func nodePtrAdd(x, index ir.Expr) *ir.PtrAdd              { return &ir.PtrAdd{X: x, Index: index} }
func nodeUnary(op ir.UnOp, x ir.Expr) *ir.Unary           { return &ir.Unary{Op: op, X: x} }
func nodeSelect(c, x, y ir.Expr) *ir.Select               { return &ir.Select{If: c, X: x, Y: y} }
func nodePtrSelect(c, x, y ir.Expr) *ir.PtrSelect         { return &ir.PtrSelect{If: c, X: x, Y: y} }
func nodeAssign(dst ir.Place, e ir.Expr) *ir.Assign       { return &ir.Assign{Dst: dst, Src: e} }
func nodeAssignPtr(dst ir.Place, e ir.Expr) *ir.AssignPtr { return &ir.AssignPtr{Dst: dst, Src: e} }
func nodeAssignFloat(dst ir.Place, e ir.Expr) *ir.AssignFloat {
	return &ir.AssignFloat{Dst: dst, Src: e}
}
func nodeAssignVec(dst ir.Place, e ir.Expr) *ir.AssignVec     { return &ir.AssignVec{Dst: dst, Src: e} }
func nodeFloatBin(op ir.Op, x, y ir.Expr) *ir.FloatBinary     { return &ir.FloatBinary{Op: op, X: x, Y: y} }
func nodeFloatConvert(t ir.Float, x ir.Expr) *ir.FloatConvert { return &ir.FloatConvert{T: t, X: x} }
func nodeFloatOf(t ir.Float, x ir.Expr) *ir.FloatOf           { return &ir.FloatOf{T: t, X: x} }
func nodeFloatConst(t ir.Float, v float64) *ir.FloatConst     { return &ir.FloatConst{T: t, V: v} }
func nodeVecBin(op ir.Op, x, y ir.Expr) *ir.VecBinary         { return &ir.VecBinary{Op: op, X: x, Y: y} }
func nodeVecUnary(op ir.UnOp, x ir.Expr) *ir.VecUnary         { return &ir.VecUnary{Op: op, X: x} }
func nodeVecConvert(t ir.Vector, x ir.Expr) *ir.VecConvert    { return &ir.VecConvert{T: t, X: x} }
func nodeVecCast(t ir.Vector, x ir.Expr) *ir.VecCast          { return &ir.VecCast{T: t, X: x} }
func nodeWideBin(op ir.Op, x, y ir.Expr) *ir.WideBinary       { return &ir.WideBinary{Op: op, X: x, Y: y} }
func nodeWideUnary(op ir.UnOp, x ir.Expr) *ir.WideUnary       { return &ir.WideUnary{Op: op, X: x} }
func nodeWideOf(t ir.Wide, x ir.Expr) *ir.WideOf              { return &ir.WideOf{T: t, X: x} }
func nodeWideSelect(c, x, y ir.Expr) *ir.WideSelect           { return &ir.WideSelect{If: c, X: x, Y: y} }

// LoadVar returns the value of a scalar.
func nodeLoadVar(v *ir.Var) *ir.Load { return nodeLoad(nodeRef(v)) }
