package hunt

// A yield is what came of the batches of a kind so far.
type yield struct {
	cpu     float64 // seconds, of compilers and programs
	running int     // batches whose cost is not known yet
	buckets int     // that were seen for the first time in one of them

	recentCPU float64 // the part of cpu that went into the last batches
	heardCPU  float64 // the part of that in which compilers were listened to
	fresh     int     // optimisation events that were reached there for the first time
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
	typical = 3
	// curiosity is the share of the time, above the floor, that goes after new
	// optimisation events in place of new buckets if the hunt listens, and
	// trial the CPU time for which a kind counts as average in that.
	curiosity = 0.3
	trial     = 30
)

// choose returns the index of the kind that the next batch is to be of: the
// one that is furthest behind its share of the time, as in a multi-armed bandit.
// The shares are in proportion to new buckets in a CPU second, above a floor;
// if the hunt is curious, a part of the time is shared out in proportion to new
// events in a CPU second. With the same history it chooses the same.
func choose(kinds []Kind, history map[string]yield, curious bool) int {
	fame, novelty := fame(kinds, history), novelty(kinds, history)
	spread := max(0, 1-floor*float64(len(kinds)))
	spent := 0.0
	for _, k := range kinds {
		spent += history[k.Name].cost()
	}
	best, behind := 0, 0.0
	for i, k := range kinds {
		share := fame[i]
		if curious {
			share = (1-curiosity)*fame[i] + curiosity*novelty[i]
		}
		share = floor + spread*share
		if due := share*(spent+typical) - history[k.Name].cost(); i == 0 || due > behind {
			best, behind = i, due
		}
	}
	return best
}

// cost is the CPU time of all batches, those that are running as well.
func (y yield) cost() float64 { return y.cpu + typical*float64(y.running) }

// fame returns for each kind its part of the new buckets in a CPU second.
func fame(kinds []Kind, history map[string]yield) []float64 {
	weights := 0.0
	for _, k := range kinds {
		weights += k.Weight
	}
	rates := make([]float64, len(kinds))
	for i, k := range kinds {
		y := history[k.Name]
		rates[i] = (float64(y.buckets) + expected*k.Weight/weights) / (y.cost() + prior)
	}
	return parts(rates)
}

// novelty returns for each kind its part of the new events in a CPU second.
func novelty(kinds []Kind, history map[string]yield) []float64 {
	events, cpu := 1.0, 1.0
	for _, k := range kinds {
		events += float64(history[k.Name].fresh)
		cpu += history[k.Name].heardCPU
	}
	rates := make([]float64, len(kinds))
	for i, k := range kinds {
		y := history[k.Name]
		rates[i] = (float64(y.fresh) + trial*events/cpu) / (y.heardCPU + trial)
	}
	return parts(rates)
}

// parts divides positive numbers by their sum.
func parts(list []float64) []float64 {
	sum := 0.0
	for _, v := range list {
		sum += v
	}
	for i := range list {
		list[i] /= sum
	}
	return list
}
