package mutate

import (
	"goreify/reify/choice"
	"goreify/reify/ir"
)

// clone splits a node: one of the edges to a block gets a copy of the block. Along the
// path this peels and unrolls loops. The points of the copy are those of the block.
func (m *mutant) clone() *ir.Block {
	var list []edge
	for _, b := range m.f.Blocks {
		for _, to := range b.Succs() {
			if to != m.exit() {
				list = append(list, edge{b, to})
			}
		}
	}
	if len(list) == 0 {
		return nil
	}
	e := choice.Pick(m.s, list)
	live := m.taken[e]
	c := m.addBlock(e.to, live)
	for _, st := range e.to.Stmts {
		same := ir.CopyStmt(st)
		c.Stmts = append(c.Stmts, same)
		if p, ok := m.stmts[st]; ok && live {
			m.stmts[same] = p
		}
	}
	c.Term = ir.CopyTerm(e.to.Term)
	if p, ok := m.terms[e.to]; ok && live {
		m.terms[c] = p
	}
	for _, to := range c.Succs() {
		if live && m.taken[edge{e.to, to}] {
			m.taken[edge{c, to}] = true
		}
	}
	if !redirect(e.from, e.to, c) {
		panic("mutate: a new block was jumped to")
	}
	if live {
		delete(m.taken, e)
		m.taken[edge{e.from, c}] = true
	}
	return c
}
