package mutate

import (
	"slices"

	"goreify/reify/choice"
	"goreify/reify/ir"
)

// move moves a dead statement to another dead block, or repeats a live one in a
// dead block: code motion, the elimination of partial redundancies and sinking get
// partners.
func (m *mutant) move() *ir.Block {
	dead := m.dead()
	if len(dead) == 0 {
		return nil
	}
	to := choice.Pick(m.s, dead)
	var st ir.Stmt
	if m.s.Chance(1, 2) {
		st = m.copied(m.blocks(func(b *ir.Block) bool { return m.live[b] }))
	} else if from := choice.Pick(m.s, dead); from != to && len(from.Stmts) > 0 {
		k := m.s.Intn(len(from.Stmts))
		st = from.Stmts[k]
		from.Stmts = slices.Delete(slices.Clone(from.Stmts), k, k+1)
	}
	if st == nil {
		return nil
	}
	putIn(to, m.s.Intn(len(to.Stmts)+1), st)
	return to
}
