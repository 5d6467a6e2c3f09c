package triage

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"time"

	"goreify/compilers/bisect"
	"goreify/corpus"
	"goreify/reify/oracle"
)

// Blame names the pass that is to blame for the failure that an entry shows, and
// returns a copy of the entry that says so. Its errors are those of Finding,
// without those of a reduction. That nobody is to blame is none: the culprit is
// empty then. The search may take a minute of CPU time, for somebody waits for
// this one answer.
func Blame(ctx context.Context, o *oracle.Oracle, e *corpus.Entry) (*Result, error) {
	s, err := newSubject(ctx, o, e)
	if err != nil {
		return nil, err
	}
	r := &Result{Entry: s.entry}
	clock := stopwatch()
	if err := s.blame(ctx, Options{Again: true, SearchCPU: time.Minute}, r); err != nil {
		return nil, err
	}
	if s.cut {
		s.fill(r.Blame)
	}
	r.BlameCPU = clock.lap()
	return r, nil
}

// blame fills in the culprit, unless the entry has been through this.
func (s *subject) blame(ctx context.Context, opt Options, r *Result) error {
	e := s.entry
	if e.Bucket != "" && !opt.Again {
		return nil
	}
	opt.progress("looks for the pass to blame")
	test := bisect.NewTest(s.tool, s.oracle.Space, s.job(), s.patient(), s.first)
	test.CPU = cmp.Or(opt.SearchCPU, test.CPU)
	b, err := bisect.Find(ctx, test)
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if err != nil && !errors.Is(err, bisect.ErrNobody) {
		return err
	}
	r.Blame = b
	s.take(b)
	return nil
}

// take fills in the culprit, unless the search for it took too long: then the
// reduced test is looked into in place of the original.
func (s *subject) take(b *bisect.Blame) {
	if !b.Cut {
		s.fill(b)
		return
	}
	s.cut, s.rough = true, slices.Clone(b.Flags)
	e := s.entry
	e.Culprit, e.CulpritFunction, e.MendedBy, e.MendedAlone, e.Bucket = "", "", nil, nil, ""
}

// fill notes in the entry who is to blame.
func (s *subject) fill(b *bisect.Blame) {
	e := s.entry
	e.Culprit, e.CulpritFunction = corpus.OneLine(b.Pass), corpus.OneLine(b.Function)
	e.MendedBy = slices.Clone(b.Flags)
	e.MendedAlone = nil
	if b.Wrapv {
		e.MendedAlone = append(e.MendedAlone, wrapv)
	}
	if b.NoStrictAliasing {
		e.MendedAlone = append(e.MendedAlone, noStrictAliasing)
	}
	e.Bucket = Bucket(e, s.crash)
}

// CopyBlame notes in an entry what was found out about the culprit, and the
// bucket that follows, in another that shows the same failure.
func CopyBlame(to, from *corpus.Entry) {
	to.Culprit, to.CulpritFunction = from.Culprit, from.CulpritFunction
	to.MendedBy, to.MendedAlone = from.MendedBy, from.MendedAlone
	to.Bucket = from.Bucket
}

const (
	wrapv            = "-fwrapv"
	noStrictAliasing = "-fno-strict-aliasing"
)
