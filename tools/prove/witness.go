package prove

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"goreify/compilers"
	"goreify/compilers/targets"
	"goreify/reify/emit/c"
	"goreify/reify/language"
	"goreify/reify/oracle"
	"goreify/reify/subject"
)

// A Bench is the compilers that are asked. They are tried once.
type Bench struct {
	env     compilers.Env
	mu      sync.Mutex
	oracles map[compilers.Language]*oracle.Oracle
	list    map[compilers.Language][]witness
}

// NewBench returns a bench of the compilers that the environment names, or of those that
// are here. It has a workspace.
func NewBench(env compilers.Env) *Bench {
	return &Bench{env: env, oracles: map[compilers.Language]*oracle.Oracle{}, list: map[compilers.Language][]witness{}}
}

// A witness is a compiler that has no reason to be wrong: in its reference mode, or with
// sanitizers, of either word size.
type witness struct {
	compilers.Target
	mode   compilers.Mode
	checks bool     // it has sanitizers
	terse  []string // what makes it cheaper and say less
	asked  int      // functions
	cost   oracle.Cost
}

func (w *witness) String() string {
	if !w.checks {
		return compilers.Name(w.Target, w.mode)
	}
	name := w.ID().Name
	if slices.Contains(w.ID().Args, "-m32") {
		name += " -m32"
	}
	return name + " with sanitizers"
}

// moreChecks are the sanitizers that are not part of undefined: the language
// has no division of floating-point numbers by zero and no conversion out of
// range.
const moreChecks = "-fsanitize=float-divide-by-zero,float-cast-overflow"

// traps has undefined behaviour end the program without a report, which halves
// what it costs to compile.
var traps = map[string][]string{
	"gcc":   {"-fsanitize-undefined-trap-on-error"},
	"clang": {"-fsanitize-trap=undefined,float-divide-by-zero,float-cast-overflow"},
}

// oracle returns the compilers of the run's language.
func (r *run) oracle(ctx context.Context) (*oracle.Oracle, error) {
	b := r.bench
	b.mu.Lock()
	defer b.mu.Unlock()
	if o := b.oracles[r.Language]; o != nil {
		return o, nil
	}
	env := b.env
	if r.terms().witnesses == nil {
		env.CC = cmp.Or(env.CC, language.Find(r.Language).Usual)
	}
	found, named, err := targets.Find(ctx, env)
	if err != nil {
		return nil, err
	}
	found = slices.DeleteFunc(found, func(t compilers.Target) bool { return t.Language() != r.Language })
	if len(found) == 0 {
		return nil, fmt.Errorf("none of %s is a compiler or an engine of %s", env.CC, r.Language)
	}
	o, err := oracle.New(ctx, env.Space, found, named)
	if err != nil {
		return nil, err
	}
	b.oracles[r.Language] = o
	return o, nil
}

// witnesses returns whom a run asks: of C the newest compiler of each family, bare and
// with sanitizers, at -m64 and, where its libraries are installed, at -m32; of other
// languages all that were found, in their reference modes or those of REIFY_MODES.
func (r *run) witnesses(ctx context.Context) ([]*witness, error) {
	o, err := r.oracle(ctx)
	if err != nil {
		return nil, err
	}
	b := r.bench
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.list[r.Language] == nil {
		if of := r.terms().witnesses; of != nil {
			b.list[r.Language], err = of(r, ctx, o)
		} else {
			for _, t := range o.Targets {
				b.list[r.Language] = append(b.list[r.Language], b.inModes(t)...)
			}
		}
		if err != nil {
			return nil, err
		}
	}
	var list []*witness
	for _, w := range b.list[r.Language] {
		list = append(list, &w)
	}
	return list, nil
}

// inModes returns a target in its reference mode, or in those that REIFY_MODES names.
func (b *Bench) inModes(t compilers.Target) (list []witness) {
	if b.env.Modes == "" {
		return []witness{{Target: t, mode: t.Reference()}}
	}
	for _, mode := range t.Modes() {
		list = append(list, witness{Target: t, mode: mode})
	}
	return list
}

// sanitized returns the newest compiler of each family, bare and with sanitizers.
func (r *run) sanitized(ctx context.Context, o *oracle.Oracle) ([]witness, error) {
	if len(o.Sanitizers) == 0 {
		return nil, fmt.Errorf("no compiler here has its sanitizers: %w", errors.Join(o.Unusable...))
	}
	for _, family := range []string{"gcc", "clang"} {
		if !slices.ContainsFunc(o.Sanitizers, func(tool compilers.Target) bool { return tool.ID().Family == family }) {
			r.missing(family, "%s has no sanitizers here", family)
		}
	}
	var list, narrow []witness
	add := func(tool compilers.Target, checks bool, limits compilers.Limits) {
		w := witness{Target: tool, mode: "-O0", checks: checks}
		if checks {
			w.Target, _ = compilers.With(tool, moreChecks)
			w.terse = traps[w.ID().Family]
		}
		list = append(list, w)
		w.Target, _ = compilers.With(compilers.Plain(w.Target), "-m32")
		if err := compilers.Probe(ctx, w.Target, o.Space, limits); err != nil {
			r.missing("m32", "%v; make setup WITH=all installs 32-bit libraries", err)
			return
		}
		narrow = append(narrow, w)
	}
	for _, tool := range newest(o) {
		add(tool, false, o.Limits)
	}
	for _, tool := range o.Sanitizers {
		add(tool, true, o.Limits.ForSanitizers())
	}
	return append(list, narrow...), ctx.Err()
}

// newest returns the newest target of each family. They come in ascending order.
func newest(o *oracle.Oracle) []compilers.Target {
	var list []compilers.Target
	for _, t := range slices.Backward(o.Targets) {
		if !slices.ContainsFunc(list, func(other compilers.Target) bool { return other.ID().Family == t.ID().Family }) {
			list = append(list, t)
		}
	}
	return list
}

// patience returns limits for large batches and for sanitizers.
func patience(weight int) compilers.Limits {
	limits := compilers.DefaultLimits().ForFunctions(weight).ForSanitizers()
	limits.CompileCPU, limits.CompileMemory = max(limits.CompileCPU, 4*time.Minute), 0
	limits.CompileWall, limits.RunWall = 10*time.Minute, 3*time.Minute
	return limits
}

// A complaint is what a witness has against a program.
type complaint struct {
	*witness
	compilers.Outcome
}

// question returns what witnesses without sanitizers and those with sanitizers are asked
// about a subject.
func question(s subject.Subject) (list [2]subject.Artefact) {
	list = [2]subject.Artefact{s.Artefact(), s.Artefact()}
	if clued, ok := s.(interface{ Debug() subject.Artefact }); ok {
		list[1] = clued.Debug()
	}
	return list
}

func pick(of [2]subject.Artefact, w *witness) subject.Artefact {
	if w.checks {
		return of[1]
	}
	return of[0]
}

// withoutWide returns a subject without the members that have integers of 128 bits, as
// their file has nothing to test where these are missing. It is nil if there is nothing
// to leave out, or nothing else.
func withoutWide(s subject.Subject) subject.Subject {
	g, ok := s.(subject.Group)
	if a := s.Artefact(); !ok || !guarded(a) {
		return nil
	}
	var list []int
	for i, m := range g.Members() {
		if !guarded(m.Artefact()) {
			list = append(list, i)
		}
	}
	if len(list) == 0 {
		return nil
	}
	some, err := g.Only(list...)
	if err != nil {
		return nil
	}
	return some
}

func guarded(a subject.Artefact) bool {
	return slices.ContainsFunc(a.Files, func(f compilers.File) bool { return c.Guarded(f.Content) })
}

// ask asks witnesses about a subject, or the part of it that they can take, as many at once as
// there are processors. Terse ones are not asked for reports.
func (r *run) ask(ctx context.Context, list []*witness, s subject.Subject, terse bool) (all []complaint) {
	parts := map[*witness]subject.Subject{}
	list = slices.DeleteFunc(slices.Clone(list), func(w *witness) bool {
		part, err := oracle.Taken(s, w.Traits())
		if some := withoutWide(s); err == nil && some != nil && part == s && w.Traits().Pointer < 8 {
			part = some
		}
		parts[w] = part
		return err != nil || part == nil
	})
	said := make([]compilers.Outcome, len(list))
	var group sync.WaitGroup
	free := make(chan struct{}, runtime.GOMAXPROCS(0))
	for i, w := range list {
		group.Go(func() {
			free <- struct{}{}
			job := pick(question(parts[w]), w).Job(w.mode)
			if terse {
				job.Extra = w.terse
			}
			said[i] = compilers.Test(ctx, w.Target, r.bench.env.Space, job, patience(s.Weight()))
			<-free
		})
	}
	group.Wait()
	for i, w := range list {
		w.asked += parts[w].Weight()
		w.cost = w.cost.Plus(oracle.Cost{Compile: said[i].CompileCPU, Link: said[i].LinkCPU, Run: said[i].RunCPU})
		switch said[i].Verdict {
		case compilers.OK:
		case compilers.Discarded:
			if ctx.Err() == nil {
				r.Unanswered = append(r.Unanswered, fmt.Sprintf("%v, seed %d: %v", w, r.Next, said[i]))
			}
		default:
			all = append(all, complaint{w, said[i]})
		}
	}
	return all
}

// lines returns what witnesses say, and these.
func lines(all []complaint) (said []string, by []*witness) {
	for _, c := range all {
		said, by = append(said, fmt.Sprintf("%v: %v", c.witness, c.Outcome)), append(by, c.witness)
	}
	return said, by
}

// costs notes what each witness has cost, in CPU milliseconds for a function, the
// dearest first.
func (r *run) costs(list []*witness) {
	each := func(d time.Duration, n int) float64 { return d.Seconds() * 1000 / float64(max(n, 1)) }
	slices.SortFunc(list, func(a, b *witness) int { return cmp.Compare(b.cost.Total(), a.cost.Total()) })
	var text strings.Builder
	fmt.Fprintf(&text, "CPU milliseconds a function: %.2f to make one", each(r.making, list[0].asked))
	for _, w := range list {
		if w.asked > 0 {
			fmt.Fprintf(&text, "; %.2f %v", each(w.cost.Total(), w.asked), w)
		}
	}
	r.note("%s", text.String())
}
