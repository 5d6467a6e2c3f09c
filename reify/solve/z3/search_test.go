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
	"goreify/reify/solve/search"
	"goreify/tools/need"
)

// What search finds, along a path that it may choose and in a function that it
// may repair, is a model in Z3's eyes as well; and what Z3 says has none search
// does not solve.
func TestSearchAgreesOnTheLanguage(t *testing.T) {
	need.Long(t)
	s := newSolver(t, Options{RLimit: 300_000})
	leftOut, found, repaired, solved, unsat := 0, 0, 0, 0, 0
	for seed := range 50 {
		draw := choice.New(fmt.Append(nil, "search ", seed))
		f := randomLanguage(50, draw)
		before := f.String()
		if copiesUnionMember(f) {
			leftOut++
			continue
		}
		path := choice.Pick(draw, paths)

		p := solve.Problem{Func: ir.Clone(f), Path: path}
		m, err := search.Engine{}.Solve(p, stream(seed))
		if err == nil {
			solved++
			require.NoError(t, s.Check(p, m), "%v with %v\n%s", path, m.Args, before)
		} else if _, zerr := s.Solve(p, stream(seed)); errors.Is(zerr, solve.ErrUnsat) {
			unsat++
			for again := range 10 {
				_, err := search.Engine{}.Solve(p, stream(1000*again))
				require.ErrorIs(t, err, solve.ErrUnknown, "%v\n%s", path, before)
			}
		}

		path, m, _, err = search.Engine{}.Find(f, solve.Target{Length: 5, Repair: true}, stream(seed))
		if err != nil {
			require.ErrorIs(t, err, solve.ErrUnknown)
			continue
		}
		found++
		if f.String() != before {
			repaired++
		}
		require.NoError(t, ir.Check(f), "%s", f)
		require.NoError(t, s.Check(solve.Problem{Func: f, Path: path}, m), "%v with %v\n%s", path, m.Args, ir.Concretize(f, m))
	}
	t.Logf("%d found, %d of them repaired; %d paths solved, %d without a model", found, repaired, solved, unsat)
	t.Logf("%d of 50 functions LEFT OUT: search copies members of unions that are not in use, which is undefined", leftOut)
	assert.Greater(t, found, 10)
	assert.Greater(t, unsat, 5)
}

func copiesUnionMember(f *ir.Function) bool {
	for _, b := range f.Blocks {
		for _, st := range b.Stmts {
			if c, ok := st.(*ir.Assign); ok && ir.FamilyOf(c.Src) == ir.Records && ir.HasUnion(ir.Root(c.Src.(*ir.Load).Place).Type) {
				return true
			}
		}
	}
	return false
}
