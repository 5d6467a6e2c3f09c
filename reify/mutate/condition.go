package mutate

import (
	"goreify/reify/choice"
	"goreify/reify/ir"
)

// condition gives a dead block another terminator. A goto becomes an if or an endless
// loop; an if becomes a goto, a switch, or an if with another condition.
func (m *mutant) condition() *ir.Block {
	dead := m.dead()
	if len(dead) == 0 {
		return nil
	}
	b := choice.Pick(m.s, dead)
	to := choice.Pick(m.s, b.Succs())
	switch t := b.Term.(type) {
	case *ir.If:
		if m.s.Chance(1, 2) {
			t.Cond = m.doubtful()
			return b
		}
	case *ir.Switch:
		if m.s.Chance(1, 2) {
			t.X = m.anything(ir.IntOf(t.X))
			return b
		}
	}
	switch m.s.Weighted(1, 4, 2, 1) {
	case 0:
		b.Term = &ir.Goto{To: to}
	case 1:
		other := m.target()
		if m.s.Chance(1, 3) && b != m.entry() {
			other = b
		}
		if other == to {
			return nil
		}
		b.Term = &ir.If{Cond: m.doubtful(), Then: to, Else: other}
	case 2:
		b.Term = m.choices(to)
	case 3:
		b.Term = &ir.Goto{To: b} // without end
	}
	return b
}

// choices returns a switch over any value, whose default is a block.
func (m *mutant) choices(to *ir.Block) *ir.Switch {
	t := m.wide()
	sw := &ir.Switch{X: m.anything(t), Default: to}
	v := int64(m.s.Range(0, 9))
	for range m.s.Range(1, 4) {
		sw.Cases = append(sw.Cases, ir.SwitchCase{Lo: &ir.Const{T: t, V: v}, To: m.target()})
		v += int64(m.s.Range(1, 3))
	}
	return sw
}
