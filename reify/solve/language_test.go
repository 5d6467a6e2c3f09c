package solve_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"goreify/reify"
	"goreify/reify/cfg"
	"goreify/reify/ir"
	"goreify/reify/sketch"
	"goreify/reify/solve"
	"goreify/reify/solve/search"
)

// TestSearchSolvesEveryFeature has search find paths of functions that have one
// feature of the language, or all, with leave to repair them and without, and
// then solve for the same path once more.
func TestSearchSolvesEveryFeature(t *testing.T) {
	wild, err := reify.FindProfile("wild")
	require.NoError(t, err)
	const n = 40
	for _, feature := range append(reify.Features(), "all") {
		t.Run(feature, func(t *testing.T) {
			mended, found, again := 0, 0, 0
			for seed := range n {
				s := stream(seed, feature)
				c, err := wild.Draw(s).With("-all,+" + feature)
				require.NoError(t, err)
				g := cfg.Generate(c.Graph, s)
				f := sketch.Function("f", g, c.Sketch, s)
				require.NoError(t, ir.Check(f))
				target := solve.Target{Length: s.Range(4, 20), Sticky: 70, Daring: s.Chance(1, 2), Repair: true}
				if seed%4 == 0 {
					target.Repair = false
				}
				path, m, stats, err := search.Engine{}.Find(f, target, stream(seed, "find"))
				mended += stats.Repairs
				if err != nil {
					require.ErrorIs(t, err, solve.ErrUnknown)
					continue
				}
				found++
				accepted(t, solve.Problem{Func: f, Path: path}, m)
				p := solve.Problem{Func: f, Path: path, Repair: target.Repair}
				if m, err = (search.Engine{}).Solve(p, stream(seed, "solve")); err == nil {
					again++
					accepted(t, p, m)
				}
			}
			t.Logf("%d of %d found, %d solved for again, %d operations replaced", found, n, again, mended)
			assert.Greater(t, found, n/2)
			assert.Greater(t, again, n/4)
		})
	}
}
