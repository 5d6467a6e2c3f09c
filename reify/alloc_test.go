package reify_test

import (
	"runtime"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"goreify/reify"
	"goreify/reify/solve/search"
)

// What a function of the default configuration may cost; measured: 664
// allocations and 196 kB. The bounds catch what doubles them.
const (
	mostAllocs = 1000
	mostBytes  = 290_000
)

func TestAllocationsAreBounded(t *testing.T) {
	const recipes = 300
	made := 0
	makeAll := func() {
		made = 0
		for seed := range uint64(recipes) {
			if _, err := reify.Make("f", reify.FromSeed(seed), reify.DefaultConfig(), search.Engine{}); err == nil {
				made++
			}
		}
	}
	allocs := testing.AllocsPerRun(1, makeAll)
	require.Greater(t, made, recipes/2)

	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	makeAll()
	runtime.ReadMemStats(&after)
	bytes := after.TotalAlloc - before.TotalAlloc

	t.Logf("%.0f allocations and %d bytes a function", allocs/float64(made), bytes/uint64(made))
	assert.Less(t, allocs/float64(made), float64(mostAllocs))
	assert.Less(t, bytes/uint64(made), uint64(mostBytes))
}
