package mutate

import (
	"goreify/reify/choice"
	"goreify/reify/ir"
)

// arm replaces the operand of ?:, && or || that is evaluated on no visit.
func (m *mutant) arm() *ir.Block {
	if len(m.arms) == 0 {
		return nil
	}
	at := choice.Pick(m.s, m.arms)
	for _, b := range m.f.Blocks {
		for other := range b.Exprs() {
			if other != at {
				continue
			}
			t := ir.IntOf((*at))
			*at = m.anything(t)
			if m.s.Chance(1, 3) {
				*at = &ir.Binary{Op: choice.Pick(m.s, arithmetic), X: *at, Y: m.anything(t)}
			}
			return b
		}
	}
	return nil // another pass has removed it
}
