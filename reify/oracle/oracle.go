// Package oracle asks compilers about cases and takes care that only a
// compiler can fail: a batch of cases goes into one translation unit, each
// toolchain compiles it at each level, and the program must print the known
// answers. When it does not,
//
//	isolate  finds the case that fails alone, or the smallest part of the batch
//	confirm  runs it again
//	consult  asks all compilers at -O0, the sanitizers, and all the others
//
// and only if they stand by the answer is it a Finding. If they contradict it,
// the fault is ours, and a *reify.GeneratorBug.
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
	Limits     compilers.Limits
	// Reserve is how much of the context's time Check keeps for isolating and
	// confirming: it starts no compilation of the whole batch after that.
	Reserve time.Duration
	// Sanitizers are toolchains with sanitizers on: they say whether a program
	// has undefined behaviour.
	Sanitizers []compilers.Toolchain
	Unusable   []error // why compilers or sanitizers that were found are not used
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
	// Suspicions are failures that time did not suffice to confirm. They are
	// no findings.
	Suspicions []*Finding
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
	r := &Report{}
	b := newBatch(cases)
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
		out := o.ask(ctx, cfg, b)
		switch {
		case out.Verdict == compilers.Discarded:
			r.discard(cfg, out.Message)
		case out.Verdict == compilers.OK:
			r.Asked++
		default:
			f, judged, err := o.investigate(ctx, cfg, b, out)
			switch {
			case err != nil:
				return r, err
			case judged == confirmed:
				r.Finding = f
				return r, nil
			case judged == unconfirmed:
				r.Suspicions = append(r.Suspicions, f)
			}
			r.discard(cfg, "not confirmed: "+out.String())
		}
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

// ask compiles and runs a batch.
func (o *Oracle) ask(ctx context.Context, cfg config, b *batch) compilers.Outcome {
	return cfg.toolchain.Test(ctx, o.Space, b.job(cfg.level), o.Limits)
}

// A batch is cases and the program made of them.
type batch struct {
	cases  []*reify.Case
	units  []c.Unit
	source string
	want   string
}

func newBatch(cases []*reify.Case) *batch {
	b := &batch{cases: cases, units: Units(cases)}
	b.source, b.want = c.Emit(b.units), c.Want(b.units)
	return b
}

// part returns the batch of the cases with the given indices.
func (b *batch) part(indices []int) *batch {
	var cases []*reify.Case
	for _, i := range indices {
		cases = append(cases, b.cases[i])
	}
	return newBatch(cases)
}

func (b *batch) job(level string) compilers.Job {
	return compilers.Job{Source: []byte(b.source), Want: []byte(b.want), Level: level}
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
