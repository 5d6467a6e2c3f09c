//go:build !cgo || !z3

package z3

import (
	"goreify/reify/choice"
	"goreify/reify/ir"
	"goreify/reify/solve"
)

// A Solver would ask Z3, without which this program was built.
type Solver struct{}

// New fails if an option is out of its bounds, or with ErrUnavailable.
func New(opts Options) (*Solver, error) {
	if _, err := opts.withDefaults(); err != nil {
		return nil, err
	}
	return nil, ErrUnavailable
}

// Name returns "z3".
func (s *Solver) Name() string { return "z3" }

// Solve returns ErrUnavailable.
func (s *Solver) Solve(solve.Problem, *choice.Stream) (*ir.Model, error) {
	return nil, ErrUnavailable
}

var _ solve.Solver = (*Solver)(nil)
