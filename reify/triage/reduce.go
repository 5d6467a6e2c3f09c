package triage

import (
	"context"
	"errors"
	"fmt"

	"goreify/reify/ir"
	"goreify/reify/reduce"
)

// reduce makes the reduced test.
func (s *subject) reduce(ctx context.Context, opt Options, r *Result) error {
	program, err := ir.Parse(s.entry.Program)
	switch {
	case s.entry.Program == "":
		return errors.New("there is no program in the entry, only C")
	case err != nil:
		return err
	}
	if err := program.Check(); err != nil {
		return err
	}
	list := ways(s.entry, program)
	if len(list) == 0 {
		return errors.New("the way in which it was written is not known")
	}
	p, err := s.newPredicate(ctx, list)
	if err != nil {
		return err
	}
	start, err := p.start(ctx, program)
	if err != nil {
		return err
	}
	opt.progress("reduces it, written %s", list[start.Form].name)
	if r.Reduced, err = p.shrink(ctx, start, opt); err != nil {
		return err
	}
	w := list[r.Reduced.Form]
	source, _ := w.write(r.Reduced.Program)
	r.Form = w.name
	s.entry.Reduced, s.entry.ReducedProgram = source, r.Reduced.Program.String()
	s.way, s.reduced = w, r.Reduced.Program
	s.entry.ReducedCommand = s.command()
	for _, text := range s.entry.Sources {
		r.Before += BodyLines(text)
	}
	r.After = BodyLines(source)
	return nil
}

// mostTests bounds a reduction: most take 100 to 300 tests, and a large program
// that will not get smaller would take thousands.
const mostTests = 1200

// shrink reduces start. Whether it is the same bug for sure is asked in the end.
// Where it is not, the reduction goes on from the last step at which it was, and
// asks each time.
func (p *predicate) shrink(ctx context.Context, start reduce.Candidate, opt Options) (*reduce.Result, error) {
	steps := []reduce.Candidate{start}
	o := reduce.Options{
		Forms:    len(p.ways),
		Workers:  opt.Workers,
		MaxTests: mostTests,
		Test:     p.test,
		Confirm:  p.confirm,
		Progress: func(st reduce.Step) {
			if st.Changed && st.Pass != "" {
				steps = append(steps, st.Best)
				opt.progress("round %d, %s: %d tests", st.Round, st.Pass, st.Tests)
			}
		},
	}
	first, err := reduce.Run(ctx, start, o)
	if err != nil {
		return nil, err
	}
	if ok, err := p.sure(ctx, first.Candidate); ok || err != nil {
		return first, err
	}
	from, err := p.lastSure(ctx, steps)
	if err != nil {
		return nil, err
	}
	opt.progress("not the same bug any more; goes on from step %d of %d", from, len(steps)-1)
	o.Confirm = p.sure
	second, err := reduce.Run(ctx, steps[from], o)
	if err != nil {
		return nil, err
	}
	if ok, err := p.sure(ctx, second.Candidate); err != nil || !ok {
		return nil, errors.Join(err, fmt.Errorf("the result of the reduction: %w", reduce.ErrFlaky))
	}
	second.Tests += first.Tests
	second.Confirms += first.Confirms
	second.Undefined += first.Undefined
	second.Rounds += first.Rounds
	return second, nil
}

// lastSure returns the last of the steps that shows the same bug for sure, as far
// as halving finds it. The first one does, the last one does not.
func (p *predicate) lastSure(ctx context.Context, steps []reduce.Candidate) (int, error) {
	lo, hi := 0, len(steps)-1
	for hi-lo > 1 {
		mid := lo + (hi-lo)/2
		ok, err := p.sure(ctx, steps[mid])
		switch {
		case err != nil:
			return 0, err
		case ok:
			lo = mid
		default:
			hi = mid
		}
	}
	return lo, nil
}

// start returns what to begin with: of the cases of the program and the ways to
// write it the first that fails as the original does; and if no case does alone,
// those together that can run one after another.
func (p *predicate) start(ctx context.Context, program *ir.Program) (reduce.Candidate, error) {
	if c, ok, err := p.first(ctx, starts(program)); ok || err != nil {
		return c, err
	}
	all, calls, err := together(program)
	if err != nil {
		return reduce.Candidate{}, fmt.Errorf("all calls in one function: %w", err)
	}
	if c, ok, err := p.first(ctx, all); ok || err != nil {
		return c, err
	}
	also := ""
	switch {
	case len(all) > 0 && calls == len(program.Cases):
		also = ", nor do all together"
	case len(all) > 0:
		also = fmt.Sprintf(", nor do %d of the %d together, the most that were seen to run one after another", calls, len(program.Cases))
	case len(program.Cases) > 1:
		also = ", and no two were seen to run one after another"
	}
	return reduce.Candidate{}, fmt.Errorf("no single call fails in any of %d ways to write it%s: %w", len(p.ways), also, reduce.ErrNotReproduced)
}

// first returns the first of the programs, in the plainest way, that fails as the
// original does.
func (p *predicate) first(ctx context.Context, list []*ir.Program) (c reduce.Candidate, ok bool, err error) {
	for form := range p.ways {
		for _, program := range list {
			c := reduce.Candidate{Program: program, Form: form}
			if ok, err := p.shows(ctx, c); ok || err != nil {
				return c, ok, err
			}
		}
	}
	return reduce.Candidate{}, false, nil
}

// shows tells whether a candidate fails as the original does, for sure.
func (p *predicate) shows(ctx context.Context, c reduce.Candidate) (bool, error) {
	if ok, err := p.test(ctx, c); !ok || err != nil {
		return false, err
	}
	return p.sure(ctx, c)
}
