package link

import "goreify/reify/ir"

// A use is the set of accesses of a function to its variables, on and off the path.
type use struct {
	stored []bool // by variable: it is assigned to by name
	taken  []bool // by variable: its address is taken, or that of a part of it
	// written is by variable: it may be assigned to, by name or through a pointer.
	// A pointer may point to any variable whose address is taken.
	written  []bool
	volatile bool // something volatile may be accessed
}

// useOf finds out how f uses its variables.
func useOf(f *ir.Function) *use {
	n := len(f.Vars)
	u := &use{stored: make([]bool, n), taken: make([]bool, n), written: make([]bool, n)}
	for _, v := range f.Vars {
		u.volatile = u.volatile || v.Volatile
		for _, e := range v.Init {
			if _, constant := e.(*ir.Const); !constant { // arrays have many
				u.look(e)
			}
		}
		for _, p := range v.Ptrs {
			u.look(p)
		}
	}
	through := false // something is assigned to through a pointer
	for _, b := range f.Blocks {
		for _, s := range b.Stmts {
			u.look(s)
			for _, p := range ir.Stored(s) {
				if v := ir.Root(p); v != nil {
					u.stored[v.Index] = true
				} else {
					through = true
				}
			}
		}
		for e := range ir.Roots(b.Term) {
			u.look(*e)
		}
	}
	for i, v := range f.Vars {
		u.written[i] = u.stored[i] || through && u.taken[i] && !v.Const
	}
	return u
}

// look records n and all nodes below it.
func (u *use) look(n ir.Node) {
	switch n := n.(type) {
	case *ir.Checksum:
		u.volatile = true // its computation reads a volatile variable
	case *ir.Deref:
		u.volatile = u.volatile || ir.TypeOf[ir.Pointer](n.X).Volatile
	case *ir.AddrOf:
		if v := ir.Root(n.Place); v != nil {
			u.taken[v.Index] = true
		}
	}
	ir.Parts(n, func(part ir.Node) bool {
		u.look(part)
		return true
	})
}
