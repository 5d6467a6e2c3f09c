package triage

import (
	"context"
	"errors"

	"goreify/compilers"
	"goreify/reify/ir"
	"goreify/reify/others"
	"goreify/reify/reduce"
)

// shrinkTexts cuts the texts of the functions of others that are left in a reduced
// program, and then reduces the program again, in turn, until neither helps. Where the
// result is not the same bug for sure, the program stays as it was.
func (p *predicate) shrinkTexts(ctx context.Context, r *reduce.Result, opt Options) (*reduce.Result, error) {
	if len(others.In(r.Program)) == 0 {
		return r, nil
	}
	best := *r
	at := func(ask func(context.Context, reduce.Candidate) (bool, error)) func(context.Context, *ir.Program) (bool, error) {
		return func(ctx context.Context, q *ir.Program) (bool, error) {
			return ask(ctx, reduce.Candidate{Program: q, Form: best.Form})
		}
	}
	cutter := others.Cutter{Test: at(p.test), Confirm: at(p.confirm), Dies: p.verdict != compilers.WrongAnswer, Say: opt.progress}
	if err := cutter.Begin(ctx, p.oracle); err != nil {
		opt.progress("the text of others stays as it is: %v", err)
		return r, nil
	}
	for {
		before := best.Program.String()
		for _, i := range others.In(best.Program) {
			cut, err := cutter.Cut(ctx, best.Program, i)
			if err != nil {
				return nil, err
			}
			best.Program = cut
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
	best.Tests += cutter.Tests
	return &best, nil
}
