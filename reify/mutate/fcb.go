package mutate

import "goreify/reify/ir"

// fcb splits a live block by a condition that is false on every visit, with a new
// dead block behind it (Hermes's false conditional block).
func (m *mutant) fcb() *ir.Block {
	at := m.spot()
	never := m.predicate(at, false)
	if never == nil {
		return nil
	}
	rest := m.split(at.b, at.k)
	m.guard(at.b, never, m.deadBlock(at.b, rest), rest)
	return at.b
}

// guard ends a block with a condition that never holds, with one block as the target if
// it held, and another as the target else.
func (m *mutant) guard(b *ir.Block, never ir.Expr, dead, rest *ir.Block) {
	if cond := never.(*ir.Binary); m.s.Chance(1, 2) {
		b.Term = &ir.If{Cond: &ir.Binary{Op: cond.Op.Negated(), X: cond.X, Y: cond.Y}, Then: rest, Else: dead}
		return
	}
	b.Term = &ir.If{Cond: never, Then: dead, Else: rest}
}
