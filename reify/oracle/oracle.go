package oracle

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"goreify/compilers"
	"goreify/reify/subject"
)

// An Oracle asks the targets, each in its modes. It may be used concurrently.
type Oracle struct {
	Targets []compilers.Target
	Space   *compilers.Workspace
	Limits  compilers.Limits // of a single function; a batch gets more time to compile
	// Reserve is how much of the context's time Check keeps for isolating and
	// confirming: it starts no build of the whole subject after that.
	Reserve time.Duration
	// Sanitizers are targets that say whether a program has undefined behaviour.
	Sanitizers []compilers.Target
	Unusable   []error // why targets or sanitizers that were found are not used
	// Ask tells which configurations Check asks about a subject, and is called before
	// each in turn; nil is all. The witnesses of a failure do not depend on it.
	Ask func(t compilers.Target, mode compilers.Mode) bool
	// Lasting tells whether a failure of time that is confirmed is let run for ten times
	// the limit, which tells what is slow from what does not end; nil is always.
	Lasting func(f *Finding) bool
	// Settled tells whether a cell that fails need not be looked into, and says in the
	// failure what explains it; nil is never. It is not asked about failures of haste.
	Settled func(f *Failure) bool

	// Targets and sanitizers of other languages, which may vouch for a subject that is
	// translated: see Of.
	others, otherSanitizers []compilers.Target
}

// New returns an oracle with those of the targets that can be used, whose files
// are in the workspace. If the targets were named by the user, one that cannot be
// used is an error; so is having none. It compiles a few small programs, which
// takes a second or two.
func New(ctx context.Context, space *compilers.Workspace, targets []compilers.Target, named bool) (*Oracle, error) {
	o := &Oracle{Space: space, Limits: compilers.DefaultLimits()}
	usable, unusable := compilers.ProbeAll(ctx, space, targets, o.Limits)
	switch {
	case ctx.Err() != nil:
		return nil, fmt.Errorf("interrupted while the compilers were tried: %w", context.Cause(ctx))
	case len(usable) == 0:
		return nil, fmt.Errorf("no usable compiler: %w", unusable)
	case unusable != nil && named:
		return nil, fmt.Errorf("a compiler that was named cannot be used: %w", unusable)
	case unusable != nil:
		o.Unusable = append(o.Unusable, unusable)
	}
	o.Targets = usable
	o.findSanitizers(ctx)
	for i, t := range o.Targets {
		if l, ok := t.(compilers.Linker); ok {
			o.Targets[i], _ = l.LinkDirectly(ctx, space, o.Limits) // else its driver links, which costs more
		}
	}
	return o, nil
}

// findSanitizers takes the newest target of each family whose sanitizers work.
// Targets are in ascending order of version.
func (o *Oracle) findSanitizers(ctx context.Context) {
	var families []string
	for _, t := range o.Targets {
		if sanitizes(t) {
			families = append(families, t.ID().Family)
		}
	}
	slices.Sort(families)
	for _, family := range slices.Compact(families) {
		for _, t := range slices.Backward(o.Targets) {
			if !sanitizes(t) || t.ID().Family != family {
				continue
			}
			sanitized, err := t.(compilers.Sanitizer).Sanitized(ctx, o.Space, o.Limits)
			if err == nil {
				o.Sanitizers = append(o.Sanitizers, sanitized)
				break
			}
			if !errors.Is(err, compilers.ErrNoSanitizers) {
				o.Unusable = append(o.Unusable, err)
			}
		}
	}
}

// sanitizes tells whether a target may have sanitizers. Those for other processors
// come without: Debian does not package their runtimes.
func sanitizes(t compilers.Target) bool {
	_, ok := t.(compilers.Sanitizer)
	return ok && !t.Traits().Emulated
}

// Judged returns an error if there are targets for other processors, and none of
// this machine's own whose sanitizers could object to a program.
func (o *Oracle) Judged() error {
	emulated := func(t compilers.Target) bool { return t.Traits().Emulated }
	if i := slices.IndexFunc(o.Targets, emulated); i >= 0 && len(o.Sanitizers)+len(o.otherSanitizers) == 0 {
		return fmt.Errorf("%v makes programs for another processor, and no compiler of this machine's own with sanitizers is there to judge them: name one in REIFY_CC as well, such as gcc", o.Targets[i].ID())
	}
	return nil
}

// Of returns the oracle with the targets and sanitizers of a language alone. The error
// is not nil if it has no target for that language.
func (o *Oracle) Of(language compilers.Language) (*Oracle, error) {
	some := o.without(func(t compilers.Target) bool { return t.Language() != language })
	some.others = slices.Concat(o.others, o.Targets)
	some.otherSanitizers = slices.Concat(o.otherSanitizers, o.Sanitizers)
	if len(some.Targets) == 0 {
		return nil, fmt.Errorf("no compiler for %s is here", language)
	}
	return some, nil
}

// without returns the oracle without some targets and sanitizers. There may be none left.
func (o *Oracle) without(drop func(compilers.Target) bool) *Oracle {
	some := *o
	some.Targets = slices.DeleteFunc(slices.Clone(o.Targets), drop)
	some.Sanitizers = slices.DeleteFunc(slices.Clone(o.Sanitizers), drop)
	return &some
}

// A Report is what Check did.
type Report struct {
	Asked     int // configurations that built and ran the subject
	Skipped   int // configurations that could not be asked in time
	Discarded int // configurations that neither passed nor failed for sure
	// Unanswered are those of the discarded configurations that the machine had no
	// room, memory or time for, or that could not be started. Their answers are not
	// known: they are to be asked again. The other discarded configurations have
	// answered.
	Unanswered int
	// Discards says in a line why each discarded configuration is discarded.
	Discards []string
	// Unsure are the members that discarded configurations did not answer for sure about.
	// Those of the Unanswered ones are left out.
	Unsure  []Unsure
	Finding *Finding
	// At is the configuration whose failure the Finding is of, or that Others are of.
	// Another configuration may show it: see Finding.Needs.
	At Config
	// Cells are the cells that fail and are not looked into any more: see Settled. The
	// others are those suspected.
	Cells []Failure
	// Open are the cells among Others that are known to fail.
	Open []Failure
	// Suspicions are failures that are not confirmed, for one of these reasons. Time or
	// the machine did not suffice. The failure does not happen when the compiler's
	// driver links. The compiler is wrong in its reference mode as well, and there is
	// no other to ask. The compiler was replaced in the meantime. The sanitizers of one
	// family object to the program, and those of another do not. The program is not
	// proved (see strictly). The failure shows with hidden flags alone. Suspicions are
	// no findings.
	Suspicions []*Finding
	// Others are the names of members that are not part of the Finding and have no
	// answer from the configuration of the Finding, in the order of the group. These
	// are the members that failed in the same run. If the compiler failed, or the
	// guilty members are not known, these are all members. All members that are neither
	// in Others nor in the Finding passed. Check is to be called with them again, for
	// this configuration alone: see Ask.
	Others []string
	Cost   Cost
}

// An Unsure configuration gave no sure answer about some members.
type Unsure struct {
	Config
	Members []string // their names
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

// A Config is a target in a mode.
type Config struct {
	Target compilers.Target
	Mode   compilers.Mode
}

// String returns the words that name the configuration: "gcc-12 -m32 -O2".
func (c Config) String() string { return compilers.Name(c.Target, c.Mode) }

// Configs lists all configurations, modes varying fastest.
func (o *Oracle) Configs() []Config {
	var list []Config
	for _, t := range o.Targets {
		for _, m := range t.Modes() {
			list = append(list, Config{t, m})
		}
	}
	return list
}

// Check asks all configurations of the subject's language about it, or about those members
// of a group whose needs the target meets. The first is
// number start modulo their number: if time is short, no configuration is always
// left out. Check stops at the first finding. The error is a *Contradiction if the
// subject is wrong rather than a compiler.
func (o *Oracle) Check(ctx context.Context, s subject.Subject, start uint64) (*Report, error) {
	some, err := o.Of(s.Artefact().Language)
	if err != nil {
		return &Report{}, err
	}
	r := &Report{}
	parts := map[string]subject.Subject{} // by target
	for _, t := range some.Targets {
		if parts[t.ID().String()], err = taken(s, t.Traits()); err != nil {
			return r, err
		}
	}
	some.Targets = slices.DeleteFunc(some.Targets, func(t compilers.Target) bool { return parts[t.ID().String()] == nil })
	q := &inquiry{Oracle: *some, answers: map[string][]byte{}, cost: &r.Cost, took: new(time.Duration)}
	configs := q.Configs()
	for i := range configs {
		cfg := configs[(start+uint64(i))%uint64(len(configs))]
		if o.Ask != nil && !o.Ask(cfg.Target, cfg.Mode) {
			continue
		}
		if o.short(ctx) {
			r.Skipped++
			continue
		}
		if done, err := q.checkIn(ctx, cfg, parts[cfg.Target.ID().String()], r); done || err != nil {
			return r, err
		}
	}
	return r, nil
}

// taken returns the part of a subject that a target of some traits can be asked about: the
// subject, or those members of a group that need nothing which it lacks, or nil.
func taken(s subject.Subject, t compilers.Traits) (subject.Subject, error) {
	if s.Artefact().Suits(t) {
		return s, nil
	}
	g, ok := s.(subject.Group)
	if !ok {
		return nil, nil
	}
	var some []int
	for i, m := range g.Members() {
		if m.Artefact().Suits(t) {
			some = append(some, i)
		}
	}
	if len(some) == 0 || len(g.Members()) == 1 {
		return nil, nil
	}
	part, err := g.Only(some...)
	if err != nil || !part.Artefact().Suits(t) {
		return nil, err
	}
	return part, nil
}

// suited returns the inquiry of those targets and sanitizers that can be asked about an
// artefact.
func (q *inquiry) suited(a subject.Artefact) *inquiry {
	own := *q
	own.Oracle = *q.without(func(t compilers.Target) bool { return !a.Suits(t.Traits()) })
	return &own
}

// checkIn asks one configuration, and tells whether it has led to a finding.
func (q *inquiry) checkIn(ctx context.Context, cfg Config, s subject.Subject, r *Report) (found bool, err error) {
	a, err := q.admit(ctx, s)
	if none, ok := errors.AsType[noAnswer](err); ok && ctx.Err() == nil {
		r.discard(cfg, none.Error(), true)
		return false, nil
	} else if err != nil {
		return false, err
	}
	built, compiled := cfg.Target.Build(ctx, q.Space, a.Job(cfg.Mode), q.limits(s))
	q.add(compiled)
	if built.Path != "" {
		defer built.Remove()
	}
	for own := q.hasty(); ; own = q {
		out := compiled
		if built.Path != "" {
			ran := cfg.Target.Run(ctx, built, nil, a.Want, own.Limits)
			q.add(ran)
			out = ran.After(compiled)
		}
		switch out.Verdict {
		case compilers.Discarded:
			if out.Disputed {
				var list []accused
				if g, ok := s.(subject.Group); ok {
					list = accuse(g.Guilty(out), out.Verdict)
				}
				r.unsure(cfg, others(s, true, list))
			}
			r.discard(cfg, out.Message, !out.Disputed)
			return false, nil
		case compilers.OK:
			r.Asked++
			return false, nil
		}
		// A failure in haste is one if it is confirmed, and else no answer.
		final := own == q || built.Path == "" || !out.Verdict.OfTime()
		guilty := q.guilty(ctx, cfg, s, built, out)
		if !final && len(guilty) == 0 {
			continue
		}
		open, cells := guilty, []Failure(nil)
		if final {
			open, cells = q.settle(cfg, s, guilty, out)
		}
		var found inquest
		if cells == nil || open != nil {
			found, err = q.investigate(ctx, cfg, s, out, numbers(open))
		}
		f, suspicions := found.finding, found.suspicions
		if !final && f == nil && err == nil && len(suspicions)+len(found.cells) == 0 && found.noAnswer+found.weight == "" {
			continue
		}
		r.Suspicions = append(r.Suspicions, suspicions...)
		cells = append(cells, found.cells...)
		r.Cells = append(r.Cells, cells...)
		rest := others(s, built.Path != "", guilty, append(names(cells), f.names()...)...)
		switch {
		case err != nil:
			return false, err
		case f != nil:
			r.Finding = f
		case len(cells) > 0 && found.noAnswer == "":
			r.Asked++
		case len(suspicions) > 0 && !slices.ContainsFunc(suspicions, func(f *Finding) bool { return !f.Note }):
			r.Asked++
			return false, nil
		default:
			if found.noAnswer == "" {
				r.unsure(cfg, rest)
			}
			r.discard(cfg, notConfirmed(out, found.weight, suspicions), found.noAnswer != "")
			return false, nil
		}
		r.At, r.Others, r.Open = cfg, rest, failures(cfg, s, open, rest)
		return f != nil || len(rest) > 0, nil
	}
}

// unsure notes that a configuration gave no sure answer about members of a subject.
func (r *Report) unsure(cfg Config, members []string) {
	r.Unsure = append(r.Unsure, Unsure{cfg, members})
}

// discard notes that a configuration gave no sure answer, or that the machine kept it
// from answering.
func (r *Report) discard(cfg Config, why string, unanswered bool) {
	r.Discarded++
	if unanswered {
		r.Unanswered++
	}
	r.Discards = append(r.Discards, cfg.String()+": "+why)
}

// members returns the members of a group, or the subject itself.
func members(s subject.Subject) []subject.Subject {
	if g, ok := s.(subject.Group); ok {
		return g.Members()
	}
	return []subject.Subject{s}
}

// short reports whether less than the reserve is left of the context's time.
func (o *Oracle) short(ctx context.Context) bool {
	deadline, ok := ctx.Deadline()
	return ctx.Err() != nil || ok && time.Until(deadline) < o.Reserve
}

// An inquiry is a call of Check: an oracle of its own, which may be changed, and the
// costs.
type inquiry struct {
	Oracle
	answers map[string][]byte // that were agreed on, by the names of subjects
	cost    *Cost
	took    *time.Duration // CPU time of the longest run that was right; copies of an inquiry share it
}

// add adds up the costs of a child.
func (q *inquiry) add(o compilers.Outcome) {
	q.cost.add(o)
	if o.Verdict == compilers.OK {
		*q.took = max(*q.took, o.RunCPU)
	}
}

// A noAnswer is why a question got no answer: the machine kept a child from answering.
type noAnswer string

// Error returns the reason.
func (n noAnswer) Error() string { return string(n) }

// unanswered returns why a question got no answer, or the reason of an earlier one.
func unanswered(o compilers.Outcome, earlier string) string {
	if o.Verdict == compilers.Discarded && !o.Disputed {
		return o.Message
	}
	return earlier
}

// limits returns the limits for a subject.
func (q *inquiry) limits(s subject.Subject) compilers.Limits {
	return q.Limits.ForFunctions(s.Weight())
}

// ask builds and runs a subject. A part of a group that is not admitted is
// Discarded, and Disputed unless the machine kept it from being admitted.
func (q *inquiry) ask(ctx context.Context, cfg Config, s subject.Subject) compilers.Outcome {
	a, err := q.admit(ctx, s)
	if err != nil {
		_, none := errors.AsType[noAnswer](err)
		return compilers.Outcome{Verdict: compilers.Discarded, Message: err.Error(), Disputed: !none && ctx.Err() == nil}
	}
	return q.test(ctx, cfg.Target, a.Job(cfg.Mode), q.limits(s))
}

// test runs a job and adds up what it costs.
func (q *inquiry) test(ctx context.Context, t compilers.Target, job compilers.Job, limits compilers.Limits) compilers.Outcome {
	out := compilers.Test(ctx, t, q.Space, job, limits)
	q.add(out)
	return out
}
