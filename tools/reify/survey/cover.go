package survey

import "time"

// An Input is what Cover chooses from.
type Input struct {
	Name string
	Set  Set
	Cost time.Duration
}

// Cover returns inputs that together reach events that the seeds do not, and
// that are rare among the inputs: greedily, next the one that adds most of them
// for what it costs, the first of equals, until there is no event left, there
// are most inputs, or none is left whose cost fits into budget.
func Cover(inputs []Input, seeds []Set, most int, budget time.Duration) []Input {
	var sets []Set
	for _, in := range inputs {
		sets = append(sets, in.Set)
	}
	wanted := Set{}
	for e, n := range Frequency(sets) {
		if IsRare(n, len(inputs)) {
			wanted[e] = true
		}
	}
	for _, s := range seeds {
		for e := range s {
			delete(wanted, e)
		}
	}
	var chosen []Input
	taken := make([]bool, len(inputs))
	for len(chosen) < most {
		best, value := -1, 0.0
		for i, in := range inputs {
			if taken[i] || in.Cost > budget {
				continue
			}
			news := 0
			for e := range in.Set {
				if wanted[e] {
					news++
				}
			}
			if v := float64(news) / max(in.Cost, time.Millisecond).Seconds(); v > value {
				best, value = i, v
			}
		}
		if best < 0 {
			break
		}
		taken[best] = true
		budget -= inputs[best].Cost
		chosen = append(chosen, inputs[best])
		for e := range inputs[best].Set {
			delete(wanted, e)
		}
	}
	return chosen
}
