package oracle

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"goreify/compilers"
	"goreify/corpus"
	"goreify/reify/subject"
)

// A variant compiles slowly if it takes this many times as long as its seed at the same
// configuration, and at least this long.
const (
	slower    = 10
	slowAlone = 2 * time.Second
)

// strictly returns why a failure of an unproved program is to be doubted, or nothing:
// such a program may be undefined in ways that no sanitizer sees. It follows object,
// and reads the answers of the witnesses. The second result is why a question had no
// answer, or nothing.
//
// A program that goes wrong when it runs accuses the compiler only if all of the
// following hold. Its seed is right at the same configuration. Compilers of two
// families are right about it in their reference modes, and sanitizers of two families
// are content. It does the same whatever value uninitialised variables have. The
// failure does not go away when objects may be accessed as any type and floating-point
// operations are not contracted. An internal error always counts.
func (q *inquiry) strictly(ctx context.Context, f *Finding) (doubt, none string) {
	switch f.Outcome.Verdict {
	case compilers.InternalError:
		return "", ""
	case compilers.Rejected:
		return "a compiler may be right to reject a program that is not proved", ""
	case compilers.SlowCompile:
		return q.slowerThanSeed(ctx, f)
	}
	steps := []func(context.Context, *Finding) (doubt, none string){q.seedToo, q.unanimous, q.uninitialised, q.aliased}
	for _, step := range steps {
		doubt, none := step(ctx, f)
		switch {
		case ctx.Err() != nil:
			return "not all could be asked in time", none
		case doubt != "":
			return doubt, none
		}
	}
	return "", ""
}

// seed returns the seed of a variant with its answer, or nil.
func (f *Finding) seed() *subject.Artefact {
	reference := f.Subject.Artefact().Reference
	if reference == nil {
		return nil
	}
	seed := *reference
	seed.Want = f.answer()
	return &seed
}

// answer returns what the program must print.
func (f *Finding) answer() []byte {
	if f.want != nil {
		return f.want
	}
	return f.Subject.Artefact().Want
}

// askSeed asks the configuration that fails about the seed, if there is one.
func (q *inquiry) askSeed(ctx context.Context, f *Finding) (out compilers.Outcome, ok bool) {
	seed := f.seed()
	if seed == nil {
		return out, false
	}
	return q.test(ctx, f.Target, seed.Job(f.Mode), q.limits(f.Subject)), true
}

// seedToo tells whether that configuration fails on the seed as well.
func (q *inquiry) seedToo(ctx context.Context, f *Finding) (doubt, none string) {
	out, ok := q.askSeed(ctx, f)
	if !ok {
		return "", ""
	}
	f.witness(f.Config.String()+" (the seed)", out)
	if out.Verdict != compilers.OK {
		return fmt.Sprintf("%s is not right about the seed either: %v", f.Config, out), unanswered(out, "")
	}
	return "", ""
}

func (q *inquiry) slowerThanSeed(ctx context.Context, f *Finding) (doubt, none string) {
	out, ok := q.askSeed(ctx, f)
	if !ok {
		return "", ""
	}
	took := f.Outcome.CompileCPU
	if out.Verdict == compilers.Discarded || out.Verdict == compilers.SlowCompile || took < slower*out.CompileCPU || took < slowAlone {
		return fmt.Sprintf("it took %.1f s of CPU time to compile, and its seed %.1f s: %v", took.Seconds(), out.CompileCPU.Seconds(), out), unanswered(out, "")
	}
	return "", ""
}

// unanimous tells whether all witnesses are content: the compilers in reference modes
// for which the program means the same, and the sanitizers.
func (q *inquiry) unanimous(_ context.Context, f *Finding) (doubt, none string) {
	own := f.Target.Traits()
	for _, group := range []struct {
		targets []compilers.Target
		what    string
	}{{q.Targets, "compilers, without optimising,"}, {q.Sanitizers, "sanitizers"}} {
		var families []string
		for _, t := range group.targets {
			who := compilers.Name(t, t.Reference())
			i := slices.IndexFunc(f.Witnesses, func(w corpus.Witness) bool { return w.Who == who })
			switch content := i >= 0 && f.Witnesses[i].Said == compilers.OK.String(); {
			case content && !slices.Contains(families, t.ID().Family):
				families = append(families, t.ID().Family)
			case !content && own.Alike(t.Traits()):
				return fmt.Sprintf("the program is not proved, and %s is not content", who), ""
			}
		}
		if len(families) < 2 {
			return fmt.Sprintf("the program is not proved, and there are no %s of two families to be content", group.what), ""
		}
	}
	return "", ""
}

// lenient returns what a target can take a program for.
func lenient(t compilers.Target) (compilers.Lenient, bool) {
	if tuned, ok := t.(compilers.Tuned); ok {
		t = tuned.Target
	}
	l, ok := t.(compilers.Lenient)
	return l, ok
}

// uninitialised gives uninitialised variables one value and another.
func (q *inquiry) uninitialised(ctx context.Context, f *Finding) (doubt, none string) {
	own := f.Target.Traits()
	asked, answered := false, false
	for _, t := range q.Targets {
		l, ok := lenient(t)
		if !ok || !own.Alike(t.Traits()) {
			continue
		}
		asked = true
		for _, fill := range l.Filled() {
			out := q.with(ctx, f, Config{t, t.Reference()}, fill)
			switch out.Verdict {
			case compilers.OK:
				answered = true
			case compilers.Rejected: // by a version that does not know the argument
			default:
				return fmt.Sprintf("with %s %s says %v", fill, compilers.Name(t, t.Reference()), out), unanswered(out, "")
			}
		}
	}
	if asked && !answered {
		return "no compiler here can give a value to what is not initialised", ""
	}
	return "", ""
}

// aliased lets objects be accessed as any type, and has all operations round.
func (q *inquiry) aliased(ctx context.Context, f *Finding) (doubt, none string) {
	l, ok := lenient(f.Target)
	if !ok || len(l.Forgiving()) == 0 {
		return "", ""
	}
	flags := strings.Join(l.Forgiving(), " ")
	out := q.with(ctx, f, f.Config, l.Forgiving()...)
	f.witness(f.Config.String()+" "+flags, out)
	switch out.Verdict {
	case compilers.OK:
		return flags + " mends it, and the program is not proved to be defined without", ""
	case compilers.Discarded:
		return fmt.Sprintf("with %s there was no answer: %s", flags, out.Message), unanswered(out, "")
	}
	return "", ""
}

// with asks a configuration with further arguments about the program of a finding.
func (q *inquiry) with(ctx context.Context, f *Finding, cfg Config, args ...string) compilers.Outcome {
	a := f.Subject.Artefact()
	a.Want = f.answer()
	job := a.Job(cfg.Mode)
	job.Extra = args
	return q.test(ctx, cfg.Target, job, q.limits(f.Subject))
}

// broken tells whether the edit of a variant, not the seed, is to blame for the
// objections of sanitizers: they do not object to the seed.
func (q *inquiry) broken(ctx context.Context, f *Finding) bool {
	seed := f.seed()
	if seed == nil || ctx.Err() != nil {
		return false
	}
	for _, s := range q.Sanitizers {
		out := q.test(ctx, s, seed.Job(s.Reference()), q.limits(f.Subject).ForSanitizers())
		f.witness(compilers.Name(s, s.Reference())+" (the seed)", out)
		if out.Verdict != compilers.OK {
			return false
		}
	}
	return true
}
