package core

import "goreify/reify/ir"

// Bin returns x op y.
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

// Zero returns 0 as a constant of type t.
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

// Load returns the integer in p.
func Load(p ir.Place) *ir.Load { return &ir.Load{Place: p} }

// LoadPtr returns the pointer in p.
func LoadPtr(p ir.Place) *ir.LoadPtr { return &ir.LoadPtr{Place: p} }

// Ref returns the place of v.
func Ref(v *ir.Var) *ir.VarRef { return &ir.VarRef{Var: v} }

// Elem returns an element of an array or lane of a vector.
func Elem(base ir.Place, index ir.Expr) *ir.Elem { return &ir.Elem{Base: base, Index: index} }

// Member returns a member of a record.
func Member(base ir.Place, field int) *ir.Member { return &ir.Member{Base: base, Field: field} }

// Deref returns what the pointer x points to.
func Deref(x ir.Expr) *ir.Deref { return &ir.Deref{X: x} }

// AddressOf returns a pointer to p.
func AddressOf(p ir.Place) *ir.AddrOf { return &ir.AddrOf{Place: p} }

// PtrAdd returns a pointer to the element at some distance from that which x points to.
func PtrAdd(x, index ir.Expr) *ir.PtrAdd { return &ir.PtrAdd{X: x, Index: index} }

// Unary returns op x.
func Unary(op ir.UnOp, x ir.Expr) *ir.Unary { return &ir.Unary{Op: op, X: x} }

// Select returns c ? x : y.
func Select(c, x, y ir.Expr) *ir.Select { return &ir.Select{If: c, X: x, Y: y} }

// PtrSelect is Select for pointers.
func PtrSelect(c, x, y ir.Expr) *ir.PtrSelect { return &ir.PtrSelect{If: c, X: x, Y: y} }

// Assign returns dst = e.
func Assign(dst ir.Place, e ir.Expr) *ir.Assign { return &ir.Assign{Dst: dst, Src: e} }

// AssignPtr is Assign for pointers.
func AssignPtr(dst ir.Place, e ir.Expr) *ir.AssignPtr { return &ir.AssignPtr{Dst: dst, Src: e} }

// AssignFloat is Assign for floating-point numbers.
func AssignFloat(dst ir.Place, e ir.Expr) *ir.AssignFloat {
	return &ir.AssignFloat{Dst: dst, Src: e}
}

// AssignVec is Assign for vectors.
func AssignVec(dst ir.Place, e ir.Expr) *ir.AssignVec { return &ir.AssignVec{Dst: dst, Src: e} }

// FloatBin is Bin for floating-point numbers.
func FloatBin(op ir.Op, x, y ir.Expr) *ir.FloatBinary { return &ir.FloatBinary{Op: op, X: x, Y: y} }

// FloatConvert returns the floating-point number x as one of type t.
func FloatConvert(t ir.Float, x ir.Expr) *ir.FloatConvert { return &ir.FloatConvert{T: t, X: x} }

// FloatOf returns the integer x as a floating-point number.
func FloatOf(t ir.Float, x ir.Expr) *ir.FloatOf { return &ir.FloatOf{T: t, X: x} }

// FloatConst returns a floating-point constant.
func FloatConst(t ir.Float, v float64) *ir.FloatConst { return &ir.FloatConst{T: t, V: v} }

// VecBin is Bin for vectors.
func VecBin(op ir.Op, x, y ir.Expr) *ir.VecBinary { return &ir.VecBinary{Op: op, X: x, Y: y} }

// VecUnary is Unary for vectors.
func VecUnary(op ir.UnOp, x ir.Expr) *ir.VecUnary { return &ir.VecUnary{Op: op, X: x} }

// VecConvert returns the vector x, lane by lane, as one of type t.
func VecConvert(t ir.Vector, x ir.Expr) *ir.VecConvert { return &ir.VecConvert{T: t, X: x} }

// VecCast returns the bits of the vector x as a vector of type t.
func VecCast(t ir.Vector, x ir.Expr) *ir.VecCast { return &ir.VecCast{T: t, X: x} }

// WideBin is Bin for wide integers.
func WideBin(op ir.Op, x, y ir.Expr) *ir.WideBinary { return &ir.WideBinary{Op: op, X: x, Y: y} }

// WideUnary is Unary for wide integers.
func WideUnary(op ir.UnOp, x ir.Expr) *ir.WideUnary { return &ir.WideUnary{Op: op, X: x} }

// WideOf returns the integer x as a wide one.
func WideOf(t ir.Wide, x ir.Expr) *ir.WideOf { return &ir.WideOf{T: t, X: x} }

// WideSelect is Select for wide integers.
func WideSelect(c, x, y ir.Expr) *ir.WideSelect { return &ir.WideSelect{If: c, X: x, Y: y} }

// LoadVar returns the value of a scalar.
func LoadVar(v *ir.Var) *ir.Load { return Load(Ref(v)) }

// DerefAt returns element x from where p points to.
func DerefAt(p *ir.Var, x ir.Expr) ir.Place {
	return Deref(PtrAdd(LoadPtr(Ref(p)), x))
}

// CellAt returns element x of an array of integers.
func CellAt(a *Source, x ir.Expr) ir.Place { return Elem(Ref(a.V), x) }
