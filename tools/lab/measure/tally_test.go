package measure

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"goreify/reify"
	"goreify/reify/emit/c"
	"goreify/reify/ir"
	"goreify/reify/solve"
	"goreify/reify/solve/search"
)

// Four visits of b1, two conditionals met again, one of which goes both ways.
const counted = `
func @f(%a i32, %b i32) i32 {
    local %x i32 = 0
    local %y [2]i32 = {1, 0}
    static @g [3]i32
  entry:
    goto b1
  b1:
    %x = %x * 0 + %a * 7
    if %b * -1 > 0 goto exit else b2
  b2:
    %b = %b + 1
    if %x * 3 == 0 goto b3 else b1
  b3:
    %x = %a * 1 + 4 * %a
    goto exit
  exit:
    return %x
}
case f(a = 5, b = -2) = 35 path entry b1 b2 b1 b2 b1 b2 b1 exit
`

func TestTally(t *testing.T) {
	p := ir.MustParse(counted)
	k := &reify.Case{
		Claim: p.Claims[0], Paths: 2, Solver: "search",
		Target: solve.Target{Length: 9, Rounds: 3, Loop: 1},
		Stats:  solve.Stats{Walks: 3, Wishes: 8, Detours: 1},
	}
	var sums tally
	sums.made(k)
	far := *k
	far.Target = solve.Target{Length: 40, Rounds: 12, Loop: 1}
	far.Stats = solve.Stats{}
	sums.made(&far)
	sums.failed(fmt.Errorf("recipe 3: %w", &reify.Failure{Paths: 4, Stats: solve.Stats{Walks: 7, Queries: 1}}))
	require.NoError(t, sums.add(k, "int f(void) {}"))
	var r Result
	sums.fill(&r)
	assert.Equal(t, 1, r.Functions)
	assert.Equal(t, 5.0, r.MeanBlocks)
	assert.Equal(t, 6.0, r.MeanEdges)
	assert.Equal(t, 7.0, r.MeanTokens)
	assert.Equal(t, 9.0, r.MeanPath)
	assert.Equal(t, 1.0, r.FewRounds)
	assert.Equal(t, 0.0, r.ManyRounds)
	assert.Equal(t, 0.5, r.BothWays)
	assert.Equal(t, 1.0/6, r.Factor0)
	assert.Equal(t, 2.0/6, r.Factor1)
	assert.Equal(t, 1.0/4, r.PathFactor0)
	assert.Equal(t, 1.0/4, r.PathFactor1)
	assert.Equal(t, 5.0/8, r.Initial0, "x, y[1] and three of g, among these and a, b, y[0]")
	assert.Equal(t, (2.0+2+4)/2, r.Tries)
	assert.Equal(t, (3.0+7)/2, r.Walks)
	assert.Equal(t, 1.0/2, r.Queries)
	assert.Equal(t, 7.0/8, r.Granted)
	assert.Equal(t, 1.0/2, r.OnTarget)
	assert.Equal(t, 1.0, r.WithRounds)
	assert.Equal(t, 1.0/2, r.OnRounds, "4 visits of b1 are near enough to 3, not to 12")
	assert.Equal(t, map[string]int{"search": 2}, r.Solvers)
	assert.Equal(t, Quantiles{9, 9, 9, 9, 9, 9, 9, 9}, r.Path)
}

func TestQuantiles(t *testing.T) {
	var sums tally
	for i := range 101 {
		sums.paths = append(sums.paths, 100-i)
	}
	var r Result
	sums.fill(&r)
	assert.Equal(t, Quantiles{0, 10, 25, 50, 75, 90, 99, 100}, r.Path)
}

// What the tally allocates would be charged to the generator.
func TestTallyAllocates(t *testing.T) {
	recipe := reify.FromSeed(2)
	k, err := reify.Make(functionName, recipe, reify.DefaultConfig(), search.Engine{})
	require.NoError(t, err)
	source := c.Emit([]c.Unit{{Claim: k.Claim}})
	sums := tally{paths: make([]int, 0, 1000)}
	require.NoError(t, sums.add(k, source))
	assert.LessOrEqual(t, testing.AllocsPerRun(50, func() { _ = sums.add(k, source) }), 2.0)
}
