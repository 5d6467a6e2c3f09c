package ir

// A Node is an expression of any of the five families, a place or a statement.
type Node any

// Parts calls f for the direct parts of n, in the order of evaluation (the source of an
// assignment before its destination), until f returns false. It returns whether f
// always returned true. A Checksum has no parts: its operands are variables. A missing
// node has no parts either. With Parts a property of all below n takes one function:
//
//	func reads(n Node, v *Var) bool {
//		if ref, ok := n.(*VarRef); ok {
//			return ref.Var == v
//		}
//		return !Parts(n, func(part Node) bool { return !reads(part, v) })
//	}
func Parts(n Node, f func(Node) bool) bool {
	switch n := n.(type) {
	case nil, *Const, *Sym, *Checksum, *VarRef, *Null, *FloatConst:
		return true

	case *Load:
		return f(n.Place)
	case *Unary:
		return f(n.X)
	case *Binary:
		return f(n.X) && f(n.Y)
	case *Convert:
		return f(n.X)
	case *Select:
		return f(n.If) && f(n.X) && f(n.Y)
	case *Builtin:
		return each(n.Args, f)
	case *Call:
		return each(n.Args, f)
	case *PtrCompare:
		return f(n.X) && f(n.Y)
	case *PtrDiff:
		return f(n.X) && f(n.Y)
	case *FloatCompare:
		return f(n.X) && f(n.Y)
	case *FloatToInt:
		return f(n.X)
	case *WideCompare:
		return f(n.X) && f(n.Y)
	case *WideToInt:
		return f(n.X)

	case *Elem:
		return f(n.Base) && f(n.Index)
	case *Member:
		return f(n.Base)
	case *Deref:
		return f(n.X)

	case *AddrOf:
		return f(n.Place)
	case *LoadPtr:
		return f(n.Place)
	case *PtrAdd:
		return f(n.X) && f(n.Index)
	case *PtrCast:
		return f(n.X)
	case *PtrSelect:
		return f(n.If) && f(n.X) && f(n.Y)

	case *FloatLoad:
		return f(n.Place)
	case *FloatNeg:
		return f(n.X)
	case *FloatBinary:
		return f(n.X) && f(n.Y)
	case *FloatConvert:
		return f(n.X)
	case *FloatOf:
		return f(n.X)

	case *Assign:
		return f(n.Src) && f(n.Dst)
	case *AssignPtr:
		return f(n.Src) && f(n.Dst)
	case *AssignFloat:
		return f(n.Src) && f(n.Dst)
	case *AssignVec:
		return f(n.Src) && f(n.Dst)
	case *AssignWide:
		return f(n.Src) && f(n.Dst)
	case *Copy:
		return f(n.Src) && f(n.Dst)
	case *Overflow:
		return f(n.X) && f(n.Y) && f(n.Dst) && f(n.Flag)
	case *Transfer:
		return f(n.Dst) && f(n.Src) && f(n.N)
	case *Fill:
		return f(n.Dst) && f(n.Byte) && f(n.N)
	case *Unreachable:
		return true
	case *Assume:
		return f(n.Cond)

	case *WideLoad:
		return f(n.Place)
	case *WideOf:
		return f(n.X)
	case *WideConvert:
		return f(n.X)
	case *WideUnary:
		return f(n.X)
	case *WideBinary:
		return f(n.X) && f(n.Y)
	case *WideSelect:
		return f(n.If) && f(n.X) && f(n.Y)

	case *VecLoad:
		return f(n.Place)
	case *VecOf:
		return each(n.Lanes, f)
	case *VecUnary:
		return f(n.X)
	case *VecBinary:
		return f(n.X) && f(n.Y)
	case *VecShuffle:
		return f(n.X) && f(n.Y)
	case *VecConvert:
		return f(n.X)
	case *VecCast:
		return f(n.X)
	case *VecCall:
		return f(n.X)
	}
	panic(unknown(n))
}

func each(list []Expr, f func(Node) bool) bool {
	for _, e := range list {
		if !f(e) {
			return false
		}
	}
	return true
}

// Harmless reports whether an expression can be evaluated without effect in every
// language: it cannot trap, and calls nothing.
func Harmless(n Node) bool {
	switch n := n.(type) {
	case *Binary:
		if n.Op.Divides() {
			return false
		}
	case *VecBinary:
		if n.Op.Divides() {
			return false
		}
	case *Call, *FloatToInt, *Deref:
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
