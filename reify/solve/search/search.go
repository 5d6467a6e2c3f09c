// Package search is the native engine: a concolic walk along the path. It
// executes the function on concrete values and chooses the value of a symbol
// when the path first meets it, such that its statement is defined and its
// branch goes the right way. Only symbols that are met again, in a loop, can
// turn out wrong; then the engine gives new values to a statement that is to
// blame and resumes from the state where that statement was first met.
//
// For the path b1 b1 exit through
//
//	b1: %x = %x * ?0 + ?1
//	    if %x - ?2 < 0 goto b1 else exit
//
// and x = 5 at first, the walk may choose ?0 = 3 and ?1 = -8, so that x = 7,
// and ?2 = 9, so that the branch is taken. At the second visit x = 13 and the
// branch falls through, as it should; had it not, ?2 would be solved for again
// over both visits, and failing that, ?0 and ?1 would be chosen anew.
//
// The engine is incomplete: it never proves that a path has no model.
package search

import (
	"fmt"

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
const DefaultWalks = 40

// Name returns "search".
func (Engine) Name() string { return "search" }

// Solve implements solve.Solver. Its errors say which block and which
// statement or condition stopped the walk that went furthest.
func (e Engine) Solve(p solve.Problem, s *choice.Stream) (*ir.Model, error) {
	walks := e.Walks
	if walks == 0 {
		walks = DefaultWalks
	}
	walks = max(walks, 3)
	// What is near to overflowing finds bugs, what is far from it gets round
	// long loops: first the one, then the other.
	var furthest *failure
	for _, daring := range []bool{true, false} {
		r := newRun(p, s)
		r.daring = daring
		n := walks / 3
		if !daring {
			n = walks - n
		}
		f := r.search(n)
		if f == nil {
			return r.model(), nil
		}
		if furthest == nil || f.pos > furthest.pos {
			furthest = f
		}
	}
	block, what := furthest.describe(p.Func)
	return nil, fmt.Errorf("%d walks, the furthest ended at position %d, block %s, %s: %w",
		walks, furthest.pos, block, what, solve.ErrUnknown)
}

// search walks at most n times. It returns nil if a walk came to the end, else
// the failure of the one that went furthest.
func (r *run) search(n int) (furthest *failure) {
	r.start()
	var kept snapshot
	from := 0
	for range n {
		f := r.walk(from)
		if f == nil {
			return nil
		}
		if furthest == nil || f.pos > furthest.pos {
			furthest = f
		}
		// Climb: most repairs that make the walk fail earlier are undone.
		if f.pos < kept.pos && !r.s.Chance(1, 4) {
			from = kept.restore(r)
			continue
		}
		kept.save(r, f.pos)
		from = r.repair(f)
	}
	return furthest
}

// A snapshot is what a walk depends on, and where it failed.
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

// restore goes back to the snapshot and returns the position to walk from.
func (b *snapshot) restore(r *run) int {
	copy(r.syms, b.syms)
	copy(r.set, b.set)
	copy(r.state(0), b.first)
	return 0
}

// model returns what the walk chose.
func (r *run) model() *ir.Model {
	m := &ir.Model{Syms: r.syms, Set: r.set}
	for i := range r.Func.Params() {
		m.Args = append(m.Args, r.state(0)[r.offset[i]])
	}
	return m
}
