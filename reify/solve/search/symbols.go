package search

import "goreify/reify/ir"

// hasUnset reports whether a symbol below n has no value.
func (r *run) hasUnset(n ir.Node) bool {
	switch n := n.(type) {
	case *ir.Sym:
		return !r.set[n.ID]
	case *ir.Const, *ir.VarRef:
		return false
	case *ir.Binary: // fast, as there are many
		return r.hasUnset(n.X) || r.hasUnset(n.Y)
	case *ir.Load:
		return r.hasUnset(n.Place)
	}
	return !ir.Parts(n, func(part ir.Node) bool { return !r.hasUnset(part) })
}

// chooseUnevaluated gives values to the symbols below e, which is not evaluated or came to
// nothing, that have none: such that e is defined, if that comes easily.
func (r *run) chooseUnevaluated(e ir.Expr, state []int64, m policy) {
	if !r.hasUnset(e) {
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
