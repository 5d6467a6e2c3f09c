package solve_test

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"goreify/reify/cfg"
	"goreify/reify/choice"
	"goreify/reify/interp"
	"goreify/reify/ir"
	"goreify/reify/sketch"
	"goreify/reify/solve"
	"goreify/reify/solve/search"
	"goreify/reify/solve/z3"
	"goreify/tools/need"
)

// shapes are the kinds of functions that search is tried on, besides those of
// package sketch.
var shapes = []struct {
	name string
	shape
}{
	{"i32", shape{types: []ir.Int{ir.I32}, wide: []ir.Int{ir.I32}, symbols: 70, blocks: 4, maxPath: 10, depth: 2}},
	{"arrays", shape{types: []ir.Int{ir.I32}, wide: []ir.Int{ir.I32}, arrays: true, symbols: 70, blocks: 3, maxPath: 7, depth: 2}},
	{"all types", shape{types: allInts, wide: wideInts, symbols: 70, blocks: 3, maxPath: 7, depth: 2}},
	{"all types, arrays", shape{types: allInts, wide: wideInts, arrays: true, symbols: 60, blocks: 3, maxPath: 6, depth: 3}},
	{"rich", shape{types: append(allInts[:8:8], ir.Bool), wide: wideInts, arrays: true, symbols: 60, blocks: 4, maxPath: 8, depth: 3, rich: true}},
	{"constants", shape{types: allInts, wide: wideInts, arrays: true, symbols: 30, blocks: 2, maxPath: 5, depth: 2}},
}

func stream(seed int, name string) *choice.Stream {
	return choice.New(choice.Derive(uint64(seed), name))
}

// sketched returns what a recipe would make, of the given number of variables
// and of statements in a block, and a path through it.
func sketched(seed, vars, assigns int) (solve.Problem, bool) {
	s := stream(seed, "sketch")
	g := cfg.Generate(cfg.Options{Blocks: 5, LocalMax: 100}, s)
	o := sketch.DefaultOptions()
	o.Vars, o.Assigns, o.Arrays, o.Sum = vars, assigns, 30, s.Chance(1, 3)
	f := sketch.Function("f", g, o, s)
	path, ok := cfg.Sample(g, cfg.PathOptions{MaxLen: 12, Sticky: 60, Visit: sketch.NewNumbering(f).Visit}, s)
	return solve.Problem{Func: f, Path: path}, ok
}

// accepted has the interpreter judge a model. Symbols that it does not set
// must not matter: they get a value that would.
func accepted(t *testing.T, p solve.Problem, m *ir.Model) {
	t.Helper()
	filled := *m
	filled.Syms = slices.Clone(m.Syms)
	for at := range p.Func.Exprs() {
		sym, ok := (*at).(*ir.Sym)
		if !ok {
			continue
		}
		if !m.Set[sym.ID] {
			filled.Syms[sym.ID] = sym.T.Wrap(0x5a5a5a5a5a5a5a5a)
		}
		require.True(t, sym.T.Holds(filled.Syms[sym.ID]), "?%d is %d\n%s", sym.ID, filled.Syms[sym.ID], p.Func)
	}
	for _, b := range p.Func.Blocks { // but for labels, which must be distinct
		w, ok := b.Term.(*ir.Switch)
		if !ok || slices.Contains(p.Path, b.Index) {
			continue
		}
		for i, c := range w.Cases {
			for k, e := range []ir.Expr{c.Lo, c.Hi} {
				if sym, ok := e.(*ir.Sym); ok {
					filled.Syms[sym.ID] = int64(1000 + 10*i + k)
				}
			}
		}
	}
	f := ir.Concretize(p.Func, &filled)
	require.NoError(t, ir.Check(f))
	run, err := interp.Run(f, m.Args, interp.Options{Fuel: len(p.Path) + 1})
	require.NoError(t, err, "path %v, arguments %v\n%s\n%s", p.Path, m.Args, p.Func, f)
	require.Equal(t, p.Path, run.Path, "arguments %v\n%s\n%s", m.Args, p.Func, f)
}

// everySolution calls f with what search makes of n functions of each kind,
// along a path that is given and along one of its own. It returns how many
// problems it solved of each kind.
func everySolution(t *testing.T, n int, f func(p solve.Problem, m *ir.Model)) map[string]int {
	solved := map[string]int{}
	one := func(kind string, p solve.Problem, seed int) {
		require.NoError(t, ir.Check(p.Func), "%s", p.Func)
		m, err := search.Engine{}.Solve(p, stream(seed, kind))
		if err == nil {
			solved[kind]++
			f(p, m)
		} else {
			require.ErrorIs(t, err, solve.ErrUnknown)
		}
		path, m, _, err := search.Engine{}.Find(p.Func, solve.Target{Length: 8, Sticky: 60}, stream(seed, kind))
		if err == nil {
			solved[kind]++
			f(solve.Problem{Func: p.Func, Path: path}, m)
		} else {
			require.ErrorIs(t, err, solve.ErrUnknown)
		}
	}
	for seed := range n {
		if p, ok := sketched(seed, 4, 2); ok {
			one("sketch", p, seed)
		}
		for _, sh := range shapes {
			one(sh.name, generate(sh.shape, stream(seed, sh.name)), seed)
		}
	}
	return solved
}

func TestInterpreterAcceptsWhatSearchSolves(t *testing.T) {
	const n = 300
	solved := everySolution(t, n, func(p solve.Problem, m *ir.Model) { accepted(t, p, m) })
	t.Log(solved)
	for kind, k := range solved {
		assert.Greater(t, k, n/3, kind)
	}
	assert.Len(t, solved, 1+len(shapes))
}

func newZ3(t *testing.T, o z3.Options) *z3.Solver {
	t.Helper()
	s, err := z3.New(o)
	if errors.Is(err, z3.ErrUnavailable) {
		need.Missing(t, "z3", "search against Z3: %v", err)
	}
	require.NoError(t, err)
	return s
}

// TestZ3FindsConsistentWhatSearchSolves asserts the models.
func TestZ3FindsConsistentWhatSearchSolves(t *testing.T) {
	need.Long(t)
	s := newZ3(t, z3.Options{RLimit: 2_000_000})
	agreed, unknown := 0, 0
	everySolution(t, 14, func(p solve.Problem, m *ir.Model) {
		err := s.Check(p, m)
		if errors.Is(err, solve.ErrUnknown) {
			unknown++
			return
		}
		require.NoError(t, err, "path %v, model %+v\n%s", p.Path, m, p.Func)
		agreed++
	})
	t.Logf("%d agreed, Z3 gave up on %d", agreed, unknown)
	assert.Greater(t, agreed, 50)
	assert.Less(t, unknown*20, agreed)
}

// A model that is wrong by one is caught, or the test above could not fail.
func TestZ3RejectsModels(t *testing.T) {
	s := newZ3(t, z3.Options{})
	f := ir.MustParse(`
func @f(%a i32) i32 {
    local %x u8 = 250
    local %g [3]i32 = {1, 2, 3}
  entry:
    goto b1
  b1:
    %x = u8(i32(%x) + ?0)
    if i32(%x) == %a goto b2 else exit
  b2:
    %a = %g[?1] * ?2
    goto exit
  exit:
    return %a
}
`).Funcs[0]
	p := solve.Problem{Func: f, Path: []int{0, 1, 2, 3}}
	for _, test := range []struct {
		syms []int64
		arg  int64
		want error
	}{
		{[]int64{10, 2, 5}, 4, nil},
		{[]int64{10, 2, 5}, 5, solve.ErrUnsat},
		{[]int64{10, 2, 1 << 30}, 4, solve.ErrUnsat},
		{[]int64{10, 1, 1 << 29}, 4, nil},
		{[]int64{10, 3, 5}, 4, solve.ErrUnsat},
		{[]int64{266, 0, 5}, 4, nil},
		{[]int64{1<<31 - 1, 0, 5}, 249, solve.ErrUnsat},
	} {
		m := &ir.Model{Syms: test.syms, Set: []bool{true, true, true}, Args: []int64{test.arg}}
		assert.ErrorIs(t, s.Check(p, m), test.want, "%v %d", test.syms, test.arg)
	}
	open := &ir.Model{Syms: make([]int64, 3), Set: make([]bool, 3), Args: []int64{7}}
	assert.NoError(t, s.Check(p, open), "symbols that are not set are free")
	assert.ErrorContains(t, s.Check(p, &ir.Model{}), "model is not one of f")
	assert.ErrorContains(t, s.Check(solve.Problem{Func: f, Path: []int{0, 2}}, open), "does not follow it")
}

// unsatisfiable are paths through b1 that nothing can take, each for a reason
// of its own; the path visits b1 as often as it says.
var unsatisfiable = []struct {
	name, body string
	visits     int
}{
	{"parity", "if %a * 2 == ?0 * 2 + 1 goto exit else b1", 1},
	{"the same data, another way", "%b = %b + ?0\n if %a > ?1 goto b1 else exit", 2},
	{"divided by zero", "%b = %a / (%b - %b)\n goto exit", 1},
	{"out of bounds", "@g[%a % 2 + 5] = ?0\n goto exit", 1},
	{"overflow", "%b = 2147483647 + (?0 % 5 + 5)\n goto exit", 1},
	{"monotonic", "%b = %b % 8 - 9\n if %b > 0 goto exit else b1", 1},
	{"unsigned is not negative", "if %u < 0:u32 goto exit else b1", 1},
	{"u64", "if 18446744073709551615:u64 < u64(%u) goto exit else b1", 1},
	{"too narrow", "%c = i8(%a)\n if i32(%c) > 127 goto exit else b1", 1},
	{"remainder", "if %a % 4 > 3 goto exit else b1", 1},
}

func TestSearchSolvesNothingUnsatisfiableByHand(t *testing.T) {
	s := newZ3(t, z3.Options{})
	for _, test := range unsatisfiable {
		t.Run(test.name, func(t *testing.T) {
			f := ir.MustParse(fmt.Sprintf(`
func @f(%%a i32) u32 {
    local %%b i32 = 3
    local %%c i8 = 1
    local %%u u32 = ?9
    static @g [4]i32 = {1, 2, 3, 4}
  entry:
    goto b1
  b1:
    %s
  exit:
    return checksum(%%a, %%b, %%c, %%u, @g)
}
`, test.body)).Funcs[0]
			path := []int{0}
			for range test.visits {
				path = append(path, 1)
			}
			p := solve.Problem{Func: f, Path: append(path, 2)}
			_, err := s.Solve(p, stream(0, "z3"))
			require.ErrorIs(t, err, solve.ErrUnsat)
			unsolved(t, p)
		})
	}
}

// unsolved has search try a problem many times, in vain.
func unsolved(t *testing.T, p solve.Problem) {
	t.Helper()
	for seed := range 20 {
		m, err := search.Engine{}.Solve(p, stream(seed, "unsat"))
		require.ErrorIs(t, err, solve.ErrUnknown, "path %v, model %+v\n%s", p.Path, m, p.Func)
		require.NotErrorIs(t, err, solve.ErrUnsat, "search proves nothing")
	}
}

func TestSearchSolvesNothingUnsatisfiable(t *testing.T) {
	need.Long(t)
	s := newZ3(t, z3.Options{RLimit: 100_000, SymbolBits: z3.FullWidth})
	tight := shape{types: allInts, wide: []ir.Int{ir.I32, ir.U32}, arrays: true, symbols: 25, blocks: 2, maxPath: 4, depth: 2}
	sat, unsat, unknown := 0, 0, 0
	for seed := range 36 {
		p := generate(tight, stream(seed, "tight"))
		m, err := s.Solve(p, stream(seed, "z3"))
		switch {
		case err == nil:
			accepted(t, p, m)
			sat++
		case errors.Is(err, solve.ErrUnsat):
			unsolved(t, p)
			unsat++
		default:
			require.ErrorIs(t, err, solve.ErrUnknown)
			unknown++
		}
	}
	t.Logf("Z3: %d have models, %d have none, %d unknown", sat, unsat, unknown)
	assert.Greater(t, unsat, 12)
	assert.Greater(t, sat, 5)
}
