package triage

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"goreify/compilers"
	"goreify/compilers/bisect"
	"goreify/corpus"
	"goreify/reify/oracle"
)

// Blame names the pass that is to blame for the failure that an entry shows, and
// returns a copy of the entry that names it. Its errors are those of Finding, without
// those of a reduction. The culprit is empty, and the error nil, if no pass is to
// blame. The search may take a minute of CPU time, for a user waits for this one
// answer.
func Blame(ctx context.Context, o *oracle.Oracle, e *corpus.Entry) (*Result, error) {
	f, err := newFailure(ctx, o, e)
	if err != nil {
		return nil, err
	}
	r := &Result{Entry: f.entry}
	clock := stopwatch(o.Space)
	if err := f.blame(ctx, Options{Again: true, SearchCPU: patientCPU}, r); err != nil {
		return nil, err
	}
	if err := f.locate(ctx, r); err != nil {
		return nil, err
	}
	r.BlameCPU = clock.lap()
	if f.entry.Reduced == "" {
		return r, nil
	}
	job, err := f.reducedJob(ctx)
	if err != nil {
		return nil, err
	}
	switch first, err := f.run(ctx, compilers.Plain(f.target), job); {
	case err != nil:
		return nil, err
	case !first.Verdict.Finding():
		return r, nil // it shows nothing in this mode: what was noted stays
	}
	if err := f.askAll(ctx, job); err != nil {
		return nil, err
	}
	if err := f.llvm(ctx, Options{}, job); err != nil {
		return nil, err
	}
	f.entry.Bucket = Bucket(f.entry, f.first.Crash)
	r.OtherCPU = clock.lap()
	return r, nil
}

// locate looks for the culprit in the reduced test, which is small and so tells more, if the
// search in the original did not end or did not tell where the fault is.
func (f *failure) locate(ctx context.Context, r *Result) error {
	unsaid := r.Blame != nil && strings.HasPrefix(r.Blame.Pass, bisect.CodeGeneration) && r.Blame.Rule == "" && len(r.Blame.Code) == 0
	if r.Blame == nil || !f.cut && r.Blame.Located() && !unsaid {
		return nil
	}
	if f.entry.Reduced != "" {
		switch again, err := f.blameReduced(ctx); {
		case ctx.Err() != nil:
			return context.Cause(ctx)
		case errors.Is(err, compilers.ErrMachine):
			return err
		case err == nil && (f.cut || again.Located() || r.Blame.Pass == "" && again.Pass != "" || len(again.Mends) > len(r.Blame.Mends)):
			if !f.cut && !bisect.MethodsOf(f.target.ID().Family).Transferable {
				again.Flags, again.Function = r.Blame.Flags, r.Blame.Function // of the original
			}
			r.Blame = again
		}
	}
	f.fill(r.Blame)
	return nil
}

// patientCPU is the time that a search may take that is made once for each finding.
const patientCPU = time.Minute

// blame fills in the culprit, unless the entry names one.
func (f *failure) blame(ctx context.Context, opt Options, r *Result) (err error) {
	named := f.entry.Culprit != "" || len(f.entry.MendedBy) > 0
	if f.entry.Bucket != "" && named && !opt.Again {
		return nil
	}
	opt.progress("looks for the pass to blame")
	if r.Blame, err = f.search(ctx, f.job(), f.first, opt.SearchCPU); err == nil {
		f.take(r.Blame)
	}
	return err
}

// search looks for the culprit of a job that fails. The error is nil if no pass is to
// blame. most is the CPU time that it may take, and 0 bisect.DefaultCPU.
func (f *failure) search(ctx context.Context, job compilers.Job, first compilers.Outcome, most time.Duration) (*bisect.Blame, error) {
	test := bisect.NewTest(f.target, f.oracle.Space, job, f.patient(), first)
	test.CPU = cmp.Or(most, test.CPU)
	test.Rules = most >= patientCPU && (f.entry.Reduced == "" || len(job.Files) == 1 && string(job.Files[0].Content) == f.entry.Reduced)
	test.Host = f.host()
	b, err := bisect.Find(ctx, test)
	switch {
	case ctx.Err() != nil:
		return nil, context.Cause(ctx)
	case err != nil && !errors.Is(err, bisect.ErrNoCulprit):
		return nil, err
	}
	return b, nil
}

// host returns a compiler of the family for this machine's processor, of the same version if there is
// a choice; nil if the one that fails is for it, or none is here.
func (f *failure) host() (host compilers.Target) {
	if !f.target.Traits().Emulated {
		return nil
	}
	own, _, _ := strings.Cut(f.target.ID().Version, " ")
	for _, t := range f.oracle.Targets {
		id := t.ID()
		if id.Family != f.target.ID().Family || len(id.Args) > 0 || t.Traits().Emulated {
			continue
		}
		if host == nil || id.Version == own {
			host = compilers.Plain(t)
		}
	}
	return host
}

// take fills in the culprit, unless the search for it took too long: then the culprit
// of the reduced test is searched for instead.
func (f *failure) take(b *bisect.Blame) {
	if !b.Cut {
		f.fill(b)
		return
	}
	f.cut, f.rough = true, slices.Clone(b.Flags)
	CopyBlame(f.entry, &corpus.Entry{})
}

// fill notes the culprit in the entry.
func (f *failure) fill(b *bisect.Blame) {
	e := f.entry
	e.Culprit, e.CulpritFunction = corpus.OneLine(b.Pass), corpus.OneLine(b.Function)
	e.MendedBy, e.MendedAlone = slices.Clone(b.Flags), slices.Clone(b.Alone)
	how := ""
	switch {
	case b.Seen && b.Overflows:
		how = corpus.SeenOverflow
	case b.Seen:
		how = corpus.SeenWrong
	}
	e.SetNote(corpus.NoteSeen, how)
	e.SetNote(corpus.NoteRule, corpus.OneLine(b.Rule))
	e.SetNote(corpus.NoteUncovered, corpus.OneLine(b.Uncovered))
	e.SetNote(corpus.NoteCode, strings.Join(b.Code, " "))
	e.SetNote(corpus.NoteMends, strings.Join(b.Mends, ", "))
	e.Bucket = Bucket(e, f.first.Crash)
}

// CopyBlame copies the notes about the culprit, and the bucket that follows, from one
// entry to another that shows the same failure.
func CopyBlame(to, from *corpus.Entry) {
	to.Culprit, to.CulpritFunction = from.Culprit, from.CulpritFunction
	to.MendedBy, to.MendedAlone = from.MendedBy, from.MendedAlone
	for _, key := range []string{corpus.NoteSeen, corpus.NoteRule, corpus.NoteUncovered, corpus.NoteCode, corpus.NoteMends} {
		to.SetNote(key, from.Note(key))
	}
	to.Bucket = from.Bucket
}

// BlameReduced names the culprit of the reduced test of an entry, in the words
// of bisect.Blame.Culprit. It is for measuring: a reduction that kept the bug has
// the culprit of the original, but Finding asks only whether the flags that mended
// the original mend the test.
func BlameReduced(ctx context.Context, o *oracle.Oracle, e *corpus.Entry) (string, error) {
	if e.Reduced == "" {
		return "", errors.New("the entry has no reduced test")
	}
	f := &failure{entry: e}
	var err error
	if f.oracle, f.target, err = find(ctx, o, e); err != nil {
		return "", err
	}
	b, err := f.blameReduced(ctx)
	if err != nil {
		return "", err
	}
	return b.Culprit(), nil
}

// blameReduced looks for the culprit of the reduced test.
func (f *failure) blameReduced(ctx context.Context) (*bisect.Blame, error) {
	job, err := f.reducedJob(ctx)
	if err != nil {
		return nil, err
	}
	first, err := f.run(ctx, compilers.Plain(f.target), job)
	if err != nil {
		return nil, err
	}
	b, err := f.search(ctx, job, first, patientCPU)
	if err != nil {
		return nil, fmt.Errorf("the reduced test: %w", err)
	}
	return b, nil
}

// reducedJob returns the reduced test of the entry in its mode, with the output of the right
// program, or nothing: as its form says, else as a note or the reference mode does.
func (f *failure) reducedJob(ctx context.Context) (compilers.Job, error) {
	job, _, ok := reducedJob(f.entry)
	if ok {
		job.Mode = f.entry.Mode
		return job, nil
	}
	if job.Want = []byte(f.entry.Note(corpus.NoteReducedWant) + "\n"); len(job.Want) > 1 {
		job.Mode = f.entry.Mode
		return job, nil
	}
	job.Mode, job.Want = f.target.Reference(), nil
	right, err := f.run(ctx, compilers.Plain(f.target), job)
	job.Mode, job.Want = f.entry.Mode, right.Stdout
	return job, err
}
