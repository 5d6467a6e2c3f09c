package core

import "goreify/reify/ir"

// Bin returns x op y.
func Bin(op ir.Op, x, y ir.Expr) *ir.Binary { return &ir.Binary{Op: op, X: x, Y: y} }

// Convert returns e as a value of type t.
func Convert(t ir.Int, e ir.Expr) ir.Expr {
	if ir.IntOf(e) == t {
		return e
	}
	return &ir.Convert{T: t.Boxed(), X: e}
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

// Load returns the value of p.
func Load(p ir.Place) *ir.Load { return &ir.Load{Place: p} }

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

// To returns x converted to a type of another family, or to one of its own that is no integer.
func To(t ir.Type, x ir.Expr) *ir.Convert { return &ir.Convert{T: t, X: x} }

// Cast returns what x is as a value of type t: the same address, or the same bits.
func Cast(t ir.Type, x ir.Expr) *ir.Cast { return &ir.Cast{T: t, X: x} }

// Unary returns op x.
func Unary(op ir.UnOp, x ir.Expr) *ir.Unary { return &ir.Unary{Op: op, X: x} }

// Select returns c ? x : y.
func Select(c, x, y ir.Expr) *ir.Select { return &ir.Select{If: c, X: x, Y: y} }

// Assign returns dst = e.
func Assign(dst ir.Place, e ir.Expr) *ir.Assign { return &ir.Assign{Dst: dst, Src: e} }

// FloatConst returns a floating-point constant.
func FloatConst(t ir.Float, v float64) *ir.FloatConst { return &ir.FloatConst{T: t, V: v} }

// LoadVar returns the value of a scalar.
func LoadVar(v *ir.Var) *ir.Load { return Load(Ref(v)) }

// DerefAt returns element x from where p points to.
func DerefAt(p *ir.Var, x ir.Expr) ir.Place {
	return Deref(PtrAdd(Load(Ref(p)), x))
}

// CellAt returns element x of an array of integers.
func CellAt(a *Source, x ir.Expr) ir.Place { return Elem(Ref(a.V), x) }
