// Package oracle asks compilers about cases and takes care that only a
// compiler can fail: a batch of cases goes into one translation unit, each
// toolchain compiles it at each level, and the program must print the known
// answers. When it does not,
//
//	isolate  finds the cases that fail alone, or the smallest part of the batch
//	confirm  runs it again, built by the compiler's driver as users would
//	consult  asks all compilers at -O0, the sanitizers, and all the others
//
// and only if they stand by the answer is it a Finding. If they contradict it,
// the fault is ours, and a *reify.GeneratorBug; if they contradict one another,
// nobody knows, and it is a suspicion.
package oracle

import (
	"context"
	"fmt"
	"slices"
	"time"

	"goreify/compilers"
	"goreify/reify"
	"goreify/reify/emit/c"
)

// An Oracle asks the toolchains, at the levels. It may be used concurrently.
type Oracle struct {
	Toolchains []compilers.Toolchain
	Levels     []string
	Space      *compilers.Workspace
	Limits     compilers.Limits // of a single function; a batch gets more time to compile
	// Reserve is how much of the context's time Check keeps for isolating and
	// confirming: it starts no compilation of the whole batch after that.
	Reserve time.Duration
	// Sanitizers are toolchains with sanitizers on: they say whether a program
	// has undefined behaviour.
	Sanitizers []compilers.Toolchain
	Unusable   []error // why compilers or sanitizers that were found are not used
	// DriverLinked says which toolchains could not be made to link without
	// their driver, which costs more, and why.
	DriverLinked []error
	// Ask tells which configurations Check asks about a batch, and is called
	// before each in turn; nil is all. Who is consulted about a failure does
	// not depend on it.
	Ask func(t compilers.Toolchain, level string) bool
}

// New returns an oracle with all the compilers that the environment names,
// finds and can use, and a function that removes its temporary files. The
// error says which variable of the environment is wrong, which of the compilers
// that it names cannot be used, or that there is none. It compiles a few small programs, which takes a second or two.
func New(ctx context.Context, env compilers.Env, tmp string) (o *Oracle, closer func(), err error) {
	levels, err := env.OptimisationLevels()
	if err != nil {
		return nil, nil, err
	}
	found, err := compilers.Find(ctx, env)
	if err != nil {
		return nil, nil, err
	}
	space, err := compilers.NewWorkspace(tmp)
	if err != nil {
		return nil, nil, err
	}
	closer = func() { _ = space.Close() }
	o = &Oracle{Levels: levels, Space: space, Limits: compilers.DefaultLimits()}
	var unusable error
	if o.Toolchains, unusable = compilers.ProbeAll(ctx, space, found, o.Limits); len(o.Toolchains) == 0 {
		closer()
		return nil, nil, fmt.Errorf("no usable compiler: %w", unusable)
	}
	if unusable != nil && env.CC != "" {
		closer()
		return nil, nil, fmt.Errorf("REIFY_CC names what cannot be used: %w", unusable)
	}
	if unusable != nil {
		o.Unusable = append(o.Unusable, unusable)
	}
	o.findSanitizers(ctx)
	for i, t := range o.Toolchains {
		var err error
		if o.Toolchains[i], err = t.LinkDirectly(ctx, space, o.Limits); err != nil {
			o.DriverLinked = append(o.DriverLinked, err)
		}
	}
	return o, closer, nil
}

// findSanitizers takes the newest toolchain of each family whose sanitizers
// work. Toolchains are in ascending order of version.
func (o *Oracle) findSanitizers(ctx context.Context) {
	for _, family := range []compilers.Family{compilers.Clang, compilers.GCC} {
		for _, t := range slices.Backward(o.Toolchains) {
			if t.Family != family {
				continue
			}
			err := t.ProbeSanitizers(ctx, o.Space, o.Limits)
			if err == nil {
				o.Sanitizers = append(o.Sanitizers, t.Sanitized())
				break
			}
			o.Unusable = append(o.Unusable, err)
		}
	}
}

// A Report is what Check did.
type Report struct {
	Asked     int // configurations that compiled and ran the batch
	Skipped   int // configurations that time did not suffice for
	Discarded int // configurations that neither passed nor failed for sure
	// Discards says of each discarded configuration why, in a line.
	Discards []string
	Finding  *Finding
	// Suspicions are failures that time did not suffice to confirm, that do not
	// happen when the compiler's driver links, of a compiler that is wrong at -O0
	// as well where there is no other to ask, or in a program that the sanitizers
	// of one family object to and those of another do not. They are no findings.
	Suspicions []*Finding
	// Others are the cases that are not part of the Finding and have no answer
	// from the configuration that it is about, in the order of the batch: those
	// that failed in the same run, or all if the compiler failed or nobody knows
	// which did. All that are neither in it nor in the Finding passed. Give them
	// to Check again, for this configuration alone: see Ask.
	Others []*reify.Case
	Cost   Cost
}

// A Cost is the CPU time, user and system, of the children that were asked.
type Cost struct {
	Compile time.Duration // compilers, assemblers, and drivers that linked
	Link    time.Duration // linkers called directly
	Run     time.Duration // programs
}

// Total returns the sum.
func (c Cost) Total() time.Duration { return c.Compile + c.Link + c.Run }

// Plus returns the sum of two costs.
func (c Cost) Plus(d Cost) Cost {
	return Cost{c.Compile + d.Compile, c.Link + d.Link, c.Run + d.Run}
}

func (c *Cost) add(o compilers.Outcome) {
	c.Compile += o.CompileCPU
	c.Link += o.LinkCPU
	c.Run += o.RunCPU
}

// A config is a toolchain at a level.
type config struct {
	toolchain compilers.Toolchain
	level     string
}

func (c config) String() string { return c.toolchain.String() + " " + c.level }

// configs lists all configurations, levels varying fastest.
func (o *Oracle) configs() []config {
	var list []config
	for _, t := range o.Toolchains {
		for _, l := range o.Levels {
			list = append(list, config{t, l})
		}
	}
	return list
}

// Check asks all configurations about a batch, beginning with number start
// modulo their number so that, where time does not suffice, no configuration
// is always left out. It stops at the first finding. The error is a
// *reify.GeneratorBug if the batch is wrong rather than a compiler.
func (o *Oracle) Check(ctx context.Context, cases []*reify.Case, start uint64) (*Report, error) {
	return o.check(ctx, newBatch(cases), start)
}

// CheckProgram is Check for a whole program.
func (o *Oracle) CheckProgram(ctx context.Context, p *Program, start uint64) (*Report, error) {
	return o.check(ctx, p.batch(), start)
}

func (o *Oracle) check(ctx context.Context, b *batch, start uint64) (*Report, error) {
	r := &Report{}
	q := &inquiry{Oracle: *o, cost: &r.Cost}
	configs := o.configs()
	for i := range configs {
		cfg := configs[(start+uint64(i))%uint64(len(configs))]
		if o.Ask != nil && !o.Ask(cfg.toolchain, cfg.level) {
			continue
		}
		if o.short(ctx) {
			r.Skipped++
			continue
		}
		binary, out := q.build(ctx, cfg, b)
		if binary != "" {
			out = q.run(ctx, b, binary, out)
		}
		switch {
		case out.Verdict == compilers.Discarded:
			r.discard(cfg, out.Message)
		case out.Verdict == compilers.OK:
			r.Asked++
		default:
			guilty := q.guilty(ctx, b, binary, out)
			f, suspicions, err := q.investigate(ctx, cfg, b, out, guilty)
			r.Suspicions = append(r.Suspicions, suspicions...)
			switch {
			case err != nil:
				q.remove(binary)
				return r, err
			case f != nil:
				q.remove(binary)
				r.Finding, r.Others = f, b.others(binary != "", guilty, f)
				return r, nil
			}
			r.discard(cfg, notConfirmed(out, suspicions))
		}
		q.remove(binary)
	}
	return r, nil
}

func (r *Report) discard(cfg config, why string) {
	r.Discarded++
	r.Discards = append(r.Discards, cfg.String()+": "+why)
}

// short reports whether less than the reserve is left of the context's time.
func (o *Oracle) short(ctx context.Context) bool {
	deadline, ok := ctx.Deadline()
	return ctx.Err() != nil || ok && time.Until(deadline) < o.Reserve
}

// An inquiry is a call of Check: an oracle of its own, which may be changed, and
// what it has cost.
type inquiry struct {
	Oracle
	cost *Cost
}

// limits returns the limits for a batch.
func (q *inquiry) limits(b *batch) compilers.Limits { return q.Limits.ForFunctions(b.functions()) }

// build compiles a batch. If it returns a binary, run is to finish the outcome
// and remove the binary.
func (q *inquiry) build(ctx context.Context, cfg config, b *batch) (binary string, out compilers.Outcome) {
	binary, out = cfg.toolchain.Build(ctx, q.Space, b.job(cfg.level), q.limits(b))
	q.cost.add(out)
	return binary, out
}

// run runs the binary that build returned with the outcome built.
func (q *inquiry) run(ctx context.Context, b *batch, binary string, built compilers.Outcome) compilers.Outcome {
	out := compilers.Run(ctx, binary, nil, []byte(b.want), q.Limits)
	q.cost.add(out)
	out.CompileCPU, out.LinkCPU = built.CompileCPU, built.LinkCPU
	out.Command = slices.Concat(built.Command, out.Command)
	return out
}

// remove removes a binary, if there is one.
func (q *inquiry) remove(binary string) {
	if binary != "" {
		_ = q.Space.Remove(binary) // what stays goes with the workspace
	}
}

// ask compiles and runs a batch.
func (q *inquiry) ask(ctx context.Context, cfg config, b *batch) compilers.Outcome {
	return q.test(ctx, cfg.toolchain, b.job(cfg.level), q.limits(b))
}

// test runs a job and adds up what it costs.
func (q *inquiry) test(ctx context.Context, t compilers.Toolchain, job compilers.Job, limits compilers.Limits) compilers.Outcome {
	out := t.Test(ctx, q.Space, job, limits)
	q.cost.add(out)
	return out
}

// A batch is cases and the program made of them.
type batch struct {
	cases  []*reify.Case
	units  []c.Unit
	source string
	want   string

	program *Program // in place of cases and units, or nil
	more    []compilers.File
}

func newBatch(cases []*reify.Case) *batch {
	b := &batch{cases: cases, units: Units(cases)}
	b.source, b.want = c.Emit(b.units), c.Want(b.units)
	return b
}

// functions returns how many functions are compiled.
func (b *batch) functions() int {
	if b.program != nil {
		return len(b.program.IR.Funcs)
	}
	return len(b.cases)
}

// part returns the batch of the cases with the given indices.
func (b *batch) part(indices []int) *batch {
	var cases []*reify.Case
	for _, i := range indices {
		cases = append(cases, b.cases[i])
	}
	return newBatch(cases)
}

// except returns the indices of the cases but for the given ones.
func (b *batch) except(indices []int) []int {
	var rest []int
	for i := range b.cases {
		if !slices.Contains(indices, i) {
			rest = append(rest, i)
		}
	}
	return rest
}

// others returns the cases without an answer that are not in f: the guilty ones
// of a program that ran, and all if there is none or they are not known.
func (b *batch) others(ran bool, guilty []int, f *Finding) []*reify.Case {
	var rest []*reify.Case
	for i, k := range b.cases {
		passed := ran && guilty != nil && !slices.Contains(guilty, i)
		if !passed && !slices.Contains(f.Cases, k) {
			rest = append(rest, k)
		}
	}
	return rest
}

func (b *batch) job(level string) compilers.Job {
	return compilers.Job{Source: []byte(b.source), More: b.more, Want: []byte(b.want), Level: level}
}

// Units returns the cases with their further inputs and the style that each
// recipe draws.
func Units(cases []*reify.Case) []c.Unit {
	var units []c.Unit
	for _, k := range cases {
		units = append(units, c.Unit{Case: k.Case, Style: c.DrawStyle(k.Recipe.Style()), More: k.More})
	}
	return units
}
