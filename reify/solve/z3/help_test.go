//go:build cgo && z3

package z3

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"goreify/reify/choice"
	"goreify/reify/interp"
	"goreify/reify/ir"
	"goreify/reify/solve"
)

// parse reads one function and the path of the blocks named.
func parse(t *testing.T, text, path string) solve.Problem {
	t.Helper()
	prog, err := ir.Parse(text)
	require.NoError(t, err)
	f := prog.Funcs[0]
	require.NoError(t, ir.Check(f))
	p := solve.Problem{Func: f}
	for _, name := range strings.Fields(path) {
		at := slices.IndexFunc(f.Blocks, func(b *ir.Block) bool { return b.Name == name })
		require.GreaterOrEqual(t, at, 0, name)
		p.Path = append(p.Path, at)
	}
	return p
}

func newSolver(t testing.TB, o Options) *Solver {
	t.Helper()
	s, err := New(o)
	require.NoError(t, err)
	return s
}

func stream(seed int) *choice.Stream { return choice.New(fmt.Append(nil, "z3 ", seed)) }

// follows runs the interpreter on what a model makes of the function and
// returns an error unless the run is defined and takes the path. Symbols that
// the model does not set must not matter: they get a value that would.
func follows(p solve.Problem, m *ir.Model) error {
	filled := *m
	filled.Syms = slices.Clone(m.Syms)
	for at := range p.Func.Exprs() {
		s, ok := (*at).(*ir.Sym)
		if !ok {
			continue
		}
		if !m.Set[s.ID] {
			filled.Syms[s.ID] = s.T.Wrap(0x5a5a5a5a5a5a5a5a)
		} else if !s.T.Holds(m.Syms[s.ID]) {
			return fmt.Errorf("?%d = %d is no %s", s.ID, m.Syms[s.ID], s.T)
		}
	}
	f := ir.Concretize(p.Func, &filled)
	r, err := interp.Run(f, m.Args, interp.Options{Fuel: len(p.Path) + 1})
	if err != nil {
		return err
	}
	if !slices.Equal(r.Path, p.Path) {
		return fmt.Errorf("path %v, want %v", r.Path, p.Path)
	}
	return nil
}
