package search

import "goreify/reify/ir"

// branch decides a conditional jump and returns where it goes. A walk that finds its
// own path may take the other direction if it fails to take the one drawn. It may not
// if it is about to end: a condition that is decided by the same data as before would
// only go round once more.
func (r *run) branch(d decision, t *ir.If) (to int, f *failure) {
	then, otherwise := t.Then.Index, t.Else.Index
	if r.guide.demand != nil {
		to = r.guide.demand[d.pos+1]
		if !r.turn(d, then, to == then, true) {
			return 0, d.failure()
		}
		return to, nil
	}
	if len(d.at.syms) == 0 {
		return r.follow(d, then, otherwise)
	}
	if went, since, still := r.still(d); still {
		f := &failure{pos: d.pos, at: d.at, since: since, to: then + otherwise - went, leave: 2}
		if r.blocks[f.to].exit < 0 {
			f.since = 0
		}
		return 0, f
	}
	w := r.wish(d, then, otherwise)
	r.stats.Wishes++
	to, other := then, otherwise
	if !w.then {
		to, other = other, to
	}
	if r.turn(d, then, w.then, w.late) {
		return to, nil
	}
	r.stats.Detours++
	if w.late {
		if since := r.stuck(d, to); since > 0 {
			return 0, &failure{pos: d.pos, at: d.at, since: since, to: to, leave: 1}
		}
	}
	if r.blocks[other].exit >= 0 && r.turn(d, then, !w.then, false) {
		if w.firm {
			r.missed = *d.failure()
		}
		return other, nil
	}
	return 0, d.failure()
}

// still reports whether the walk has come back to a condition and neither it nor any
// condition in between has seen new data: it would go round for ever. went is the block
// that it went to last time, since the first of the last visits that saw this data and
// went there. There the walk is to leave for another block.
func (r *run) still(d decision) (went, since int, still bool) {
	n := len(d.info.visits)
	if n == 1 || !r.same(d.at, r.state(d.pos+1), r.state(int(d.info.visits[n-2])+1)) {
		r.moved = d.pos
		return
	}
	last := int(d.info.visits[n-2])
	if r.moved > last {
		return
	}
	went = r.path[last+1]
	since = last
	for i := n - 3; i >= 0 && r.path[d.info.visits[i]+1] == went; i-- {
		p := int(d.info.visits[i])
		if !r.same(d.at, r.state(d.pos+1), r.state(p+1)) {
			break
		}
		since = p
	}
	return went, since, true
}

// A wish is a direction drawn for a conditional.
type wish struct {
	then bool
	// firm says that the target asks for it, and the walk is off it otherwise.
	firm bool
	// late says that the walk is about to end, or that only one direction exists.
	late bool
}

// wish draws the direction that a conditional should take. Past the wanted length it is
// the one that leads to the exit sooner; before it, one that leads on to loops. It
// leaves a loop with as many rounds as wanted, and goes back into it before. Else it is
// the direction taken last time, or any.
func (r *run) wish(d decision, then, otherwise int) wish {
	info := d.info
	if info.leave > 0 && r.s.Chance(info.leave, info.leave+3) && (info.leaveTo == then || info.leaveTo == otherwise) {
		return wish{then: info.leaveTo == then}
	}
	if r.forced.pos == d.pos && (r.forced.to == then || r.forced.to == otherwise) {
		return wish{r.forced.to == then, true, true}
	}
	a, b := &r.blocks[then], &r.blocks[otherwise]
	if a.exit < 0 || b.exit < 0 {
		return wish{b.exit < 0, true, true}
	}
	left := r.guide.Length - (d.pos - r.fixedVisits()) - 1 // blocks still to visit
	if left <= int(min(a.exit, b.exit)) {
		if a.exit != b.exit {
			return wish{a.exit < b.exit, true, true}
		}
		return wish{r.s.Chance(1, 2), true, true}
	}
	if a.stays != b.stays && left > int(max(a.exit, b.exit))+2 {
		return wish{a.stays, left > int(max(a.exit, b.exit))+2+r.guide.Length/4, false}
	}
	if w, ok := r.roundWish(info, a, b, left); ok {
		return w
	}
	if n := len(info.visits); n > 1 && r.s.Chance(r.guide.Sticky, 100) {
		return wish{then: r.path[info.visits[n-2]+1] == then}
	}
	return wish{then: r.s.Chance(1, 2)}
}

// roundWish draws the direction that the wanted rounds ask for, if they do. As long as
// rounds are left, it is towards the block to go round, by the shortest way if time is
// short. It leads away from a block that has been visited as often.
func (r *run) roundWish(info, a, b *block, left int) (w wish, ok bool) {
	if r.guide.Rounds == 0 {
		return
	}
	hub := &r.blocks[r.guide.Loop]
	rounds := r.guide.Rounds - len(hub.visits) // still to go
	if rounds <= 0 || a.round < 0 && b.round < 0 {
		in, on := info.loops && a.loop == info.loop, info.loops && b.loop == info.loop
		if in != on && len(info.visits) >= r.guide.Rounds {
			return wish{then: on, firm: true}, true
		}
		return
	}
	if a.round < 0 || b.round < 0 {
		return wish{then: b.round < 0, firm: true}, true
	}
	if len(info.visits) > 1 {
		return // a loop that went round once goes on best
	}
	detour := int(max(a.round, b.round) - min(a.round, b.round))
	slack := left - int(min(a.round, b.round)) - (rounds-1)*r.guide.cycle - int(hub.exit)
	if detour > 0 && (slack < rounds*detour || r.s.Chance(3, 4)) {
		return wish{then: a.round < b.round}, true
	}
	return
}

// stuck returns the first of the last visits of a condition that all took another
// successor than a block, if these are so many, or so much alike, that another round
// will not help; else 0.
func (r *run) stuck(d decision, to int) int {
	since := 0
	n := 0
	for i := len(d.info.visits) - 2; i >= 0 && r.path[d.info.visits[i]+1] != to; i-- {
		since = int(d.info.visits[i])
		n++
	}
	if n > 3 || n > 0 && r.same(d.at, r.state(d.pos+1), r.state(int(d.info.visits[len(d.info.visits)-2])+1)) {
		return since
	}
	return 0
}
