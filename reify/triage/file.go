package triage

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"goreify/compilers"
	"goreify/corpus"
	"goreify/reify/oracle"
)

// Done tells whether an entry has been through Finding to the end.
func Done(e *corpus.Entry) bool {
	return e.Bucket != "" && e.Reduced != "" && e.Note(corpus.NoteUntriaged) == ""
}

// File looks into the finding in a file and writes what is found out back to it, whole
// or not at all. An entry that has been through it is not looked into again unless
// opt.Again is set: skipped is true then. The error is that of Finding, whose Result it
// returns. With ErrNotReduced, all other results have been written. With
// compilers.ErrMachine the entry is marked, and the next call takes it up again.
func File(ctx context.Context, o *oracle.Oracle, path string, opt Options) (r *Result, skipped bool, err error) {
	load := opt.Load
	if load == nil {
		load = corpus.Load
	}
	e, err := load(path)
	if err != nil {
		return nil, false, err
	}
	if e.Verdict == corpus.Untested || Done(e) && !opt.Again {
		return nil, true, nil
	}
	opt.Save = func(e *corpus.Entry) error {
		if now, err := corpus.Load(path); err == nil && Done(now) && !opt.Again {
			return nil // another process has come to the end, which says more
		}
		if e.Reduced != "" {
			return nil // an older reduced test, to which this culprit does not belong
		}
		return corpus.Update(path, e)
	}
	r, err = Finding(ctx, o, e, opt)
	if errors.Is(err, compilers.ErrMachine) {
		err = errors.Join(err, mark(path, err))
	}
	if r == nil {
		return nil, false, fmt.Errorf("%s: %w", path, err)
	}
	if err != nil {
		err = fmt.Errorf("%s: %w", path, err)
	}
	if opt.Others != nil && err == nil {
		opt.progress("looks for other findings of the same bug")
		others := slices.DeleteFunc(opt.Others(), func(n Named) bool { return n.Name == corpus.FindingName(path) })
		join(r.Entry, others)
		names, err := Same(ctx, o, r.Entry, others)
		if err != nil {
			return nil, false, fmt.Errorf("%s: %w", path, err)
		}
		r.Entry.SetNote(corpus.NoteSame, strings.Join(names, ", "))
	}
	return r, false, errors.Join(corpus.Update(path, r.Entry), err)
}

// mark notes in the entry in a file why triage did not come to its end.
func mark(path string, why error) error {
	e, err := corpus.Load(path)
	if err != nil {
		return err
	}
	e.SetNote(corpus.NoteUntriaged, corpus.OneLine(why.Error()))
	return corpus.Update(path, e)
}
