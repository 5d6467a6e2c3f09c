package foreign

import (
	"context"
	"slices"
)

// Ask answers questions in one batch: a reply for each, in their order. A reply without
// an answer says why. An answer of a function of Both must hold with pointers of 32
// bits, too. The error is that of ctx, or the one that kept the machine from answering.
func (h *Harvester) Ask(ctx context.Context, q []Question) ([]Reply, error) {
	replies, narrow, err := h.ask(ctx, q, 0, func([]Reply) []int { return nil })
	for i := range replies {
		if q[i].Function.Models == Both && replies[i].Refused == "" && (narrow == nil || !narrow[i]) {
			replies[i].Refused = ReasonNarrow
		}
	}
	return replies, err
}

// ask asks all witnesses. If choose returns numbers for the replies of one function,
// the other replies become reasonSpare. narrow tells which replies also hold with
// pointers of 32 bits; it is nil if no witness could be asked.
func (h *Harvester) ask(ctx context.Context, q []Question, deaths int, choose func([]Reply) []int) (replies []Reply, narrow []bool, err error) {
	replies = make([]Reply, len(q))
	var open []int // questions without a refusal
	for i := range q {
		replies[i].Args = q[i].Args
		open = append(open, i)
	}
	for n, w := range h.witnesses {
		if len(open) == 0 {
			break
		}
		first := n == 0
		runs := 2 // at other addresses
		if w.sanitizes {
			runs = 1
		}
		b := &batch{Harvester: h, witness: w, deaths: deaths}
		if !first {
			b.deaths = 0
		}
		answers, err := b.ask(ctx, q, open, runs)
		if err != nil {
			return nil, nil, err
		}
		var left []int
		for k, i := range open {
			r := &replies[i]
			for _, list := range answers {
				a := list[k]
				switch {
				case r.Refused != "":
				case a.state != answered && first:
					r.Refused = a.reason(ReasonUndefined)
				case a.state != answered:
					r.Refused = a.reason(w.reason)
				case first:
					r.Want, r.Steps, r.Visited = a.want, a.steps, a.visited
				case a.want != r.Want:
					r.Refused = ReasonDiffers
					if w.reason == ReasonUninitialised {
						r.Refused = w.reason
					}
				}
			}
			if r.Refused == "" {
				left = append(left, i)
			}
		}
		open = left
		if first {
			open = selected(q, replies, open, choose)
		}
	}
	if len(h.narrow) > 0 {
		narrow = make([]bool, len(q))
		for _, i := range open {
			narrow[i] = true
		}
	}
	for _, w := range h.narrow {
		open = slices.DeleteFunc(open, func(i int) bool { return !narrow[i] })
		if len(open) == 0 {
			break
		}
		b := &batch{Harvester: h, witness: w}
		answers, err := b.ask(ctx, q, open, 1)
		if err != nil {
			return nil, nil, err
		}
		for k, i := range open {
			narrow[i] = answers[0][k].state == answered && answers[0][k].want == replies[i].Want
		}
	}
	return replies, narrow, nil
}

// selected returns the questions that choose takes. Of the variants of one function,
// which are neighbours, only the one stays of which more sets of visited statements are
// chosen.
func selected(q []Question, replies []Reply, open []int, choose func([]Reply) []int) []int {
	var kept []int
	var best struct {
		origin   Origin
		at, sets int // index of its first question in kept
	}
	for from := 0; from < len(open); {
		f := q[open[from]].Function
		to := from
		var group []Reply
		for ; to < len(open) && q[open[to]].Function == f; to++ {
			group = append(group, replies[open[to]])
		}
		list := choose(group)
		visited := map[uint64]bool{}
		var taken []int
		for k := range group {
			if list == nil || slices.Contains(list, k) {
				taken = append(taken, open[from+k])
				visited[group[k].Visited] = true
			} else {
				replies[open[from+k]].Refused = reasonSpare
			}
		}
		from = to
		variant := list != nil && f.Origin == best.origin && f.Origin != Origin{}
		switch {
		case !variant:
			best.at = len(kept)
		case len(visited) > best.sets:
			for _, i := range kept[best.at:] {
				replies[i].Refused = reasonSpare
			}
			kept = kept[:best.at]
		default:
			for _, i := range taken {
				replies[i].Refused = reasonSpare
			}
			continue
		}
		best.origin, best.sets = f.Origin, len(visited)
		kept = append(kept, taken...)
	}
	return kept
}

// The outcomes of a question, as in driver.c.
const (
	unanswered = iota
	answered
	endless
	died
	skipped
	rejected // by the compiler
)

type answer struct {
	state   int
	want    int64
	steps   int
	visited uint64
}

func (a answer) reason(usual string) string {
	switch a.state {
	case endless:
		return ReasonEndless
	case skipped:
		return ReasonSkipped
	case rejected:
		return ReasonRejected
	}
	return usual
}
