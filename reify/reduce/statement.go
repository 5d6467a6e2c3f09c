package reduce

import (
	"slices"

	"goreify/reify/ir"
)

// removeStatements lists the removal of each statement, those of blocks that
// are not visited first.
func removeStatements(p *ir.Program, r *run) []edit {
	var on, off []edit
	for _, f := range p.Funcs {
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
