package solve_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"goreify/reify/choice"
	"goreify/reify/ir"
	"goreify/reify/solve"
)

// engine fails with err if it is not nil, and counts how often it is asked.
type engine struct {
	name  string
	err   error
	asked *int
}

func (e engine) Name() string { return e.name }

func (e engine) Solve(p solve.Problem, s *choice.Stream) (*ir.Model, error) {
	*e.asked++
	if e.err != nil {
		return nil, fmt.Errorf("because: %w", e.err)
	}
	return &ir.Model{Args: []int64{int64(s.Intn(1 << 30))}}, nil
}

// finder is an engine that finds a path of one block.
type finder struct{ engine }

func (e finder) Find(f *ir.Function, t solve.Target, s *choice.Stream) ([]int, *ir.Model, solve.Stats, error) {
	m, err := e.Solve(solve.Problem{}, s)
	return []int{0}, m, solve.Stats{Walks: 2}, err
}

func TestPortfolioAsksInTurn(t *testing.T) {
	var a, b, c int
	p := solve.Portfolio{engine{"a", solve.ErrUnknown, &a}, engine{"b", nil, &b}, engine{"c", nil, &c}}
	m, err := p.Solve(solve.Problem{}, choice.New(nil))
	require.NoError(t, err)
	assert.Equal(t, "b", m.By)
	assert.Equal(t, []int{1, 1, 0}, []int{a, b, c})
}

func TestPortfolioStopsAtAProof(t *testing.T) {
	var a, b int
	p := solve.Portfolio{engine{"a", solve.ErrUnsat, &a}, engine{"b", nil, &b}}
	_, err := p.Solve(solve.Problem{}, choice.New(nil))
	require.ErrorIs(t, err, solve.ErrUnsat)
	assert.ErrorContains(t, err, "a: because: unsatisfiable")
	assert.Zero(t, b)
}

func TestPortfolioSaysWhyAllFailed(t *testing.T) {
	var n int
	p := solve.Portfolio{engine{"a", solve.ErrUnknown, &n}, engine{"b", solve.ErrUnknown, &n}}
	_, err := p.Solve(solve.Problem{}, choice.New(nil))
	require.ErrorIs(t, err, solve.ErrUnknown)
	assert.False(t, errors.Is(err, solve.ErrUnsat))
	assert.ErrorContains(t, err, "a: because")
	assert.ErrorContains(t, err, "b: because")
	_, err = solve.Portfolio{}.Solve(solve.Problem{}, choice.New(nil))
	assert.ErrorIs(t, err, solve.ErrUnknown)
}

// An engine that is asked again, about another path, must not draw the same.
func TestPortfolioDrawsAnew(t *testing.T) {
	var n int
	p := solve.Portfolio{engine{"a", nil, &n}}
	s := choice.New([]byte{1})
	one, _ := p.Solve(solve.Problem{}, s)
	two, _ := p.Solve(solve.Problem{}, s)
	assert.NotEqual(t, one.Args, two.Args)
}

func TestPortfolioFinds(t *testing.T) {
	var a, b int
	p := solve.Portfolio{engine{"a", nil, &a}, finder{engine{"b", nil, &b}}}
	path, m, st, err := p.Find(nil, solve.Target{}, choice.New(nil))
	require.NoError(t, err)
	assert.Equal(t, []int{0}, path)
	assert.Equal(t, "b", m.By)
	assert.Equal(t, 2, st.Walks)
	assert.Zero(t, a, "it cannot find paths")
	_, _, _, err = solve.Portfolio{engine{"a", nil, &a}}.Find(nil, solve.Target{}, choice.New(nil))
	assert.ErrorIs(t, err, solve.ErrUnknown)
}
