package reify_test

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"goreify/reify"
	"goreify/reify/choice"
	"goreify/reify/ir"
	"goreify/reify/solve"
	"goreify/reify/solve/search"
)

// What comes out must be spread as what was drawn, not as what was easy.
func TestNoSelectionBias(t *testing.T) {
	type bucket struct{ n, met, asked, got int }
	var lengths, rounds [4]bucket
	add := func(b *bucket, met bool, asked, got int) {
		b.n++
		b.asked += asked
		b.got += got
		if met {
			b.met++
		}
	}
	wishes, detours := 0, 0
	for seed := range uint64(1500) {
		k, err := reify.Make("f", reify.FromSeed(seed), reify.DefaultConfig(), search.Engine{})
		require.NoError(t, err)
		length, round := k.OnTarget()
		add(&lengths[min(3, k.Target.Length/12)], length, k.Target.Length, len(k.Path))
		if r := k.Target.Rounds; r > 0 {
			add(&rounds[min(3, r/5)], round, r, k.Target.RoundsOf(k.Path))
		}
		wishes += k.Stats.Wishes
		detours += k.Stats.Detours
	}
	check := func(what string, buckets []bucket) {
		for i, b := range buckets {
			require.Greater(t, b.n, 40, "%s, bucket %d", what, i)
			assert.Greater(t, float64(b.met)/float64(b.n), 0.93, "%s, bucket %d: share met", what, i)
			assert.InEpsilon(t, b.asked, b.got, 0.12, "%s, bucket %d: mean", what, i)
		}
	}
	check("length", lengths[:])
	check("rounds", rounds[:])
	assert.Less(t, float64(detours)/float64(wishes), 0.15, "directions not taken")
}

// asked counts how often an engine is asked, which never finds anything.
type asked struct {
	n   *int
	err error
}

func (asked) Name() string { return "asked" }

func (a asked) Solve(solve.Problem, *choice.Stream) (*ir.Model, error) {
	*a.n++
	return nil, a.err
}

// lost is an engine that finds no path either.
type lost struct{ asked }

func (l lost) Find(*ir.Function, solve.Target, *choice.Stream) ([]int, *ir.Model, solve.Stats, error) {
	*l.n++
	return nil, nil, solve.Stats{Walks: 1}, l.err
}

func TestSlowEnginesAreAskedSeldom(t *testing.T) {
	fast, slow := 0, 0
	p := solve.Portfolio{lost{asked{&fast, solve.ErrUnknown}}, asked{&slow, solve.ErrUnknown}}
	_, err := reify.Make("f", reify.FromSeed(1), reify.DefaultConfig(), p)
	var f *reify.Failure
	require.ErrorAs(t, err, &f)
	require.ErrorIs(t, err, solve.ErrUnknown)
	assert.Equal(t, 30, f.Paths)
	assert.Equal(t, 30, f.Stats.Walks)
	// The slow one on tries 8, 16 and 24, if a path could be drawn.
	assert.Positive(t, slow)
	assert.LessOrEqual(t, slow, 3)
	assert.Equal(t, 30+slow, fast)
}

// A portfolio without an engine that finds paths has nothing else to try.
func TestSlowEnginesAlone(t *testing.T) {
	alone, portfolio := 0, 0
	for seed := range uint64(10) {
		_, err := reify.Make("f", reify.FromSeed(seed), reify.DefaultConfig(), asked{&alone, solve.ErrUnknown})
		require.ErrorIs(t, err, solve.ErrUnknown)
		_, err = reify.Make("f", reify.FromSeed(seed), reify.DefaultConfig(), solve.Portfolio{asked{&portfolio, solve.ErrUnknown}})
		require.ErrorIs(t, err, solve.ErrUnknown)
	}
	assert.Greater(t, alone, 100)
	assert.Equal(t, alone, portfolio)
}

func TestBrokenEnginesAreNotUnlucky(t *testing.T) {
	broken := errors.New("broken")
	n := 0
	for _, solver := range []solve.Solver{
		asked{&n, broken},
		lost{asked{&n, broken}},
		solve.Portfolio{lost{asked{&n, solve.ErrUnknown}}, asked{&n, broken}},
		solve.Portfolio{lost{asked{&n, broken}}, asked{&n, solve.ErrUnknown}},
	} {
		_, err := reify.Make("f", reify.FromSeed(3), reify.DefaultConfig(), solver)
		require.ErrorIs(t, err, broken)
		assert.False(t, solve.Unsolved(err))
	}
}

// Once a path is found, even one that is not what was wanted, the search for a
// better one ends soon.
func TestPatience(t *testing.T) {
	c := reify.DefaultConfig()
	c.Sketch.Vars, c.Paths = 1, 1000
	most := 0
	for seed := range uint64(300) {
		k, err := reify.Make("f", reify.FromSeed(seed), c, search.Engine{})
		require.NoError(t, err)
		if length, rounds := k.OnTarget(); !length || !rounds {
			most = max(most, k.Paths)
		}
	}
	assert.Greater(t, most, 5)
	assert.Less(t, most, 500, "without patience it is as many as there are")
}
