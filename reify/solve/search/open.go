package search

import "goreify/reify/ir"

// open reports whether a symbol below n has no value.
func (r *run) open(n ir.Node) bool {
	switch n := n.(type) {
	case *ir.Sym:
		return !r.set[n.ID]
	case *ir.Const, *ir.VarRef:
		return false
	case *ir.Binary: // fast, as there are many
		return r.open(n.X) || r.open(n.Y)
	case *ir.Load:
		return r.open(n.Place)
	}
	return !ir.Parts(n, func(part ir.Node) bool { return !r.open(part) })
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
