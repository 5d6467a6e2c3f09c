package triage

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"goreify/compilers"
	"goreify/compilers/bisect"
	"goreify/corpus"
	"goreify/reify/oracle"
)

// Errors of Adopt, besides those of Finding. They come wrapped.
var (
	// ErrNoHome says that no compiler is of the entry's family and fails on it.
	ErrNoHome = errors.New("no compiler to adopt it")
	// ErrAtHome says that the newest compiler that fails is the entry's own, or older.
	ErrAtHome = errors.New("it is there already")
)

// Adopt moves an entry to the newest of some targets that fails on it, and returns what
// Finding returns of it there. These targets are among those of o; those of other
// families than the entry's are passed over. The entry keeps its verdict and its mode
// if the new home fails so, else it gets the first mode in which that fails.
//
// Where the entry was is noted (corpus.Entry.FormerHomes). Statements about other
// compilers stay, and all compilers of o are asked about the entry. Of the results of
// triage in the old home only the bucket is kept, in that note. Thus an entry that has
// a reduced test does not move to a compiler for which it cannot be reduced: with
// ErrNotReduced there is no Result then.
//
// Besides those of Finding the error may wrap ErrNoHome or ErrAtHome. With these the
// Result is a copy of the entry that lists the answers of all compilers, and the former
// home.
func Adopt(ctx context.Context, o *oracle.Oracle, to []compilers.Target, e *corpus.Entry, opt Options) (*Result, error) {
	if e.Verdict == corpus.Untested {
		return nil, ErrUntested
	}
	if err := o.Admit(e); err != nil {
		return nil, err
	}
	opt.progress("asks all compilers")
	list := o.Replay(ctx, e)
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	home, err := newHome(o, list, to, e)
	if err != nil {
		asked := *e
		addReplays(&asked, list)
		return &Result{Entry: &asked}, err
	}
	// A program that was known not to end has not had all its time.
	home.Outcome = compilers.Test(ctx, home.Target, o.Space, oracle.Job(e, home.Mode), o.Limits.ForFunctions(max(e.Weight, 1)))
	switch {
	case ctx.Err() != nil:
		return nil, context.Cause(ctx)
	case !home.Outcome.Verdict.Finding():
		return nil, fmt.Errorf("%v: %v, which failed before: %w", home.Config, home.Outcome, bisect.ErrGone)
	}
	opt.Again = true
	r, err := Finding(ctx, o, move(e, list, home), opt)
	if errors.Is(err, ErrNotReduced) && e.Reduced != "" {
		return nil, err
	}
	return r, err
}

// newHome returns how the newest of the targets that fails does so: as the entry says
// of its old home, if it can.
func newHome(o *oracle.Oracle, list []oracle.Replay, to []compilers.Target, e *corpus.Entry) (home oracle.Replay, err error) {
	var names []compilers.ID
	for _, t := range to {
		if t, err := o.Flagged(compilers.Plain(t), e); err == nil && t.ID().Family == e.Family {
			names = append(names, t.ID())
		}
	}
	if len(names) == 0 {
		return home, fmt.Errorf("none of the compilers named is of family %s: %w", e.Family, ErrNoHome)
	}
	like := -1 // how much home is like the old one
	for _, r := range list {
		id := r.Target.ID()
		if !r.Outcome.Verdict.Finding() || !slices.ContainsFunc(names, id.Same) {
			continue
		}
		order, now := 1, 0
		if like >= 0 {
			order = compilers.CompareVersions(id.Version, home.Target.ID().Version)
		}
		if r.Outcome.Verdict.String() == e.Verdict {
			now += 2
		}
		if r.Mode == e.Mode {
			now++
		}
		if order > 0 || order == 0 && now > like {
			home, like = r, now
		}
	}
	if like < 0 {
		return home, fmt.Errorf("none of the compilers named fails: %w", ErrNoHome)
	}
	id := home.Target.ID()
	if compilers.CompareVersions(id.Version, e.Version) < 0 {
		return home, fmt.Errorf("%s %s fails, which is older than %s %s: %w", id.Family, id.Version, e.Family, e.Version, ErrAtHome)
	}
	if id.Version == e.Version && (id.Triple == e.Triple || e.Triple == "") && slices.Equal(id.Args, e.Flags) {
		return home, fmt.Errorf("%s %s: %w", e.Family, e.Version, ErrAtHome)
	}
	return home, nil
}

// addReplays puts the outcomes of replays into the lists of an entry.
func addReplays(e *corpus.Entry, list []oracle.Replay) {
	var bad, good []corpus.Configuration
	for _, r := range list {
		switch id := r.Target.ID(); {
		case r.Outcome.Verdict.Finding():
			bad = corpus.Add(bad, id.Family, id.Version, id.Args, r.Mode)
		case r.Outcome.Verdict == compilers.OK:
			good = corpus.Add(good, id.Family, id.Version, id.Args, r.Mode)
		}
	}
	e.Bad, e.Good = corpus.Merge(e.Bad, e.Good, bad, good)
}

// move returns a copy of an entry in a new home, of which triage knows nothing yet.
func move(e *corpus.Entry, list []oracle.Replay, home oracle.Replay) *corpus.Entry {
	moved := *e
	moved.Leave()
	addReplays(&moved, list)
	home.Describe(&moved)
	for _, key := range []string{
		// Of the failure in the old home.
		corpus.NoteFirstWrong, corpus.NoteLinked, corpus.NoteIncomplete,
		corpus.NoteReducedClean, corpus.NoteUntriaged, corpus.NoteMendedBy,
	} {
		moved.SetNote(key, "")
	}
	CopyBlame(&moved, &corpus.Entry{})
	moved.Reduced, moved.ReducedProgram, moved.ReducedCommand = "", "", ""
	moved.ReducedBad, moved.ReducedGood = nil, nil
	reference := compilers.Name(home.Target, home.Target.Reference())
	right := slices.ContainsFunc(list, func(r oracle.Replay) bool {
		return r.Config.String() == reference && r.Outcome.Verdict == compilers.OK
	})
	known := slices.ContainsFunc(e.Witness, func(w corpus.Witness) bool { return w.Who == reference })
	if right && !known {
		moved.Witness = append(slices.Clone(e.Witness), corpus.Witness{Who: reference, Said: compilers.OK.String()})
	}
	return &moved
}
