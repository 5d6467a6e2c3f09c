package measure

import (
	"errors"
	"slices"

	"goreify/reify"
	"goreify/reify/ir"
	"goreify/reify/solve"
)

// A loop has gone round so many times when its most visited block has been
// visited once more.
const (
	fewRounds  = 3
	manyRounds = 10
)

// A tally adds up what functions are like. It allocates next to nothing once
// it has grown: what it allocates is charged to the generator.
type tally struct {
	blocks, edges, tokens int
	paths                 []int // lengths
	few, many             int   // functions with loops of that many rounds
	again, both           int   // conditionals met again; those that then took both directions
	all, onPath           factors
	initials, zeros       int
	inputs                int
	cases, tries          int // made, those not counted in the above included; paths tried for them
	looped                int // functions whose path was to go round a loop
	rounds                int // of these the ones that go round as often as they were to
	onTarget              int // functions whose path is as long as it was to be
	solvers               map[string]int
	work                  solve.Stats

	visits []int  // by block, of the function at hand
	taken  []byte // by block, a bit for each direction of its conditional
}

// factors counts constants that something is multiplied by.
type factors struct{ count, zero, one int }

func (f *factors) add(v int64) {
	f.count++
	switch v {
	case 0:
		f.zero++
	case 1, -1:
		f.one++
	}
}

// add counts a case, which source is the C of.
func (t *tally) add(k *reify.Case, source string) error {
	tokens, err := Tokens(source, functionName)
	if err != nil {
		return err
	}
	t.tokens += tokens
	t.blocks += len(k.Func.Blocks)
	t.paths = append(t.paths, len(k.Path))
	t.inputs += 1 + len(k.More)
	t.follow(k)
	for _, b := range k.Func.Blocks {
		t.edges += edges(b)
		for at := range b.Exprs() {
			v, ok := factor(*at)
			if !ok {
				continue
			}
			t.all.add(v)
			if t.visits[b.Index] > 0 {
				t.onPath.add(v)
			}
		}
	}
	t.initial(k)
	return nil
}

// made counts what it took to make a case, and whether it is what was wanted.
func (t *tally) made(k *reify.Case) {
	t.cases++
	t.tries += k.Paths
	t.work.Add(k.Stats)
	if t.solvers == nil {
		t.solvers = map[string]int{}
	}
	t.solvers[k.Solver]++
	length, rounds := k.OnTarget()
	if length {
		t.onTarget++
	}
	if k.Target.Rounds > 0 {
		t.looped++
		if rounds {
			t.rounds++
		}
	}
}

// failed counts what the solver did in vain for a recipe.
func (t *tally) failed(err error) {
	var f *reify.Failure
	if errors.As(err, &f) {
		t.tries += f.Paths
		t.work.Add(f.Stats)
	}
}

func edges(b *ir.Block) int {
	switch b.Term.(type) {
	case *ir.If:
		return 2
	case *ir.Goto:
		return 1
	}
	return 0
}

// follow counts what happens along the path.
func (t *tally) follow(k *reify.Case) {
	n := len(k.Func.Blocks)
	t.visits = slices.Grow(t.visits[:0], n)[:n]
	t.taken = slices.Grow(t.taken[:0], n)[:n]
	clear(t.visits)
	clear(t.taken)
	for i, b := range k.Path {
		t.visits[b]++
		if branch, ok := k.Func.Blocks[b].Term.(*ir.If); ok {
			if k.Path[i+1] == branch.Then.Index {
				t.taken[b] |= 1
			} else {
				t.taken[b] |= 2
			}
		}
	}
	most := slices.Max(t.visits)
	if most > fewRounds {
		t.few++
	}
	if most > manyRounds {
		t.many++
	}
	for b, visits := range t.visits {
		if t.taken[b] != 0 && visits > 1 {
			t.again++
			if t.taken[b] == 1|2 {
				t.both++
			}
		}
	}
}

// factor returns the constant that e multiplies by.
func factor(e ir.Expr) (int64, bool) {
	product, ok := e.(*ir.Binary)
	if !ok || product.Op != ir.Mul {
		return 0, false
	}
	if c, ok := product.Y.(*ir.Const); ok {
		return c.V, true
	}
	if c, ok := product.X.(*ir.Const); ok {
		return c.V, true
	}
	return 0, false
}

// initial counts the values that variables start with: arguments and
// initialisers, and the zeros of what is at file scope without one.
func (t *tally) initial(k *reify.Case) {
	count := func(zero bool) {
		t.initials++
		if zero {
			t.zeros++
		}
	}
	for _, v := range k.Args {
		count(v == 0)
	}
	for _, v := range k.Func.Vars {
		for _, e := range v.Init {
			c, ok := e.(*ir.Const)
			count(ok && c.V == 0)
		}
		if v.Init == nil && (v.Kind == ir.Global || v.Kind == ir.Static) {
			for range ir.Count(v.Type) {
				count(true)
			}
		}
	}
}

// fill puts the sums into r.
func (t *tally) fill(r *Result) {
	n := len(t.paths)
	r.Functions = n
	r.MeanBlocks = ratio(t.blocks, n)
	r.MeanEdges = ratio(t.edges, n)
	r.MeanTokens = ratio(t.tokens, n)
	steps := 0
	for _, p := range t.paths {
		steps += p
	}
	r.MeanPath = ratio(steps, n)
	r.OnTarget = ratio(t.onTarget, t.cases)
	r.WithRounds = ratio(t.looped, t.cases)
	r.OnRounds = ratio(t.rounds, t.looped)
	r.Granted = ratio(t.work.Wishes-t.work.Detours, t.work.Wishes)
	r.Queries = ratio(t.work.Queries, t.cases)
	r.Solvers = t.solvers
	r.Tries = ratio(t.tries, t.cases)
	r.Inputs = ratio(t.inputs, n)
	r.Walks = ratio(t.work.Walks, t.cases)
	r.Backjumps = ratio(t.work.Backjumps, t.cases)
	r.Restarts = ratio(t.work.Restarts, t.cases)
	r.Detours = ratio(t.work.Detours, t.cases)
	slices.Sort(t.paths)
	r.Path = Quantiles{t.quantile(0), t.quantile(10), t.quantile(25), t.quantile(50), t.quantile(75), t.quantile(90), t.quantile(99), t.quantile(100)}
	r.FewRounds = ratio(t.few, n)
	r.ManyRounds = ratio(t.many, n)
	r.BothWays = ratio(t.both, t.again)
	r.Factor0 = ratio(t.all.zero, t.all.count)
	r.Factor1 = ratio(t.all.one, t.all.count)
	r.PathFactor0 = ratio(t.onPath.zero, t.onPath.count)
	r.PathFactor1 = ratio(t.onPath.one, t.onPath.count)
	r.Initial0 = ratio(t.zeros, t.initials)
}

// quantile returns the length that percent of the sorted paths do not exceed.
func (t *tally) quantile(percent int) int {
	if len(t.paths) == 0 {
		return 0
	}
	return t.paths[(len(t.paths)-1)*percent/100]
}
