package oracle

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"goreify/compilers"
	"goreify/corpus"
	"goreify/reify"
	"goreify/reify/emit/c"
)

// A Finding is a failure of a compiler.
type Finding struct {
	Cases     []*reify.Case // nearly always one
	Program   *Program      // in place of Cases, or nil
	Toolchain compilers.Toolchain
	Level     string
	Outcome   compilers.Outcome
	// Wrong is the function of Program whose answer is the first wrong one, if
	// the failure lasts when each call's answer is asserted.
	Wrong     string
	Bad       []corpus.Bad     // all configurations present that fail with this verdict
	Witnesses []corpus.Witness // what those consulted said
	// Apart are the configurations that fail on the same program with another
	// verdict, or are of another family: each a toolchain's String, a space and
	// the level, in the order asked. The bug is hardly the same, so they are to
	// be asked by a Check of their own.
	Apart []string
	// Incomplete says that time did not suffice to ask all configurations.
	Incomplete bool
	// OnlyDirect says of a suspicion that the program fails only if a linker is
	// called directly and not, as users do, by the compiler's driver.
	OnlyDirect bool
	// Doubt says of a suspicion, in a line, what a sanitizer reports that another
	// one does not, or which compilers are alone in being heard.
	Doubt string
}

// endless is how many times its limit the compilation of a whole program must
// take to count as one that does not end.
const endless = 8

// A judgement is what confirming came to.
type judgement int

const (
	confirmed   judgement = iota
	fluke                 // it did not happen again
	unconfirmed           // time, the machine or the witnesses did not suffice to tell, they contradict one another, or the linker decides
)

// mostDoubts bounds the parts of a batch that are looked into without a finding:
// a compiler that gets everything wrong, but not for sure, would last for minutes.
const mostDoubts = 12

// investigate looks into a failure, of which the guilty cases may be known. It
// ends with the first part of the batch whose failure is confirmed, and returns
// nil if there is none; what it met before and could not confirm are
// suspicions. The error is a *reify.GeneratorBug if the witnesses say that the
// program, not the compiler, is wrong.
func (q *inquiry) investigate(ctx context.Context, cfg config, b *batch, out compilers.Outcome, guilty []int) (f *Finding, suspicions []*Finding, err error) {
	if out.Verdict == compilers.SlowCompile {
		own := *q
		if b.program == nil {
			own.Limits.CompileCPU /= 2 // what hangs alone is soon told from what does not
		} else {
			// A program cannot be taken apart: what takes long may be large.
			own.Limits.CompileCPU *= endless
			own.Limits.CompileWall *= endless
			if out = own.ask(ctx, cfg, b); !out.Verdict.Finding() {
				return nil, nil, nil
			}
		}
		q = &own
	}
	doubts := 0
	for part, got := range q.isolate(ctx, cfg, b, out, guilty) {
		if got.Verdict == compilers.SlowCompile && len(part.cases) > 1 {
			break // many functions, not a slow compiler
		}
		f, judged, err := q.confirm(ctx, cfg, part, got)
		switch {
		case err != nil:
			return nil, suspicions, err
		case judged == confirmed:
			return f, suspicions, nil
		case judged == unconfirmed:
			suspicions = append(suspicions, f)
		}
		if doubts++; doubts == mostDoubts {
			break
		}
	}
	return nil, suspicions, nil
}

// confirm runs a failing part of a batch again. The finding is nil for a fluke.
func (q *inquiry) confirm(ctx context.Context, cfg config, b *batch, out compilers.Outcome) (*Finding, judgement, error) {
	// From here on all programs are built by the commands that users type.
	direct := cfg
	cfg.toolchain = cfg.toolchain.Plain()
	q = q.plain()
	again := q.ask(ctx, cfg, b)
	f := &Finding{Cases: b.cases, Program: b.program, Toolchain: cfg.toolchain, Level: cfg.level, Outcome: again}
	// What depends on where the linker puts things may fail in another way then:
	// it counts if it does so twice.
	if !out.Same(again) && !(again.Verdict.Finding() && again.Same(q.ask(ctx, cfg, b))) {
		f.Outcome = out
		if ctx.Err() != nil {
			return f, unconfirmed, nil
		}
		if direct.toolchain.Direct() && q.ask(ctx, direct, b).Same(out) {
			f.OnlyDirect = true
			return f, unconfirmed, nil
		}
		return nil, fluke, nil
	}
	f.addBad(cfg)
	sure, doubt := q.consult(ctx, f, b)
	switch {
	case doubt != "":
		return nil, confirmed, &reify.GeneratorBug{
			Program: string(f.Entry().Format()),
			Err:     fmt.Errorf("%s says %v, but %s", cfg, again.Verdict, doubt),
		}
	case !sure:
		return f, unconfirmed, nil
	}
	return f, confirmed, nil
}

// plain returns the inquiry with the toolchains as their users know them.
func (q *inquiry) plain() *inquiry {
	p := *q
	p.Toolchains = slices.Clone(q.Toolchains)
	for i, t := range p.Toolchains {
		p.Toolchains[i] = t.Plain()
	}
	return &p
}

// consult asks other configurations about a failing program and notes what
// they say. It returns whether the compiler is surely to blame, and else why
// the program is to be doubted, or nothing if nobody could tell.
//
// The interpreter has proved the program, so a compiler that crashes or does
// not end is to blame whatever others say. A wrong answer counts if some
// compiler gets the right one at -O0 and no sanitizer objects: a sanitizer's
// report, or compilers of two families that are all wrong at -O0, accuse the
// generator. A report that the sanitizers of another family contradict accuses
// neither (see object), nor do compilers of one family that are wrong at -O0, with
// nobody else to answer: what gcc-12 folds wrongly before it optimises, so does
// gcc-11. A program that is rejected must be accepted by another compiler.
func (q *inquiry) consult(ctx context.Context, f *Finding, b *batch) (sure bool, doubt string) {
	right, refused := 0, 0
	var wrong []compilers.Family // each once
	misled := map[string]bool{}  // compilers, by path, that are wrong without optimising
	for _, t := range q.Toolchains {
		cfg := config{t, "-O0"}
		out := q.askAbout(ctx, f, cfg, b)
		f.witness(cfg.String(), out)
		misled[t.Path] = misled[t.Path] || out.Verdict.Finding()
		switch out.Verdict {
		case compilers.OK:
			right++
		case compilers.Rejected:
			refused++
		case compilers.WrongAnswer, compilers.Crash, compilers.Endless:
			if !slices.Contains(wrong, t.Family) {
				wrong = append(wrong, t.Family)
			}
		}
	}
	ended := f.Outcome.Verdict == compilers.InternalError || f.Outcome.Verdict == compilers.SlowCompile
	if !ended {
		objection, stands := q.object(ctx, f, b, right, misled)
		switch {
		case stands:
			return false, objection
		case objection != "":
			f.disputed(objection)
		}
	}
	if f.Program != nil {
		job := b.job(f.Level)
		files := f.Program.Debug()
		job.Source, job.More = files[0].Content, files[1:]
		out := q.test(ctx, f.Toolchain, job, q.limits(b))
		f.Wrong = c.Blamed(out.Stdout)
		if p, declared := f.Program.undeclared(); declared {
			// If this mends it, its readers will look at the attributes first.
			out := q.test(ctx, f.Toolchain, p.Job(f.Level), q.limits(b))
			f.witness(f.Toolchain.String()+" "+f.Level+" without pure and const", out)
		}
	}
	sure = (right > 0 || ended) && f.Doubt == ""
	if !sure && right == 0 && ctx.Err() == nil {
		const doubt = "no compiler gets the answer right at -O0"
		switch {
		case len(wrong) > 1, refused > 1:
			return false, doubt
		case len(wrong) == 1 && f.Doubt == "":
			f.disputed(fmt.Sprintf("%s, but all that answered are %ss", doubt, wrong[0]))
		}
	}
	for _, cfg := range q.configs() {
		if cfg.level == "-O0" {
			continue
		}
		if ctx.Err() != nil {
			break
		}
		if out := q.askAbout(ctx, f, cfg, b); out.Verdict.Finding() && out.Verdict != f.Outcome.Verdict {
			f.witness(cfg.String(), out)
		}
	}
	f.Incomplete = ctx.Err() != nil
	return sure, ""
}

// askAbout asks a configuration about the program of a finding and notes if it
// fails: as bad if in the same way, and else, or if the family is another, apart.
// Another verdict among the bad would give a second bug the fingerprint of the
// first. What fails once and not again would give one bug many fingerprints: the
// outcome is then Discarded, and not noted.
func (q *inquiry) askAbout(ctx context.Context, f *Finding, cfg config, b *batch) compilers.Outcome {
	if cfg.toolchain.String() == f.Toolchain.String() && cfg.level == f.Level {
		return f.Outcome
	}
	out := q.ask(ctx, cfg, b)
	if !out.Verdict.Finding() {
		return out
	}
	if again := q.ask(ctx, cfg, b); !out.Same(again) {
		again.Verdict = compilers.Discarded
		return again
	}
	if out.Verdict == f.Outcome.Verdict {
		f.addBad(cfg)
	}
	if out.Verdict != f.Outcome.Verdict || cfg.toolchain.Family != f.Toolchain.Family {
		f.Apart = append(f.Apart, cfg.String())
	}
	return out
}

func (f *Finding) witness(who string, out compilers.Outcome) {
	f.Witnesses = append(f.Witnesses, corpus.Witness{Who: who, Said: out.Verdict.String()})
}

func (f *Finding) addBad(cfg config) {
	t := cfg.toolchain
	for i, b := range f.Bad {
		if b.Family == string(t.Family) && b.Version == t.Version && slices.Equal(b.Args, t.Args) {
			if !slices.Contains(b.Levels, cfg.level) { // two names of one version
				f.Bad[i].Levels = append(b.Levels, cfg.level)
			}
			return
		}
	}
	f.Bad = append(f.Bad, corpus.Bad{Family: string(t.Family), Version: t.Version, Args: t.Args, Levels: []string{cfg.level}})
}

// String says in a line what was found.
func (f *Finding) String() string {
	var bad []string
	for _, b := range f.Bad {
		bad = append(bad, strings.Join(slices.Concat([]string{b.Family, b.Version}, b.Args, b.Levels), " "))
	}
	return fmt.Sprintf("%v %s: %v %s (fails: %s)", f.Toolchain, f.Level, f.Outcome.Verdict, f.Outcome.Message, strings.Join(bad, "; "))
}
