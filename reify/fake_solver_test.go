package reify_test

import (
	"goreify/reify/choice"
	"goreify/reify/ir"
	"goreify/reify/solve"
)

// A fakeSolver claims that every symbol is zero, which is mostly wrong.
type fakeSolver struct{}

func (fakeSolver) Name() string { return "fake" }

func (fakeSolver) Solve(p solve.Problem, _ *choice.Stream) (*ir.Model, error) {
	m := ir.NewModel(p.Func)
	for i := range m.Set {
		m.Set[i] = true
	}
	return m, nil
}
