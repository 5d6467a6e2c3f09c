package triage

import (
	"context"
	"syscall"

	"goreify/compilers"
	"goreify/compilers/bisect"
	"goreify/reify/reduce"
)

// A predicate says whether a candidate shows a failure.
type predicate struct {
	*failure
	forms []form
	// modes are the other modes of the compiler that failed. mend is the flags that make
	// the original right, if there are any that mean the same for another program.
	modes []peer
	mend  []string
	// without leaves out the culprit, if the original is right then.
	without []string
	light   bool   // a reference mode that does as much takes a tenth of the limit at most
	peers   []peer // the newest first
}

// newPredicate asks the compiler that failed about the original in all modes.
func (f *failure) newPredicate(ctx context.Context, forms []form) (*predicate, error) {
	p := &predicate{failure: f, forms: forms, mend: f.mending()}
	if job := f.job(); len(f.leaveOut()) > 0 {
		job.Extra = f.leaveOut()
		o, err := f.run(ctx, f.target, job)
		if err != nil {
			return nil, err
		}
		if o.Verdict == compilers.OK {
			p.without = job.Extra
		}
	}
	for _, mode := range f.target.Modes() {
		// Modes that optimise nothing are not asked about if the matrix has their
		// verdict.
		if mode == f.entry.Mode || mode == f.target.Reference() {
			continue
		}
		job := f.job()
		job.Mode = mode
		o, err := f.run(ctx, f.target, job)
		if err != nil {
			return nil, err
		}
		if o.Verdict != compilers.Discarded {
			p.modes = append(p.modes, peer{f.target, mode, o.Verdict, o.Crash})
		}
	}
	var err error
	if p.light, err = p.isLight(ctx, question{f.target, form{}, f.job(), f.oracle.Limits, ""}); err != nil {
		return nil, err
	}
	p.peers, err = f.findPeers(ctx)
	return p, err
}

// isLight tells whether a program that meets a limit of time does so by the fault of its
// target: the reference mode, where it trains functions as often, takes a tenth of the
// limit at most. Other failures are light.
func (p *predicate) isLight(ctx context.Context, q question) (bool, error) {
	if !p.verdict.OfTime() {
		return true, nil
	}
	job, together := compilers.Timed(q.target, q.job)
	o, err := p.failure.ask(ctx, q.target, job, p.oracle.Limits)
	took, limit := p.oracle.Limits.Spent(p.verdict, o, together)
	return o.Verdict == compilers.OK && (limit <= 0 || took <= limit/compilers.Patience), err
}

// mending returns the flags that make the original right and must make the reduced
// program right, too. These are the culprit's, if they mean the same for another
// program, or else a flag that suffices alone.
func (f *failure) mending() []string {
	transferable := bisect.MethodsOf(f.target.ID().Family).Transferable
	switch {
	case f.cut && transferable:
		return f.rough
	case transferable && len(f.entry.MendedBy) > 0:
		return f.entry.MendedBy
	}
	return f.entry.MendedAlone[:min(1, len(f.entry.MendedAlone))]
}

// A question is the job of a compiler that is asked about a candidate.
type question struct {
	target compilers.Target
	form   form // that the program is written in
	job    compilers.Job
	limits compilers.Limits
	crash  string // where an internal error must be
}

// question returns the cheapest one: in the mode of the finding, in haste.
func (p *predicate) question(c reduce.Candidate) question {
	form := p.forms[c.Form]
	return question{p.target, form, form.job(c.Program, p.entry.Mode), p.hasty(), p.first.Crash}
}

// test asks the cheapest question.
func (p *predicate) test(ctx context.Context, c reduce.Candidate) (bool, error) {
	return p.gives(ctx, p.question(c), p.verdict)
}

func (p *predicate) confirm(ctx context.Context, c reduce.Candidate) (bool, error) {
	return p.confirms(ctx, p.question(c))
}

func (p *predicate) sure(ctx context.Context, c reduce.Candidate) (bool, error) {
	return p.isSure(ctx, p.question(c))
}

// confirms asks again, with the command that users type, three questions. Does the
// candidate become right by leaving out the culprit, or else by the flags that mended
// the original? Does it fail in the modes in which the original fails and in no other
// modes? Do the newest and the oldest of the other versions that failed still fail?
func (p *predicate) confirms(ctx context.Context, q question) (bool, error) {
	mend := p.mend
	if len(p.without) > 0 {
		mend = p.without
	}
	ends := p.peers
	if n := len(ends); n > 2 { // a bug in both hardly ever lacks in between
		ends = []peer{p.peers[0], p.peers[n-1]}
	}
	return allHold(
		func() (bool, error) { return p.failsPlainly(ctx, q) },
		func() (bool, error) { return p.mends(ctx, q, mend) },
		func() (bool, error) { return p.agrees(ctx, q, p.modes) },
		func() (bool, error) { return p.agrees(ctx, q, ends) },
	)
}

// allHold asks questions, up to the first whose answer is no.
func allHold(questions ...func() (bool, error)) (bool, error) {
	for _, ask := range questions {
		if ok, err := ask(); !ok {
			return false, err
		}
	}
	return true, nil
}

// failsPlainly tells whether a candidate fails with the command that users type.
func (p *predicate) failsPlainly(ctx context.Context, q question) (bool, error) {
	q.target = compilers.Plain(q.target)
	return p.gives(ctx, q, p.verdict)
}

// mends tells whether flags, if there are any, make a candidate right.
func (p *predicate) mends(ctx context.Context, q question, flags []string) (bool, error) {
	if len(flags) == 0 {
		return true, nil
	}
	q.job.Extra = flags
	return p.gives(ctx, q, compilers.OK)
}

// isSure makes sure that the candidate shows the same bug. It does what confirms does,
// more than once, as a compiler may be wrong only now and then, and with more patience.
// It also asks whether both the flags and leaving out the culprit mend it, and whether
// all other versions that failed on the original still do.
func (p *predicate) isSure(ctx context.Context, q question) (bool, error) {
	patient := q
	patient.limits = p.patient()
	return allHold(
		func() (bool, error) { return p.confirms(ctx, q) },
		func() (bool, error) { return p.gives(ctx, q, p.verdict) },
		func() (bool, error) { return p.failsPlainly(ctx, patient) },
		func() (bool, error) { return p.mends(ctx, q, p.mend) },
		func() (bool, error) { return p.agrees(ctx, q, p.peers) },
		func() (light bool, err error) {
			if !p.light {
				return true, nil
			}
			return p.isLight(ctx, q)
		},
	)
}

// alike compares the verdict in a mode with that of the original. Where the original
// fails in another way than the finding, any such way will do.
func (p *predicate) alike(now, before compilers.Verdict) bool {
	if before.Finding() && before != p.verdict {
		return now.Finding()
	}
	return now == before
}

// gives tells whether the answer to a question is the verdict.
func (p *predicate) gives(ctx context.Context, q question, want compilers.Verdict) (bool, error) {
	got, err := p.ask(ctx, q)
	return got == want, err
}

// ask returns the verdict on a candidate, in which a program that aborts since the
// answer is wrong has given a wrong answer. An internal error that is not the one of
// the original is Rejected: it is a failure, and not this one. A failure of the machine
// is an error.
func (p *predicate) ask(ctx context.Context, q question) (compilers.Verdict, error) {
	o, err := p.failure.ask(ctx, q.target, q.job, q.limits)
	switch {
	case err != nil:
		return compilers.Discarded, err
	case ctx.Err() != nil:
		return compilers.Discarded, context.Cause(ctx)
	case o.Verdict == compilers.Crash && o.Signal == syscall.SIGABRT && q.form.Aborts:
		return compilers.WrongAnswer, nil
	case o.Verdict == compilers.InternalError && o.Crash != q.crash:
		return compilers.Rejected, nil
	}
	return o.Verdict, nil
}
