package hunt

import (
	"context"
	"fmt"

	"goreify/compilers"
	"goreify/reify"
	"goreify/reify/oracle"
	"goreify/reify/solve"
	"goreify/reify/solve/search"
)

// programs returns a kind of whole programs.
func programs(name string, size int, weight float64, configure func(reify.Recipe) reify.Config) Kind {
	return Kind{Name: name, Size: size, Weight: weight, Program: func(seed uint64) (*oracle.Program, error) {
		r := reify.FromSeed(seed)
		p, err := oracle.MakeProgram(r, oracle.ProgramSize(r), configure(r), search.Engine{})
		if solve.Unsolved(err) {
			return nil, nil
		}
		return p, err
	}}
}

// programs returns the programs of a batch, and the seed of each.
func (k Kind) programs(hunt uint64, n int64) (list []*oracle.Program, seeds []uint64, err error) {
	for i := range k.Size {
		seed := firstSeed(hunt, n) + uint64(i)
		p, err := k.Program(seed)
		if err != nil {
			return nil, nil, err
		}
		if p != nil {
			list, seeds = append(list, p), append(seeds, seed)
		}
	}
	return list, seeds, nil
}

// programBatch is batch for a kind of whole programs. They are compiled
// together; where that goes wrong, each is asked about on its own.
func (h *hunt) programBatch(ctx context.Context, b batch, kind Kind) (result, error) {
	var r result
	list, seeds, err := kind.programs(h.seed, b.number)
	if err != nil || len(list) == 0 {
		return r, err
	}
	r.programs = len(list)
	for _, p := range list {
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
	all, err := check(oracle.Bundle(list))
	if ctx.Err() != nil || err != nil {
		return r, err
	}
	if all.Finding == nil && all.Discarded == 0 {
		return r, nil
	}
	found := 0
	for _, seed := range seeds {
		p, err := kind.Program(seed)
		if err != nil {
			return r, err
		}
		report, err := check(p)
		if ctx.Err() != nil || err != nil {
			return r, err
		}
		if err := h.discards(ctx, b, report, &r); err != nil {
			return r, err
		}
		if report.Finding != nil {
			found++
			if err := h.keep(ctx, newFinding(b, fmt.Sprintf("program-%d", seed-firstSeed(h.seed, b.number)), report.Finding)); err != nil {
				return r, err
			}
		}
	}
	if r.discards == 0 { // then what the bundle met has been noted nowhere
		if err := h.discards(ctx, b, all, &r); ctx.Err() != nil || err != nil {
			return r, err
		}
	}
	if found == 0 && all.Finding != nil && all.Finding.Outcome.Verdict != compilers.SlowCompile {
		// It takes several of them.
		return r, h.keep(ctx, newFinding(b, "bundle", all.Finding))
	}
	return r, nil
}
