package hunt

// A yield is what came of the batches of a kind so far.
type yield struct {
	cpu     float64 // seconds, of compilers and programs
	running int     // batches whose cost is not known yet
	buckets int     // that were seen for the first time in one of them
}

const (
	// floor is the share of the time that a kind gets whatever it yields.
	floor = 0.01
	// prior is the CPU time, in seconds, for which a kind's weight counts as
	// much as what it has yielded, and expected what all kinds together are taken
	// to have yielded in it: one bucket more, which is luck as like as not, must
	// not turn the hunt round.
	prior    = 1200
	expected = 4
	// typical is what a batch is taken to cost that is not done yet, in CPU
	// seconds.
	typical = 10
)

// choose returns the index of the kind that the next batch is to be of: the
// one that is furthest behind its share of the time. The shares are in
// proportion to new buckets in a CPU second, above a floor. With the same
// history it chooses the same.
func choose(kinds []Kind, history map[string]yield) int {
	var weights, rates, spent float64
	for _, k := range kinds {
		weights += k.Weight
	}
	rate := make([]float64, len(kinds))
	cost := make([]float64, len(kinds))
	for i, k := range kinds {
		y := history[k.Name]
		cost[i] = y.cpu + typical*float64(y.running)
		rate[i] = (float64(y.buckets) + expected*k.Weight/weights) / (cost[i] + prior)
		rates += rate[i]
		spent += cost[i]
	}
	spread := max(0, 1-floor*float64(len(kinds)))
	best, behind := 0, 0.0
	for i := range kinds {
		share := floor + spread*rate[i]/rates
		if due := share*(spent+typical) - cost[i]; i == 0 || due > behind {
			best, behind = i, due
		}
	}
	return best
}
