package search

import (
	"slices"

	"goreify/reify/choice"
	"goreify/reify/ir"
)

// jump decides a switch at a position and returns where it goes. Its labels are the
// unknowns. A value that no label has and that did not go to the default before becomes
// a label of the wanted successor, if that has a free one, or goes to the default.
func (r *run) jump(d decision, t *ir.Switch) (to int, f *failure) {
	demand := r.guide.demand != nil
	info := d.info
	var w wish
	var targets []int32 // that lead to the exit
	if demand {
		to = r.guide.demand[d.pos+1]
	} else {
		if f := r.stillSwitch(d, t); f != nil {
			return 0, f
		}
		if targets = r.targetsOf(t); len(targets) == 0 {
			return 0, d.failure()
		}
		w, to = r.wishOf(d, targets)
		r.stats.Wishes++
	}
	v, ok := r.switchValue(d, t, to)
	if !ok {
		return 0, d.failure()
	}
	n := len(info.visits) - 1
	info.values = append(info.values[:min(n, len(info.values))], v)
	if len(info.values) != n+1 {
		panic("search: a visit of a switch without a value")
	}
	if went, ok := r.labels.outcome(t, info, v); ok {
		switch {
		case went == to:
			return to, nil
		case demand || r.blocks[went].exit < 0:
			return 0, d.failure()
		}
		r.stats.Detours++
		if w.late {
			if since := r.stuck(d, to); since > 0 {
				return 0, &failure{pos: d.pos, at: d.at, since: since, to: to, leave: 1}
			}
		}
		if w.firm {
			r.missed = *d.failure()
		}
		return went, nil
	}
	if r.labels.lead(t, d, to, v) {
		return to, nil
	}
	if demand {
		return 0, d.failure()
	}
	r.stats.Detours++
	r.s.Shuffle(len(targets), func(i, j int) { targets[i], targets[j] = targets[j], targets[i] })
	for _, other := range targets {
		if r.labels.lead(t, d, int(other), v) {
			return int(other), nil
		}
	}
	return 0, d.failure()
}

// stillSwitch is still for a switch.
func (r *run) stillSwitch(d decision, t *ir.Switch) *failure {
	went, since, still := r.still(d)
	if !still {
		return nil
	}
	to := -1
	for _, b := range t.Targets() {
		if b.Index != went && r.blocks[b.Index].exit >= 0 && (to < 0 || r.blocks[b.Index].exit < r.blocks[to].exit) {
			to = b.Index
		}
	}
	if to < 0 {
		to, since = went, 0
	}
	return &failure{pos: d.pos, at: d.at, since: since, to: to, leave: 2}
}

// switchValue returns the value that decides a switch. Symbols in it are chosen
// at the first visit, to reach a block if its labels are constants.
func (r *run) switchValue(d decision, t *ir.Switch, to int) (int64, bool) {
	at, state := d.at, r.state(d.pos+1)
	if len(d.info.visits) == 1 {
		r.labels.pinRanges(t)
	}
	if len(d.info.visits) == 1 && len(at.syms) > 0 {
		want := all(ir.IntOf(t.X))
		if aim, ok := r.labels.fixed(t, to); ok {
			want = aim
		}
		pol := r.policyFor(ir.IntOf(t.X), r.visitsExpected(at.block), at.fails)
		const tries = 6
		for try := range tries {
			r.unset(at.syms)
			v, ok := r.chooseAt(at, state, want, &pol)
			if ok && (want.holds(v) || want == all(ir.IntOf(t.X)) || try > tries/2 && r.guide.demand == nil) {
				return v, true
			}
		}
	}
	return r.value(at, state)
}

// targetsOf returns the successors of a switch that lead to the exit. They are
// valid until it is called again.
func (r *run) targetsOf(t *ir.Switch) []int32 {
	r.targets = r.targets[:0]
	for _, b := range t.Targets() {
		if r.blocks[b.Index].exit >= 0 {
			r.targets = append(r.targets, int32(b.Index))
		}
	}
	return r.targets
}

// wishOf draws which of some targets a switch should go to, as wish does for a
// condition.
func (r *run) wishOf(d decision, targets []int32) (w wish, to int) {
	info, list := d.info, targets
	pick := func(from []int32) int { return int(choice.Pick(r.s, from)) }
	switch {
	case info.leave > 0 && r.s.Chance(info.leave, info.leave+3) && slices.Contains(list, int32(info.leaveTo)):
		return w, info.leaveTo
	case r.forced.pos == d.pos && slices.Contains(list, int32(r.forced.to)):
		return wish{firm: true, late: true}, r.forced.to
	case len(list) == 1:
		return wish{firm: true, late: true}, int(list[0])
	}
	nearest := func(by func(*block) int32) []int32 {
		least := by(&r.blocks[slices.MinFunc(list, func(a, b int32) int { return int(by(&r.blocks[a]) - by(&r.blocks[b])) })])
		return r.filter(targets, func(b *block) bool { return by(b) == least })
	}
	exit := nearest(func(b *block) int32 { return b.exit })
	left := r.guide.Length - d.pos - 1 // blocks still to visit
	if left <= int(r.blocks[exit[0]].exit) {
		return wish{firm: true, late: true}, pick(exit)
	}
	if stay := r.filter(targets, func(b *block) bool { return b.stays && int(b.exit) < left }); len(stay) > 0 && len(stay) < len(list) && left > int(r.blocks[exit[0]].exit)+2 {
		list = stay
	}
	if r.guide.Rounds > 0 {
		hub := &r.blocks[r.guide.Loop]
		if rounds := r.guide.Rounds - len(hub.visits); rounds <= 0 {
			if len(info.visits) >= r.guide.Rounds {
				if out := r.filter(targets, func(b *block) bool { return !b.loops || !info.loops || b.loop != info.loop }); len(out) > 0 {
					return wish{firm: true}, pick(out)
				}
			}
		} else if back := r.filter(targets, func(b *block) bool { return b.round >= 0 }); len(back) > 0 {
			if n := len(info.visits); n > 1 && r.s.Chance(r.guide.Sticky, 100) {
				if last := int32(r.path[info.visits[n-2]+1]); slices.Contains(back, last) {
					return w, int(last) // a loop that went round once goes on best
				}
			}
			near := back[:0]
			least := r.blocks[back[0]].round
			for _, b := range back {
				least = min(least, r.blocks[b].round)
			}
			slack := left - int(least) - (rounds-1)*r.guide.cycle - int(hub.exit)
			for _, b := range back {
				if d := int(r.blocks[b].round - least); d == 0 || slack >= rounds*d && r.s.Chance(1, 3) {
					near = append(near, b)
				}
			}
			return wish{firm: len(back) < len(list)}, pick(near)
		}
	}
	if n := len(info.visits); n > 1 && r.s.Chance(r.guide.Sticky, 200) { // a switch is to change
		if last := int32(r.path[info.visits[n-2]+1]); slices.Contains(list, last) {
			return w, int(last)
		}
	}
	return w, pick(list)
}

// filter returns those blocks of a list that meet a condition.
func (r *run) filter(list []int32, f func(*block) bool) (met []int32) {
	for _, b := range list {
		if f(&r.blocks[b]) {
			met = append(met, b)
		}
	}
	return met
}
