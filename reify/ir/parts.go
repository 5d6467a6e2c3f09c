package ir

import "slices"

// A Node is an expression, a place or a statement.
type Node any

// Operands calls expr with the address of each expression that n is directly made of, and
// place with that of each place, in the order of evaluation: X before Y, the source of an
// assignment before its destination. To assign to an address replaces the operand. It stops
// when one of them returns false, and returns whether both always returned true. A Checksum
// has no operands: it is made of variables. All walks over nodes are made of it.
func Operands(n Node, expr func(*Expr) bool, place func(*Place) bool) bool {
	switch n := n.(type) {
	case nil, *Const, *FloatConst, *Null, *Sym, *Checksum, *VarRef, *Unreachable:
		return true

	case *Load:
		return place(&n.Place)
	case *Unary:
		return expr(&n.X)
	case *Binary:
		return expr(&n.X) && expr(&n.Y)
	case *Select:
		return expr(&n.If) && expr(&n.X) && expr(&n.Y)
	case *Convert:
		return expr(&n.X)
	case *Cast:
		return expr(&n.X)
	case *Builtin:
		return all(n.Args, expr)
	case *Call:
		return all(n.Args, expr)
	case *AddrOf:
		return place(&n.Place)
	case *PtrAdd:
		return expr(&n.X) && expr(&n.Index)
	case *VecOf:
		return all(n.Lanes, expr)
	case *Shuffle:
		return expr(&n.X) && expr(&n.Y)
	case *VecCall:
		return expr(&n.X)

	case *Elem:
		return place(&n.Base) && expr(&n.Index)
	case *Member:
		return place(&n.Base)
	case *Deref:
		return expr(&n.X)

	case *Assign:
		return expr(&n.Src) && place(&n.Dst)
	case *Overflow:
		return expr(&n.X) && expr(&n.Y) && place(&n.Dst) && place(&n.Flag)
	case *Transfer:
		return expr(&n.Dst) && expr(&n.Src) && expr(&n.N)
	case *Fill:
		return expr(&n.Dst) && expr(&n.Byte) && expr(&n.N)
	case *Assume:
		return expr(&n.Cond)
	}
	panic(unknown(n))
}

func all(list []Expr, f func(*Expr) bool) bool {
	for i := range list {
		if !f(&list[i]) {
			return false
		}
	}
	return true
}

// Parts calls f for the direct parts of n, in the order of Operands, until f returns false.
// It returns whether f always returned true. A missing node has no parts. With Parts a
// property of all below n takes one function:
//
//	func reads(n Node, v *Var) bool {
//		if ref, ok := n.(*VarRef); ok {
//			return ref.Var == v
//		}
//		return !Parts(n, func(part Node) bool { return !reads(part, v) })
//	}
func Parts(n Node, f func(Node) bool) bool {
	return Operands(n, func(e *Expr) bool { return f(*e) }, func(p *Place) bool { return f(*p) })
}

// Any reports whether f holds for n or for a node below it.
func Any(n Node, f func(Node) bool) bool {
	return f(n) || !Parts(n, func(part Node) bool { return !Any(part, f) })
}

// Harmless reports whether an expression can be evaluated without effect in every
// language: it cannot trap, and calls nothing.
func Harmless(n Node) bool {
	switch n := n.(type) {
	case *Binary:
		if n.Op.Divides() && FamilyOf(n.X) != Floats {
			return false
		}
	case *Convert:
		if FamilyOf(n.X) == Floats && FamilyOf(n) == Integers {
			return false
		}
	case *Call, *Deref:
		return false
	case *Elem:
		// An index that is far out of bounds is outside of the memory.
		k, ok := n.Index.(*Const)
		if !ok || k.V < 0 || k.V >= int64(Count(n.Base.Type())/Count(n.Type())) {
			return false
		}
	}
	return Parts(n, Harmless)
}

// IsLeaf reports whether f calls nothing.
func (f *Function) IsLeaf() bool {
	for range f.Calls() {
		return false
	}
	return true
}

// Foreigners returns the foreign functions that f calls, each once, in the order of
// the first call.
func (f *Function) Foreigners() []*Function {
	var list []*Function
	for call := range f.Calls() {
		if call.Func.Foreign != nil && !slices.Contains(list, call.Func) {
			list = append(list, call.Func)
		}
	}
	return list
}
