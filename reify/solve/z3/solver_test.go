//go:build cgo && !noz3

package z3

import (
	"errors"
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
)

// with returns small with other operators, types, or an array.
func with(change func(*shape)) shape {
	sh := small
	change(&sh)
	return sh
}

var shapes = []struct {
	name string
	shape
}{
	{"linear i32", small},
	{"all operators", with(func(s *shape) { s.ops = allOps; s.maxPath = 6 })},
	{"mixed types", with(func(s *shape) { s.types = []ir.Int{ir.I32, ir.U32, ir.I8, ir.U16}; s.ops = allOps; s.maxPath = 6 })},
	{"array", with(func(s *shape) { s.array = true })},
	{"i64", with(func(s *shape) { s.types = []ir.Int{ir.I64}; s.blocks = 3; s.maxPath = 5 })},
	{"mixed 64-bit", with(func(s *shape) { s.types = []ir.Int{ir.I64, ir.U64, ir.I16}; s.blocks = 3; s.maxPath = 5 })},
}

// TestModelsFollowThePath lets the interpreter judge the models, above all of
// functions that multiply: a test for overflow that is wrong shows here.
func TestModelsFollowThePath(t *testing.T) {
	for _, sh := range shapes {
		t.Run(sh.name, func(t *testing.T) {
			for _, bits := range []int{DefaultSymbolBits, FullWidth} {
				s := newSolver(t, Options{RLimit: 800_000, SymbolBits: bits})
				found := 0
				for i := range 12 {
					p := randomProblem(sh.shape, stream(i))
					m, err := s.Solve(p, stream(i))
					if err == nil {
						found++
						require.NoError(t, follows(p, m), "problem %d:\n%s", i, p.Func)
						continue
					}
					require.True(t, errors.Is(err, solve.ErrUnsat) || errors.Is(err, solve.ErrUnknown), "%v", err)
				}
				require.GreaterOrEqual(t, found, 2, "too few models to tell anything")
			}
		})
	}
}

// TestAgreesWithInterpreter gives both a function without symbols or parameters:
// either it is defined, and then exactly the path that it takes is satisfiable,
// or no path through the operation that is undefined is.
func TestAgreesWithInterpreter(t *testing.T) {
	s := newSolver(t, Options{})
	var defined, undefined, detours int
	for i := range 240 {
		c := stream(i)
		p := randomProblem(shapes[i%len(shapes)].shape, c)
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
	for i := range 10 {
		if i%collect == 0 {
			runtime.GC()
		}
		sh := shapes[i%len(shapes)].shape
		m, err := s.Solve(randomProblem(sh, stream(i)), stream(i))
		fmt.Fprintln(&out, i, m, err)
	}
	require.Contains(t, out.String(), "<nil>")
	return out.String()
}

const childEnv = "REIFY_Z3_TEST_CHILD"

func TestSameModels(t *testing.T) {
	s := newSolver(t, Options{RLimit: 600_000})
	want := models(t, s, 3)
	if os.Getenv(childEnv) != "" {
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

	child := exec.Command(os.Args[0], "-test.run=^TestSameModels$")
	child.Env = append(os.Environ(), childEnv+"=1", "GOGC=10", "GOMAXPROCS=1")
	out, err := child.Output()
	require.NoError(t, err)
	got, _, found := strings.Cut(string(out), "END\n")
	require.True(t, found)
	require.Equal(t, want, got, "another process")
}

// TestMemory solves enough problems for a leak to show. Without collection a
// solver grows by megabytes a problem.
func TestMemory(t *testing.T) {
	s := newSolver(t, Options{RLimit: 40_000})
	solveMany := func(n int) {
		for i := range n {
			_, _ = s.Solve(randomProblem(small, stream(i)), stream(i))
		}
	}
	solveMany(30)
	before := residentMB(t)
	solveMany(60)
	after := residentMB(t)
	t.Logf("%d MB, then %d MB", before, after)
	require.Less(t, after, before+60)
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
	for _, sh := range shapes {
		b.Run(sh.name, func(b *testing.B) {
			s := newSolver(b, Options{})
			var sat, unsat int
			start := cpuSeconds(b)
			i := 0
			for ; b.Loop(); i++ {
				_, err := s.Solve(randomProblem(sh.shape, stream(i)), stream(i))
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
