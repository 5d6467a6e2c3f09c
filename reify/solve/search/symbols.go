package search

import "goreify/reify/ir"

// symbols holds the values of the symbols of a function, by ID. A value in syms has a
// meaning only where set is true.
type symbols struct {
	syms []int64
	set  []bool
}

func (y *symbols) assign(sym *ir.Sym, v int64) int64 {
	y.syms[sym.ID], y.set[sym.ID] = v, true
	return v
}

func (y *symbols) unset(list []*ir.Sym) {
	for _, sym := range list {
		y.set[sym.ID] = false
	}
}

// hasUnset reports whether a symbol below n has no value.
func (y *symbols) hasUnset(n ir.Node) bool {
	for {
		switch e := n.(type) {
		case *ir.Sym:
			return !y.set[e.ID]
		case *ir.Const, *ir.VarRef: // these and the next fast, as there are many
			return false
		case *ir.Binary:
			if y.hasUnset(e.Y) {
				return true
			}
			n = e.X
		case *ir.Convert:
			n = e.X
		case *ir.Load:
			n = e.Place
		case *ir.Elem:
			if y.hasUnset(e.Index) {
				return true
			}
			n = e.Base
		default:
			return !ir.Parts(n, func(part ir.Node) bool { return !y.hasUnset(part) })
		}
	}
}
