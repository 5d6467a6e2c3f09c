package trips_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"goreify/reify/cfg"
	"goreify/reify/choice"
	"goreify/reify/interp"
	"goreify/reify/ir"
	"goreify/reify/sketch"
	"goreify/reify/sketch/sketchtest"
)

// countedGraph has a loop of each shape: a block with a branch around it, one with
// an early exit, one that goes round with or without a block, and one block alone.
func countedGraph(t *testing.T) *cfg.Graph {
	g, err := cfg.New([][]int{
		{1},
		{2, 3}, {2, 3}, // around a block
		{4}, {5, 6}, {4, 7}, {7}, // two exits
		{8}, {9, 10}, {10}, {8, 11}, // with or without
		{12}, {13, 12}, // one block
		{},
	})
	require.NoError(t, err)
	return g
}

func tripOptions() sketch.Options {
	o := sketch.DefaultOptions()
	o.Vars, o.Assigns = 3, 2
	o.Policy = sketch.Policy{TypeShares: sketchtest.Types, TripShares: sketch.TripShares{Trips: 100}}
	o.Policy.Bool = 0
	return o
}

// Whatever the arguments and symbols are, loops with a known number of trips go
// round at most 64 times.
func TestTrips(t *testing.T) {
	g := countedGraph(t)
	seen := map[int]int{} // functions whose loop at a block goes round four times or more
	for seed := range uint64(150) {
		s := choice.New(choice.Derive(seed, "trips"))
		f := sketch.Function("f", g, tripOptions(), s)
		sketchtest.Settle(f, s)
		require.NoError(t, ir.Check(f))
		for range 4 {
			var args []int64
			for _, p := range f.Params() {
				args = append(args, p.Type.(ir.Int).Wrap(int64(s.Uint64())))
			}
			run, err := interp.Run(f, args, interp.Options{Fuel: 5000})
			if err != nil {
				require.NotErrorIs(t, err, interp.ErrFuel, "%v", f)
				continue // statements that other loops have, too, have symbols
			}
			visits := map[int]int{}
			for _, b := range run.Path {
				visits[b]++
			}
			for b, n := range visits {
				assert.LessOrEqual(t, n, 64, "b%d of %v", b, f)
				if n >= 4 {
					seen[b]++
				}
			}
		}
	}
	for _, head := range []int{2, 4, 8, 12} {
		assert.Greater(t, seen[head], 100, "b%d", head)
	}
}

func TestTripsGolden(t *testing.T) {
	got := ""
	for seed := range uint64(4) {
		f := sketch.Function("f", countedGraph(t), tripOptions(), choice.New(choice.Derive(seed, "trips")))
		got += sketchtest.Text(f) + "\n"
	}
	sketchtest.Golden(t, "trips", got)
}
