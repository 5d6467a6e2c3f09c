package reify

import (
	"fmt"
	"slices"

	"goreify/reify/cfg"
	"goreify/reify/choice"
	"goreify/reify/fact"
	"goreify/reify/interp"
	"goreify/reify/ir"
	"goreify/reify/sketch"
	"goreify/reify/solve"
)

// A Case is a proof: the interpreter has run Func on Args, met no undefined
// behaviour, visited exactly the blocks of Path, and returned Want.
type Case struct {
	*ir.Claim
	Recipe Recipe
	Config Config
	Graph  *cfg.Graph
	Target solve.Target
	Paths  int // paths tried until one could be solved, at least 1
	Stats  solve.Stats
	Solver string      // name of the engine that found the model
	More   []*ir.Claim // further inputs of Func, at most Config.Inputs, each as good a proof
}

// A GeneratorBug says that a generated program breaks an invariant. The generator is at
// fault, not a compiler, and the error must not be ignored.
type GeneratorBug struct {
	Program string // the case as text
	Err     error
}

func (b *GeneratorBug) Error() string {
	return fmt.Sprintf("GENERATOR BUG: %v\n%s", b.Err, b.Program)
}

func (b *GeneratorBug) Unwrap() error { return b.Err }

// A Failure says that no path that was tried for a recipe could be solved.
type Failure struct {
	Paths int // paths tried
	Stats solve.Stats
	Last  error // why the last path could not be solved
}

func (f *Failure) Error() string { return fmt.Sprintf("%d paths tried, the last: %v", f.Paths, f.Last) }

// Unwrap returns the error of the last path, which wraps solve.ErrUnknown or
// solve.ErrUnsat.
func (f *Failure) Unwrap() error { return f.Last }

// Make returns the case that a recipe stands for under a configuration; its function
// has the given name. The recipe's own Config stream is not used. Make fills the graph
// anew until a function takes a path like the target, at most c.Paths times, and
// settles for another path if one was found. The engines of a portfolio that are not
// Finders are asked every eighth time.
//
// The error is a *Failure, which wraps solve.ErrUnknown or solve.ErrUnsat, if no path
// that was tried could be solved. It is a *GeneratorBug if the case is wrong, and the
// engine's own error if the engine does not work.
func Make(name string, r Recipe, c Config, solver solve.Solver) (*Case, error) {
	made := &Case{Recipe: r, Config: c}
	if err := made.Config.validate(); err != nil {
		return nil, err
	}
	body := choice.Named("body", r.Body)
	walks := choice.Named("path", r.Path)
	made.Graph = graph(c, choice.Named("graph", r.Graph))
	made.Target = target(c, made.Graph, walks)
	if !finds(solver) || c.Sampled {
		made.Target.Rounds = 0 // paths are drawn beforehand, without regard to rounds
	}
	tries := attempts{Case: made, name: name, solver: solver, walks: walks, body: body}
	best, err := tries.best()
	if err != nil {
		return nil, err
	}
	if made.Solver = best.m.By; made.Solver == "" {
		made.Solver = solver.Name()
	}
	if err := made.complete(best, body); err != nil {
		return nil, err
	}
	return made, nil
}

// complete fills in the case and its further inputs from an attempt.
func (k *Case) complete(a *attempt, body *choice.Stream) (err error) {
	if k.Claim, err = a.finish(&k.Config, body); err != nil {
		return err
	}
	if k.More, err = furtherInputs(k.Claim, k.Config.Inputs, k.Config.total(), body.Fork("inputs")); err != nil {
		return err
	}
	return k.addFacts(body.Fork("facts"))
}

// addFacts adds assumptions that hold for all inputs to the function, if the
// configuration asks for them.
func (k *Case) addFacts(s *choice.Stream) error {
	share := k.Config.Sketch.Policy.Facts
	if share == 0 {
		return nil
	}
	err := fact.Add(k.Claims(), share, s)
	if err == nil {
		err = ir.Check(k.Func)
	}
	if err != nil {
		return &GeneratorBug{Program: k.Program().String(), Err: err}
	}
	return nil
}

// Attempts look for a path of a case that is like its target.
type attempts struct {
	*Case       // Paths and Stats count
	name        string
	solver      solve.Solver
	walks, body *choice.Stream
}

// best returns the first attempt that is on the target, or else the nearest of several
// attempts.
func (k *attempts) best() (*attempt, error) {
	var best *attempt
	// Attempts are overwritten. Two memories take turns, one has the best.
	next, kept := new(sketch.Memory), new(sketch.Memory)
	last := fmt.Errorf("no feasible path found: %w", solve.ErrUnknown)
	for try := range k.Config.Paths {
		if best != nil && (best.off == 0 || try > patience) {
			break
		}
		aim := k.Target
		if try > max(patience, k.Config.Paths/2) {
			// No path met the target so far: a path like half of it is better than
			// none.
			aim.Length, aim.Rounds = (aim.Length+1)/2, (aim.Rounds+1)/2
		}
		a := attempt{f: sketch.Overwrite(next, k.name, k.Graph, &k.Config.Sketch, k.body), memory: next}
		err := k.find(&a, aim, try%8 == 7)
		k.Paths++
		if err != nil {
			if !solve.Unsolved(err) {
				return nil, err
			}
			last = err
			continue
		}
		// The target was drawn first. An easier path must not take its place, or most
		// paths would be short.
		if a.off = k.Target.Off(len(a.path), k.Target.RoundsOf(a.path)); best == nil || a.off < best.off {
			best = &a
			next, kept = kept, next
		}
	}
	if best == nil {
		return nil, &Failure{Paths: k.Paths, Stats: k.Stats, Last: last}
	}
	return best, nil
}

// finds reports whether a solver, or an engine of a portfolio, finds paths of
// its own.
func finds(solver solve.Solver) bool {
	engines, ok := solver.(solve.Portfolio)
	if !ok {
		engines = solve.Portfolio{solver}
	}
	return slices.ContainsFunc(engines, func(e solve.Solver) bool {
		_, ok := e.(solve.Finder)
		return ok
	})
}

// OnTarget reports whether the path is as long as the target that was drawn
// before it, and whether it goes round as often.
func (k *Case) OnTarget() (length, rounds bool) {
	return k.Target.Met(k.Path)
}

// target draws the wanted properties of the path: its length, a loop, and the number of
// rounds in this loop, as far as the graph allows.
func target(c Config, g *cfg.Graph, s *choice.Stream) solve.Target {
	entry, exit := g.DistancesFrom(0), g.Distances(g.Exit())
	t := solve.Target{
		Length:  max(s.Range(c.MinLen, c.Path.MaxLen), exit[0]+1), // no path is shorter than the shortest
		Sticky:  c.Path.Sticky,
		Daring:  s.Chance(c.Daring, 100),
		Unit:    c.Unit,
		Factors: c.Sketch.Policy.Product > 0,
		Repair:  c.repairs(),
		Free:    c.free(),
	}
	if t.Free {
		return t
	}
	// Of some loops, the target is the one that goes round most often in that length:
	// compilers optimise short loops more.
	const tries = 5
	most := 1
	for range tries {
		b := s.Intn(g.Len())
		cycle := g.ShortestCycle(b)
		if cycle == 0 || entry[b] < 0 || exit[b] < 0 {
			continue
		}
		if n := (t.Length-1-entry[b]-exit[b])/cycle + 1; n > most {
			t.Loop, most = b, n
		}
	}
	if most > 1 && !s.Chance(1, 4) {
		t.Rounds = s.Range(min(most, 1+t.Length/3), most)
	}
	return t
}

// patience is the number of tries after which a path of another length will do: the
// graph may lack the loops for the target.
const patience = 9

// graph draws a graph. A graph in which no path to the exit goes round a loop is mostly
// drawn again, since it has short paths only.
func graph(c Config, s *choice.Stream) *cfg.Graph {
	if c.Acyclic {
		return cfg.GenerateAcyclic(c.Graph, s)
	}
	g := cfg.Generate(c.Graph, s)
	for range 7 {
		if g.Loops() || g.Len() < 4 || s.Chance(1, 8) {
			break
		}
		g = cfg.Generate(c.Graph, s)
	}
	return g
}

// An attempt is a function, filled anew each time, and a path through it that has a
// model.
type attempt struct {
	f      *ir.Function
	memory *sketch.Memory // that f is in
	path   []int
	m      *ir.Model
	off    int // how far the path is from the target
}

// find looks for a path of a that is like t, and for a model of this path. A solver
// that cannot find paths is given one that is drawn beforehand, feasible as far as
// value numbering can tell. If slow is set, so is a portfolio of which no engine has
// found a path: its other engines take a thousand times as long.
func (k *attempts) find(a *attempt, t solve.Target, slow bool) (err error) {
	// The stream is separate, so that the number of draws of a solver changes nothing
	// else.
	draws := choice.New(choice.Derive(k.walks.Uint64(), "solve"))
	if finder, ok := k.solver.(solve.Finder); ok && finds(k.solver) && !k.Config.Sampled {
		var st solve.Stats
		a.path, a.m, st, err = finder.Find(a.f, t, draws)
		k.Stats.Add(st)
		if _, more := k.solver.(solve.Portfolio); !more || !slow || !solve.Unsolved(err) {
			return err
		}
		// The other engines may do better on a path that is given.
	}
	o := cfg.PathOptions{MaxLen: t.Length, Sticky: t.Sticky, Visit: sketch.NewNumbering(a.f).Visit}
	path, ok := cfg.Sample(k.Graph, o, k.walks)
	if !ok {
		return fmt.Errorf("no feasible path found: %w", solve.ErrUnknown)
	}
	sketch.Relate(a.f, path, k.body)
	a.path = path
	a.m, err = k.solver.Solve(solve.Problem{Func: a.f, Path: path, Repair: k.Config.repairs(), Stats: &k.Stats}, draws)
	return err
}

// finish puts the model into the function, adds to the blocks off the path, and has the
// interpreter judge the result.
func (a *attempt) finish(c *Config, body *choice.Stream) (*ir.Claim, error) {
	f, path, m := a.f, a.path, a.m
	sketch.Fill(f, m, body)
	ir.Settle(f, m)
	sketch.AddUndefined(a.memory, f, path, &c.Sketch, body)
	kase := &ir.Claim{Func: f, Args: m.Args, Path: path}
	fail := func(err error) (*ir.Claim, error) {
		text := (&ir.Program{Funcs: []*ir.Function{f}, Claims: []*ir.Claim{kase}}).String()
		return nil, &GeneratorBug{Program: text, Err: err}
	}
	if err := ir.Check(f); err != nil {
		return fail(err)
	}
	run, err := interp.Run(f, m.Args, interp.Options{Fuel: len(path) + 1})
	if err != nil {
		return fail(err)
	}
	if !slices.Equal(run.Path, path) {
		return fail(fmt.Errorf("the run visits blocks %v", run.Path))
	}
	kase.Want = run.Value
	return kase, nil
}
