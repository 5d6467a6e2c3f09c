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
	}
	return false
}

func (r *run) openPlace(p ir.Place) bool {
	for {
		elem, ok := p.(*ir.Elem)
		if !ok {
			return false
		}
		if r.open(elem.Index) {
			return true
		}
		p = elem.Base
	}
}

// loosen gives values to the symbols below e, which is not evaluated or came to
// nothing, that have none: such that e is defined, if that comes easily.
func (r *run) loosen(e ir.Expr, state []int64, m mood) {
	if !r.open(e) {
		return
	}
	r.choose(e, state, all(e.Type()), m)
	for at := range ir.SubExprs(&e) {
		if sym, ok := (*at).(*ir.Sym); ok && !r.set[sym.ID] {
			r.assign(sym, draw(r.s, all(sym.T).clamp(m.addend)))
		}
	}
}
