package measure_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"goreify/reify"
	"goreify/reify/choice"
	"goreify/reify/emit/c"
	"goreify/reify/ir"
	"goreify/reify/solve"
	"goreify/reify/solve/search"
	"goreify/tools/lab/measure"
)

func paperSize(reify.Recipe) reify.Config { return reify.DefaultConfig() }

func small(reify.Recipe) reify.Config {
	c, err := reify.ParseConfig("4,3,1,1,1")
	if err != nil {
		panic(err)
	}
	return c
}

func run(t *testing.T, o measure.Options) *measure.Result {
	r, err := measure.Run(t.Context(), o)
	require.NoError(t, err)
	return r
}

// What is counted agrees with what a second, plain count finds.
func TestCounts(t *testing.T) {
	o := measure.Options{Recipes: 60, Seed: 5, Configure: paperSize, Solver: search.Engine{}}
	r := run(t, o)
	var functions, blocks, tokens, steps, few, many int
	var paths []int
	for seed := range uint64(60) {
		recipe := reify.FromSeed(5 + seed)
		k, err := reify.Make("f", recipe, reify.DefaultConfig(), search.Engine{})
		if err != nil {
			continue
		}
		functions++
		blocks += len(k.Func.Blocks)
		steps += len(k.Path)
		paths = append(paths, len(k.Path))
		n, err := measure.Tokens(c.Emit([]c.Unit{{Claim: k.Claim, Style: c.DrawStyle(recipe.Style())}}), "f")
		require.NoError(t, err)
		tokens += n
		visits := map[int]int{}
		for _, b := range k.Path {
			visits[b]++
		}
		most := 0
		for _, n := range visits {
			most = max(most, n)
		}
		if most >= 4 {
			few++
		}
		if most >= 11 {
			many++
		}
	}
	share := func(n int) float64 { return float64(n) / float64(functions) }
	assert.Equal(t, functions, r.Functions)
	assert.Equal(t, 60, functions+r.Unknown+r.Unsat)
	assert.Equal(t, float64(functions)/60, r.Success)
	assert.Equal(t, share(blocks), r.MeanBlocks)
	assert.Equal(t, share(tokens), r.MeanTokens)
	assert.Equal(t, share(steps), r.MeanPath)
	assert.Equal(t, share(few), r.FewRounds)
	assert.Equal(t, share(many), r.ManyRounds)
	assert.Equal(t, slices.Min(paths), r.Path.Min)
	assert.Equal(t, slices.Max(paths), r.Path.Max)
	assert.Equal(t, "search", r.Engine)
	for name, share := range map[string]float64{
		"both ways": r.BothWays, "multipliers 0": r.Factor0, "multipliers 1": r.Factor1,
		"on the path 0": r.PathFactor0, "on the path 1": r.PathFactor1, "initial 0": r.Initial0,
	} {
		assert.GreaterOrEqual(t, share, 0.0, name)
		assert.Less(t, share, 1.0, name)
	}
	assert.Greater(t, r.BothWays, 0.0)
	assert.Greater(t, r.Factor1, 0.0)
}

func TestMinPath(t *testing.T) {
	long := func(r reify.Recipe) reify.Config { return measure.Long(paperSize(r), 60) }
	r := run(t, measure.Options{Recipes: 30, Configure: long, Solver: search.Engine{}, MinPath: 60})
	assert.Positive(t, r.Functions)
	assert.GreaterOrEqual(t, r.Path.Min, 60)
	assert.GreaterOrEqual(t, r.Success, float64(r.Functions)/30)
	none := run(t, measure.Options{Recipes: 5, Configure: small, Solver: search.Engine{}, MinPath: 100000})
	assert.Zero(t, none.Functions)
	assert.Zero(t, none.Rate)
	_, err := json.Marshal(none)
	assert.NoError(t, err, "nothing is divided by 0")
}

func TestDeterminism(t *testing.T) {
	var texts [2]string
	for i := range texts {
		r := run(t, measure.Options{Recipes: 40, Seed: 9, Configure: paperSize, Solver: search.Engine{}})
		texts[i] = counted(t, r)
	}
	assert.Equal(t, texts[0], texts[1])
}

// counted returns r as JSON without what depends on the machine.
func counted(t *testing.T, r *measure.Result) string {
	data, err := json.Marshal(r)
	require.NoError(t, err)
	var fields map[string]any
	require.NoError(t, json.Unmarshal(data, &fields))
	for _, name := range []string{"functions_per_cpu_second", "cpu_seconds", "max_cpu_ms", "slowest_seed", "timeout", "bytes_per_function", "allocs_per_function"} {
		require.Contains(t, fields, name)
		delete(fields, name)
	}
	data, err = json.Marshal(fields)
	require.NoError(t, err)
	return string(data)
}

func TestErrors(t *testing.T) {
	invalid := func(reify.Recipe) reify.Config { return reify.Config{} }
	_, err := measure.Run(t.Context(), measure.Options{Recipes: 1, Configure: invalid, Solver: search.Engine{}})
	assert.ErrorContains(t, err, "Blocks (#BBL) is 0")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = measure.Run(ctx, measure.Options{Recipes: 1, Configure: small, Solver: search.Engine{}})
	assert.ErrorIs(t, err, context.Canceled)
}

// never solves nothing, and says why.
type never struct{ why error }

func (never) Name() string { return "never" }

func (n never) Solve(solve.Problem, *choice.Stream) (*ir.Model, error) {
	return nil, fmt.Errorf("as ever: %w", n.why)
}

func TestFailuresAreCounted(t *testing.T) {
	for _, why := range []error{solve.ErrUnsat, solve.ErrUnknown} {
		r := run(t, measure.Options{Recipes: 6, Configure: small, Solver: never{why}})
		assert.Zero(t, r.Success)
		assert.Equal(t, 6, r.Unsat+r.Unknown)
		assert.Equal(t, errors.Is(why, solve.ErrUnsat), r.Unsat > 0)
	}
}
