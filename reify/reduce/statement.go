package reduce

import (
	"slices"

	"goreify/reify/ir"
)

// removeStatements lists the removal of each statement, those of blocks that
// are not visited first.
func removeStatements(p *ir.Program, r *run) []edit {
	var on, off []edit
	for _, f := range ours(p) {
		for _, b := range f.Blocks {
			for _, s := range b.Stmts {
				change := func() {
					b.Stmts = slices.DeleteFunc(b.Stmts, func(other ir.Stmt) bool { return other == s })
				}
				if r.visits[b] > 0 {
					on = append(on, change)
				} else {
					off = append(off, change)
				}
			}
		}
	}
	return append(off, on...)
}

// copies replaces memcpy and its like by an assignment of one element, and memmove
// by memcpy.
func copies(p *ir.Program, _ *run) []edit {
	var list []edit
	v := slots{stmt: func(at *ir.Stmt) {
		before := *at
		become := func(with ir.Stmt) {
			list = append(list, func() {
				if *at == before {
					*at = with
				}
			})
		}
		switch s := before.(type) {
		case *ir.Transfer:
			dst, src := pointee(s.Dst), pointee(s.Src)
			switch dst.Type().(type) {
			case ir.Int, ir.Pointer, *ir.Record:
				become(&ir.Assign{Dst: dst, Src: &ir.Load{Place: src}})
			}
			if s.Move {
				become(&ir.Transfer{Dst: s.Dst, Src: s.Src, N: s.N})
			}
		case *ir.Fill:
			dst := pointee(s.Dst)
			if c, ok := s.Byte.(*ir.Const); ok {
				if t, ok := dst.Type().(ir.Int); ok {
					become(&ir.Assign{Dst: dst, Src: &ir.Const{T: t, V: t.Wrap(c.V & 0xff * 0x0101010101010101)}})
				}
			}
		}
	}}
	v.program(p)
	return list
}

// pointee returns what e points to.
func pointee(e ir.Expr) ir.Place {
	if a, ok := e.(*ir.AddrOf); ok {
		return a.Place
	}
	return &ir.Deref{X: e}
}
