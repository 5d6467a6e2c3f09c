package search_test

import (
	"errors"
	"fmt"
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
)

// follow solves f for a path and has the interpreter judge the model.
func follow(t testing.TB, f *ir.Function, path []int, s *choice.Stream) error {
	m, err := search.Engine{}.Solve(solve.Problem{Func: f, Path: path}, s)
	if err != nil {
		return err
	}
	got, err := interp.Run(ir.Concretize(f, m), m.Args, interp.Options{Fuel: len(path) + 1})
	require.NoError(t, err, "%v", f)
	require.Equal(t, path, got.Path)
	return nil
}

func TestSolvesByHand(t *testing.T) {
	tests := []struct {
		name, body string // the block b1 with its condition, if any
		visits     int
	}{
		{"straight line", "%x = %a * ?1 + %b / ?2 - ?3\n goto exit", 1},
		{"every operator", "%x = %a * ?1 + %b / ?2 - %x % ?3 + (%a - ?4) - (%b + ?5)\n goto exit", 1},
		{"less", "%x = %x + ?1\n if %x + ?2 < 0 goto b1 else exit", 12},
		{"not greater", "%x = %x * ?1 - ?2\n if %a * ?3 - %x * ?4 + ?5 <= 0 goto b1 else exit", 6},
		{"equal at last", "%x = %x + ?1\n if %x - ?2 == 0 goto exit else b1", 5},
		{"unequal", "%x = %x - ?1\n if %x - ?2 != 0 goto b1 else exit", 5},
		{"indices", "@g[%x % ?1 + ?2] = @g[?3] + ?4\n %x = %x + ?5\n if %x + ?6 > 0 goto b1 else exit", 7},
		{"index by offset", "%x = @g[%a + ?1] - ?2\n goto exit", 1},
		{"converted", "%x = %x + ?1\n if i64(%x) * ?2 - ?3 > 0 goto b1 else exit", 2},
		{"unsigned", "%u = %u * ?1 + ?2\n if %u + ?3 > 5 goto b1 else exit", 2},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			text := fmt.Sprintf(`
func @f(%%a i32, %%b i32) u32 {
    local %%x i32 = ?0
    local %%u u32 = 3
    static @g [4]i32 = {1, 2, 3, 4}
  entry:
    goto b1
  b1:
    %s
  exit:
    return checksum(%%a, %%b, %%x, %%u, @g)
}
`, test.body)
			f := ir.MustParse(text).Funcs[0]
			path := []int{0}
			for range test.visits {
				path = append(path, 1)
			}
			path = append(path, 2)
			solved := 0
			for seed := range uint64(20) {
				if follow(t, f, path, choice.New(choice.Derive(seed, test.name))) == nil {
					solved++
				}
			}
			assert.GreaterOrEqual(t, solved, 15, "of 20")
		})
	}
}

func TestGivesUpWithAReason(t *testing.T) {
	f := ir.MustParse(`
func @f(%a i32) i32 {
  entry:
    goto b1
  b1:
    if %a * 2 == 1 goto b2 else exit
  b2:
    goto exit
  exit:
    return %a
}
`).Funcs[0]
	_, err := search.Engine{}.Solve(solve.Problem{Func: f, Path: []int{0, 1, 2, 3}}, choice.New(nil))
	require.ErrorIs(t, err, solve.ErrUnknown)
	assert.ErrorContains(t, err, "position 1, block b1, condition")
}

// A read of %x would be undefined, which the walk would not notice.
func TestUninitialisedLocalsAreNotFollowed(t *testing.T) {
	const text = `
func @f(%%a i32) i32 {
    %s
  entry:
    goto b1
  b1:
    %%a = %%x + ?0
    goto exit
  exit:
    return %%a
}
`
	for decl, want := range map[string]bool{"local %x i32": false, "local %x i32 = ?1": true, "local %x i32 = 7": true} {
		f := ir.MustParse(fmt.Sprintf(text, decl)).Funcs[0]
		_, err := search.Engine{}.Solve(solve.Problem{Func: f, Path: []int{0, 1, 2}}, choice.New(nil))
		_, _, _, findErr := search.Engine{}.Find(f, solve.Target{Length: 3}, choice.New(nil))
		if want {
			assert.NoError(t, err, decl)
			assert.NoError(t, findErr, decl)
			continue
		}
		for _, err := range []error{err, findErr} {
			assert.ErrorIs(t, err, solve.ErrUnknown)
			assert.ErrorContains(t, err, "local %x starts uninitialised, which this engine does not follow")
		}
	}
}

// Calls where a walk does not come do no harm.
func TestCallsOffThePath(t *testing.T) {
	f := ir.MustParse(`
func @f(%a u32) u32 {
  entry:
    if %a == ?0 goto b1 else exit
  b1:
    %a = @f(%a)
    goto exit
  exit:
    return %a
}
`).Funcs[0]
	m, err := search.Engine{}.Solve(solve.Problem{Func: f, Path: []int{0, 2}}, choice.New(nil))
	require.NoError(t, err)
	assert.NotEqual(t, m.Args[0], m.Syms[0])
}

// What linking adds to functions is not there yet when they are solved.
func TestCallsAndStoredChecksumsAreUnknown(t *testing.T) {
	const text = `
func @f() u32 {
    local %%x u32 = %s
  entry:
    goto b1
  b1:
    %%x = %s
    goto exit
  exit:
    return %%x
}
func @g() u32 {
  entry:
    return 3
}
`
	for _, row := range []struct{ init, src, want string }{
		{"1", "?0", ""},
		{"1", "@g()", "@g is called"},
		{"@g()", "?0", "@g is called"},
		{"1", "checksum(%x)", "%x is assigned a checksum"},
	} {
		f := ir.MustParse(fmt.Sprintf(text, row.init, row.src)).Funcs[0]
		_, err := search.Engine{}.Solve(solve.Problem{Func: f, Path: []int{0, 1, 2}}, choice.New(nil))
		_, _, _, findErr := search.Engine{}.Find(f, solve.Target{Length: 3}, choice.New(nil))
		for _, err := range []error{err, findErr} {
			if row.want == "" {
				assert.NoError(t, err)
				continue
			}
			assert.ErrorIs(t, err, solve.ErrUnknown)
			assert.ErrorContains(t, err, row.want+", which this engine does not follow")
		}
	}
}

// A comparison is 0 or 1, also where it is an operand.
func TestNestedComparisons(t *testing.T) {
	const text = `
func @f(%%a i32) i32 {
  entry:
    goto b1
  b1:
    if %s goto b2 else exit
  b2:
    goto exit
  exit:
    return %%a
}
`
	for cond, can := range map[string]bool{
		"(%a + ?0 < 0) > 3":       false,
		"(%a + ?0 < 0) == 7":      false,
		"(%a + ?0 < 0) >= 1":      true,
		"(%a + ?0 < 0) * ?1 == 5": true,
	} {
		f := ir.MustParse(fmt.Sprintf(text, cond)).Funcs[0]
		solved := 0
		for seed := range uint64(20) {
			if follow(t, f, []int{0, 1, 2, 3}, choice.New(choice.Derive(seed, cond))) == nil {
				solved++
			}
		}
		if !can {
			assert.Zero(t, solved, cond)
		} else {
			assert.NotZero(t, solved, cond)
		}
	}
}

// The work is bounded whatever the path is like.
func TestStepsAreBounded(t *testing.T) {
	f := ir.MustParse(`
func @f(%a i32) i32 {
  entry:
    goto b1
  b1:
    %a = %a
    if %a * 2 != 1 goto b1 else exit
  exit:
    return %a
}
`).Funcs[0]
	_, _, stats, err := search.Engine{Walks: 1 << 30}.Find(f, solve.Target{Length: 5000, Sticky: 100}, choice.New(nil))
	require.ErrorIs(t, err, solve.ErrUnknown)
	assert.Less(t, stats.Walks, 1_000_000)
}

// sampled calls f with sketched functions and paths through them.
func sampled(n int, call func(f *ir.Function, path []int, s *choice.Stream)) {
	for i := range uint64(n) {
		g := cfg.Generate(cfg.DefaultOptions(), choice.New(choice.Derive(i, "graph")))
		s := choice.New(choice.Derive(i, "body"))
		f := sketch.Function("f", g, sketch.DefaultOptions(), s)
		o := cfg.PathOptions{MaxLen: 40, Sticky: 60, Visit: sketch.NewNumbering(f).Visit}
		path, ok := cfg.Sample(g, o, choice.New(choice.Derive(i, "path")))
		if !ok {
			continue
		}
		sketch.Relate(f, path, s)
		call(f, path, s)
	}
}

func TestModelsAreRight(t *testing.T) {
	solved, long := 0, 0
	sampled(300, func(f *ir.Function, path []int, s *choice.Stream) {
		err := follow(t, f, path, s)
		if err != nil {
			require.ErrorIs(t, err, solve.ErrUnknown)
			return
		}
		solved++
		if len(path) >= 25 {
			long++
		}
	})
	assert.Greater(t, solved, 100)
	assert.Greater(t, long, 10, "paths of 25 and more blocks")
}

func TestSameStreamSameModel(t *testing.T) {
	sampled(40, func(f *ir.Function, path []int, _ *choice.Stream) {
		p := solve.Problem{Func: f, Path: path}
		a, errA := search.Engine{}.Solve(p, choice.New([]byte("x")))
		b, errB := search.Engine{}.Solve(p, choice.New([]byte("x")))
		require.Equal(t, errA == nil, errB == nil)
		require.Equal(t, a, b)
	})
}

// Constants must be diverse: zeros and ones teach a compiler little.
func TestFactorsAreDiverse(t *testing.T) {
	zero, one, large, all := 0, 0, 0, 0
	sampled(200, func(f *ir.Function, path []int, s *choice.Stream) {
		m, err := search.Engine{}.Solve(solve.Problem{Func: f, Path: path}, s)
		if err != nil {
			return
		}
		for at := range f.Exprs() {
			e, ok := (*at).(*ir.Binary)
			if !ok || e.Op != ir.Mul {
				continue
			}
			sym, ok := e.Y.(*ir.Sym)
			if !ok || !m.Set[sym.ID] {
				continue
			}
			all++
			switch v := m.Syms[sym.ID]; {
			case v == 0:
				zero++
			case v == 1 || v == -1:
				one++
			case v > 65536 || v < -65536:
				large++
			}
		}
	})
	require.Greater(t, all, 200)
	assert.Less(t, zero*100, all*3, "zero: %d of %d", zero, all)
	assert.Less(t, one*100, all*45, "one: %d of %d", one, all)
	assert.Greater(t, large*100, all*2, "large: %d of %d", large, all)
}

func BenchmarkSolve(b *testing.B) {
	var problems []solve.Problem
	sampled(400, func(f *ir.Function, path []int, _ *choice.Stream) {
		problems = append(problems, solve.Problem{Func: f, Path: path})
	})
	solved, tried := 0, 0
	for b.Loop() {
		p := problems[tried%len(problems)]
		_, err := search.Engine{}.Solve(p, choice.New([]byte{byte(tried), byte(tried >> 8)}))
		if !errors.Is(err, solve.ErrUnknown) {
			solved++
		}
		tried++
	}
	b.ReportMetric(float64(solved)/b.Elapsed().Seconds(), "functions/s")
	b.ReportMetric(100*float64(solved)/float64(tried), "%solved")
}
