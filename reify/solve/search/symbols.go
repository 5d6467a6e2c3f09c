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
	switch n := n.(type) {
	case *ir.Sym:
		return !y.set[n.ID]
	case *ir.Const, *ir.VarRef: // these and the next fast, as there are many
		return false
	case *ir.Binary:
		return y.hasUnset(n.X) || y.hasUnset(n.Y)
	case *ir.Convert:
		return y.hasUnset(n.X)
	case *ir.Load:
		return y.hasUnset(n.Place)
	case *ir.Elem:
		return y.hasUnset(n.Base) || y.hasUnset(n.Index)
	}
	return !ir.Parts(n, func(part ir.Node) bool { return !y.hasUnset(part) })
}
