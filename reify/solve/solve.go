// Package solve is step S4 of the paper (section 4.2): given a symbolic
// function and a path through it, find values for its symbols and parameters
// such that the function follows the path without undefined behaviour.
//
// The engines are packages of their own: solve/search walks the path and
// chooses as it goes, solve/z3 asks an SMT solver. A Portfolio tries several
// in turn. None of them is trusted: whoever asks runs the interpreter on the
// answer.
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
	Func *ir.Function
	Path []int
}

// A Solver finds models. Its answer depends on the problem, the stream and the
// solver's own configuration alone: budgets are counted in steps, not seconds.
type Solver interface {
	// Name is a short word for statistics, such as "search".
	Name() string
	// Solve returns a model, or an error that wraps ErrUnsat if there is
	// provably none and ErrUnknown if none was found.
	Solve(p Problem, s *choice.Stream) (*ir.Model, error)
}

// What Solve fails with.
var (
	ErrUnsat   = errors.New("unsatisfiable")
	ErrUnknown = errors.New("no model found")
)

// A Portfolio tries its engines in turn until one finds a model or proves that
// there is none.
type Portfolio []Solver

// Name returns "portfolio".
func (p Portfolio) Name() string { return "portfolio" }

// Solve asks each engine in turn. Each gets a stream of its own, so that what
// one draws does not change what the next one finds.
func (p Portfolio) Solve(pr Problem, s *choice.Stream) (*ir.Model, error) {
	var errs []error
	for _, engine := range p {
		m, err := engine.Solve(pr, s.Fork(engine.Name()))
		if err == nil {
			return m, nil
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
