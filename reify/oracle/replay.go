package oracle

import (
	"context"
	"maps"
	"slices"
	"time"

	"goreify/compilers"
	"goreify/corpus"
	"goreify/reify/ir"
)

// A Status compares an outcome with what a reproducer says.
type Status int

const (
	Passes     Status = iota // and is not known to fail
	Known                    // fails, and is known to
	Regression               // fails, but is not known to
	Fixed                    // passes, but is known to fail
	Unclear                  // could not be run to an end
)

var statusNames = [...]string{"passes", "known", "REGRESSION", "FIXED", "unclear"}

// String returns the status as a word; those that ask for attention are in
// capitals.
func (s Status) String() string { return statusNames[s] }

// A Replay is what became of a reproducer under one configuration.
type Replay struct {
	Toolchain compilers.Toolchain
	Level     string
	Outcome   compilers.Outcome
	Status    Status
}

// Replay runs the C of a reproducer, as it is stored, under all
// configurations. A failure is confirmed by a second run.
//
// The flags that the reproducer was found with go to the toolchains of its
// family, unless they have arguments of their own. Other families may not know
// them and, where they do, mean something else. A toolchain that cannot be used
// with the flags is Unclear.
//
// Where a program is known not to end it gets a tenth of a second and ten times
// what it took where it was right, not all that Limits gives it.
func (o *Oracle) Replay(ctx context.Context, e *corpus.Entry) []Replay {
	var list []Replay
	limits := o.Limits.ForFunctions(functions(e))
	var took time.Duration // by the program where it was right
	for _, t := range o.Toolchains {
		t = t.Plain() // the commands that users type
		var unusable error
		if len(e.Flags) > 0 && len(t.Args) == 0 && string(t.Family) == e.Family {
			t.Args = e.Flags
			unusable = t.Probe(ctx, o.Space, o.Limits)
		}
		for _, level := range o.Levels {
			if unusable != nil {
				list = append(list, Replay{t, level, compilers.Outcome{Message: unusable.Error()}, Unclear})
				continue
			}
			bad := e.KnownBad(string(t.Family), t.Version, t.Args, level)
			// A failure of another kind is no line of Bad, but a witness tells of it.
			said := func(v compilers.Verdict) bool {
				return slices.Contains(e.Witness, corpus.Witness{Who: config{t, level}.String(), Said: v.String()})
			}
			here := limits
			if bad && e.Verdict == compilers.Endless.String() || said(compilers.Endless) {
				here.RunCPU = min(limits.RunCPU, knownEndless+10*took)
			}
			out := o.replay(ctx, t, Job(e, level), here, bad)
			if out.Verdict == compilers.OK {
				took = max(took, out.RunCPU)
			}
			other := out.Verdict.Finding() && said(out.Verdict)
			list = append(list, Replay{t, level, out, status(out, other || bad)})
		}
	}
	return list
}

// ReplayBriefly is Replay, but toolchains of families other than the one it was
// found with, and of which nobody is known to fail, are asked at one level only:
// that of the finding. If it is not among Levels they are asked at all of these.
func (o *Oracle) ReplayBriefly(ctx context.Context, e *corpus.Entry) []Replay {
	failed, others := *o, *o
	failed.Toolchains, others.Toolchains = nil, nil
	for _, t := range o.Toolchains {
		if string(t.Family) == e.Family || slices.ContainsFunc(e.Bad, func(b corpus.Bad) bool { return b.Family == string(t.Family) }) {
			failed.Toolchains = append(failed.Toolchains, t)
		} else {
			others.Toolchains = append(others.Toolchains, t)
		}
	}
	if slices.Contains(o.Levels, e.Level) {
		others.Levels = []string{e.Level}
	}
	return append(failed.Replay(ctx, e), others.Replay(ctx, e)...)
}

// knownEndless is the CPU time of a program that is known not to end.
const knownEndless = 100 * time.Millisecond

// replay runs a job, and again if it fails and is not known to; the outcome is
// Discarded unless it fails in the same way.
func (o *Oracle) replay(ctx context.Context, t compilers.Toolchain, job compilers.Job, limits compilers.Limits, known bool) compilers.Outcome {
	out := t.Test(ctx, o.Space, job, limits)
	if out.Verdict.Finding() && !known {
		if _, same := t.Confirm(ctx, o.Space, job, limits, out); !same {
			out.Verdict = compilers.Discarded
		}
	}
	return out
}

// functions returns the number of functions of a reproducer, and 1 if it does
// not say.
func functions(e *corpus.Entry) int {
	p, err := ir.Parse(e.Program)
	if err != nil {
		return 1
	}
	return max(len(p.Funcs), 1)
}

// Job returns the job of a reproducer at a level: its C files, in the order of
// their names after the main one. The flags of the entry are the toolchain's.
func Job(e *corpus.Entry, level string) compilers.Job {
	job := compilers.Job{Source: []byte(e.Sources[corpus.Main]), Want: []byte(e.Want), Level: level}
	for _, name := range slices.Sorted(maps.Keys(e.Sources)) {
		if name != corpus.Main {
			job.More = append(job.More, compilers.File{Name: name, Content: []byte(e.Sources[name])})
		}
	}
	return job
}

func status(out compilers.Outcome, known bool) Status {
	switch {
	case out.Verdict == compilers.Discarded:
		return Unclear
	case out.Verdict.Finding() && known:
		return Known
	case out.Verdict.Finding():
		return Regression
	case known:
		return Fixed
	}
	return Passes
}
