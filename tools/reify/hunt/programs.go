package hunt

import (
	"context"
	"fmt"

	"goreify/compilers"
	"goreify/reify/breed"
	"goreify/reify/oracle"
	"goreify/reify/solve/search"
)

// Program returns the whole program of a seed, of a kind that is not bred, or
// nil if none of its functions can be solved. An error is a *reify.GeneratorBug.
func (k Kind) Program(seed uint64) (*oracle.Program, error) { return program(k.input(seed, nil)) }

// program returns the whole program of an input; constants are not changed.
func program(in breed.Input) (*oracle.Program, error) {
	conf, err := in.Config()
	if err != nil {
		return nil, err
	}
	return solved(oracle.MakeProgram(in.Recipe, oracle.ProgramSize(in.Recipe), conf, search.Engine{}))
}

// A made program is one of a batch, which it has a number in.
type madeProgram struct {
	*oracle.Program
	number int
	input  breed.Input
}

// programs returns the programs of a batch.
func (k Kind) programs(hunt uint64, b batch) (list []madeProgram, err error) {
	for i := range k.Size {
		in := k.input(firstSeed(hunt, b.number)+uint64(i), b.parents)
		p, err := program(in)
		if err != nil {
			return nil, err
		}
		if p != nil {
			list = append(list, madeProgram{p, i, in})
		}
	}
	return list, nil
}

// programBatch is batch for a kind of whole programs. They are compiled
// together; where that goes wrong, each is asked about on its own.
func (h *hunt) programBatch(ctx context.Context, b batch, kind Kind) (result, error) {
	var r result
	made, err := kind.programs(h.seed, b)
	if err != nil || len(made) == 0 {
		return r, err
	}
	r.programs = len(made)
	var list []*oracle.Program
	for _, p := range made {
		list = append(list, p.Program)
		r.functions += len(p.IR.Funcs)
	}
	o, configs, err := h.ask(b)
	if err != nil {
		return r, err
	}
	check := func(p *oracle.Program) (*oracle.Report, error) {
		o.Ask = r.asking(configs)
		report, err := o.CheckProgram(ctx, p, 0)
		if report != nil {
			r.cost = r.cost.Plus(report.Cost)
		}
		return report, err
	}
	o.Listen, o.Apart = h.listens(), h.listens()
	all, err := check(oracle.Bundle(list))
	if ctx.Err() != nil || err != nil {
		return r, err
	}
	if h.listens() {
		r.heard.hear(all, bundled(made))
		if err := h.unheard(all); err != nil {
			return r, err
		}
	}
	o.Listen = false
	if all.Finding == nil && all.Discarded == 0 {
		return r, nil
	}
	found := 0
	for _, m := range made {
		var bred lineage
		if kind.Bred {
			bred = func(*oracle.Finding) []breed.Input { return []breed.Input{m.input} }
		}
		p, err := program(m.input) // anew: the bundle has changed it
		if err != nil {
			return r, err
		}
		report, err := check(p)
		if ctx.Err() != nil || err != nil {
			return r, err
		}
		if err := h.discards(ctx, b, report, &r, bred); err != nil {
			return r, err
		}
		if report.Finding != nil {
			found++
			f := newFinding(b, fmt.Sprintf("program-%d", m.number), report.Finding, bred)
			if err := h.keep(ctx, f); err != nil {
				return r, err
			}
		}
	}
	if r.discards == 0 { // then what the bundle met has been noted nowhere
		if err := h.discards(ctx, b, all, &r, nil); ctx.Err() != nil || err != nil {
			return r, err
		}
	}
	if found == 0 && all.Finding != nil && all.Finding.Outcome.Verdict != compilers.SlowCompile {
		// It takes several of them.
		return r, h.keep(ctx, newFinding(b, "bundle", all.Finding, nil))
	}
	return r, nil
}

// bundled returns the origin of the functions of a bundle, p2_f3 for example:
// what its function alone is made of, which is the fourth of the third program.
func bundled(made []madeProgram) origin {
	return func(function string) (string, breed.Input, bool) {
		var program, number int
		if n, err := fmt.Sscanf(function, "p%d_f%d", &program, &number); n < 2 || err != nil || program < 0 || program >= len(made) || number < 0 {
			return "", breed.Input{}, false
		}
		in := made[program].input
		in.Recipe = in.Recipe.Nth(number)
		return function, in, true
	}
}
