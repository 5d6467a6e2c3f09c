package mutate

import (
	"goreify/reify/choice"
	"goreify/reify/ir"
)

// edge redirects an edge that is never taken to any other block: into live loops, which
// then have several entries, or back.
func (m *mutant) edge() *ir.Block {
	var list []edge
	for _, b := range m.f.Blocks {
		for _, to := range b.Succs() {
			if !m.taken[edge{b, to}] {
				list = append(list, edge{b, to})
			}
		}
	}
	if len(list) == 0 {
		return nil
	}
	e := choice.Pick(m.s, list)
	to := m.target()
	if to == e.to || !redirect(e.from, e.to, to) {
		return nil
	}
	return e.from
}
