package triage

import (
	"context"
	"fmt"
	"slices"
	"syscall"

	"goreify/compilers"
	"goreify/compilers/bisect"
	"goreify/reify/reduce"
)

// A predicate says whether a candidate shows the failure of a subject.
type predicate struct {
	*subject
	ways []way
	// levels is how the original does at the other levels of its compiler, and
	// mend the flags that make it right, if there are any that mean the same for
	// another program.
	levels []levelVerdict
	mend   []string
}

// A levelVerdict is what becomes of a program at a level.
type levelVerdict struct {
	level   string
	verdict compilers.Verdict
}

// newPredicate asks the compiler that failed about the original at all levels.
func (s *subject) newPredicate(ctx context.Context, ways []way) (*predicate, error) {
	p := &predicate{subject: s, ways: ways, mend: s.mending()}
	for _, level := range s.oracle.Levels {
		// Nothing goes wrong where nothing is optimised, or the matrix tells.
		if level == s.entry.Level || level == "-O0" {
			continue
		}
		job := s.job()
		job.Level = level
		o := s.tool.Test(ctx, s.oracle.Space, job, s.patient())
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		if o.Verdict != compilers.Discarded {
			p.levels = append(p.levels, levelVerdict{level, o.Verdict})
		}
	}
	return p, nil
}

// mending returns the flags that make the original right and must make the
// reduced program right, too: those of the culprit or, if there are none, a flag
// that does alone. How many passes clang may run differs from program to program.
func (s *subject) mending() []string {
	flags := s.entry.MendedBy
	if s.tool.Family == compilers.Clang || len(flags) == 0 {
		flags = s.entry.MendedAlone[:min(1, len(s.entry.MendedAlone))]
	}
	return flags
}

// test compiles a candidate the cheapest way.
func (p *predicate) test(ctx context.Context, c reduce.Candidate) (bool, error) {
	w := p.ways[c.Form]
	return p.fails(ctx, p.tool, w, w.job(c.Program, p.entry.Level), p.hasty(), p.verdict)
}

// confirm makes sure that it is the same bug: it shows with the command that
// users type, at the levels at which the original fails and at no others, and the
// flags that mended the original mend it.
func (p *predicate) confirm(ctx context.Context, c reduce.Candidate) (bool, error) {
	w := p.ways[c.Form]
	job := w.job(c.Program, p.entry.Level)
	if ok, err := p.fails(ctx, p.tool.Plain(), w, job, p.patient(), p.verdict); !ok {
		return false, err
	}
	if len(p.mend) > 0 {
		mended := job
		mended.Extra = slices.Concat(job.Extra, p.mend)
		if ok, err := p.fails(ctx, p.tool, w, mended, p.hasty(), compilers.OK); !ok {
			return false, err
		}
	}
	for _, l := range p.levels {
		other := job
		other.Level = l.level
		o, err := p.ask(ctx, p.tool, w, other, p.hasty())
		if err != nil || !p.alike(o, l.verdict) {
			return false, err
		}
	}
	return true, nil
}

// alike compares the verdict of a level with that of the original: where that
// fails in its own way, another way that is not the one of the finding will do.
func (p *predicate) alike(now, before compilers.Verdict) bool {
	if before.Finding() && before != p.verdict {
		return now.Finding()
	}
	return now == before
}

// fails tells whether a job comes to the verdict.
func (p *predicate) fails(ctx context.Context, t compilers.Toolchain, w way, job compilers.Job, l compilers.Limits, want compilers.Verdict) (bool, error) {
	got, err := p.ask(ctx, t, w, job, l)
	return got == want, err
}

// ask returns the verdict on a job, in which a program that aborts since the
// answer is wrong has given a wrong answer. An internal error that is not the one
// of the finding is Rejected: it shows something, but not this. What the machine
// is to blame for is asked again.
func (p *predicate) ask(ctx context.Context, t compilers.Toolchain, w way, job compilers.Job, l compilers.Limits) (compilers.Verdict, error) {
	var o compilers.Outcome
	for range 2 {
		o = t.Test(ctx, p.oracle.Space, job, l)
		if ctx.Err() != nil {
			return compilers.Discarded, context.Cause(ctx)
		}
		if o.Verdict != compilers.Discarded {
			break
		}
	}
	return p.judge(w, o), nil
}

func (p *predicate) judge(w way, o compilers.Outcome) compilers.Verdict {
	switch {
	case o.Verdict == compilers.Crash && o.Signal == syscall.SIGABRT && w.aborts:
		return compilers.WrongAnswer
	case o.Verdict == compilers.InternalError && crashLine(o.Message) != crashLine(p.entry.Message):
		return compilers.Rejected
	}
	return o.Verdict
}

// gone says that the finding does not show, but something else.
func (s *subject) gone(o compilers.Outcome) error {
	return fmt.Errorf("%v %s: %v, not %v: %w", s.tool, s.entry.Level, o, s.verdict, bisect.ErrGone)
}
