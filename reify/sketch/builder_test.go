package sketch_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"goreify/reify/cfg"
	"goreify/reify/choice"
	"goreify/reify/ir"
	"goreify/reify/sketch"
	"goreify/reify/sketch/core"
	"goreify/reify/sketch/sketchtest"
)

// What a Builder made before, larger or smaller, changed by its user or not,
// must not show in what it makes next.
func TestBuilderForgets(t *testing.T) {
	small := sketch.Options{Options: core.Options{Vars: 1, Assigns: 1, AssignTerms: 1, CondTerms: 1, Piloted: 100}}
	arrays := sketch.DefaultOptions()
	arrays.Arrays, arrays.Volatile, arrays.Sum = 90, 30, true
	none := sketch.DefaultOptions()
	none.Assigns = 0
	options := []sketch.Options{sketch.DefaultOptions(), small, arrays, none}

	var b sketch.Builder
	at := 0
	graphs(60, func(g *cfg.Graph, s *choice.Stream) {
		o := options[at%len(options)]
		at++
		seed := s.Uint64()
		body := func() *choice.Stream { return choice.New(choice.Derive(seed, "body")) }
		fresh, draws := sketch.Function("f", g, o, body()), body()
		reused := b.Overwrite("f", g, o, draws)
		require.NoError(t, ir.Check(reused))
		require.Equal(t, sketchtest.Text(fresh), sketchtest.Text(reused))

		after := body()
		sketch.Function("f", g, o, after)
		require.Equal(t, after.Draws(), draws.Draws())

		m := ir.NewModel(reused)
		sketch.Fill(reused, m, draws)
		ir.Settle(reused, m)
		sketch.AddUndefined(reused, shortest(g), o, draws)
	})
}

// Statements of all blocks lie in one array: what a pass appends to a block
// must not end up in the next one.
func TestBlocksCanGrow(t *testing.T) {
	graphs(5, func(g *cfg.Graph, s *choice.Stream) {
		f := sketch.Function("f", g, sketch.DefaultOptions(), s)
		for i, b := range f.Blocks[1 : len(f.Blocks)-2] {
			next := f.Blocks[i+2]
			if len(next.Stmts) == 0 {
				continue
			}
			first := next.Stmts[0]
			b.Stmts = append(b.Stmts, b.Stmts[0])
			require.Same(t, first, next.Stmts[0])
		}
	})
}

// A function is one allocation for each kind of node and a few for each
// variable, and in a Builder that has grown the latter only; measured: 38
// and 16.
func TestAllocationsAreBounded(t *testing.T) {
	g := cfg.Generate(cfg.DefaultOptions(), choice.New([]byte("graph")))
	s := choice.New([]byte("body"))
	var b sketch.Builder
	fresh := testing.AllocsPerRun(50, func() { sketch.Function("f", g, sketch.DefaultOptions(), s) })
	reused := testing.AllocsPerRun(50, func() { b.Overwrite("f", g, sketch.DefaultOptions(), s) })
	t.Logf("%.0f allocations, %.0f reused", fresh, reused)
	require.Less(t, fresh, 80.0)
	require.Less(t, reused, 40.0)
}
