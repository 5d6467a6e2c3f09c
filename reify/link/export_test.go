package link

import "goreify/reify/ir"

// Fresh returns leaves of copies of the functions, as a leaf serves in one program.
func Fresh(leaves []*Leaf) []*Leaf {
	var list []*Leaf
	for _, l := range leaves {
		p := (&ir.Program{Funcs: []*ir.Function{l.fn}, Claims: l.claims}).Clone()
		made, err := &Leaf{fn: p.Funcs[0], claims: p.Claims, visits: l.visits, dead: l.dead}, error(nil)
		if l.fn.Foreign == nil {
			made, err = NewLeaf(p.Claims...)
		}
		if err != nil {
			panic("link: a leaf that was proved: " + err.Error())
		}
		list = append(list, made)
	}
	return list
}

// Reset has each call of f find globals and statics as the first one did.
func Reset(f *ir.Function) {
	entry := f.Blocks[0]
	entry.Stmts = append(resetting(f, useOf(f)), entry.Stmts...)
}
