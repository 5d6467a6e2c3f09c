package reify_test

import (
	"goreify/reify/choice"
	"goreify/reify/ir"
	"goreify/reify/solve"
)

// liar claims that all symbols are zero.
type liar struct{}

func (liar) Name() string { return "liar" }

func (liar) Solve(p solve.Problem, _ *choice.Stream) (*ir.Model, error) {
	m := ir.NewModel(p.Func)
	for i := range m.Set {
		m.Set[i] = true
	}
	return m, nil
}
