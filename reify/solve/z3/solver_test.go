//go:build cgo && z3

package z3

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"goreify/reify/interp"
	"goreify/reify/ir"
	"goreify/reify/solve"
	"goreify/tools/need"
)

// A kind is a kind of function that randomProblem makes.
type kind struct {
	name  string
	ops   []ir.Op
	types []ir.Int
	array bool
}

var kinds = []kind{
	{name: "linear i32", ops: linear, types: []ir.Int{ir.I32}},
	{name: "all operators", ops: allOps, types: []ir.Int{ir.I32}},
	{name: "mixed types", ops: allOps, types: []ir.Int{ir.I32, ir.U32, ir.I8, ir.U16}},
	{name: "array", ops: linear, types: []ir.Int{ir.I32}, array: true},
	{name: "i64", ops: linear, types: []ir.Int{ir.I64}},
	{name: "mixed 64-bit", ops: allOps, types: []ir.Int{ir.I64, ir.U64, ir.I16}},
}

// tiny is a shape for tests that must be fast.
func (k kind) tiny() shape {
	return shape{blocks: 2, vars: 3, assigns: 2, termsA: 2, termsC: 1, maxPath: 3, ops: k.ops, types: k.types, array: k.array}
}

// small is about the shape of functions that find bugs.
func (k kind) small() shape {
	return shape{blocks: 5, vars: 4, assigns: 2, termsA: 2, termsC: 2, maxPath: 10, ops: k.ops, types: k.types, array: k.array}
}

// TestModelsFollowThePath lets the interpreter judge the models, above all of
// functions that multiply: a test for overflow that is wrong shows here.
func TestModelsFollowThePath(t *testing.T) {
	need.Long(t)
	total := 0
	for _, k := range kinds {
		t.Run(k.name, func(t *testing.T) {
			s := newSolver(t, Options{RLimit: 1_600_000})
			const n = 5
			found := 0
			for i := range n {
				p := randomProblem(k.tiny(), stream(i))
				m, err := s.Solve(p, stream(i))
				if err == nil {
					found++
					require.NoError(t, follows(p, m), "problem %d:\n%s", i, p.Func)
					continue
				}
				require.True(t, errors.Is(err, solve.ErrUnsat) || errors.Is(err, solve.ErrUnknown), "%v", err)
			}
			t.Logf("%d of %d", found, n)
			require.Positive(t, found)
			total += found
		})
	}
	require.Greater(t, total, 12, "too few models to tell anything")
}

// TestAgreesWithInterpreter gives both a function without symbols or parameters:
// either it is defined, and then exactly the path that it takes is satisfiable,
// or no path through the operation that is undefined is.
func TestAgreesWithInterpreter(t *testing.T) {
	need.Long(t)
	s := newSolver(t, Options{})
	var defined, undefined, detours int
	for i := range 100 {
		c := stream(i)
		p := randomProblem(kinds[i%len(kinds)].tiny(), c)
		for _, v := range p.Func.Params() {
			v.Kind = ir.Local
			v.Init = []ir.Expr{&ir.Sym{T: v.Type.(ir.Int), ID: p.Func.Syms}}
			p.Func.Syms++
		}
		values := ir.NewModel(p.Func)
		for at := range p.Func.Exprs() {
			sym, ok := (*at).(*ir.Sym)
			if !ok {
				continue
			}
			v := c.Int64(-3, 3)
			if c.Chance(1, 6) {
				v = sym.T.Max() >> c.Intn(sym.T.Bits) // some of them overflow
			}
			values.Syms[sym.ID] = sym.T.Wrap(v)
		}
		f := ir.Concretize(p.Func, values)
		r, err := interp.Run(f, nil, interp.Options{Fuel: 40})
		if errors.Is(err, interp.ErrFuel) {
			continue
		}
		var ub *interp.UB
		if errors.As(err, &ub) {
			if ub.Kind == interp.EndlessLoop {
				continue
			}
			undefined++
			_, err := s.Solve(solve.Problem{Func: f, Path: onward(f, r.Path)}, c)
			require.ErrorIs(t, err, solve.ErrUnsat, "problem %d: %v:\n%s", i, ub, f)
			continue
		}
		require.NoError(t, err)
		defined++
		_, err = s.Solve(solve.Problem{Func: f, Path: r.Path}, c)
		require.NoError(t, err, "problem %d, path %v:\n%s", i, r.Path, f)
		for step := range r.Path {
			if succs := f.Blocks[r.Path[step]].Succs(); len(succs) == 2 {
				other := succs[0].Index + succs[1].Index - r.Path[step+1]
				path := onward(f, append(slices.Clone(r.Path[:step+1]), other))
				_, err = s.Solve(solve.Problem{Func: f, Path: path}, c)
				require.ErrorIs(t, err, solve.ErrUnsat, "problem %d, path %v not %v:\n%s", i, r.Path, path, f)
				detours++
				break
			}
		}
	}
	t.Logf("%d defined, %d of them with a detour, %d undefined", defined, detours, undefined)
	require.Greater(t, min(defined, detours, undefined), 20, "too few to tell anything")
}

// onward goes on from the end of path to the exit.
func onward(f *ir.Function, path []int) []int {
	for {
		succs := f.Blocks[path[len(path)-1]].Succs()
		if len(succs) == 0 {
			return path
		}
		path = append(path, succs[0].Index)
	}
}

// models solves some problems, collecting garbage at moments of its own, and
// returns what came of them.
func models(t *testing.T, s *Solver, collect int) string {
	var out strings.Builder
	for i := range 6 {
		if i%collect == 0 {
			runtime.GC()
		}
		m, err := s.Solve(randomProblem(kinds[i%len(kinds)].tiny(), stream(i)), stream(i))
		fmt.Fprintln(&out, i, m, err)
	}
	require.Contains(t, out.String(), "<nil>")
	return out.String()
}

var child = flag.Bool("child", false, "TestSameModels prints models, no more")

func TestSameModels(t *testing.T) {
	need.Long(t)
	s := newSolver(t, Options{RLimit: 100_000})
	want := models(t, s, 3)
	if *child {
		fmt.Print(want, "END\n")
		return
	}
	require.Equal(t, want, models(t, s, 2), "the same solver, which has solved others since")
	done := make(chan string)
	for range 2 { // and again in two goroutines at once, with one solver
		go func() { done <- models(t, s, 4) }()
	}
	require.Equal(t, want, <-done)
	require.Equal(t, want, <-done)

	other := exec.Command(os.Args[0], "-test.run=^TestSameModels$", "-child")
	other.Env = append(os.Environ(), "GOGC=10", "GOMAXPROCS=1")
	out, err := other.Output()
	require.NoError(t, err)
	got, _, found := strings.Cut(string(out), "END\n")
	require.True(t, found)
	require.Equal(t, want, got, "another process")
}

// TestMemory solves enough problems for a leak to show. Without collection a
// solver grows by megabytes a problem.
func TestMemory(t *testing.T) {
	need.Long(t)
	s := newSolver(t, Options{RLimit: 40_000})
	solveMany := func(n int) {
		for i := range n {
			_, _ = s.Solve(randomProblem(kinds[0].tiny(), stream(i)), stream(i))
		}
	}
	solveMany(12)
	before := residentMB(t)
	solveMany(24)
	after := residentMB(t)
	t.Logf("%d MB, then %d MB", before, after)
	require.Less(t, after, before+120, "a leak would be megabytes a problem")
	require.Less(t, after, 300)
}

func residentMB(t testing.TB) int {
	data, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		t.Skip("SKIPPED, memory is not tested: needs Linux's /proc: ", err)
	}
	var size, resident int
	_, err = fmt.Sscan(string(data), &size, &resident)
	require.NoError(t, err)
	return resident * os.Getpagesize() >> 20
}

// BenchmarkSolve reports how many problems have models, how many have none,
// what they cost, and how much memory the process ends with.
func BenchmarkSolve(b *testing.B) {
	for _, k := range kinds {
		b.Run(k.name, func(b *testing.B) {
			s := newSolver(b, Options{})
			var sat, unsat int
			start := cpuSeconds(b)
			i := 0
			for ; b.Loop(); i++ {
				_, err := s.Solve(randomProblem(k.small(), stream(i)), stream(i))
				if err == nil {
					sat++
				} else if errors.Is(err, solve.ErrUnsat) {
					unsat++
				}
			}
			spent := cpuSeconds(b) - start
			b.ReportMetric(100*float64(sat)/float64(i), "%sat")
			b.ReportMetric(100*float64(unsat)/float64(i), "%unsat")
			b.ReportMetric(float64(sat)/spent, "models/cpu-s")
			b.ReportMetric(spent/float64(i), "cpu-s/problem")
			b.ReportMetric(float64(residentMB(b)), "MB")
		})
	}
}

func cpuSeconds(b *testing.B) float64 {
	var r syscall.Rusage
	require.NoError(b, syscall.Getrusage(syscall.RUSAGE_SELF, &r))
	sec := func(t syscall.Timeval) float64 { return float64(t.Sec) + float64(t.Usec)/1e6 }
	return sec(r.Utime) + sec(r.Stime)
}
