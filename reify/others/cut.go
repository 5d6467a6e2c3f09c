package others

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"goreify/reify/interp"
	"goreify/reify/ir"
	"goreify/reify/oracle"
	"goreify/reify/others/csource"
	"goreify/reify/others/foreign"
)

// Bounds of the costs of a Cutter. A candidate costs a build with sanitizers, and a
// candidate that is as wrong as the original all other witnesses, too.
const (
	mostCuts      = 600 // candidates of all texts
	mostQuestions = 4   // rounds of questions about a candidate, beside those that were asked of the last
)

// A Cutter makes the text of functions of others smaller in programs that show a failure.
// The answers of such a text are unknown, so each candidate is asked anew, as when it was
// harvested.
type Cutter struct {
	// Test and Confirm say whether a program shows the failure. Confirm costs more.
	Test, Confirm func(context.Context, *ir.Program) (bool, error)
	// Dies says that a compiler gives up: for that no answer matters.
	Dies bool
	Say  func(format string, args ...any) // what is going on

	Tests int // candidates so far

	harvester *foreign.Harvester
}

// Begin has the cutter ask the compilers of an oracle. The error says which are missing.
func (c *Cutter) Begin(ctx context.Context, o *oracle.Oracle) (err error) {
	c.harvester, err = foreign.NewHarvester(ctx, o.Targets, o.Sanitizers, o.Space)
	return err
}

// In returns the numbers of the functions of others in a program.
func In(p *ir.Program) (list []int) {
	for i, f := range p.Funcs {
		if f.Foreign != nil {
			list = append(list, i)
		}
	}
	return list
}

// errEnough ends a cut after mostCuts candidates.
var errEnough = errors.New("enough candidates")

// Cut returns a program with less text of function i, or the program itself.
func (c *Cutter) Cut(ctx context.Context, best *ir.Program, i int) (*ir.Program, error) {
	f := best.Funcs[i]
	if f.Foreign.Models != ir.LP64 && !c.harvester.Narrow() {
		c.Say("the text of @%s stays as it is: no compiler here tells its answer with pointers of 32 bits", f.Name)
		return best, nil
	}
	err := csource.Try(f.Name, []byte(f.Foreign.C), csource.LP64)
	var text *csource.Program
	if err == nil {
		text, err = csource.ParseUnit(f.Name, []byte(f.Foreign.C), csource.LP64)
	}
	if err != nil {
		c.Say("the text of @%s stays as it is: %v", f.Name, err)
		return best, nil
	}
	c.Say("cuts the text of @%s, of %s", f.Name, lines(f))
	limited, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	csource.ReduceUnit(limited, text, f.Name, func(text []byte) bool {
		if limited.Err() != nil {
			return false
		}
		if c.Tests >= mostCuts {
			stop(errEnough)
			return false
		}
		c.Tests++
		q, err := c.holds(limited, best, i, string(text))
		if err != nil && limited.Err() == nil {
			stop(err)
		}
		if err != nil || q == nil {
			return false
		}
		best = q
		return true
	})
	switch err := context.Cause(limited); {
	case ctx.Err() != nil:
		return best, context.Cause(ctx)
	case err != nil && !errors.Is(err, errEnough):
		return best, err
	}
	c.Say("%s of @%s after %d candidates", lines(best.Funcs[i]), f.Name, c.Tests)
	return best, nil
}

func lines(f *ir.Function) string { return fmt.Sprintf("%d lines", strings.Count(f.Foreign.C, "\n")) }

// holds returns the program in which function i has another text. The answers of that
// function, and the path and the answer of the program, are those of the new text. The
// result is nil if it does not show the failure, or is not defined.
func (c *Cutter) holds(ctx context.Context, best *ir.Program, i int, text string) (*ir.Program, error) {
	q := best.Clone()
	f := q.Funcs[i]
	cut := *f.Foreign
	cut.C, cut.Answers = strings.TrimRight(text, "\n")+"\n", nil
	asked := f.Foreign.Answers
	f.Foreign = &cut
	if Check(q) != nil {
		return nil, nil
	}
	if c.Dies { // then the answer of the text does not matter yet
		f.Foreign = f.Foreign.With(asked...)
		if ok, err := c.Test(ctx, q); !ok || err != nil {
			return nil, err
		}
		f.Foreign = &cut
	}
	them := foreign.Of(f)
	panel := c.harvester.Panel([]*foreign.Function{them})
	defer panel.Close()
	questions := func(list []ir.Answer) (q []foreign.Question) {
		for _, a := range list {
			q = append(q, foreign.Question{Function: them, Args: a.Args})
		}
		return q
	}
	// One witness is asked first, and the compiler that failed: most candidates end there.
	if ok, err := guess(ctx, q, f, panel, questions(asked)); !ok || err != nil {
		return nil, err
	}
	if ok, err := c.Test(ctx, q); !ok || err != nil {
		return nil, err
	}
	replies, err := panel.Ask(ctx, questions(f.Foreign.Answers))
	if err != nil {
		return nil, err
	}
	for n, r := range replies {
		if r.Refused != "" || r.Want != f.Foreign.Answers[n].Want {
			return nil, nil
		}
	}
	if ok, err := c.Confirm(ctx, q); !ok || err != nil {
		return nil, err
	}
	return q, nil
}

// guess asks one witness for the answers of f, a function of others without answers, in
// q, and has q end with these. It says whether q ends at all.
func guess(ctx context.Context, q *ir.Program, f *ir.Function, panel *foreign.Panel, questions []foreign.Question) (bool, error) {
	k := q.Claims[0]
	for range mostQuestions + 1 {
		replies, err := panel.Guess(ctx, questions)
		if err != nil {
			return false, err
		}
		for _, r := range replies {
			if r.Refused == "" {
				f.Foreign = f.Foreign.With(ir.Answer{Args: r.Args, Want: r.Want, Steps: max(1, r.Steps)})
			}
		}
		all, err := interp.RunProgram(q, interp.Options{})
		open := new(interp.NoAnswer)
		if errors.As(err, &open) && open.Func == f && !slices.ContainsFunc(questions, func(q foreign.Question) bool { return slices.Equal(q.Args, open.Args) }) {
			questions = []foreign.Question{{Function: questions[0].Function, Args: open.Args}}
			continue
		}
		if err != nil {
			return false, nil
		}
		k.Path, k.Want = all[0].Path, all[0].Value
		some, err := interp.Asked(q)
		if err != nil || some[f] == nil {
			return false, nil
		}
		f.Foreign = some[f]
		return q.Check() == nil, nil
	}
	return false, nil
}
