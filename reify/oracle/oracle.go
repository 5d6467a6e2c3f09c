package oracle

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"goreify/compilers"
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
// this machine's own whose sanitizers could object to a program. Programs in LLVM IR need none:
// they are executed.
func (o *Oracle) Judged() error {
	return o.judged(func(t compilers.Target) bool { return t.Language() != compilers.LLVM })
}

// judged is Judged of the targets for which it matters.
func (o *Oracle) judged(matters func(compilers.Target) bool) error {
	emulated := func(t compilers.Target) bool { return t.Traits().Emulated && matters(t) }
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
