// Package search is the native engine: a concolic walk along the path. It executes the
// function on concrete values and chooses the value of a symbol when the path first
// meets it, such that its statement is defined and its branch goes the right way. Only
// symbols that are met again, in a loop, can turn out wrong. Then the engine gives new
// values to a statement that is to blame and resumes from the state where that
// statement was first met.
//
// For the path b1 b1 exit through
//
//	b1: %x = %x * ?0 + ?1
//	    if %x - ?2 < 0 goto b1 else exit
//
// and x = 5 at first, the walk may choose ?0 = 3 and ?1 = -8, so that x = 7, and ?2 =
// 9, so that the branch is taken. At the second visit x = 13 and the branch falls
// through, as it should. Had it not, the engine would solve for ?2 again over both
// visits, and if that failed, choose ?0 and ?1 anew.
//
// It solves for a path that is demanded (Solve), or finds one of its own that is like a
// target (Find). In Find a branch that cannot take the direction drawn for it takes the
// other one, and nearly every walk comes to an end.
//
// A condition without a symbol decides itself: a walk follows counted loops without
// choices, and where any length will do, their visits do not count for it.
//
// The unknowns of a switch are its labels: a value that no label has yet becomes a
// label of the wanted successor. An operation that is undefined on the path and has no
// symbol to choose stops the walk. If it may change the function, another operation
// takes its place (package repair).
//
// The engine is incomplete: it never proves that a path has no model. It does not try
// functions that make calls, store a checksum, or have a local that starts
// uninitialised. It does not replace operations that are inexact in floating point, or
// undefined in a lane of a vector or behind a null pointer.
//
// One search is a run. Its parts know only the parts that are named with them:
//
//	scanner    lists the sites of a block: statements and the condition
//	evaluator  values of expressions in a state, and values for symbols;
//	           on symbols (what they have been given) and a layout (of a state)
//	faults     finds what makes a site undefined; on the evaluator
//	labels     gives values to labels of switches; on the evaluator
//	trail      the path so far, and the state at each position
//	turning    makes a condition go a way at all its visits; on the run
//	run        walks, draws directions, goes back
package search

import (
	"fmt"
	"slices"

	"goreify/reify/choice"
	"goreify/reify/ir"
	"goreify/reify/solve"
)

// An Engine is a solve.Solver. The zero value is ready for use, and may be
// used concurrently.
type Engine struct {
	// Walks bounds how often one problem is walked, whole or in part; 0 means
	// DefaultWalks, less than 3 is 3.
	Walks int
}

// DefaultWalks is enough for nearly every path that can be solved at all.
const DefaultWalks = 15

// offTargetTries bounds how often a walk that came to the exit off the target goes
// on from where it left the target. After that another function is the better
// chance.
const offTargetTries = 2

// daringLength is the length up to which demanded paths are first tried with
// daring values.
const daringLength = 20

// Name returns "search".
func (Engine) Name() string { return "search" }

func (e Engine) walks() int {
	if e.Walks == 0 {
		return DefaultWalks
	}
	return max(e.Walks, 3)
}

// Solve implements solve.Solver. Its errors say which block and which
// statement or condition stopped the walk that went furthest.
func (e Engine) Solve(p solve.Problem, s *choice.Stream) (*ir.Model, error) {
	g := guide{demand: p.Path, counts: make([]int, len(p.Func.Blocks)), Target: solve.Target{Repair: p.Repair}}
	for _, b := range p.Path {
		g.counts[b]++
	}
	m, _, st, err := e.solve(p.Func, g, s)
	if p.Stats != nil {
		p.Stats.Add(st)
	}
	return m, err
}

// Find walks the function on a way of its own that is like the target, and
// returns the path it took.
func (e Engine) Find(f *ir.Function, t solve.Target, s *choice.Stream) (path []int, m *ir.Model, st solve.Stats, err error) {
	m, path, st, err = e.solve(f, guide{Target: t}, s)
	return path, m, st, err
}

func (e Engine) solve(f *ir.Function, g guide, s *choice.Stream) (*ir.Model, []int, solve.Stats, error) {
	if g.Rounds < 0 || g.Rounds > 0 && (g.Loop < 0 || g.Loop >= len(f.Blocks)) {
		return nil, nil, solve.Stats{}, fmt.Errorf("target: %d rounds of block %d of %d", g.Rounds, g.Loop, len(f.Blocks))
	}
	unknown := func(what string) error {
		return fmt.Errorf("%s, which this engine does not follow: %w", what, solve.ErrUnknown)
	}
	if what := unsupportedStart(f); what != "" {
		return nil, nil, solve.Stats{}, unknown(what)
	}
	// Values near to overflow find bugs, others get round long loops. Daring values
	// come first, if they have a chance.
	furthest := failure{pos: -1}
	r := newRun(f, g, s)
	defer r.release()
	r.triesLeft = offTargetTries
	// The exit may be further than the target.
	r.guide.Length = max(g.Length, int(r.blocks[0].exit)+1)
	r.budget = 100_000 + 100*(len(g.demand)+r.guide.Length)
	n := e.walks()
	r.daring = g.Daring || g.demand != nil && (len(g.demand) <= daringLength || s.Chance(1, 4))
	if r.daring {
		n /= 3
	}
	for left := e.walks(); left > 0; left, n = left-n, left-n {
		fail, ok := r.search(n)
		if r.scanner.unsupported != "" {
			return nil, nil, r.stats, unknown(r.scanner.unsupported)
		}
		if ok {
			if off := r.off(); r.best.path == nil || off < r.best.off {
				return r.model(r.syms, r.set), r.path, r.stats, nil
			}
			return r.best.m, r.best.path, r.stats, nil
		}
		if fail.pos > furthest.pos {
			furthest = *fail
		}
		r.daring = false
		r.forgetAll()
	}
	if r.best.path != nil {
		return r.best.m, r.best.path, r.stats, nil
	}
	return nil, nil, r.stats, fmt.Errorf("%d walks, the furthest ended at position %d, %s: %w",
		e.walks(), furthest.pos, furthest.describe(f), solve.ErrUnknown)
}

// unsupportedStart names a feature in the initial values of the variables of f that a
// walk does not follow, or "". The scanner says the same of blocks, when a walk meets
// them.
func unsupportedStart(f *ir.Function) string {
	for _, v := range f.Vars {
		if _, wide := v.Type.(ir.Wide); !wide && v.Kind == ir.Local && v.Init == nil {
			return fmt.Sprintf("local %s starts uninitialised", v)
		}
		for i, e := range v.Init {
			switch e.(type) {
			case *ir.Const, *ir.Sym:
				continue
			}
			for at := range ir.SubExprs(&v.Init[i]) {
				if call, ok := (*at).(*ir.Call); ok {
					return called(call)
				}
			}
		}
	}
	return ""
}

func called(c *ir.Call) string { return fmt.Sprintf("@%s is called", c.Func.Name) }

// search walks at most n times, or until the steps are spent. It reports whether
// a walk came to the end, and if not, the failure of the one that went furthest.
func (r *run) search(n int) (furthest *failure, ok bool) {
	r.start()
	furthest = &failure{pos: -1}
	var kept snapshot
	for range n {
		if r.steps > r.budget {
			break
		}
		r.stats.Walks++
		f := r.walk()
		if f == nil {
			return nil, true
		}
		if r.scanner.unsupported != "" {
			break
		}
		if f.off > 0 && (r.best.path == nil || f.off < r.best.off) {
			r.best = found{slices.Clone(r.path), r.model(slices.Clone(r.syms), slices.Clone(r.set)), f.off}
		}
		if f.off > 0 {
			r.triesLeft--
		}
		if f.pos > furthest.pos {
			furthest = f
		}
		if r.guide.demand != nil {
			// Climb: most backjumps that make the walk fail earlier are undone.
			if f.pos < kept.pos && !r.s.Chance(1, 4) {
				kept.restore(r)
				continue
			}
			kept.save(r, f.pos)
		}
		r.backjump(f)
	}
	return furthest, false
}

// forgetAll resets r to the state before the first walk, except for the steps taken and
// the best path.
func (r *run) forgetAll() {
	clear(r.set)
	r.missed = failure{}
	r.forced.pos = 0
	for b := range r.blocks {
		r.blocks[b].leave = 0
		for i := range r.blocks[b].sites {
			r.blocks[b].sites[i].fails = 0
		}
	}
}

// describe says where a failure is, for the error of Solve.
func (f failure) describe(fn *ir.Function) string {
	switch {
	case f.at == nil:
		return "too long"
	case f.at.stmt != nil:
		return "block " + fn.Blocks[f.at.block].Name + ", " + f.at.stmt.String()
	}
	return "block " + fn.Blocks[f.at.block].Name + ", condition"
}

// A snapshot is the state on which a walk depends, and where it failed.
type snapshot struct {
	pos   int
	syms  []int64
	set   []bool
	first []int64
}

func (b *snapshot) save(r *run, pos int) {
	b.pos = pos
	b.syms = append(b.syms[:0], r.syms...)
	b.set = append(b.set[:0], r.set...)
	b.first = append(b.first[:0], r.state(0)...)
}

// restore goes back to the snapshot and to the entry.
func (b *snapshot) restore(r *run) {
	copy(r.syms, b.syms)
	copy(r.set, b.set)
	copy(r.state(0), b.first)
	r.back(0)
	for _, i := range r.switches {
		r.labels.unsetAll(r.f.Blocks[i].Term.(*ir.Switch))
	}
}

// A found path is one that came to the exit, off the target.
type found struct {
	path []int
	m    *ir.Model
	off  int
}

// model returns the choices of the walk. syms and set become part of it. Symbols of
// blocks that are not on the path do not count as set.
func (r *run) model(syms []int64, set []bool) *ir.Model {
	m := &ir.Model{Syms: syms, Set: set}
	for b := range r.blocks {
		if len(r.blocks[b].visits) > 0 {
			continue
		}
		for i := range r.blocks[b].sites {
			for _, sym := range r.blocks[b].sites[i].syms {
				m.Set[sym.ID] = false
			}
		}
	}
	for _, b := range r.switches {
		if info := &r.blocks[b]; len(info.visits) > 0 {
			r.labels.finish(m, r.f.Blocks[b].Term.(*ir.Switch), info)
		}
	}
	for i := range r.f.Params() {
		m.Args = append(m.Args, r.state(0)[r.offset[i]])
	}
	return m
}
