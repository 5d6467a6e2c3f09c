package triage

import (
	"context"
	"syscall"

	"goreify/compilers"
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
	// without leaves out the culprit, if the original is right then.
	without []string
}

// A levelVerdict is what becomes of a program at a level.
type levelVerdict struct {
	level   string
	verdict compilers.Verdict
}

// newPredicate asks the compiler that failed about the original at all levels.
func (s *subject) newPredicate(ctx context.Context, ways []way) (*predicate, error) {
	p := &predicate{subject: s, ways: ways, mend: s.mending()}
	if s.tool.Family == compilers.GCC && s.entry.Culprit != "" {
		job := s.job()
		job.Extra = []string{"-fdisable-" + s.entry.Culprit}
		if s.tool.Test(ctx, s.oracle.Space, job, s.patient()).Verdict == compilers.OK {
			p.without = job.Extra
		}
	}
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
	if s.cut && s.tool.Family != compilers.Clang {
		return s.rough
	}
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

// confirm asks again, with the command that users type, whether leaving out the
// culprit, or else the flags that mended the original, mends the candidate, and
// whether it fails at the levels at which the original fails and at no others.
func (p *predicate) confirm(ctx context.Context, c reduce.Candidate) (bool, error) {
	w := p.ways[c.Form]
	job := w.job(c.Program, p.entry.Level)
	if ok, err := p.fails(ctx, p.tool.Plain(), w, job, p.hasty(), p.verdict); !ok {
		return false, err
	}
	mend := p.mend
	if len(p.without) > 0 {
		mend = p.without
	}
	if ok, err := p.mends(ctx, w, job, mend); !ok {
		return false, err
	}
	return p.keepsLevels(ctx, w, job)
}

func (p *predicate) keepsLevels(ctx context.Context, w way, job compilers.Job) (bool, error) {
	for _, l := range p.levels {
		job.Level = l.level
		o, err := p.ask(ctx, p.tool, w, job, p.hasty())
		if err != nil || !p.alike(o, l.verdict) {
			return false, err
		}
	}
	return true, nil
}

// mends tells whether flags, if there are any, make a job right.
func (p *predicate) mends(ctx context.Context, w way, job compilers.Job, flags []string) (bool, error) {
	if len(flags) == 0 {
		return true, nil
	}
	job.Extra = flags
	return p.fails(ctx, p.tool, w, job, p.hasty(), compilers.OK)
}

// sure makes sure that it is the same bug: what confirm does, more than once as a
// compiler may be wrong now and then and with more patience, and whether both the
// flags and leaving out the culprit mend it.
func (p *predicate) sure(ctx context.Context, c reduce.Candidate) (bool, error) {
	w := p.ways[c.Form]
	job := w.job(c.Program, p.entry.Level)
	for _, ask := range []func() (bool, error){
		func() (bool, error) { return p.confirm(ctx, c) },
		func() (bool, error) { return p.test(ctx, c) },
		func() (bool, error) { return p.fails(ctx, p.tool.Plain(), w, job, p.patient(), p.verdict) },
		func() (bool, error) { return p.mends(ctx, w, job, p.mend) },
	} {
		if ok, err := ask(); !ok {
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
	case o.Verdict == compilers.InternalError && compilers.CrashLine(o.Stderr) != p.crash:
		return compilers.Rejected
	}
	return o.Verdict
}
