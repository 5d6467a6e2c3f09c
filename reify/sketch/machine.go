package sketch

import (
	"slices"

	"goreify/reify/cfg"
	"goreify/reify/choice"
	"goreify/reify/ir"
)

// A machine is a switch in a loop on a state, an ordinary variable that its cases
// assign constants to: jump threading turns it into direct jumps.
//
//	b1:
//	  switch %s {7: b2, 9: b3, 12: b4, else b5}
//	b2:
//	  %a = %a * ?3 + ?4
//	  %s = 12
//	  goto b6
//	b6:
//	  %n = %n + 1
//	  if %n - ?9 < 0 goto b1 else b7
type machine struct {
	dispatch, latch int
	succs           []int // of dispatch, the default last
	out             []int // the successors of the latch

	state  *source
	rounds *source
	labels []int64 // of succs, that of the default included
}

// MachineShares are the shares of state machines.
type MachineShares struct {
	// switches in loops that are filled as state machines
	Machine int `feature:"machine" typical:"90" about:"switches in loops that are state machines"`
}

// A machines is the state machines of a function.
type machines struct {
	base
	shares *MachineShares
	all    []*machine
}

// New returns the state machines of a function, which stand where its graph has
// switches in loops.
func (s *MachineShares) New(w *writer) Part {
	if s.Machine == 0 {
		return nil
	}
	return &machines{base: base{w}, shares: s}
}

// Declare adds the variables of the machines.
func (w *machines) Declare() {
	for _, m := range w.all {
		m.declare(w)
	}
}

// Find finds a switch of which most cases lead to one block, maybe through a branch
// each, that leads back to it.
func (w *machines) Find(b int) {
	g, preds := w.graph, w.preds
	if len(g.Succs[b]) <= 2 {
		return
	}
	for latch, succs := range g.Succs {
		if len(succs) != 2 || !slices.Contains(succs, b) {
			continue
		}
		m, parts := machineAt(g, preds, b, latch)
		if m == nil {
			continue
		}
		if !w.take(w.shares.Machine, parts...) {
			return
		}
		w.all = append(w.all, m)
		w.write[b] = func(b *ir.Block) { m.writeDispatch(w, b) }
		w.write[latch] = func(b *ir.Block) { m.writeLatch(w, b) }
		for _, c := range parts[2:] {
			w.write[c] = func(b *ir.Block) { m.writeCase(w, b, g.Succs[c]) }
		}
		return
	}
}

// machineAt returns the machine whose switch and latch these are, and all its blocks,
// these two first; or nil.
func machineAt(g *cfg.Graph, preds [][]int, b, latch int) (m *machine, parts []int) {
	parts = []int{b, latch}
	leads := func(c int) bool { return len(preds[c]) == 1 && slices.Equal(g.Succs[c], []int{latch}) }
	cases := 0
	for _, c := range g.Succs[b] {
		switch {
		case leads(c):
			parts = append(parts, c)
		case len(preds[c]) == 1 && len(g.Succs[c]) == 2 && leads(g.Succs[c][0]) && leads(g.Succs[c][1]):
			parts = append(parts, c, g.Succs[c][0], g.Succs[c][1])
		default:
			continue
		}
		cases++
	}
	if cases < 3 {
		return nil, nil
	}
	return &machine{dispatch: b, latch: latch, succs: g.Succs[b], out: g.Succs[latch]}, parts
}

// declare makes the variables of the machine, which have no other assignments.
func (m *machine) declare(w *machines) {
	t := ir.I32
	if w.manyTypes() {
		t = choice.Pick(w.s, []ir.Int{ir.I32, ir.I32, ir.U32, ir.U8, ir.I16, ir.I64, ir.U64})
	}
	kind := ir.Local
	if w.s.Chance(1, 8) {
		kind = w.kind()
	}
	m.drawLabels(w, t)
	m.state = m.newVar(w, kind, t, choice.Pick(w.s, m.labels))
	m.rounds = m.newVar(w, ir.Local, ir.I32, 0)
}

func (m *machine) newVar(w *machines, k ir.Kind, t ir.Int, init int64) *source {
	v := w.newVar(k, t)
	v.Init = []ir.Expr{constantOf(t, init)}
	w.summed = append(w.summed, v)
	s := newSource(v)
	w.vars = append(w.vars, s)
	return s
}

// drawLabels draws a label of type t for each successor: numbers next to each other,
// some steps apart, or anything.
func (m *machine) drawLabels(w *machines, t ir.Int) {
	from, step := int64(w.s.Range(0, 3)), int64(1)
	sparse := w.s.Chance(1, 4)
	if w.s.Chance(1, 3) {
		step = int64(w.s.Range(2, 12))
	}
	for i := range m.succs {
		n := from + int64(i)*step
		if sparse {
			n = t.Wrap(w.number(t.Bits))
		}
		for slices.Contains(m.labels, n) {
			n = t.Wrap(n + 1)
		}
		m.labels = append(m.labels, n)
	}
}

// next returns the next state: a constant, or one of two.
func (m *machine) next(w *machines) ir.Stmt {
	w.begin()
	t := promote(m.state.leaves[0].t)
	label := func() ir.Expr { return constantOf(t, choice.Pick(w.s, m.labels)) }
	e := label()
	if w.p.Select > 0 && w.s.Chance(1, 3) {
		e = nodeSelect(w.condition(nil), e, label())
	}
	return reduceInto(m.state, e)
}

func (m *machine) writeDispatch(w *machines, b *ir.Block) {
	if w.s.Chance(1, 4) {
		b.Stmts = w.statements(nil)
	}
	t := promote(m.state.leaves[0].t)
	last := len(m.succs) - 1
	sw := &ir.Switch{X: scalar(t, m.state), Default: w.f.Blocks[m.succs[last]]}
	for i, c := range m.succs[:last] {
		sw.Cases = append(sw.Cases, ir.SwitchCase{Lo: constantOf(t, m.labels[i]), To: w.f.Blocks[c]})
	}
	b.Term = sw
}

// writeCase writes a block between the switch and the latch.
func (m *machine) writeCase(w *machines, b *ir.Block, succs []int) {
	if w.s.Chance(3, 4) {
		b.Stmts = w.statements(nil)
	}
	if len(succs) == 2 {
		b.Term = &ir.If{Cond: w.condition(nil), Then: w.f.Blocks[succs[0]], Else: w.f.Blocks[succs[1]]}
		return
	}
	if w.s.Chance(7, 8) {
		b.Stmts = append(b.Stmts, m.next(w))
	}
	b.Term = &ir.Goto{To: w.f.Blocks[succs[0]]}
}

func (m *machine) writeLatch(w *machines, b *ir.Block) {
	b.Stmts = []ir.Stmt{advance(m.rounds, constantOf(ir.I32, 1))}
	b.Term = w.rounds(m.rounds.v, b, m.out, m.dispatch)
}
