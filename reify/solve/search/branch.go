package search

import "goreify/reify/ir"

// branch decides a conditional jump at a position and returns where it goes.
// Where the walk finds its own way, the direction it fails to take may be left
// for the other one, unless the walk is to end: then a condition that is
// decided by the same data as before would only go round once more.
func (r *run) branch(at *site, t *ir.If, info *block, pos int) (to int, f *failure) {
	then, otherwise := t.Then.Index, t.Else.Index
	if r.guide.demand != nil {
		to = r.guide.demand[pos+1]
		if !r.turn(at, info, pos, then, to == then, true) {
			return 0, &failure{pos: pos, at: at}
		}
		return to, nil
	}
	if went, since, still := r.still(at, info, pos); still {
		f := &failure{pos: pos, at: at, since: since, to: then + otherwise - went, leave: 2}
		if r.blocks[f.to].exit < 0 {
			f.since = 0
		}
		return 0, f
	}
	w := r.wish(info, then, otherwise, pos)
	r.stats.Wishes++
	to, other := then, otherwise
	if !w.then {
		to, other = other, to
	}
	if r.turn(at, info, pos, then, w.then, w.late) {
		return to, nil
	}
	r.stats.Detours++
	if w.late {
		if since := r.stuck(at, info, pos, to); since > 0 {
			return 0, &failure{pos: pos, at: at, since: since, to: to, leave: 1}
		}
	}
	if r.blocks[other].exit >= 0 && r.turn(at, info, pos, then, !w.then, false) {
		if w.firm {
			r.missed = failure{pos: pos, at: at}
		}
		return other, nil
	}
	return 0, &failure{pos: pos, at: at}
}

// still reports whether the walk has come back to a condition and neither it nor
// any condition in between has seen new data: it would go round for ever. It
// went to a block and is to leave for another where the data was last another,
// which is since.
func (r *run) still(at *site, info *block, pos int) (went, since int, still bool) {
	n := len(info.visits)
	if n == 1 || !r.same(at, r.state(pos+1), r.state(int(info.visits[n-2])+1)) {
		r.moved = pos
		return
	}
	last := int(info.visits[n-2])
	if r.moved > last {
		return
	}
	went = r.path[last+1]
	since = last
	for i := n - 3; i >= 0 && r.path[info.visits[i]+1] == went; i-- {
		p := int(info.visits[i])
		if !r.same(at, r.state(pos+1), r.state(p+1)) {
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
	// late says that the walk is to end, or that there is no other direction.
	late bool
}

// wish draws the direction that a conditional should take: past the wanted
// length the one that leads to the exit sooner; before it one that leads on to
// loops; out of a loop once it has gone round as often as wanted, back into it
// before; else the one it took last time, or any.
func (r *run) wish(info *block, then, otherwise, pos int) wish {
	if info.leave > 0 && r.s.Chance(info.leave, info.leave+3) && (info.leaveTo == then || info.leaveTo == otherwise) {
		return wish{then: info.leaveTo == then}
	}
	if r.forced.pos == pos && (r.forced.to == then || r.forced.to == otherwise) {
		return wish{r.forced.to == then, true, true}
	}
	a, b := &r.blocks[then], &r.blocks[otherwise]
	if a.exit < 0 || b.exit < 0 {
		return wish{b.exit < 0, true, true}
	}
	left := r.guide.Length - pos - 1 // blocks still to visit
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

// roundWish draws the direction that the rounds wanted ask for, if they do:
// towards the block to go round as long as rounds are left, by the shortest way
// if there is no time for another; away from what went round as often.
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
		return // what went round once, for short or long, goes on best
	}
	detour := int(max(a.round, b.round) - min(a.round, b.round))
	slack := left - int(min(a.round, b.round)) - (rounds-1)*r.cycle - int(hub.exit)
	if detour > 0 && (slack < rounds*detour || r.s.Chance(3, 4)) {
		return wish{then: a.round < b.round}, true
	}
	return
}

// turn makes the condition at a position go the given way, and at every
// earlier position that met it the way it went. Its symbols touch no variable,
// so they can be chosen anew each time without changing what the path has
// computed. If it fails it leaves them as they were.
func (r *run) turn(at *site, info *block, pos, then int, way, late bool) bool {
	if r.goes(at, pos, way) {
		return true
	}
	if len(at.syms) == 0 || r.decided(at, info, pos, then, way) {
		return false
	}
	r.rows = r.rows[:0]
	for _, p := range info.visits[:len(info.visits)-1] {
		r.rows = append(r.rows, row{int(p), r.path[p+1] == then})
	}
	r.rows = append(r.rows, row{pos, way})
	r.steps += len(r.rows)

	r.saved = r.saved[:0]
	known := true
	for _, sym := range at.syms {
		r.saved = append(r.saved, r.syms[sym.ID])
		known = known && r.set[sym.ID]
	}
	if known && r.moveConstant(at, info) {
		return true
	}
	restarts := 6
	switch n := len(r.rows); {
	case len(at.pivots) == 0:
		restarts = 24 // nothing to solve for, only draws
	case r.equalities(at) > 1:
		restarts = 0 // on other data the same equality hardly ever holds again
	case n > 2 && late:
		restarts = 3
	case n > 5:
		restarts = 0
	case n > 2:
		restarts = 2
	}
	for range restarts {
		r.stats.Restarts++
		r.steps += len(r.rows)
		if r.solveCondition(at) {
			info.rooms = info.rooms[:0]
			return true
		}
	}
	for i, sym := range at.syms {
		r.syms[sym.ID], r.set[sym.ID] = r.saved[i], known
	}
	return false
}

// equalities counts the rows that want the condition to find its sides equal.
func (r *run) equalities(at *site) (n int) {
	top, ok := at.expr.(*ir.Binary)
	if !ok || top.Op != ir.Eq && top.Op != ir.Ne {
		return 0
	}
	for _, row := range r.rows {
		if row.way == (top.Op == ir.Eq) {
			n++
		}
	}
	return n
}

// moveConstant solves for the last pivot, the constant of the condition, over
// all rows, while the other symbols stay. It is all that most turns take, and
// costs one evaluation: what the earlier rows leave room for is kept.
func (r *run) moveConstant(at *site, info *block) bool {
	if len(at.pivots) == 0 {
		return false
	}
	p := at.pivots[len(at.pivots)-1]
	room := all(p.sym.T)
	if n := len(info.rooms); n > 0 {
		room = info.rooms[n-1]
	}
	for n := len(info.rooms); n < len(r.rows); n++ {
		if room = room.and(r.narrow(at.expr, at.over, p, r.rows[n].want(), r.state(r.rows[n].pos+1))); room.empty() {
			return false
		}
		if n < len(r.rows)-1 {
			info.rooms = append(info.rooms, room)
		}
	}
	return r.settle(at, p, room)
}

// settle gives the pivot a value in the room, if one there is right for all
// rows. The room may have holes if the condition has == or !=.
func (r *run) settle(at *site, p pivot, room interval) bool {
	old, was := r.syms[p.sym.ID], r.set[p.sym.ID]
	top, _ := at.expr.(*ir.Binary)
	sure := top != nil && top.Op.Compares() && p.sure
	const draws = 3
	for range draws {
		r.assign(p.sym, r.drawPivot(room))
		if sure || r.goesAll(at) {
			return true
		}
	}
	r.syms[p.sym.ID], r.set[p.sym.ID] = old, was
	return false
}

// A row is a visit of a condition and the way it is to go there.
type row struct {
	pos int
	way bool
}

// want returns the values of the condition that go the way of the row.
func (r row) want() interval {
	if r.way {
		return interval{1, 1}
	}
	return interval{0, 0}
}

// goes reports whether the condition goes the given way at a position.
func (r *run) goes(at *site, pos int, way bool) bool {
	v, ok := r.value(at, r.state(pos+1))
	return ok && (v != 0) == way
}

func (r *run) goesAll(at *site) bool {
	for _, row := range r.rows {
		if !r.goes(at, row.pos, row.way) {
			return false
		}
	}
	return true
}

// decided reports whether the condition went the other way before on the same
// data, so that no values of its symbols can make it go this way now.
func (r *run) decided(at *site, info *block, pos, then int, way bool) bool {
	state := r.state(pos + 1)
	for _, p := range info.visits[:len(info.visits)-1] {
		if (r.path[p+1] == then) != way && r.same(at, state, r.state(int(p)+1)) {
			return true
		}
	}
	return false
}

// stuck returns the first of the last visits of a condition that all went
// elsewhere than to a block, if these are so many, or so much alike, that going
// round once more will not help; else 0.
func (r *run) stuck(at *site, info *block, pos, to int) int {
	since := 0
	n := 0
	for i := len(info.visits) - 2; i >= 0 && r.path[info.visits[i]+1] != to; i-- {
		since = int(info.visits[i])
		n++
	}
	if n > 3 || n > 0 && r.same(at, r.state(pos+1), r.state(int(info.visits[len(info.visits)-2])+1)) {
		return since
	}
	return 0
}

// same reports whether two states agree on the variables that a site reads.
func (r *run) same(at *site, x, y []int64) bool {
	for _, v := range at.reads {
		from := r.offset[v]
		to := r.cells
		if int(v)+1 < len(r.offset) {
			to = r.offset[v+1]
		}
		for i := from; i < to; i++ {
			if x[i] != y[i] {
				return false
			}
		}
	}
	return true
}

// solveCondition gives random values to the symbols of a condition, then
// solves for one of them over all rows.
func (r *run) solveCondition(at *site) bool {
	r.unset(at)
	row := r.rows[r.s.Intn(len(r.rows))]
	n := len(r.rows)
	if r.s.Chance(1, 2) {
		n = max(n, r.visitsExpected(at.block))
	}
	m := r.policyFor(ir.I32, n, 0)
	want := interval{0, 1}
	if len(at.pivots) == 0 {
		want = row.want()
	}
	if _, ok := r.choose(at.expr, r.state(row.pos+1), want, m); !ok {
		return false
	}
	if len(at.pivots) == 0 {
		return r.goesAll(at)
	}
	// The last pivot is the constant of the condition, which can nearly always
	// be solved for.
	p := at.pivots[len(at.pivots)-1]
	if r.s.Chance(1, 4) {
		p = at.pivots[r.s.Intn(len(at.pivots))]
	}
	room := all(p.sym.T)
	for i := len(r.rows) - 1; i >= 0 && !room.empty(); i-- {
		room = room.and(r.narrow(at.expr, at.over, p, r.rows[i].want(), r.state(r.rows[i].pos+1)))
	}
	return !room.empty() && r.settle(at, p, room)
}

// drawPivot draws from the values that decide rightly; one in seven is the
// last that does.
func (r *run) drawPivot(room interval) int64 {
	if r.s.Chance(1, 7) {
		if r.s.Chance(1, 2) {
			return room.lo
		}
		return room.hi
	}
	return draw(r.s, room)
}
