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
	r.Reduced, err = reduce.Run(ctx, start, reduce.Options{
		Forms:   start.Form + 1,
		Workers: opt.Workers,
		Test:    p.test,
		Confirm: p.confirm,
		Progress: func(st reduce.Step) {
			if st.Changed && st.Pass != "" {
				opt.progress("round %d, %s: %d tests", st.Round, st.Pass, st.Tests)
			}
		},
	})
	if err != nil {
		r.Reduced = nil
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

// start returns what to begin with: of the cases of the program and the ways to
// write it the first that fails as the original does.
func (p *predicate) start(ctx context.Context, program *ir.Program) (reduce.Candidate, error) {
	one := starts(program)
	for form := range p.ways {
		for _, program := range one {
			c := reduce.Candidate{Program: program, Form: form}
			for i, ask := range []reduce.Test{p.test, p.confirm} {
				ok, err := ask(ctx, c)
				if err != nil {
					return c, err
				}
				if !ok {
					break
				}
				if i == 1 {
					return c, nil
				}
			}
		}
	}
	return reduce.Candidate{}, fmt.Errorf("no single call fails in any of %d ways to write it: %w", len(p.ways), reduce.ErrNotReproduced)
}
