package mutate

import (
	"slices"

	"goreify/reify/choice"
	"goreify/reify/ir"
)

// insert puts statements into a dead block: hostile ones, and copies of existing ones.
func (m *mutant) insert() *ir.Block {
	dead := m.dead()
	if len(dead) == 0 {
		return nil
	}
	b := choice.Pick(m.s, dead)
	for range m.s.Range(1, 3) {
		putIn(b, m.s.Intn(len(b.Stmts)+1), m.statement())
	}
	return b
}

// putIn puts statements before statement k of b.
func putIn(b *ir.Block, k int, list ...ir.Stmt) {
	b.Stmts = slices.Insert(slices.Clone(b.Stmts), k, list...)
}
