package triage

import (
	"context"
	"errors"
	"slices"
	"strings"

	"goreify/compilers"
	"goreify/reify/interp"
	"goreify/reify/ir"
	"goreify/reify/others/csource"
	"goreify/reify/others/foreign"
	"goreify/reify/reduce"
)

// Bounds of the costs of reducing functions of others. A candidate costs a build with
// sanitizers, and a candidate that is as wrong as the original all other witnesses,
// too.
const (
	mostOthersTests = 600 // candidates of all texts
	mostQuestions   = 4   // rounds of questions about a candidate, beside those that were asked of the last
)

// An othersPredicate says whether a text of a function of others shows a failure. The
// answers of such a text are unknown, so each candidate is asked anew, as when it was
// harvested.
type othersPredicate struct {
	*predicate
	harvester *foreign.Harvester
	tests     int
}

// shrinkTexts cuts the texts of the functions of others that are left in a reduced
// program, and then reduces the program again, in turn, until neither helps. Where the
// result is not the same bug for sure, the program stays as it was.
func (p *predicate) shrinkTexts(ctx context.Context, r *reduce.Result, opt Options) (*reduce.Result, error) {
	if len(othersIn(r.Program)) == 0 {
		return r, nil
	}
	h, err := foreign.NewHarvester(ctx, p.oracle.Targets, p.oracle.Sanitizers, p.oracle.Space)
	if err != nil {
		opt.progress("the text of others stays as it is: %v", err)
		return r, nil
	}
	o := &othersPredicate{predicate: p, harvester: h}
	best := *r
	for {
		before := best.Program.String()
		for _, i := range othersIn(best.Program) {
			if best.Candidate, err = o.cut(ctx, best.Candidate, i, opt); err != nil {
				return nil, err
			}
		}
		if best.Program.String() == before {
			break
		}
		next, err := p.shrink(ctx, best.Candidate, opt)
		if errors.Is(err, reduce.ErrNotReproduced) || errors.Is(err, reduce.ErrFlaky) {
			opt.progress("without the text of others that was cut: %v", err)
			return r, nil
		}
		if err != nil {
			return nil, err
		}
		next.Tests += best.Tests
		next.Confirms += best.Confirms
		cut := best.Program.String()
		best = *next
		if best.Program.String() == cut {
			break
		}
	}
	best.Tests += o.tests
	return &best, nil
}

// othersIn returns the numbers of the functions of others in a program.
func othersIn(p *ir.Program) (list []int) {
	for i, f := range p.Funcs {
		if f.Foreign != nil {
			list = append(list, i)
		}
	}
	return list
}

// cut makes the text of function i smaller.
func (o *othersPredicate) cut(ctx context.Context, best reduce.Candidate, i int, opt Options) (reduce.Candidate, error) {
	f := best.Program.Funcs[i]
	if f.Foreign.Models != ir.LP64 && !o.harvester.Narrow() {
		opt.progress("the text of @%s stays as it is: no compiler here tells its answer with pointers of 32 bits", f.Name)
		return best, nil
	}
	err := csource.Try(f.Name, []byte(f.Foreign.C), csource.LP64)
	var text *csource.Program
	if err == nil {
		text, err = csource.ParseUnit(f.Name, []byte(f.Foreign.C), csource.LP64)
	}
	if err != nil {
		opt.progress("the text of @%s stays as it is: %v", f.Name, err)
		return best, nil
	}
	opt.progress("cuts the text of @%s, of %d lines", f.Name, textLines(f.Foreign.C))
	limited, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	csource.ReduceUnit(limited, text, f.Name, func(text []byte) bool {
		if limited.Err() != nil {
			return false
		}
		if o.tests >= mostOthersTests {
			stop(errEnough)
			return false
		}
		o.tests++
		c, err := o.holds(limited, best, i, string(text))
		if err != nil && limited.Err() == nil {
			stop(err)
		}
		if err != nil || c == nil {
			return false
		}
		best = *c
		return true
	})
	switch err := context.Cause(limited); {
	case ctx.Err() != nil:
		return best, context.Cause(ctx)
	case err != nil && !errors.Is(err, errEnough):
		return best, err
	}
	opt.progress("%d lines of @%s after %d candidates", textLines(best.Program.Funcs[i].Foreign.C), f.Name, o.tests)
	return best, nil
}

// holds returns the program in which function i has another text. The answers of that
// function, and the path and the answer of the program, are those of the new text. The
// result is nil if it does not show the failure, or is not defined.
func (o *othersPredicate) holds(ctx context.Context, best reduce.Candidate, i int, text string) (*reduce.Candidate, error) {
	q := best.Program.Clone()
	f := q.Funcs[i]
	cut := *f.Foreign
	cut.C, cut.Answers = strings.TrimRight(text, "\n")+"\n", nil
	asked := f.Foreign.Answers
	f.Foreign = &cut
	if foreign.CheckProgram(q) != nil {
		return nil, nil
	}
	if o.verdict != compilers.WrongAnswer { // then the answer of the text does not matter yet
		f.Foreign = f.Foreign.With(asked...)
		ok, err := o.test(ctx, reduce.Candidate{Program: q, Form: best.Form})
		if !ok || err != nil {
			return nil, err
		}
		f.Foreign = &cut
	}
	them := &foreign.Function{Symbol: f.Name, Text: cut.C, Result: f.Result, Models: foreign.Both}
	if cut.Models == ir.LP64 {
		them.Models = foreign.LP64
	}
	for _, v := range f.Params() {
		them.Params = append(them.Params, v.Type.(ir.Int))
	}
	panel := o.harvester.Panel([]*foreign.Function{them})
	defer panel.Close()
	var questions []foreign.Question
	for _, a := range asked {
		questions = append(questions, foreign.Question{Function: them, Args: a.Args})
	}
	// One witness is asked first, and the compiler that failed: most candidates end there.
	if ok, err := guess(ctx, q, f, panel, questions); !ok || err != nil {
		return nil, err
	}
	c := &reduce.Candidate{Program: q, Form: best.Form}
	if ok, err := o.test(ctx, *c); !ok || err != nil {
		return nil, err
	}
	questions = nil
	for _, a := range f.Foreign.Answers {
		questions = append(questions, foreign.Question{Function: them, Args: a.Args})
	}
	replies, err := panel.Ask(ctx, questions)
	if err != nil {
		return nil, err
	}
	for n, r := range replies {
		if r.Refused != "" || r.Want != f.Foreign.Answers[n].Want {
			return nil, nil
		}
	}
	if ok, err := o.confirm(ctx, *c); !ok || err != nil {
		return nil, err
	}
	return c, nil
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
