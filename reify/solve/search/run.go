package search

import (
	"fmt"

	"goreify/reify/choice"
	"goreify/reify/ir"
	"goreify/reify/solve"
)

// A site is a statement or the condition that ends a block.
type site struct {
	block  int
	dst    ir.Place  // nil for a condition
	expr   ir.Expr   // the value assigned, or the condition
	syms   []*ir.Sym // in the order of evaluation
	reads  []int     // variables, by index
	writes int       // variable, by index; -1 for a condition
	pivots []*ir.Sym // of a condition: what solveCondition may solve for
	fails  int       // how often it was given new values to repair something
}

// A run is the search for one model.
type run struct {
	solve.Problem
	s      *choice.Stream
	offset []int     // by variable: where its scalars begin in a state
	width  int       // scalars in a state
	blocks [][]*site // by block on the path; the condition, if any, last
	visits []int     // by block: how often the path visits it
	first  []int     // by block: the first position that visits it
	loops  bool      // whether any block is visited twice
	daring bool      // let values in loops come near to overflowing
	rows   []int     // scratch: positions
	states []int64   // state on arrival at each position, and after the last
	syms   []int64
	set    []bool
}

func newRun(p solve.Problem, s *choice.Stream) *run {
	n := len(p.Func.Blocks)
	r := &run{
		Problem: p, s: s,
		blocks: make([][]*site, n), visits: make([]int, n), first: make([]int, n),
		syms: make([]int64, p.Func.Syms), set: make([]bool, p.Func.Syms),
	}
	for _, v := range p.Func.Vars {
		r.offset = append(r.offset, r.width)
		r.width += ir.Count(v.Type)
	}
	r.states = make([]int64, r.width*(len(p.Path)+1))
	for i, b := range p.Path {
		if r.visits[b] == 0 {
			r.first[b] = i
			r.blocks[b] = sites(p.Func.Blocks[b])
		}
		r.visits[b]++
		r.loops = r.loops || r.visits[b] > 1
	}
	return r
}

// sites lists the statements of b and its condition.
func sites(b *ir.Block) []*site {
	var list []*site
	for _, s := range b.Stmts {
		switch s := s.(type) {
		case *ir.Assign:
			at := &site{block: b.Index, dst: s.Dst, expr: s.Src, writes: ir.Root(s.Dst).Index}
			at.note(s.Src)
			at.noteIndices(s.Dst)
			list = append(list, at)
		default:
			panic(fmt.Sprintf("search: unknown statement %T", s))
		}
	}
	switch t := b.Term.(type) {
	case *ir.If:
		at := &site{block: b.Index, expr: t.Cond, writes: -1}
		at.note(t.Cond)
		at.pivots = pivots(t.Cond, nil)
		list = append(list, at)
	case *ir.Return:
		at := &site{block: b.Index, expr: t.Val, writes: -1}
		at.note(t.Val)
		list = append(list, at)
	}
	return list
}

func (at *site) note(e ir.Expr) {
	switch e := e.(type) {
	case *ir.Sym:
		at.syms = append(at.syms, e)
	case *ir.Load:
		at.reads = append(at.reads, ir.Root(e.Place).Index)
		at.noteIndices(e.Place)
	case *ir.Binary:
		at.note(e.X)
		at.note(e.Y)
	case *ir.Convert:
		at.note(e.X)
	}
}

func (at *site) noteIndices(p ir.Place) {
	if elem, ok := p.(*ir.Elem); ok {
		at.noteIndices(elem.Base)
		at.note(elem.Index)
	}
}

// state returns the state on arrival at position i of the path.
func (r *run) state(i int) []int64 { return r.states[i*r.width : (i+1)*r.width] }

// start chooses the initial value of every variable.
func (r *run) start() {
	for _, v := range r.Func.Vars {
		r.initialize(v)
	}
}

// initialize chooses the initial value of v: the input if it is a parameter.
func (r *run) initialize(v *ir.Var) {
	state := r.state(0)[r.offset[v.Index]:]
	t := ir.Scalar(v.Type)
	room := all(t)
	if r.loops && (!r.daring || r.s.Chance(1, 2)) {
		room = room.clamp(1 << 20)
	}
	if v.Kind == ir.Param {
		state[0] = draw(r.s, room)
		return
	}
	for i, e := range v.Init {
		switch e := e.(type) {
		case *ir.Const:
			state[i] = e.V
		case *ir.Sym:
			state[i] = r.assign(e, draw(r.s, room))
		}
	}
}

// A failure is what stopped a walk: the path could not be followed at a
// position, because of a statement or condition there.
type failure struct {
	pos int
	at  *site
}

// walk follows the path from a position whose state is known. Symbols met for
// the first time get values, symbols that have some keep them where that
// works. It returns nil at the end of the path.
func (r *run) walk(from int) *failure {
	for i := from; i < len(r.Path); i++ {
		b := r.Path[i]
		state := r.state(i + 1)
		copy(state, r.state(i))
		for _, at := range r.blocks[b] {
			ok := false
			switch {
			case at.dst != nil:
				ok = r.step(at, i, state)
			case i+1 < len(r.Path):
				ok = r.decide(at, i)
			default:
				_, ok = r.eval(at.expr, state)
			}
			if !ok {
				return &failure{i, at}
			}
		}
	}
	return nil
}

// step executes a statement in place.
func (r *run) step(at *site, pos int, state []int64) bool {
	if v, to, ok := r.evalAssign(at, state); ok {
		state[to] = v
		return true
	}
	if pos != r.first[at.block] {
		return false
	}
	const tries = 8
	for try := range tries {
		r.unset(at)
		m := r.moodFor(at.expr.Type(), r.visits[at.block], at.fails+try)
		v, ok := r.choose(at.expr, state, m.result, m)
		if !ok {
			continue
		}
		to, ok := r.chooseAddress(at.dst, state, m)
		if !ok {
			continue
		}
		if state[to] == v && r.visits[at.block] > 1 && try < tries/2 {
			continue // a loop whose data stands still cannot end
		}
		state[to] = v
		return true
	}
	return false
}

func (r *run) evalAssign(at *site, state []int64) (v int64, to int, ok bool) {
	if v, ok = r.eval(at.expr, state); !ok {
		return
	}
	to, ok = r.address(at.dst, state)
	return
}

func (r *run) unset(at *site) {
	for _, sym := range at.syms {
		r.set[sym.ID] = false
	}
}
