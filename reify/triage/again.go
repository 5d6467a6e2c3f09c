package triage

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"syscall"

	"goreify/compilers"
	"goreify/corpus"
	"goreify/reify/ir"
	"goreify/reify/oracle"
)

// Again asks the newest of some targets that is of an entry's family and processor, and not older
// than the entry's compiler, about the reduced test and the program as it was found, in all modes:
// it returns what became of the failure, without day and name. Of one that the reduced test still shows
// it says a plainer command, if there is one. A failure must happen twice. The error wraps ErrNoHome if there is no such target, compilers.ErrMachine if it gives no answer.
func Again(ctx context.Context, o *oracle.Oracle, to []compilers.Target, e *corpus.Entry) (l corpus.Life, err error) {
	if e.Verdict == corpus.Untested {
		return l, ErrUntested
	}
	if err := o.Admit(e); err != nil {
		return l, err
	}
	var newest compilers.Target
	for _, t := range to {
		t, err := o.Flagged(compilers.Plain(t), e)
		id := t.ID()
		if err != nil || t.Language() != e.Language || id.Family != e.Family || !slices.Equal(id.Args, e.Flags) || compilers.ProcessorOf(id.Version) != compilers.ProcessorOf(e.Version) {
			continue
		}
		if compilers.CompareVersions(id.Version, e.Version) >= 0 && (newest == nil || compilers.CompareVersions(id.Version, newest.ID().Version) > 0) {
			newest = t
		}
	}
	if newest == nil {
		return l, fmt.Errorf("no compiler here is %s %s or newer: %w", e.Family, e.Version, ErrNoHome)
	}
	if err := compilers.Probe(ctx, newest, o.Space, o.Limits); err != nil {
		return l, err
	}
	l.Compiler = newest.ID().Family + " " + newest.ID().Version
	limits := o.Limits.ForFunctions(max(e.Weight, 1))
	modes := newest.Modes()
	if !slices.Contains(modes, e.Mode) {
		modes = append(slices.Clone(modes), e.Mode)
	}
	// fails returns those of some modes in which a job fails, with their verdicts.
	fails := func(t compilers.Target, modes []compilers.Mode, job compilers.Job, aborts bool) (found []string, err error) {
		for _, job.Mode = range modes {
			ask := func() compilers.Outcome { return compilers.Test(ctx, t, o.Space, job, limits) }
			out, err := compilers.Answer(ctx, ask, ask)
			if err == nil && out.Verdict.Finding() && !out.Same(ask()) {
				err = fmt.Errorf("%s %s: it fails now and then: %w", l.Compiler, job.Mode, compilers.ErrMachine)
			}
			if err == nil && out.Verdict == compilers.Discarded {
				err = fmt.Errorf("%s %s: %s: %w", l.Compiler, job.Mode, out.Message, compilers.ErrMachine)
			}
			if err != nil {
				return nil, err
			}
			if aborts && out.Verdict == compilers.Crash && out.Signal == syscall.SIGABRT {
				out.Verdict = compilers.WrongAnswer
			}
			if out.Verdict.Finding() {
				found = append(found, out.Verdict.String()+" at "+job.Mode)
			}
		}
		return found, nil
	}
	before := []string{e.Verdict + " at " + e.Mode}
	for _, c := range e.ReducedBad {
		if c.Family == e.Family && c.Version == e.Version && slices.Equal(c.Args, e.Flags) {
			for _, mode := range c.Modes {
				before = append(before, e.Verdict+" at "+mode)
			}
		}
	}
	var changed []string
	job, aborts, ok := reducedJob(e)
	if ok {
		now, err := fails(newest, modes, job, aborts)
		if err != nil {
			return l, err
		}
		if slices.ContainsFunc(now, func(f string) bool { return slices.Contains(before, f) }) {
			l.State = corpus.StillFails
			l.Detail, err = plainer(e, newest, before, now, func(t compilers.Target, mode compilers.Mode) ([]string, error) {
				return fails(t, []compilers.Mode{mode}, job, aborts)
			})
			return l, err
		}
		changed = now
	}
	now, err := fails(newest, modes, oracle.Job(e, e.Mode), false)
	switch {
	case err != nil:
		return l, err
	case len(now) == 0 && len(changed) == 0:
		l.State = corpus.Fixed
	case len(changed) == 0 && !ok && slices.ContainsFunc(now, func(f string) bool { return slices.Contains(before, f) }):
		l.State = corpus.StillFails
	case len(changed) == 0:
		l.State, l.Detail = corpus.ChangedForm, "as it was found: "+strings.Join(now, ", ")
	default:
		l.State, l.Detail = corpus.ChangedForm, strings.Join(changed, ", ")
	}
	return l, nil
}

// plainer returns the plainest level and the fewest flags with which a target fails as the entry says,
// as words of a command; nothing if that is known. before and now are how it failed and fails with
// the entry's flags, and ask asks about others in a mode.
func plainer(e *corpus.Entry, t compilers.Target, before, now []string, ask func(compilers.Target, compilers.Mode) ([]string, error)) (string, error) {
	mode, flags := e.Asked()
	news := false
	for _, level := range levels {
		if says := e.Verdict + " at " + level; slices.Contains(before, says) || slices.Contains(now, says) {
			mode, news = level, !slices.Contains(before, says)
			break
		}
	}
	same, args := e.Verdict+" at "+mode, e.Flags
	bare, ok := t.(compilers.Bare)
	for _, fewer := range fewerArgs(e.Flags) {
		if !ok || slices.Equal(fewer, e.Flags) || !slices.Contains(now, same) {
			break
		}
		with, can := compilers.With(bare.WithoutArgs(), fewer...)
		if !can || compilers.Screen(bare, fewer...) != nil {
			continue
		}
		found, err := ask(with, mode)
		if err != nil {
			return "", err
		}
		if slices.Contains(found, same) {
			args = fewer
			break
		}
	}
	if !news && len(args) >= len(flags) {
		return "", nil
	}
	return "also with " + strings.Join(append(slices.Clone(args), mode), " "), nil
}

// reducedJob returns the question about the reduced test of an entry: the output that it must have
// is that of the form in which it is written, by which it may abort.
func reducedJob(e *corpus.Entry) (job compilers.Job, aborts, ok bool) {
	if e.Reduced == "" {
		return job, false, false
	}
	job.Files = []compilers.File{{Name: e.Main, Content: []byte(e.Reduced)}}
	if e.ReducedProgram == "" {
		job.Want = []byte(e.Members[corpus.ReducedWantFile])
		return job, false, true
	}
	p, err := ir.Parse(e.ReducedProgram)
	if err != nil {
		return job, false, false
	}
	// The style of the program as it was found is that of other functions.
	plain := *e
	plain.SetNote(corpus.NoteStyle, "")
	for _, of := range []*corpus.Entry{e, &plain} {
		forms, err := formsOf(of, p)
		for _, f := range forms {
			if source, want := f.Write(p); err == nil && source == e.Reduced {
				job.Want = []byte(want)
				return job, f.Aborts, true
			}
		}
	}
	// An older writer wrote it. A test that prints nothing says all by its end.
	aborts = strings.Contains(e.Reduced, "abort()")
	return job, aborts, aborts || e.Language == compilers.Go && strings.Contains(e.Reduced, `panic("wrong")`)
}
