package measure

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"text/tabwriter"
	"time"

	"goreify/reify"
	"goreify/reify/choice"
	"goreify/reify/ir"
	"goreify/reify/solve"
)

// A Comparison is how two engines did on the same instances: functions with
// the same path to solve for.
type Comparison struct {
	Engine    string  `json:"engine"` // "compare"
	Config    string  `json:"config"`
	Recipes   int     `json:"n"`
	Seed      uint64  `json:"seed"`
	Instances int     `json:"instances"` // recipes for which a path could be drawn
	Both      int     `json:"both"`      // instances that both engines solved
	First     Engine  `json:"first"`
	Second    Engine  `json:"second"`
	Ratio     float64 `json:"ratio"` // of the first engine's rate to the second's; 0 if the second has none
}

// An Engine is how one engine did.
type Engine struct {
	Name       string  `json:"engine"`
	Functions  int     `json:"functions"`
	Unsat      int     `json:"unsat"`
	Unknown    int     `json:"unknown"`
	CPUSeconds float64 `json:"cpu_seconds"`
	Rate       float64 `json:"functions_per_cpu_second"`
	MaxCPU     float64 `json:"max_cpu_ms"`
}

// Compare gives each recipe one path, and each engine that path. As in Run,
// all that is needed for a function is charged, from bytes to C. MinPath is
// not used; Progress is called twice for each recipe. Besides what Run fails
// with, it is an error if one engine solves what the other proves
// unsatisfiable.
func Compare(ctx context.Context, o Options, second solve.Solver) (*Comparison, error) {
	defer oneCore()()
	one, err := attempt(ctx, o)
	if err != nil {
		return nil, err
	}
	o.Solver = second
	two, err := attempt(ctx, o)
	if err != nil {
		return nil, err
	}
	r := &Comparison{Engine: "compare", Config: o.Config, Recipes: o.Recipes, Seed: o.Seed, First: one.sum, Second: two.sum}
	for i := range o.Recipes {
		seed := o.Seed + uint64(i)
		a, b := one.outcomes[i], two.outcomes[i]
		if !slices.Equal(a.path, b.path) || a.syms != b.syms {
			return nil, fmt.Errorf("seed %d: the engines were not given the same instance", seed)
		}
		if a.path == nil {
			continue
		}
		r.Instances++
		if a.err == nil && b.err == nil {
			r.Both++
		}
		if a.err == nil && errors.Is(b.err, solve.ErrUnsat) || b.err == nil && errors.Is(a.err, solve.ErrUnsat) {
			return nil, fmt.Errorf("seed %d: %s and %s contradict each other: one has a model, the other says %w", seed, one.sum.Name, two.sum.Name, solve.ErrUnsat)
		}
	}
	if r.Second.Rate > 0 {
		r.Ratio = r.First.Rate / r.Second.Rate
	}
	return r, nil
}

// attempts is what one engine made of the recipes.
type attempts struct {
	sum      Engine
	outcomes []outcome // by recipe
}

// An outcome is what the engine was asked for a recipe, and what it said. The
// path is nil if it was not asked.
type outcome struct {
	path []int
	syms int
	err  error
}

func attempt(ctx context.Context, o Options) (*attempts, error) {
	once := func(r reify.Recipe) reify.Config {
		c := o.Configure(r)
		c.Paths, c.Sampled = 1, true
		return c
	}
	all := &attempts{sum: Engine{Name: o.Solver.Name()}}
	var total, slowest time.Duration
	for i := range o.Recipes {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		w := &witness{engine: o.Solver}
		before := processCPU()
		_, _, err := produce(o.Seed+uint64(i), once, w)
		took := processCPU() - before
		switch {
		case err == nil:
			all.sum.Functions++
		case w.path == nil && errors.Is(err, solve.ErrUnknown):
			took = 0 // no path, nothing to compare
		case errors.Is(err, solve.ErrUnsat):
			all.sum.Unsat++
		case errors.Is(err, solve.ErrUnknown):
			all.sum.Unknown++
		default:
			return nil, err
		}
		total += took
		slowest = max(slowest, took)
		all.outcomes = append(all.outcomes, outcome{w.path, w.syms, err})
		if o.Progress != nil {
			o.Progress()
		}
	}
	all.sum.CPUSeconds = total.Seconds()
	all.sum.Rate = per(all.sum.Functions, total)
	all.sum.MaxCPU = float64(slowest) / float64(time.Millisecond)
	return all, nil
}

// A witness remembers what an engine was asked.
type witness struct {
	engine solve.Solver
	path   []int
	syms   int
}

func (w *witness) Name() string { return w.engine.Name() }

func (w *witness) Solve(p solve.Problem, s *choice.Stream) (*ir.Model, error) {
	w.path, w.syms = slices.Clone(p.Path), p.Func.Syms
	return w.engine.Solve(p, s)
}

// Table writes r for people to read.
func (r *Comparison) Table(w io.Writer) error {
	fmt.Fprintf(w, "%d instances (a function and a path each) of %d recipes from seed %d, configuration %s; both engines solved %d\n\n",
		r.Instances, r.Recipes, r.Seed, r.Config, r.Both)
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintf(t, "engine\tsolved\tunsatisfiable\tunknown\tCPU s\tslowest ms\tfunctions/CPU s\t\n")
	for _, e := range []Engine{r.First, r.Second} {
		fmt.Fprintf(t, "%s\t%d\t%d\t%d\t%.3f\t%.1f\t%.2f\t\n", e.Name, e.Functions, e.Unsat, e.Unknown, e.CPUSeconds, e.MaxCPU, e.Rate)
	}
	if err := t.Flush(); err != nil {
		return err
	}
	_, err := fmt.Fprintf(w, "\n%s : %s = %.0f : 1\n", r.First.Name, r.Second.Name, r.Ratio)
	return err
}
