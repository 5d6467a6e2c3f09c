//go:build cgo && z3

package z3

import (
	"errors"
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"goreify/reify/choice"
	"goreify/reify/ir"
	"goreify/reify/solve"
	"goreify/tools/need"
)

// randomModel draws a value for everything. Labels of switches differ.
func randomModel(f *ir.Function, s *choice.Stream) *ir.Model {
	m := ir.NewModel(f)
	for i, v := range f.Params() {
		m.Args[i] = v.Type.(ir.Int).Wrap(someValue(s))
	}
	for at := range f.Exprs() {
		if sym, ok := (*at).(*ir.Sym); ok {
			m.Syms[sym.ID] = sym.T.Wrap(someValue(s))
			m.Set[sym.ID] = true
		}
	}
	for _, b := range f.Blocks {
		t, ok := b.Term.(*ir.Switch)
		if !ok {
			continue
		}
		for i, c := range t.Cases {
			if sym, ok := c.Lo.(*ir.Sym); ok {
				m.Syms[sym.ID] = int64(i) // 0 and 10 to 90 are taken
			}
		}
	}
	return m
}

// The encoding and the interpreter share no code. Given a function without
// unknowns they agree of every path on whether the function follows it, and so
// on whether it is defined.
func TestCheckAgreesWithTheInterpreter(t *testing.T) {
	need.Long(t)
	s := newSolver(t, Options{})
	followed, not := 0, 0
	for seed := range 60 {
		draw := choice.New(fmt.Append(nil, "check ", seed))
		f := randomLanguage(30, draw)
		require.NoError(t, ir.Check(f), "%s", f)
		m := randomModel(f, draw)
		for _, path := range paths {
			p := solve.Problem{Func: f, Path: path}
			want := follows(p, m)
			got := s.Check(p, m)
			if want == nil {
				followed++
				require.NoError(t, got, "%v with %v\n%s", path, m.Args, ir.Concretize(f, m))
			} else {
				not++
				require.ErrorIs(t, got, solve.ErrUnsat, "%v with %v, but %v\n%s", path, m.Args, want, ir.Concretize(f, m))
			}
		}
	}
	t.Logf("%d paths followed, %d not", followed, not)
	assert.Greater(t, followed, 10)
}

// With unknowns, what Z3 finds the interpreter confirms, and what Z3 says cannot
// be is not found by trying.
func TestModelsOfTheLanguage(t *testing.T) {
	need.Long(t)
	s := newSolver(t, Options{RLimit: 300_000})
	sat, unsat, unknown := 0, 0, 0
	for seed := range 50 {
		draw := choice.New(fmt.Append(nil, "solve ", seed))
		p := solve.Problem{Func: randomLanguage(60, draw), Path: choice.Pick(draw, paths)}
		m, err := s.Solve(p, stream(seed))
		switch {
		case err == nil:
			sat++
			require.NoError(t, follows(p, m), "%v with %v\n%s", p.Path, m.Args, p.Func)
		case errors.Is(err, solve.ErrUnsat):
			unsat++
			for range 200 {
				require.Error(t, follows(p, randomModel(p.Func, draw)), "%v\n%s", p.Path, p.Func)
			}
		default:
			require.ErrorIs(t, err, solve.ErrUnknown)
			unknown++
		}
	}
	t.Logf("%d have models, %d have none, %d unknown", sat, unsat, unknown)
	assert.Greater(t, sat, 8)
	assert.Greater(t, unsat, 8)
}
