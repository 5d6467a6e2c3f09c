package mutate

import (
	"goreify/reify/choice"
	"goreify/reify/ir"
)

// tg puts a live statement behind a condition that is true on every visit (Hermes's
// true guard). The block where it is skipped has dead code.
func (m *mutant) tg() *ir.Block {
	list := m.spots(func(at spot) bool { return at.stmt() != nil })
	if len(list) == 0 {
		return nil
	}
	at := choice.Pick(m.s, list)
	never := m.predicate(at, false)
	if never == nil {
		return nil
	}
	rest := m.split(at.b, at.k+1)
	guarded := m.split(at.b, at.k)
	m.guard(at.b, never, m.deadBlock(guarded, rest), guarded)
	return at.b
}
