package foreign

import (
	"context"

	"goreify/compilers"
)

// A Difference is a pair to which a compiler has another answer.
type Difference struct {
	Function *Function
	Pair     Pair
	Target   compilers.Target
	Mode     compilers.Mode
	Got      string
	// Puns says that the answer is the recorded one with -fno-strict-aliasing or the
	// like: the function accesses objects as other types.
	Puns bool
}

// Check asks a target in a mode about the pairs of functions, and returns the first
// difference of each function. A function that the target cannot compile is a
// difference, too. asked is the number of pairs that were asked about.
func (h *Harvester) Check(ctx context.Context, t compilers.Target, mode compilers.Mode, functions []*Function, pairs [][]Pair) (list []Difference, asked int, err error) {
	narrow := t.Traits().Pointer == 4
	var q []Question
	var want []Pair
	for i, f := range functions {
		if (f.Models == LP64 && narrow) || (f.Models == ILP32 && !narrow) {
			continue
		}
		for _, p := range pairs[i] {
			q, want = append(q, Question{f, p.Args}), append(want, p)
		}
	}
	if len(q) == 0 {
		return nil, 0, nil
	}
	ask := func(t compilers.Target) ([]answer, error) {
		b := &batch{Harvester: h, witness: witness{target: t, limits: h.limits, mode: mode}}
		open := make([]int, len(q))
		for i := range open {
			open[i] = i
		}
		answers, err := b.ask(ctx, q, open, 1)
		if err != nil {
			return nil, err
		}
		return answers[0], nil
	}
	got, err := ask(t)
	if err != nil {
		return nil, 0, err
	}
	wrong := func(list []answer, i int) bool { return list[i].state != answered || list[i].want != want[i].Want }
	seen := map[*Function]bool{}
	var forgiven []answer
	for i := range got {
		f := q[i].Function
		if !wrong(got, i) || seen[f] {
			continue
		}
		seen[f] = true
		d := Difference{Function: f, Pair: want[i], Target: t, Mode: mode, Got: got[i].reason("died")}
		if got[i].state == answered {
			d.Got = f.Result.Format(got[i].want)
		}
		if l, ok := t.(compilers.Lenient); ok && got[i].state != rejected {
			if forgiven == nil {
				if forgiven, err = ask(l.With(l.Forgiving()...)); err != nil {
					return nil, 0, err
				}
			}
			d.Puns = !wrong(forgiven, i)
		}
		list = append(list, d)
	}
	return list, len(q), nil
}
