package reduce

import (
	"context"
	"errors"
	"fmt"

	"goreify/reify/interp"
	"goreify/reify/ir"
)

// A Candidate is a program to judge. The interpreter has run its one case: it is
// defined, ends, takes Case.Path and returns Case.Want.
type Candidate struct {
	Program *ir.Program // functions, and one case: the call that main makes
	Form    int         // which of Options.Forms ways to write it, from 0, the plainest
}

// A Test says whether a candidate still shows the failure. It must not change
// the program. An error ends the reduction.
type Test func(ctx context.Context, c Candidate) (bool, error)

// Options say how candidates are judged.
type Options struct {
	// Forms is how many ways to write a program the caller has. Zero means one.
	Forms int
	// Workers is how many candidates Test is asked about at a time. The program
	// that results does not depend on it. Zero means one.
	Workers int
	// MaxTests bounds the calls of Test, after which the reduction ends with the best
	// program so far. Zero is no bound: a large program that cannot be made smaller
	// then takes thousands.
	MaxTests int
	// Test is asked about each candidate. It must be safe for concurrent use if
	// there are several Workers.
	Test Test
	// Confirm, if not nil, costs more than Test and is asked less often: about the
	// result of every few passes. If it says no, these passes are undone. The pass that
	// is to blame is done again, with Confirm asked about each candidate that Test
	// accepts.
	Confirm Test
	// Progress, if not nil, is called after each pass that has changed the
	// program, and at the end of each round.
	Progress func(Step)
}

// A Step tells how far a reduction has come.
type Step struct {
	Round   int       // from 1
	Pass    string    // its name, or "" at the end of a round
	Changed bool      // whether the pass, or the round, has made the program smaller
	Best    Candidate // after a pass, Confirm may not have been asked about it
	Stats
}

// Stats count the candidates by their outcome. The numbers of tests do not depend on
// Options.Workers; the others do a little, as several workers are given candidates that
// turn out not to be needed.
type Stats struct {
	Tests     int // calls of Test, without those that were superfluous because of several Workers
	Confirms  int // calls of Confirm
	Undefined int // dropped by the interpreter
	Invalid   int // dropped because they break an invariant of ir, or are not smaller
	Seen      int // dropped since they had been judged before
}

// A Result is the smallest program found.
type Result struct {
	Candidate
	Stats
	Rounds int  // through the table of passes
	Spent  bool // MaxTests has ended it
}

var (
	// ErrNotReproduced means that the program to reduce does not show the
	// failure to begin with.
	ErrNotReproduced = errors.New("the program does not show the failure")
	// ErrFlaky means that Test or Confirm gave two answers about one program.
	ErrFlaky = errors.New("asked twice, the test gave two answers")
)

// Run reduces start, which it leaves alone. The program must pass the checker of
// ir and have one case that is right. Test, and Confirm if there is one, are
// asked twice about it: the error wraps ErrNotReproduced if one of them says no,
// and ErrFlaky if one gives two answers. Any other error is that of Test or
// Confirm, or that of ctx. The Result is then the best found before, or nil if
// the error came before start was shown to fail.
func Run(ctx context.Context, start Candidate, o Options) (*Result, error) {
	e, err := newEngine(ctx, start, o)
	if err != nil {
		return nil, err
	}
	if err := e.reproduce(start); err != nil {
		return nil, err
	}
	err = e.reduce(table())
	return &Result{Candidate: e.best.Candidate, Stats: e.stats, Rounds: e.round, Spent: e.spent}, err
}

// newEngine prepares a reduction of start.
func newEngine(ctx context.Context, start Candidate, o Options) (*engine, error) {
	if n := len(start.Program.Claims); n != 1 {
		return nil, fmt.Errorf("a program with %d cases, want one", n)
	}
	o.Forms, o.Workers = max(1, o.Forms), max(1, o.Workers)
	if start.Form < 0 || start.Form >= o.Forms {
		return nil, fmt.Errorf("form %d of %d", start.Form, o.Forms)
	}
	p := start.Program.Clone()
	if err := p.Check(); err != nil {
		return nil, err
	}
	e := &engine{ctx: ctx, o: o, memory: map[uint64]answer{}, ahead: map[uint64]answer{}, failed: map[string]uint64{}}
	r, err := execute(p, 0)
	if err != nil {
		return nil, fmt.Errorf("the program to reduce: %w", err)
	}
	if c := p.Claims[0]; r.value != c.Want {
		return nil, fmt.Errorf("the program to reduce returns %d, its case says %d", r.value, c.Want)
	}
	e.fuel = min(4*r.steps+1000, interp.DefaultFuel)
	p.Claims[0].Path = r.path
	e.best = newTrial(Candidate{p, start.Form}, r)
	return e, nil
}

// reproduce asks twice whether the program to reduce shows the failure.
func (e *engine) reproduce(start Candidate) error {
	for _, ask := range []struct {
		name  string
		test  Test
		calls *int
	}{{"Test", e.o.Test, &e.stats.Tests}, {"Confirm", e.o.Confirm, &e.stats.Confirms}} {
		if ask.test == nil {
			continue
		}
		var said [2]bool
		for i := range said {
			*ask.calls++
			var err error
			if said[i], err = ask.test(e.ctx, start); err != nil {
				return err
			}
		}
		switch {
		case said[0] != said[1]:
			return fmt.Errorf("%s of the program to reduce: %w", ask.name, ErrFlaky)
		case !said[0]:
			return fmt.Errorf("%s says no: %w", ask.name, ErrNotReproduced)
		}
	}
	return nil
}
