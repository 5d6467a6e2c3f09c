package solve

import (
	"errors"
	"fmt"

	"goreify/reify/choice"
	"goreify/reify/ir"
)

// A Problem is a function with symbols and the path it is to follow: indices
// into Func.Blocks, from the entry to the exit, each a successor of the one
// before.
type Problem struct {
	Func  *ir.Function
	Path  []int
	Stats *Stats // gets the counts of the solver's work; may be nil
	// Repair says that the solver may change Func: it may replace an operation that the
	// path makes undefined (package repair).
	Repair bool
}

// A Solver finds models. Its answer depends on the problem, the stream and the
// solver's own configuration alone: budgets are counted in steps, not seconds.
type Solver interface {
	// Name is a short word for statistics, such as "search".
	Name() string
	// Solve returns a model, or an error that wraps ErrUnsat if provably no model
	// exists and ErrUnknown if none was found.
	Solve(p Problem, s *choice.Stream) (*ir.Model, error)
}

// A Target describes the wanted path. It is drawn before a path is looked for, and met
// as nearly as the graph allows, so that paths are distributed as they were drawn and
// not by how easy they are.
type Target struct {
	// Length is the number of blocks, entry and exit included, at which the
	// path turns to the exit.
	Length int
	// Rounds is how often the path visits block Loop, which lies on a cycle; once
	// it has, other loops are left after as many. 0 leaves it open.
	Rounds, Loop int
	// Sticky is the chance in percent that a block met again takes the
	// successor it took last time, where length and rounds leave the choice.
	Sticky int
	// Daring says that variables that loops update are to come near to
	// overflowing, as far as that succeeds soon.
	Daring bool
	// Unit is the chance in percent that a factor is 1 or -1 where it can be. The
	// variables of a loop are then linear in its rounds, which is what loop optimisers
	// look for.
	Unit int
	// Factors says that sums that are multiplied by a known value are drawn at random
	// among those for which the product fits, and not only small.
	Factors bool
	// Free says that any length will do: visits of blocks whose conditions have no
	// symbols do not count for Length, as long as they are MaxFree at most.
	Free bool
	// Repair says that the solver may change the function: see Problem.
	Repair bool
}

// MaxFree bounds the blocks that a path may visit beyond Length because a target is
// free.
const MaxFree = 500

// Off returns how far a path of that many blocks, which visits block Loop that often,
// is from the target. It is 0 within a quarter of the length and two blocks for the way
// from one loop to the next, and within half of the rounds.
func (t Target) Off(length, rounds int) int {
	return t.offLength(length) + t.offRounds(rounds)
}

func (t Target) offLength(n int) int {
	if t.Free {
		return 0
	}
	return max(0, 4*distance(n, t.Length)-t.Length-8)
}

func (t Target) offRounds(n int) int {
	switch {
	case t.Rounds == 0:
		return 0
	case t.Rounds > 1 && n < 2:
		return t.Rounds // it never goes round
	}
	return max(0, 2*distance(n, t.Rounds)-t.Rounds-1)
}

// Met reports whether a path is as long as wanted, and whether it goes round as
// often as wanted, as nearly as Off asks.
func (t Target) Met(path []int) (length, rounds bool) {
	return t.offLength(len(path)) == 0, t.offRounds(t.RoundsOf(path)) == 0
}

// RoundsOf returns how often a path visits the block to go round.
func (t Target) RoundsOf(path []int) (n int) {
	for _, b := range path {
		if b == t.Loop {
			n++
		}
	}
	return n
}

func distance(a, b int) int { return max(a-b, b-a) }

// A Finder is a Solver that can also find a path of its own: it chooses
// directions and values together, which nearly always succeeds.
type Finder interface {
	Solver
	// Find returns a path from the entry of f to its exit that is like the
	// target, and a model of it, or an error that wraps ErrUnknown.
	Find(f *ir.Function, t Target, s *choice.Stream) (path []int, m *ir.Model, st Stats, err error)
}

// Stats counts the work of a solver.
type Stats struct {
	Walks     int // walks along the path, whole or in part
	Backjumps int // values given up, and walks resumed where they were chosen
	Restarts  int // conditions whose symbols were all chosen anew
	Wishes    int // directions drawn for a branch, in walks that find their own way
	Detours   int // of these the ones that could not be had
	Repairs   int // operations of the function that were replaced
	Queries   int // questions to an SMT solver
}

// Add adds the counts of t to s.
func (s *Stats) Add(t Stats) {
	s.Walks += t.Walks
	s.Backjumps += t.Backjumps
	s.Restarts += t.Restarts
	s.Wishes += t.Wishes
	s.Detours += t.Detours
	s.Repairs += t.Repairs
	s.Queries += t.Queries
}

// Errors of Solve.
var (
	ErrUnsat   = errors.New("unsatisfiable")
	ErrUnknown = errors.New("no model found")
)

// Unsolved reports whether err says that no model exists or that none was found, and
// not that the problem or the engine is broken.
func Unsolved(err error) bool { return errors.Is(err, ErrUnsat) || errors.Is(err, ErrUnknown) }

// A Portfolio tries its engines in turn until one finds a model or proves that no model
// exists.
type Portfolio []Solver

// Name returns "portfolio".
func (p Portfolio) Name() string { return "portfolio" }

// Solve asks each engine in turn. Each gets a stream of its own, so that how
// much one draws does not change what the next one finds.
func (p Portfolio) Solve(pr Problem, s *choice.Stream) (*ir.Model, error) {
	var errs []error
	for _, engine := range p {
		m, err := engine.Solve(pr, choice.New(choice.Derive(s.Uint64(), engine.Name())))
		if err == nil {
			m.By = engine.Name()
			return m, nil
		}
		if !Unsolved(err) {
			return nil, fmt.Errorf("%s: %w", engine.Name(), err)
		}
		errs = append(errs, fmt.Errorf("%s: %w", engine.Name(), err))
		if errors.Is(err, ErrUnsat) {
			break
		}
	}
	if len(errs) == 0 {
		return nil, fmt.Errorf("empty portfolio: %w", ErrUnknown)
	}
	return nil, errors.Join(errs...)
}

// Find asks the engines that are Finders in turn.
func (p Portfolio) Find(f *ir.Function, t Target, s *choice.Stream) ([]int, *ir.Model, Stats, error) {
	var sum Stats
	err := fmt.Errorf("no engine finds paths: %w", ErrUnknown)
	for _, engine := range p {
		finder, ok := engine.(Finder)
		if !ok {
			continue
		}
		var path []int
		var m *ir.Model
		var st Stats
		path, m, st, err = finder.Find(f, t, choice.New(choice.Derive(s.Uint64(), engine.Name())))
		sum.Add(st)
		switch {
		case err == nil:
			m.By = engine.Name()
			return path, m, sum, nil
		case !Unsolved(err):
			return nil, nil, sum, fmt.Errorf("%s: %w", engine.Name(), err)
		}
	}
	return nil, nil, sum, err
}
