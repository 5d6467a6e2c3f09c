package reify_test

import (
	"errors"
	"flag"
	"fmt"
	"syscall"
	"testing"
	"time"

	"goreify/reify"
	"goreify/reify/choice"
	"goreify/reify/interp"
	"goreify/reify/ir"
	"goreify/reify/solve"
	"goreify/reify/solve/search"
	"goreify/reify/solve/z3"
	"goreify/tools/need"
)

// FuzzPortfolio makes one case of its input with search and then Z3, each on so
// small a budget that both get their turns. A model that the interpreter or Z3
// rejects fails, as does an engine that works more than it may. Without Z3 it
// tries search alone.
func FuzzPortfolio(f *testing.F) {
	const seeds = 12
	for i := range uint64(seeds) {
		r := reify.FromSeed(i)
		f.Add(r.Config, r.Graph, r.Path, r.Body)
	}
	smt, err := z3.New(z3.Options{RLimit: 300_000})
	if err != nil {
		smt = nil
		need.Partly(f, "z3", "the whole portfolio, only search: %v", err)
	}
	ran, made, asked := 0, 0, 0
	f.Fuzz(func(t *testing.T, config, graph, path, body []byte) {
		start := cpuTime(t)
		r := reify.Recipe{Config: config, Graph: graph, Path: path, Body: body}
		_, c := r.Plan()
		s := choice.Named("config", config).Fork("portfolio")
		c.Sampled = s.Chance(2, 3) // or search hardly ever fails
		c.Paths = s.Range(1, 12)
		first := &watched{t: t, walks: s.Range(3, search.DefaultWalks), judge: smt}
		second := &rationed{smt: smt}
		portfolio := solve.Portfolio{first}
		if smt != nil {
			portfolio = append(portfolio, second)
		}

		k, err := reify.Make("f", r, c, portfolio)
		switch {
		case err == nil:
			made++
			for _, one := range k.Claims() {
				if err := interp.Verify(one); err != nil {
					t.Fatalf("%v\n%s", err, k.Program())
				}
			}
		case !errors.Is(err, solve.ErrUnknown) && !errors.Is(err, solve.ErrUnsat):
			t.Fatal(err)
		}
		ran++
		asked += second.asked
		if most := 2 * c.Paths; first.asked > most {
			t.Fatalf("search was asked %d times about %d paths", first.asked, c.Paths)
		}
		// Work is bounded by counts; this is for what nobody thought of.
		if spent := cpuTime(t) - start; spent > absurd {
			t.Fatalf("%v of CPU time for %d paths: search asked %d times, Z3 %d times", spent, c.Paths, first.asked, second.asked)
		}
	})
	if ran < seeds || flag.Lookup("test.fuzz").Value.String() != "" {
		return // -run of some seeds, or -fuzz, whose workers each see some inputs
	}
	if made == 0 {
		f.Fatalf("%d inputs, none of which became a case", ran)
	}
	if smt != nil && asked == 0 {
		f.Fatalf("%d inputs, none of which asked Z3", ran)
	}
}

// absurd is the CPU time that no execution takes. The engine kills a worker
// after 10 s.
const absurd = 8 * time.Second

func cpuTime(t *testing.T) time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		t.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// A ration bounds what an execution asks of Z3: the resource limit counts its
// search for a model, not the terms that it is given.
const (
	rationProblems = 2
	rationStates   = 150 // values along a path: scalars times blocks
)

// affordable reports whether a problem is small enough for Z3.
func affordable(p solve.Problem) bool {
	scalars := 0
	for _, v := range p.Func.Vars {
		scalars += ir.Count(v.Type)
	}
	return scalars*len(p.Path) <= rationStates
}

// rationed is Z3 for a few small problems.
type rationed struct {
	smt   *z3.Solver
	asked int
}

func (*rationed) Name() string { return "z3" }

func (z *rationed) Solve(p solve.Problem, s *choice.Stream) (*ir.Model, error) {
	if z.asked == rationProblems || !affordable(p) {
		return nil, fmt.Errorf("not asked: %w", solve.ErrUnknown)
	}
	z.asked++
	return z.smt.Solve(p, s)
}

// watched is search, with Z3, if there is Z3, to judge its first model. It
// leaves some problems to Z3, which would else see those alone that hardly have a
// model.
type watched struct {
	t      *testing.T
	walks  int
	judge  *z3.Solver
	asked  int
	judged bool
}

func (*watched) Name() string { return "search" }

func (w *watched) Solve(p solve.Problem, s *choice.Stream) (*ir.Model, error) {
	w.asked++
	if w.judge != nil && affordable(p) && s.Chance(1, 2) {
		return nil, fmt.Errorf("left to Z3: %w", solve.ErrUnknown)
	}
	m, err := search.Engine{Walks: w.walks}.Solve(p, s)
	w.check(p, m, err)
	return m, err
}

func (w *watched) Find(f *ir.Function, target solve.Target, s *choice.Stream) ([]int, *ir.Model, solve.Stats, error) {
	w.asked++
	path, m, st, err := search.Engine{Walks: w.walks}.Find(f, target, s)
	if st.Walks > w.walks {
		w.t.Fatalf("%d walks, %d are allowed", st.Walks, w.walks)
	}
	w.check(solve.Problem{Func: f, Path: path}, m, err)
	return path, m, st, err
}

func (w *watched) check(p solve.Problem, m *ir.Model, err error) {
	if err != nil {
		if !errors.Is(err, solve.ErrUnknown) || errors.Is(err, solve.ErrUnsat) {
			w.t.Fatalf("search fails with %v", err)
		}
		return
	}
	if w.judge == nil || w.judged || !affordable(p) {
		return
	}
	w.judged = true
	if err := w.judge.Check(p, m); err != nil && !errors.Is(err, solve.ErrUnknown) {
		w.t.Fatalf("Z3 rejects a model that search found: %v\npath %v, model %+v\n%s", err, p.Path, m, p.Func)
	}
}
