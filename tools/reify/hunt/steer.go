package hunt

// A yield is what came of the batches of a kind so far.
type yield struct {
	cpu     float64 // seconds, of compilers and programs
	running int     // batches whose cost is not known yet
	buckets int     // that were seen for the first time in one of them, of each culprit one

	recentCPU float64 // the part of cpu that went into the last batches
}

const (
	// floor is the share of the time that a kind gets whatever it yields, and floors
	// bounds what they come to: with several languages there are many kinds.
	floor  = 0.01
	floors = 0.25
	// prior is the CPU time, in seconds, for which a kind's weight counts as
	// much as what it has yielded, and expected what all kinds together are taken
	// to have yielded in it: one bucket more, which is luck as like as not, must
	// not turn the hunt round.
	prior    = 1200
	expected = 4
	// typical is what a batch is taken to cost that is not done yet, in CPU
	// seconds.
	typical = 3
)

// choose returns the index of the kind that the next batch is to be of: the
// one that is furthest behind its share of the time, as in a multi-armed bandit.
// The shares are in proportion to new buckets in a CPU second, above a floor.
// With the same history it chooses the same.
func choose(kinds []Kind, history map[string]yield) int {
	rates := bucketRates(kinds, history)
	least := min(floor, floors/float64(len(kinds)))
	spread := 1 - least*float64(len(kinds))
	spent := 0.0
	for _, k := range kinds {
		spent += history[k.Name].cost()
	}
	best, behind := 0, 0.0
	for i, k := range kinds {
		share := least + spread*rates[i]
		if due := share*(spent+typical) - history[k.Name].cost(); i == 0 || due > behind {
			best, behind = i, due
		}
	}
	return best
}

// cost is the CPU time of all batches, those that are running as well.
func (y yield) cost() float64 { return y.cpu + typical*float64(y.running) }

// bucketRates returns for each kind its part of the new buckets in a CPU second.
// Their sum is 1.
func bucketRates(kinds []Kind, history map[string]yield) []float64 {
	weights := 0.0
	for _, k := range kinds {
		weights += k.Weight
	}
	rates, sum := make([]float64, len(kinds)), 0.0
	for i, k := range kinds {
		y := history[k.Name]
		rates[i] = (float64(y.buckets) + expected*k.Weight/weights) / (y.cost() + prior)
		sum += rates[i]
	}
	for i := range rates {
		rates[i] /= sum
	}
	return rates
}
