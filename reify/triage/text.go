package triage

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"

	"goreify/compilers"
	"goreify/corpus"
	"goreify/reify/others"
	"goreify/reify/reduce"
)

// mostTextTests bounds how many candidates of a text are asked about: their answers are
// unknown, so each costs up to a dozen compilations.
const mostTextTests = 4000

// A textPredicate says whether a text shows a failure. The text is not proved. Its
// answer is the output on which compilers of two families agree without optimising, if
// the sanitizers of both are content.
type textPredicate struct {
	*predicate
	judges []compilers.Target // of two families, the one that failed first; asked in their reference modes
	tests  int
	want   []byte // the output of the last text that holds
}

// reduceText reduces a program that others wrote: edits of its seed are undone as far
// as the rest still shows the failure, then the text is cut.
func (f *failure) reduceText(ctx context.Context, opt Options) (*Reduction, error) {
	e := f.entry
	v, err := others.VariantOf(e)
	if err != nil {
		return nil, err
	}
	t, err := f.newTextPredicate(ctx)
	if err != nil {
		return nil, err
	}
	limited, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	holds := func(text []byte) bool {
		if limited.Err() != nil {
			return false
		}
		ok, err := t.holds(limited, text)
		switch {
		case err != nil && limited.Err() == nil:
			stop(err)
		case t.tests >= mostTextTests:
			stop(errEnough)
		}
		return ok
	}
	if !holds([]byte(e.Sources[e.Main])) {
		if err := context.Cause(limited); err != nil {
			return nil, err
		}
		return nil, fmt.Errorf("compilers of two families and sanitizers are to be content with it, and the failure is to be the same: %w", reduce.ErrNotReproduced)
	}
	opt.progress("reduces the text, beginning with %d edits", v.Edits())
	rest := v.Reduce(limited, holds)
	best := rest.Text
	switch err := context.Cause(limited); {
	case ctx.Err() != nil:
		return nil, context.Cause(ctx)
	case err != nil && !errors.Is(err, errEnough):
		return nil, err
	}
	opt.progress("%d of %d edits matter; %d lines after %d tests", rest.Edits, v.Edits(), textLines(string(best)), t.tests)
	if opt.Cvise > 0 {
		cut, err := t.cvise(ctx, best, opt)
		if err != nil {
			return nil, err
		}
		best = cut
	}
	if ok, err := t.sureOf(ctx, best); err != nil || !ok {
		return nil, errors.Join(err, fmt.Errorf("the result of the reduction: %w", reduce.ErrFlaky))
	}
	e.SetNote(corpus.NoteEditsLeft, corpus.OneLine(rest.Passes))
	if best[len(best)-1] != '\n' {
		best = append(slices.Clone(best), '\n')
	}
	members := map[string]string{corpus.ReducedWantFile: string(t.want)}
	if rest.Edits > 0 {
		members[corpus.LeftFile] = rest.Record
	}
	return &Reduction{Form: "source text", Tests: t.tests, target: compilers.Plain(t.target), job: t.job(best), members: members}, nil
}

// errEnough ends a reduction that has asked about mostTextTests candidates.
var errEnough = errors.New("enough candidates")

// cvise returns the text as reduced by cvise. It returns the text itself if the result
// is not the same failure for sure, or if cvise is not installed.
func (t *textPredicate) cvise(ctx context.Context, text []byte, opt Options) ([]byte, error) {
	f := CFile{
		Source: text, Target: compilers.Plain(t.target), Mode: t.entry.Mode, Sanitized: t.oracle.Sanitizers,
		Judges: [2]compilers.Target{compilers.Plain(t.judges[0]), compilers.Plain(t.judges[1])},
	}
	r, err := Cvise(ctx, t.oracle.Space, f, opt.Cvise, opt.Workers)
	switch {
	case ctx.Err() != nil:
		return nil, context.Cause(ctx)
	case err != nil:
		opt.progress("cvise does not go on: %s", corpus.OneLine(err.Error()))
		return text, nil
	}
	ok, err := t.holds(ctx, r.Source)
	if err != nil || !ok {
		return text, err
	}
	opt.progress("cvise leaves %d lines of %d, %.1f CPU s", textLines(string(r.Source)), textLines(string(text)), r.CPU.Seconds())
	return r.Source, nil
}

// newTextPredicate asks the compiler that failed about the original in all modes.
func (f *failure) newTextPredicate(ctx context.Context) (*textPredicate, error) {
	p, err := f.newPredicate(ctx, nil)
	if err != nil {
		return nil, err
	}
	t := &textPredicate{predicate: p, judges: []compilers.Target{f.target}}
	own := f.target.ID()
	for _, other := range slices.Backward(f.oracle.Targets) {
		if other.ID().Family != own.Family && other.Traits().Alike(f.target.Traits()) {
			t.judges = append(t.judges, other)
			return t, nil
		}
	}
	return nil, fmt.Errorf("a compiler of another family than %s is needed to tell the answer of a text", own.Family)
}

// job returns the job for a text, whose answer is t.want.
func (t *textPredicate) job(text []byte) compilers.Job {
	return compilers.Job{Files: []compilers.File{{Name: t.entry.Main, Content: text}}, Want: t.want, Mode: t.entry.Mode}
}

// ended says whether the failure is that of a compiler, for which no answer matters.
func (t *textPredicate) ended() bool {
	return t.verdict == compilers.InternalError || t.verdict == compilers.SlowCompile || t.verdict == compilers.Rejected
}

// holds tells whether a text shows the failure: first whether the compiler that
// failed still differs from itself without optimising, then what costs more.
func (t *textPredicate) holds(ctx context.Context, text []byte) (bool, error) {
	t.tests++
	last := t.want
	ok, err := t.shows(ctx, text)
	if !ok {
		t.want = last
	}
	return ok, err
}

func (t *textPredicate) shows(ctx context.Context, text []byte) (bool, error) {
	var ok bool
	var err error
	if t.ended() { // the compiler fails, and must fail on a valid program
		if ok, err = t.gives(ctx, t.questionOf(text), t.verdict); !ok {
			return false, err
		}
	}
	if ok, err = t.answered(ctx, text); !ok {
		return false, err
	}
	q := t.questionOf(text)
	return allHold(
		func() (bool, error) { return t.gives(ctx, q, t.verdict) },
		func() (bool, error) { return t.agreed(ctx, text) },
		func() (bool, error) { return t.confirms(ctx, q) },
		func() (bool, error) { return t.defined(ctx, text) },
	)
}

// sureOf makes sure that the result shows the same bug.
func (t *textPredicate) sureOf(ctx context.Context, text []byte) (bool, error) {
	if ok, err := t.shows(ctx, text); !ok {
		return false, err
	}
	return t.isSure(ctx, t.questionOf(text))
}

func (t *textPredicate) questionOf(text []byte) question {
	return question{target: t.target, job: t.job(text), limits: t.hasty(), crash: t.first.Crash}
}

// answered sets t.want to the output of the text at the compiler that failed without
// optimising, if there is some and the exit status is 0.
func (t *textPredicate) answered(ctx context.Context, text []byte) (bool, error) {
	job := t.job(text)
	job.Want, job.Mode = nil, t.target.Reference()
	o, err := t.answer(ctx, t.target, func() compilers.Outcome {
		built, o := t.target.Build(ctx, t.oracle.Space, job, t.hasty())
		if built.Path == "" {
			return o
		}
		defer built.Remove()
		if o = t.target.Run(ctx, built, nil, nil, t.hasty()); o.Verdict != compilers.WrongAnswer {
			return o
		}
		return t.target.Run(ctx, built, nil, o.Stdout, t.hasty())
	})
	if err != nil || o.Verdict != compilers.OK || !bytes.HasSuffix(o.Stdout, []byte("\n")) {
		return false, err
	}
	t.want = o.Stdout
	return true, nil
}

// agreed asks the other family.
func (t *textPredicate) agreed(ctx context.Context, text []byte) (bool, error) {
	for _, judge := range t.judges[1:] {
		job := t.job(text)
		job.Mode = judge.Reference()
		if ok, err := t.gives(ctx, question{target: judge, job: job, limits: t.patient()}, compilers.OK); !ok {
			return false, err
		}
	}
	return true, nil
}

// defined asks the sanitizers, which see undefined behaviour in a text.
func (t *textPredicate) defined(ctx context.Context, text []byte) (bool, error) {
	if t.ended() {
		return true, nil
	}
	job := t.job(text)
	for _, s := range t.oracle.Sanitizers {
		job.Mode = s.Reference()
		if ok, err := t.gives(ctx, question{target: s, job: job, limits: t.oracle.Limits.ForSanitizers()}, compilers.OK); !ok {
			return false, err
		}
	}
	for _, judge := range t.judges {
		l, ok := compilers.Plain(judge).(compilers.Lenient)
		if !ok {
			continue
		}
		for _, fill := range l.Filled() {
			job.Mode, job.Extra = judge.Reference(), []string{fill}
			got, err := t.ask(ctx, question{target: judge, job: job, limits: t.patient()})
			if err != nil || got != compilers.OK && got != compilers.Rejected {
				return false, err
			}
		}
	}
	if l, ok := compilers.Plain(t.target).(compilers.Lenient); ok {
		q := t.questionOf(text)
		q.job.Extra = l.Forgiving()
		return t.gives(ctx, q, t.verdict)
	}
	return true, nil
}
