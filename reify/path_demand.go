package reify

import (
	"errors"
	"fmt"
	"slices"

	"goreify/reify/cfg"
	"goreify/reify/choice"
	"goreify/reify/interp"
	"goreify/reify/ir"
	"goreify/reify/sketch"
	"goreify/reify/solve"
)

// A Demand describes the path that a function is to take: exactly one, or any that
// visits some blocks often enough.
type Demand struct {
	// Path is the path, block by block, entry and exit included; nil for any.
	Path []int
	// Visits are made by the path. Not used with Path.
	Visits []cfg.Visit
}

// Check returns an error unless some path from the entry of g to its exit is as
// demanded. The error names the blocks at fault.
func (d Demand) Check(g *cfg.Graph) error {
	switch {
	case d.Path != nil && d.Visits != nil:
		return errors.New("demand: both a path and visits")
	case d.Path != nil:
		return cfg.CheckPath(g, d.Path)
	}
	return cfg.CheckVisits(g, d.Visits)
}

// shortest returns a lower bound of the length of a path that meets the demand.
func (d Demand) shortest() int {
	n := len(d.Path)
	for _, v := range d.Visits {
		n = max(n, v.N)
	}
	return n
}

// met returns an error unless path is as demanded.
func (d Demand) met(path []int) error {
	if d.Path != nil && !slices.Equal(d.Path, path) {
		return fmt.Errorf("the path is %v, %v was demanded", path, d.Path)
	}
	for _, v := range d.Visits {
		n := 0
		for _, b := range path {
			if b == v.Block {
				n++
			}
		}
		if n < v.N {
			return fmt.Errorf("the path visits block %d %d times, %d were demanded", v.Block, n, v.N)
		}
	}
	return nil
}

// An Outline is a function that is yet to be filled.
type Outline struct {
	Name  string
	Graph *cfg.Graph
}

// Meet fills an outline with a function that takes a path as demanded. It uses the
// streams Path and Body of the recipe, and all of the configuration except the
// parameters of graphs and paths. The engines of a solve.Portfolio are asked in turn. A
// solve.Finder, which is fast, is asked about up to 30*c.Paths functions, another
// engine about one for every eight of c.Paths.
//
// The error says what is wrong with the demand if no path through the graph meets it,
// and wraps solve.ErrUnknown if no function was found. The error never wraps
// solve.ErrUnsat: one function without a model for a path says nothing about the next
// one. For a function that is given, see MeetFunc.
func Meet(o Outline, d Demand, r Recipe, c Config, solver solve.Solver) (*Case, error) {
	g := o.Graph
	if err := c.Validate(); err != nil {
		return nil, err
	}
	if err := d.Check(g); err != nil {
		return nil, err
	}
	if err := checkStates(c.Sketch, d.shortest()); err != nil {
		return nil, err
	}
	body := choice.Named("body", r.Body)
	w := walker{d: d, g: g, s: choice.Named("path", r.Path)}
	p, m, asked, err := w.ask(solver, 30*c.Paths, c.Paths/8, body, func() (solve.Problem, bool) {
		return w.sketch(o.Name, c.Sketch, body)
	})
	if err != nil {
		return nil, err
	}
	made := &Case{
		Recipe: r, Config: c, Graph: g,
		Target: solve.Target{Length: len(p.Path)},
		Paths:  asked, Solver: m.By, Stats: w.stats,
	}
	if err := made.complete(&attempt{f: p.Func, memory: new(sketch.Memory), path: p.Path, m: m}, body); err != nil {
		return nil, err
	}
	if err := d.met(made.Path); err != nil {
		return nil, &GeneratorBug{Program: made.Program().String(), Err: err}
	}
	return made, nil
}

// MeetFunc finds values for the symbols and parameters of f, which stays as it
// is, such that it takes a path as demanded. Symbols that the path does not
// meet get values that the stream decides.
//
// The error says what is wrong with the demand if no path through the graph of f meets
// it. It wraps solve.ErrUnsat if a path is demanded and an engine proved that f cannot
// take it, and solve.ErrUnknown if no model was found. For visits it is always the
// latter: the number of paths that make them has no bound.
func MeetFunc(f *ir.Function, d Demand, s *choice.Stream, solver solve.Solver) (*ir.Claim, error) {
	if err := ir.Check(f); err != nil {
		return nil, err
	}
	g := &cfg.Graph{Succs: f.Graph()}
	if err := d.Check(g); err != nil {
		return nil, err
	}
	p := solve.Problem{Func: f, Path: d.Path}
	var m *ir.Model
	var err error
	if d.Path != nil {
		m, err = solver.Solve(p, s)
	} else {
		const paths = 30
		w := walker{d: d, g: g, s: s.Fork("path")}
		p, m, _, err = w.ask(solver, paths, paths/8, s, func() (solve.Problem, bool) {
			path, ok := w.route(f)
			return solve.Problem{Func: f, Path: path}, ok
		})
	}
	if err != nil {
		return nil, err
	}
	return settled(p, m, d, s)
}

// A walker draws paths as demanded.
type walker struct {
	d      Demand
	g      *cfg.Graph
	s      *choice.Stream
	blocks int // on all paths drawn so far
	stats  solve.Stats
}

// mostBlocks bounds the work that one demand is worth: the blocks on all paths
// that are drawn for it. It takes seconds.
const mostBlocks = 500_000

// ask draws problems until an engine solves one. A fast engine is asked about many of
// them, a slow one about few, at least one. A draw that fails counts. The error wraps
// solve.ErrUnknown alone, or says that the engine does not work.
func (w *walker) ask(solver solve.Solver, many, few int, s *choice.Stream, draw func() (solve.Problem, bool)) (p solve.Problem, m *ir.Model, asked int, err error) {
	engines, ok := solver.(solve.Portfolio)
	if !ok {
		engines = solve.Portfolio{solver}
	}
	reason := errors.New("no feasible path found")
	for _, engine := range engines {
		n := max(1, few)
		if _, fast := engine.(solve.Finder); fast {
			n = many
		}
		for ; n > 0 && w.blocks < mostBlocks; n-- {
			asked++
			if p, ok = draw(); !ok {
				continue
			}
			// The stream is separate, so that the number of draws of the engine does
			// not change later decisions.
			own := choice.New(choice.Derive(s.Uint64(), engine.Name()))
			p.Stats = &w.stats
			m, err = engine.Solve(p, own)
			switch {
			case err == nil:
				m.By = engine.Name()
				return p, m, asked, nil
			case !solve.Unsolved(err):
				return p, nil, asked, err
			}
			reason = err
		}
	}
	// The reason is not wrapped: this one problem may be unsatisfiable.
	return p, nil, asked, fmt.Errorf("%d functions or paths tried, the last: %v: %w", asked, reason, solve.ErrUnknown)
}

// sketch draws a function, and a path as demanded that it can take as far as value
// numbering can tell. Functions without such a path are dropped, which costs little.
func (w *walker) sketch(name string, o sketch.Options, body *choice.Stream) (solve.Problem, bool) {
	const functions = 20
	for range functions {
		if w.blocks >= mostBlocks {
			break
		}
		f := sketch.Function(name, w.g, o, body)
		if path, ok := w.route(f); ok && checkStates(o, len(path)) == nil {
			sketch.Relate(f, path, body)
			return solve.Problem{Func: f, Path: path}, true
		}
	}
	return solve.Problem{}, false
}

// route draws a path through f.
func (w *walker) route(f *ir.Function) ([]int, bool) {
	numbering := sketch.NewNumbering(f)
	visit := func(b int) int {
		w.blocks++
		return numbering.Visit(b)
	}
	if w.d.Path == nil {
		o := cfg.RouteOptions{Visits: w.d.Visits, Wander: choice.Pick(w.s, []int{0, 0, 10, 30}), Visit: visit}
		return cfg.Route(w.g, o, w.s)
	}
	for i, b := range w.d.Path {
		if want := visit(b); want >= 0 && i+1 < len(w.d.Path) && want != w.d.Path[i+1] {
			return nil, false
		}
	}
	return w.d.Path, true
}

// settled returns the case that a model makes, judged by the interpreter.
func settled(p solve.Problem, m *ir.Model, d Demand, s *choice.Stream) (*ir.Claim, error) {
	sketch.Fill(p.Func, m, s)
	kase := &ir.Claim{Func: ir.Concretize(p.Func, m), Args: m.Args, Path: p.Path}
	run, err := interp.Run(kase.Func, m.Args, interp.Options{Fuel: len(p.Path) + 1})
	if err == nil {
		kase.Want = run.Value
		err = errors.Join(ir.Check(kase.Func), interp.Verify(kase), d.met(run.Path))
	}
	if err != nil {
		text := (&ir.Program{Funcs: []*ir.Function{kase.Func}, Claims: []*ir.Claim{kase}}).String()
		return nil, &GeneratorBug{Program: text, Err: err}
	}
	return kase, nil
}

// checkStates returns an error if a path of n blocks could use up the memory.
func checkStates(o sketch.Options, n int) error {
	scalars := mostScalars(&o)
	if scalars*n > maxStates {
		return fmt.Errorf("#VAR %d (up to %d scalars with arrays) x a path of %d blocks is %d values along the path, want at most %d",
			o.Vars, scalars, n, scalars*n, maxStates)
	}
	return nil
}
