package oracle

import (
	"context"

	"goreify/compilers"
	"goreify/corpus"
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
// configurations, with the flags it was found with. A failure is confirmed by
// a second run.
func (o *Oracle) Replay(ctx context.Context, e *corpus.Entry) []Replay {
	var list []Replay
	for _, cfg := range o.configs() {
		t := cfg.toolchain
		if len(t.Args) == 0 {
			t.Args = e.Flags
		}
		job := compilers.Job{Source: []byte(e.Sources[corpus.Main]), Want: []byte(e.Want), Level: cfg.level}
		out := t.Test(ctx, o.Space, job, o.Limits)
		if out.Verdict.Finding() {
			if _, same := t.Confirm(ctx, o.Space, job, o.Limits, out); !same {
				out.Verdict = compilers.Discarded
			}
		}
		list = append(list, Replay{t, cfg.level, out, status(out, e.KnownBad(string(t.Family), t.Version, t.Args, cfg.level))})
	}
	return list
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
