package hunt

import (
	"context"
	"fmt"

	"goreify/compilers"
	"goreify/reify/oracle"
)

// A made program is one of a batch, which it has a number in.
type madeProgram struct {
	*oracle.Program
	number int
}

// programs returns the programs of a batch.
func (k Kind) programs(hunt uint64, b batch) (list []madeProgram, err error) {
	for i := range k.Size {
		p, err := k.Program(firstSeed(hunt, b.number) + uint64(i))
		if err != nil {
			return nil, err
		}
		if p != nil {
			list = append(list, madeProgram{p, i})
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
	all, err := check(oracle.Bundle(list))
	if ctx.Err() != nil || err != nil {
		return r, err
	}
	if all.Finding == nil && all.Discarded == 0 {
		return r, nil
	}
	found := 0
	for _, m := range made {
		p, err := kind.Program(firstSeed(h.seed, b.number) + uint64(m.number)) // anew: the bundle has changed it
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
			f := newFinding(b, fmt.Sprintf("program-%d", m.number), report.Finding)
			if err := h.keep(ctx, f); err != nil {
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
