package search

import "goreify/reify/ir"

// open reports whether a symbol below e has no value.
func (r *run) open(e ir.Expr) bool {
	switch e := e.(type) {
	case *ir.Sym:
		return !r.set[e.ID]
	case *ir.Binary:
		return r.open(e.X) || r.open(e.Y)
	case *ir.Convert:
		return r.open(e.X)
	case *ir.Load:
		return r.openPlace(e.Place)
	case *ir.Unary:
		return r.open(e.X)
	case *ir.Select:
		return r.open(e.If) || r.open(e.X) || r.open(e.Y)
	case *ir.Builtin:
		return r.open(e.Args[0]) || len(e.Args) > 1 && r.open(e.Args[1])
	case *ir.PtrCompare:
		return r.openPointer(e.X) || r.openPointer(e.Y)
	case *ir.PtrDiff:
		return r.openPointer(e.X) || r.openPointer(e.Y)
	case *ir.FloatCompare:
		return r.openFloat(e.X) || r.openFloat(e.Y)
	case *ir.FloatToInt:
		return r.openFloat(e.X)
	}
	return false
}

func (r *run) openPlace(p ir.Place) bool {
	switch p := p.(type) {
	case *ir.Elem:
		return r.open(p.Index) || r.openPlace(p.Base)
	case *ir.Member:
		return r.openPlace(p.Base)
	case *ir.Deref:
		return r.openPointer(p.X)
	}
	return false
}

func (r *run) openPointer(e ir.PtrExpr) bool {
	switch e := e.(type) {
	case *ir.AddrOf:
		return r.openPlace(e.Place)
	case *ir.LoadPtr:
		return r.openPlace(e.Place)
	case *ir.PtrAdd:
		return r.openPointer(e.X) || r.open(e.Index)
	case *ir.PtrCast:
		return r.openPointer(e.X)
	}
	return false
}

func (r *run) openFloat(e ir.FloatExpr) bool {
	switch e := e.(type) {
	case *ir.FloatLoad:
		return r.openPlace(e.Place)
	case *ir.FloatNeg:
		return r.openFloat(e.X)
	case *ir.FloatBinary:
		return r.openFloat(e.X) || r.openFloat(e.Y)
	case *ir.FloatConvert:
		return r.openFloat(e.X)
	case *ir.FloatOf:
		return r.open(e.X)
	}
	return false
}

// loosen gives values to the symbols below e, which is not evaluated or came to
// nothing, that have none: such that e is defined, if that comes easily.
func (r *run) loosen(e ir.Expr, state []int64, m mood) {
	if !r.open(e) {
		return
	}
	r.choose(e, state, all(e.Type()), m)
	root := e // which is to move to the heap only here
	for at := range ir.SubExprs(&root) {
		if sym, ok := (*at).(*ir.Sym); ok && !r.set[sym.ID] {
			r.assign(sym, draw(r.s, all(sym.T).clamp(m.addend)))
		}
	}
}
