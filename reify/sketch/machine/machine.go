// Package machine is the shape of state machines: switches in loops.
package machine

import (
	"slices"

	"goreify/reify/cfg"
	"goreify/reify/choice"
	"goreify/reify/ir"
	"goreify/reify/sketch/core"
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

	state  *core.Source
	rounds *core.Source
	labels []int64 // of succs, that of the default included
}

// Shares are the shares of state machines.
type Shares struct {
	// switches in loops that are filled as state machines
	Machine int `feature:"machine" typical:"90" about:"switches in loops that are state machines"`
}

// A machines is the state machines of a function.
type machines struct {
	core.Base
	shares *Shares
	all    []*machine
}

// New returns the state machines of a function, which stand where its graph has
// switches in loops.
func (s *Shares) New(w *core.Writer) core.Part {
	if s.Machine == 0 {
		return nil
	}
	return &machines{Base: core.Base{Writer: w}, shares: s}
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
	g, preds := w.Graph, w.Preds
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
		if !w.Take(w.shares.Machine, parts...) {
			return
		}
		w.all = append(w.all, m)
		w.Write[b] = func(b *ir.Block) { m.writeDispatch(w, b) }
		w.Write[latch] = func(b *ir.Block) { m.writeLatch(w, b) }
		for _, c := range parts[2:] {
			w.Write[c] = func(b *ir.Block) { m.writeCase(w, b, g.Succs[c]) }
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
	if w.ManyTypes() {
		t = choice.Pick(w.S, []ir.Int{ir.I32, ir.I32, ir.U32, ir.U8, ir.I16, ir.I64, ir.U64})
	}
	kind := ir.Local
	if w.S.Chance(1, 8) {
		kind = w.Kind()
	}
	m.drawLabels(w, t)
	m.state = m.newVar(w, kind, t, choice.Pick(w.S, m.labels))
	m.rounds = m.newVar(w, ir.Local, ir.I32, 0)
}

func (m *machine) newVar(w *machines, k ir.Kind, t ir.Int, init int64) *core.Source {
	v := w.NewVar(k, t)
	v.Init = []ir.Expr{core.Const(t, init)}
	w.Summed = append(w.Summed, v)
	s := core.NewSource(v)
	w.Vars = append(w.Vars, s)
	return s
}

// drawLabels draws a label of type t for each successor: numbers next to each other,
// some steps apart, or anything.
func (m *machine) drawLabels(w *machines, t ir.Int) {
	from, step := int64(w.S.Range(0, 3)), int64(1)
	sparse := w.S.Chance(1, 4)
	if w.S.Chance(1, 3) {
		step = int64(w.S.Range(2, 12))
	}
	for i := range m.succs {
		n := from + int64(i)*step
		if sparse {
			n = t.Wrap(w.Number(t.Bits))
		}
		for slices.Contains(m.labels, n) {
			n = t.Wrap(n + 1)
		}
		m.labels = append(m.labels, n)
	}
}

// next returns the next state: a constant, or one of two.
func (m *machine) next(w *machines) ir.Stmt {
	w.Begin()
	t := core.Promote(m.state.Leaves[0].T)
	label := func() ir.Expr { return core.Const(t, choice.Pick(w.S, m.labels)) }
	e := label()
	if w.Policy.Select > 0 && w.S.Chance(1, 3) {
		e = core.Select(w.ConditionOf(nil), e, label())
	}
	return core.Set(m.state, e)
}

func (m *machine) writeDispatch(w *machines, b *ir.Block) {
	if w.S.Chance(1, 4) {
		b.Stmts = w.Statements(nil)
	}
	t := core.Promote(m.state.Leaves[0].T)
	last := len(m.succs) - 1
	sw := &ir.Switch{X: core.Scalar(t, m.state), Default: w.Func.Blocks[m.succs[last]]}
	for i, c := range m.succs[:last] {
		sw.Cases = append(sw.Cases, ir.SwitchCase{Lo: core.Const(t, m.labels[i]), To: w.Func.Blocks[c]})
	}
	b.Term = sw
}

// writeCase writes a block between the switch and the latch.
func (m *machine) writeCase(w *machines, b *ir.Block, succs []int) {
	if w.S.Chance(3, 4) {
		b.Stmts = w.Statements(nil)
	}
	if len(succs) == 2 {
		b.Term = &ir.If{Cond: w.ConditionOf(nil), Then: w.Func.Blocks[succs[0]], Else: w.Func.Blocks[succs[1]]}
		return
	}
	if w.S.Chance(7, 8) {
		b.Stmts = append(b.Stmts, m.next(w))
	}
	b.Term = &ir.Goto{To: w.Func.Blocks[succs[0]]}
}

func (m *machine) writeLatch(w *machines, b *ir.Block) {
	b.Stmts = []ir.Stmt{core.Advance(m.rounds, core.Const(ir.I32, 1))}
	b.Term = w.Rounds(m.rounds.V, b, m.out, m.dispatch)
}
