package oracle

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"goreify/compilers"
	"goreify/corpus"
	"goreify/reify/subject"
)

// A Status compares an outcome with the statements of a reproducer.
type Status int

const (
	Passes     Status = iota // and is not known to fail
	Known                    // fails, and is known to
	AlsoFails                // fails, which the reproducer does not list
	Regression               // fails, but is listed as right, or the program is untested
	Fixed                    // passes, but is known to fail
	Unclear                  // could not be run to an end
)

var statusNames = [...]string{"passes", "known", "also fails", "REGRESSION", "FIXED", "unclear"}

// String returns the status as a word; those that ask for attention are in
// capitals.
func (s Status) String() string { return statusNames[s] }

// A Replay is what became of a reproducer under one configuration.
type Replay struct {
	Config
	Outcome compilers.Outcome
	Status  Status
}

// Replay runs the program of a reproducer, as it is stored, under all configurations of
// its language. A failure is confirmed by a second run. The list is empty if there is
// no target for the language.
//
// The flags that the reproducer was found with go to the targets of its family, unless
// these have arguments of their own. Other families may not know the flags, or give
// them another meaning. A target is Unclear if it takes no flags, cannot be used with
// these, or may not get them: see Flagged.
//
// On a processor that is emulated, a failure that the reference mode has as well is
// Unclear: older programs may depend on the sign of char and on byte order.
//
// Where a program is known not to end, it gets a tenth of a second and ten times its
// time where it was right, not all that Limits gives it.
func (o *Oracle) Replay(ctx context.Context, e *corpus.Entry) []Replay {
	return o.replayIn(ctx, e, func(t compilers.Target) []compilers.Mode { return t.Modes() })
}

// ReplayBriefly is Replay in the mode of the finding. Families with a member that has
// failed are asked in their reference mode as well, and targets that do not have the
// mode in all of theirs.
func (o *Oracle) ReplayBriefly(ctx context.Context, e *corpus.Entry) []Replay {
	return o.replayIn(ctx, e, func(t compilers.Target) []compilers.Mode {
		family, modes := t.ID().Family, t.Modes()
		failed := family == e.Family || slices.ContainsFunc(e.Bad, func(b corpus.Configuration) bool { return b.Family == family })
		switch reference := t.Reference(); {
		case !slices.Contains(modes, e.Mode):
			return modes
		case failed && reference != e.Mode && slices.Contains(modes, reference):
			return []compilers.Mode{reference, e.Mode}
		}
		return []compilers.Mode{e.Mode}
	})
}

// Flagged returns a target as a reproducer wants it: with its flags, if it is of
// the family that they were found with and has no arguments. A reproducer may come
// from anywhere, so the flags are screened, unless a target of o has just these:
// then they are the user's. With an error the target is as it was.
func (o *Oracle) Flagged(t compilers.Target, e *corpus.Entry) (compilers.Target, error) {
	id := t.ID()
	if len(e.Flags) == 0 || len(id.Args) > 0 || id.Family != e.Family {
		return t, nil
	}
	with, ok := compilers.With(t, e.Flags...)
	if !ok {
		return t, fmt.Errorf("%s takes no flags, and the program needs %s", id, strings.Join(e.Flags, " "))
	}
	own := func(t compilers.Target) bool { return slices.Equal(t.ID().Args, e.Flags) }
	if !slices.ContainsFunc(o.Targets, own) {
		if err := compilers.Screen(t, e.Flags...); err != nil {
			return t, fmt.Errorf("flags: %w", err)
		}
	}
	return with, nil
}

// Admit returns nil if a reproducer brings no flags that its targets may not be
// given, else the error of Flagged. Targets that take none do not matter. It starts
// nothing.
func (o *Oracle) Admit(e *corpus.Entry) error {
	for _, t := range o.Targets {
		if _, ok := t.(compilers.Configurable); !ok || t.Language() != e.Language {
			continue
		}
		if _, err := o.Flagged(t, e); err != nil {
			return err
		}
	}
	return nil
}

// replayIn is Replay in some of the modes of each target.
func (o *Oracle) replayIn(ctx context.Context, e *corpus.Entry, modes func(compilers.Target) []compilers.Mode) []Replay {
	some, err := o.Of(e.Language)
	if err != nil {
		return nil
	}
	needs, err := compilers.ParseNeeds(e.Note(corpus.NoteNeeds))
	about := subject.Artefact{Language: e.Language, Files: Job(e, "").Files, Needs: needs}
	var list []Replay
	limits := o.Limits.ForFunctions(max(e.Weight, 1))
	var took time.Duration // by the program where it was right
	for _, t := range some.Targets {
		t = compilers.Plain(t) // the commands that users type
		flagged, unusable := o.Flagged(t, e)
		if unusable == nil && !flagged.ID().Same(t.ID()) {
			unusable = compilers.Probe(ctx, flagged, o.Space, o.Limits)
		}
		t, id := flagged, flagged.ID()
		if unusable == nil && (err != nil || !about.Suits(t.Traits())) {
			unusable = errors.Join(err, fmt.Errorf("the program is for targets that have %s", needs.And(compilers.NeedsOf(about.Files))))
		}
		doubt := ""
		if unusable == nil && t.Traits().Emulated && !e.KnownBad(id.Family, id.Version, id.Args, t.Reference()) {
			if out := o.replay(ctx, t, Job(e, t.Reference()), limits, false); out.Verdict.Finding() {
				doubt = "it fails without optimising too, so its text may not be for this processor: " + out.String()
			}
		}
		for _, mode := range modes(t) {
			cfg := Config{t, mode}
			if unusable != nil {
				list = append(list, Replay{cfg, compilers.Outcome{Message: unusable.Error()}, Unclear})
				continue
			}
			bad := e.KnownBad(id.Family, id.Version, id.Args, mode)
			// A failure of another kind is no line of Bad; a witness tells of it.
			said := func(v compilers.Verdict) bool {
				return slices.Contains(e.Witness, corpus.Witness{Who: cfg.String(), Said: v.String()})
			}
			here := limits
			if bad && e.Verdict == compilers.Endless.String() || said(compilers.Endless) {
				here.RunCPU = min(limits.RunCPU, knownEndless+10*took)
			}
			out := o.replay(ctx, t, Job(e, mode), here, bad)
			if out.Verdict == compilers.OK {
				took = max(took, out.RunCPU)
			}
			if doubt != "" && out.Verdict.Finding() && !bad {
				list = append(list, Replay{cfg, compilers.Outcome{Message: doubt}, Unclear})
				continue
			}
			bad = bad || out.Verdict.Finding() && said(out.Verdict)
			good := e.Verdict == corpus.Untested || e.KnownGood(id.Family, id.Version, id.Args, mode) || id.Version == e.Version && said(compilers.OK)
			list = append(list, Replay{cfg, out, status(out, bad, good)})
		}
	}
	return list
}

// knownEndless is the CPU time of a program that is known not to end.
const knownEndless = 100 * time.Millisecond

// replay runs a job, and again if it fails and is not known to; the outcome is
// Discarded unless it fails in the same way.
func (o *Oracle) replay(ctx context.Context, t compilers.Target, job compilers.Job, limits compilers.Limits, known bool) compilers.Outcome {
	out := compilers.Test(ctx, t, o.Space, job, limits)
	if out.Verdict.Finding() && !known && !out.Same(compilers.Test(ctx, t, o.Space, job, limits)) {
		out.Verdict = compilers.Discarded
	}
	return out
}

// Job returns the job of a reproducer in a mode. The flags of the entry are the
// target's.
func Job(e *corpus.Entry, mode compilers.Mode) compilers.Job {
	job := compilers.Job{Want: []byte(e.Want), Mode: mode}
	for _, f := range e.Files() {
		job.Files = append(job.Files, compilers.File(f))
	}
	return job
}

func status(out compilers.Outcome, bad, good bool) Status {
	switch {
	case out.Verdict == compilers.Discarded:
		return Unclear
	case out.Verdict.Finding() && bad:
		return Known
	case out.Verdict.Finding() && good:
		return Regression
	case out.Verdict.Finding():
		return AlsoFails
	case bad:
		return Fixed
	}
	return Passes
}
