package mutate

import (
	"slices"

	"goreify/reify/ir"
)

// prune is Orion's pass (Algorithm 2): it goes over all dead code and deletes each
// branch with one probability and each statement with another. The probabilities are
// drawn anew after each deletion unless they are given.
func (m *mutant) prune() *ir.Block {
	parent, leaf := m.o.PParent, m.o.PLeaf
	fixed := parent+leaf > 0
	redraw := func() {
		if !fixed {
			parent, leaf = m.s.Range(0, 100), m.s.Range(0, 100)
		}
	}
	redraw()
	var first *ir.Block
	deleted := func(b *ir.Block) {
		if first == nil {
			first = b
		}
		redraw()
	}
	for _, b := range m.f.Blocks {
		if m.pruneBranch(b, parent) {
			deleted(b)
		}
		if m.live[b] {
			continue
		}
		for k := 0; k < len(b.Stmts); {
			if !m.s.Chance(leaf, 100) {
				k++
				continue
			}
			b.Stmts = slices.Delete(slices.Clone(b.Stmts), k, k+1)
			deleted(b)
		}
	}
	return first
}

// pruneBranch deletes an edge of b that is never taken, with a probability in
// percent: an if becomes a goto, a switch loses a label.
func (m *mutant) pruneBranch(b *ir.Block, percent int) bool {
	switch t := b.Term.(type) {
	case *ir.If:
		then, other := m.taken[edge{b, t.Then}], m.taken[edge{b, t.Else}]
		if then && other || !m.s.Chance(percent, 100) {
			return false
		}
		to := t.Then
		if other || !then && m.s.Chance(1, 2) {
			to = t.Else
		}
		b.Term = &ir.Goto{To: to}
		return true
	case *ir.Switch:
		if len(t.Cases) < 2 {
			return false
		}
		for i, c := range t.Cases {
			if !m.taken[edge{b, c.To}] && m.s.Chance(percent, 100) {
				t.Cases = slices.Delete(t.Cases, i, i+1)
				return true
			}
		}
	}
	return false
}
