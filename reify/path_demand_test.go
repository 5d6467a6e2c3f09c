package reify_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"goreify/reify"
	"goreify/reify/cfg"
	"goreify/reify/choice"
	"goreify/reify/interp"
	"goreify/reify/ir"
	"goreify/reify/solve"
	"goreify/reify/solve/search"
	"goreify/reify/solve/z3"
	"goreify/tools/need"
)

// meet demands something of every graph that the first n recipes plan, and
// returns how many of the demands that make sense were met.
func meet(t *testing.T, n int, demand func(g *cfg.Graph, s *choice.Stream) reify.Demand) (met, made int) {
	for seed := range n {
		r := reify.FromSeed(uint64(seed))
		_, conf := r.Plan()
		g := cfg.Generate(conf.Graph, choice.Named("graph", r.Graph))
		d := demand(g, choice.New(choice.Derive(uint64(seed), "demand")))
		if d.Check(g) != nil {
			continue
		}
		made++
		k, err := reify.Meet(reify.Outline{Name: "f", Graph: g}, d, r, conf, search.Engine{})
		if errors.Is(err, solve.ErrUnknown) {
			continue
		}
		require.NoError(t, err, "seed %d", seed)
		met++
		for _, c := range k.Claims() {
			require.NoError(t, interp.Verify(c), "seed %d", seed)
		}
		require.Equal(t, g.Succs, k.Func.Graph(), "seed %d: cfg(P) = g", seed)
		if d.Path != nil {
			require.Equal(t, d.Path, k.Path, "seed %d", seed)
		}
		for _, v := range d.Visits {
			require.GreaterOrEqual(t, visitsTo(k.Path, v.Block), v.N, "seed %d", seed)
		}
		require.Equal(t, "search", k.Solver)
	}
	return met, made
}

func visitsTo(path []int, block int) (n int) {
	for _, b := range path {
		if b == block {
			n++
		}
	}
	return n
}

func TestDemandedPathsAreMet(t *testing.T) {
	need.Long(t)
	for _, test := range []struct{ sticky, share int }{{0, 75}, {90, 90}} {
		long := 0
		met, made := meet(t, 80, func(g *cfg.Graph, s *choice.Stream) reify.Demand {
			path, ok := cfg.Sample(g, cfg.PathOptions{MaxLen: 30, Sticky: test.sticky}, s)
			require.True(t, ok)
			if len(path) >= 30 {
				long++
			}
			return reify.Demand{Path: path}
		})
		assert.Equal(t, 80, made)
		assert.GreaterOrEqual(t, met*100, made*test.share, "sticky %d: %d of %d", test.sticky, met, made)
		assert.Greater(t, long, 4, "paths of 30 and more blocks")
	}
}

func TestDemandedVisitsAreMade(t *testing.T) {
	for _, n := range []int{1, 2, 10, 50} {
		met, made := meet(t, 80, func(g *cfg.Graph, s *choice.Stream) reify.Demand {
			return reify.Demand{Visits: []cfg.Visit{{Block: s.Intn(g.Len()), N: n}}}
		})
		assert.Greater(t, made, 30)
		assert.GreaterOrEqual(t, met*100, made*90, "%d visits: %d of %d", n, met, made)
	}
	met, made := meet(t, 80, func(g *cfg.Graph, s *choice.Stream) reify.Demand {
		visit := func(n int) cfg.Visit { return cfg.Visit{Block: s.Intn(g.Len()), N: n} }
		return reify.Demand{Visits: []cfg.Visit{visit(3), visit(1), visit(7)}}
	})
	assert.Greater(t, made, 15)
	assert.GreaterOrEqual(t, met*100, made*85, "several blocks: %d of %d", met, made)
}

func TestMeetIsDeterministic(t *testing.T) {
	g := loop(t)
	d := reify.Demand{Visits: []cfg.Visit{{Block: 2, N: 9}}}
	text := func(seed uint64) string {
		k, err := reify.Meet(reify.Outline{Name: "f", Graph: g}, d, reify.FromSeed(seed), reify.DefaultConfig(), search.Engine{})
		require.NoError(t, err)
		return k.Program().String()
	}
	assert.Equal(t, text(1), text(1))
	assert.NotEqual(t, text(1), text(2))
}

// loop returns entry -> b1, b1 -> b2 | exit, b2 -> b1 | b3, b3 -> b3, with b3
// a trap.
func loop(t *testing.T) *cfg.Graph {
	g, err := cfg.New([][]int{{1}, {2, 4}, {1, 3}, {3}, {}})
	require.NoError(t, err)
	return g
}

func TestBadDemands(t *testing.T) {
	visits := func(b, n int) reify.Demand { return reify.Demand{Visits: []cfg.Visit{{Block: b, N: n}}} }
	conf := reify.DefaultConfig()
	for _, test := range []struct {
		demand reify.Demand
		want   string
	}{
		{reify.Demand{Path: []int{}}, "empty path"},
		{reify.Demand{Path: []int{0, 1, 3, 4}}, "path position 2: no edge b1 -> b3"},
		{reify.Demand{Path: []int{0, 1, 2}}, "ends at b2, not at the exit"},
		{reify.Demand{Path: []int{0, 1, 4}, Visits: []cfg.Visit{{Block: 1, N: 1}}}, "both a path and visits"},
		{visits(3, 1), "b3 does not reach the exit"},
		{visits(4, 2), "2 visits to exit, which is on no cycle"},
		{visits(9, 1), "visits to 9, which is not a block"},
	} {
		_, err := reify.Meet(reify.Outline{Name: "f", Graph: loop(t)}, test.demand, reify.Recipe{}, conf, search.Engine{})
		assert.ErrorContains(t, err, test.want)
		assert.NotErrorIs(t, err, solve.ErrUnknown)
	}
	conf.Paths = 0
	_, err := reify.Meet(reify.Outline{Name: "f", Graph: loop(t)}, visits(1, 1), reify.Recipe{}, conf, search.Engine{})
	assert.ErrorContains(t, err, "number of paths to try is 0")

	conf = reify.DefaultConfig()
	conf.Sketch.Vars = 64
	_, err = reify.Meet(reify.Outline{Name: "f", Graph: loop(t)}, visits(1, 10000), reify.Recipe{}, conf, search.Engine{})
	assert.ErrorContains(t, err, "#VAR 64 (up to 4096 scalars with arrays) x a path of 10000 blocks")
}

// failing is an engine that counts how often it is asked.
type failing struct {
	err   error
	asked *int
}

func (failing) Name() string { return "failing" }

func (e failing) Solve(solve.Problem, *choice.Stream) (*ir.Model, error) {
	*e.asked++
	return nil, e.err
}

func TestMeetNeverSaysUnsatisfiable(t *testing.T) {
	var first, second int
	p := solve.Portfolio{failing{solve.ErrUnsat, &first}, failing{solve.ErrUnknown, &second}}
	g := loop(t)
	_, err := reify.Meet(reify.Outline{Name: "f", Graph: g}, reify.Demand{}, reify.FromSeed(0), reify.DefaultConfig(), p)
	assert.ErrorIs(t, err, solve.ErrUnknown)
	assert.NotErrorIs(t, err, solve.ErrUnsat)
	assert.Equal(t, []int{3, 3}, []int{first, second}, "slow engines are asked seldom")

	broken := errors.New("broken")
	_, err = reify.Meet(reify.Outline{Name: "f", Graph: g}, reify.Demand{}, reify.FromSeed(0), reify.DefaultConfig(), failing{broken, &first})
	assert.ErrorIs(t, err, broken)
	assert.NotErrorIs(t, err, solve.ErrUnknown)
	assert.Equal(t, 4, first)
}

func TestMeetCatchesAnEngineThatLies(t *testing.T) {
	caught := 0
	for seed := range uint64(10) {
		_, err := reify.Meet(reify.Outline{Name: "f", Graph: loop(t)}, reify.Demand{Path: []int{0, 1, 2, 1, 4}}, reify.FromSeed(seed), reify.DefaultConfig(), fakeSolver{})
		var bug *reify.GeneratorBug
		if errors.As(err, &bug) {
			caught++
		}
	}
	assert.Greater(t, caught, 5)
}

// counter goes round b1 as often as ?0 and the parameter let it; b2 is taken
// where a double is odd.
const counter = `
func @f(%a i32) i32 {
    local %i i16 = ?0
  entry:
    goto b1
  b1:
    %i = i16(i32(%i) - ?1)
    if i32(%i) > %a + ?2 goto b1 else b2
  b2:
    if %a * 2 == 1 goto b3 else exit
  b3:
    %a = 1 / (%a + ?3)
    goto exit
  exit:
    return %a + i32(%i)
}
`

func TestMeetFunc(t *testing.T) {
	f := ir.MustParse(counter).Funcs[0]
	text := f.String()
	for _, d := range []reify.Demand{
		{Visits: []cfg.Visit{{Block: 1, N: 50}}},
		{Path: []int{0, 1, 1, 1, 2, 4}},
		{},
	} {
		met := 0
		for seed := range uint64(10) {
			k, err := reify.MeetFunc(f, d, choice.New(choice.Derive(seed, "meet")), search.Engine{})
			if errors.Is(err, solve.ErrUnknown) {
				continue
			}
			require.NoError(t, err)
			require.NoError(t, interp.Verify(k))
			met++
			if d.Path != nil {
				require.Equal(t, d.Path, k.Path)
			}
			for _, v := range d.Visits {
				require.GreaterOrEqual(t, visitsTo(k.Path, v.Block), v.N)
			}
		}
		assert.GreaterOrEqual(t, met, 8, "%+v", d)
	}
	assert.Equal(t, text, f.String(), "the function is as it was")

	_, err := reify.MeetFunc(f, reify.Demand{Path: []int{0, 1, 3, 4}}, choice.New(nil), search.Engine{})
	assert.ErrorContains(t, err, "no edge b1 -> b3")
	_, err = reify.MeetFunc(f, reify.Demand{Visits: []cfg.Visit{{Block: 2, N: 2}}}, choice.New(nil), search.Engine{})
	assert.ErrorContains(t, err, "on no cycle")
	_, err = reify.MeetFunc(&ir.Function{Name: "f"}, reify.Demand{}, choice.New(nil), search.Engine{})
	assert.ErrorContains(t, err, "function @f")
	_, err = reify.MeetFunc(f, reify.Demand{Path: []int{0, 1, 1, 2, 3, 4}}, choice.New(nil), fakeSolver{})
	var bug *reify.GeneratorBug
	assert.ErrorAs(t, err, &bug)
}

func TestUnsatisfiableDemandIsProved(t *testing.T) {
	f := ir.MustParse(counter).Funcs[0]
	impossible := reify.Demand{Path: []int{0, 1, 1, 2, 3, 4}}
	_, err := reify.MeetFunc(f, impossible, choice.New(nil), search.Engine{})
	require.ErrorIs(t, err, solve.ErrUnknown, "search proves nothing")
	require.NotErrorIs(t, err, solve.ErrUnsat)

	solver, err := z3.New(z3.Options{})
	if errors.Is(err, z3.ErrUnavailable) {
		need.Missing(t, "z3", "that a demand is proved unsatisfiable: %v", err)
	}
	require.NoError(t, err)
	portfolio := solve.Portfolio{search.Engine{}, solver}
	_, err = reify.MeetFunc(f, impossible, choice.New(nil), portfolio)
	require.ErrorIs(t, err, solve.ErrUnsat)

	// Visits are another matter: there are paths that have not been tried.
	_, err = reify.MeetFunc(f, reify.Demand{Visits: []cfg.Visit{{Block: 3, N: 1}}}, choice.New(nil), portfolio)
	require.ErrorIs(t, err, solve.ErrUnknown)
	require.NotErrorIs(t, err, solve.ErrUnsat)

	k, err := reify.MeetFunc(f, reify.Demand{Path: []int{0, 1, 1, 2, 4}}, choice.New(nil), solve.Portfolio{solver})
	require.NoError(t, err)
	require.NoError(t, interp.Verify(k))
}

func ExampleMeet() {
	g, err := cfg.New([][]int{{1}, {2, 4}, {1, 3}, {1}, {}})
	if err != nil {
		panic(err)
	}
	d := reify.Demand{Visits: []cfg.Visit{{Block: 2, N: 3}}}
	k, err := reify.Meet(reify.Outline{Name: "f", Graph: g}, d, reify.FromSeed(7), reify.DefaultConfig(), search.Engine{})
	if err != nil {
		panic(err)
	}
	fmt.Println("at least 3 visits to b2:", visitsTo(k.Path, 2) >= 3)
	// Output: at least 3 visits to b2: true
}
