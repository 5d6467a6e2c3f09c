package search

import (
	"slices"

	"goreify/reify/choice"
	"goreify/reify/ir"
)

// jump decides a switch at a position and returns where it goes. Its labels
// are the unknowns: a value that no label has and that did not go to the
// default before becomes a label of the wanted successor, if one there is free,
// or goes to the default.
func (r *run) jump(at *site, t *ir.Switch, info *block, pos int) (to int, f *failure) {
	demand := r.guide.demand != nil
	failed := &failure{pos: pos, at: at}
	var w wish
	if demand {
		to = r.guide.demand[pos+1]
	} else {
		if f := r.stillSwitch(at, t, info, pos); f != nil {
			return 0, f
		}
		if w, to = r.wishOf(t, info, pos); to < 0 {
			return 0, failed
		}
		r.stats.Wishes++
	}
	v, ok := r.switchValue(at, t, info, pos, to)
	if !ok {
		return 0, failed
	}
	n := len(info.visits) - 1
	info.values = append(info.values[:min(n, len(info.values))], v)
	if len(info.values) != n+1 {
		panic("search: a visit of a switch without a value")
	}
	if went, ok := r.outcome(t, info, v); ok {
		switch {
		case went == to:
			return to, nil
		case demand || r.blocks[went].exit < 0:
			return 0, failed
		}
		r.stats.Detours++
		if w.late {
			if since := r.stuck(at, info, pos, to); since > 0 {
				return 0, &failure{pos: pos, at: at, since: since, to: to, leave: 1}
			}
		}
		if w.firm {
			r.missed = *failed
		}
		return went, nil
	}
	if r.label(t, info, to, v, pos) {
		return to, nil
	}
	if demand {
		return 0, failed
	}
	r.stats.Detours++
	targets := r.targets[:len(r.targets)] // filled by wishOf
	r.s.Shuffle(len(targets), func(i, j int) { targets[i], targets[j] = targets[j], targets[i] })
	for _, other := range targets {
		if r.label(t, info, int(other), v, pos) {
			return int(other), nil
		}
	}
	return 0, failed
}

// stillSwitch is still for a switch.
func (r *run) stillSwitch(at *site, t *ir.Switch, info *block, pos int) *failure {
	went, since, still := r.still(at, info, pos)
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
	return &failure{pos: pos, at: at, since: since, to: to, leave: 2}
}

// switchValue returns the value that decides a switch. Symbols in it are chosen
// at the first visit, to reach a block if its labels are constants.
func (r *run) switchValue(at *site, t *ir.Switch, info *block, pos, to int) (int64, bool) {
	state := r.state(pos + 1)
	if len(info.visits) == 1 {
		r.steady(t)
	}
	if len(info.visits) == 1 && len(at.syms) > 0 {
		want := all(t.X.Type())
		if aim, ok := r.fixed(t, to); ok {
			want = aim
		}
		m := r.moodFor(t.X.Type(), r.visitsExpected(at.block), at.fails)
		const tries = 6
		for try := range tries {
			r.unset(at)
			v, ok := r.choose(at.expr, state, want, m)
			if ok && (want.holds(v) || want == all(t.X.Type()) || try > tries/2 && r.guide.demand == nil) {
				return v, true
			}
		}
	}
	return r.value(at, state)
}

// fixed returns one of the labels of a block if all of them have values.
func (r *run) fixed(t *ir.Switch, to int) (interval, bool) {
	if t.Default.Index == to {
		return none, false
	}
	var list []interval
	for _, c := range t.Cases {
		if c.To.Index != to {
			continue
		}
		l, ok := r.bound(c)
		if !ok {
			return none, false
		}
		if !l.empty() { // else a range of u64
			list = append(list, l)
		}
	}
	if len(list) == 0 {
		return none, false
	}
	return choice.Pick(r.s, list), true
}

// bound returns the values of a label, or false if it has none yet.
func (r *run) bound(c ir.SwitchCase) (interval, bool) {
	lo, ok := r.eval(c.Lo, nil)
	if !ok || c.Hi == nil {
		return interval{lo, lo}, ok
	}
	hi, ok := r.eval(c.Hi, nil)
	return interval{lo, hi}, ok
}

// steady gives a range one end of which is a constant the other one as well.
func (r *run) steady(t *ir.Switch) {
	for _, c := range t.Cases {
		if c.Hi == nil {
			continue
		}
		lo, okLo := r.eval(c.Lo, nil)
		hi, okHi := r.eval(c.Hi, nil)
		if sym, ok := c.Hi.(*ir.Sym); ok && okLo && !okHi {
			r.assign(sym, lo)
		} else if sym, ok := c.Lo.(*ir.Sym); ok && okHi && !okLo {
			r.assign(sym, hi)
		}
	}
}

// labelHolds reports whether v is one of the values of a label of type t.
func labelHolds(t ir.Int, l interval, v int64) bool {
	if t == ir.U64 {
		return uint64(l.lo) <= uint64(v) && uint64(v) <= uint64(l.hi)
	}
	return l.holds(v)
}

// outcome returns the block that a value leads to, or false if that is open.
func (r *run) outcome(t *ir.Switch, info *block, v int64) (to int, ok bool) {
	x := t.X.Type()
	free := false
	for _, c := range t.Cases {
		l, ok := r.bound(c)
		if ok && labelHolds(x, l, v) {
			return c.To.Index, true
		}
		free = free || !ok
	}
	last := len(info.values) - 1
	return t.Default.Index, !free || slices.Contains(info.values[:last], v)
}

// label makes a value, whose outcome is open, lead to a block.
func (r *run) label(t *ir.Switch, info *block, to int, v int64, pos int) bool {
	if to == t.Default.Index {
		return true
	}
	free := -1
	n := 0
	for i, c := range t.Cases {
		if c.To.Index != to {
			continue
		}
		if _, ok := r.bound(c); !ok {
			if n++; r.s.Intn(n) == 0 {
				free = i
			}
		}
	}
	if free < 0 {
		return false
	}
	c := t.Cases[free]
	r.setLabel(c.Lo, v, pos)
	if c.Hi == nil {
		return true
	}
	r.setLabel(c.Hi, v, pos)
	r.used = r.usedLabels(r.used[:0], t, info)
	room := r.stretch(gap(t.X.Type(), r.used, v), v)
	r.setLabel(c.Lo, room.lo, pos)
	r.setLabel(c.Hi, room.hi, pos)
	return true
}

// setLabel gives a value to a label until the walk goes back behind pos.
func (r *run) setLabel(e ir.Expr, v int64, pos int) {
	sym := e.(*ir.Sym)
	r.assign(sym, v)
	r.labels = append(r.labels, setLabel{sym.ID, pos})
}

// unsetLabels takes the values of the labels of block b away.
func (r *run) unsetLabels(b int) {
	for _, c := range r.f.Blocks[b].Term.(*ir.Switch).Cases {
		for _, e := range [2]ir.Expr{c.Lo, c.Hi} {
			if sym, ok := e.(*ir.Sym); ok {
				r.set[sym.ID] = false
			}
		}
	}
}

// A setLabel is a label and where on the path it got its value.
type setLabel struct{ id, pos int }

// usedLabels appends what no new label of t may be: the other labels, and the
// values that have been met.
func (r *run) usedLabels(list []interval, t *ir.Switch, info *block) []interval {
	for _, c := range t.Cases {
		if l, ok := r.bound(c); ok {
			list = append(list, l)
		}
	}
	for _, v := range info.values[:min(len(info.values), len(info.visits))] {
		list = append(list, interval{v, v})
	}
	return list
}

// gap returns the values around v that are not used, v itself apart.
func gap(t ir.Int, used []interval, v int64) interval {
	room := all(t)
	if !room.holds(v) {
		return interval{v, v} // the upper half of u64
	}
	for _, u := range used {
		if t == ir.U64 && u.lo >= 0 && u.hi < 0 {
			u.hi = room.hi // it goes on in the upper half
		}
		switch {
		case u.hi < v:
			room.lo = max(room.lo, u.hi+1)
		case u.lo > v:
			room.hi = min(room.hi, u.lo-1)
		}
	}
	return room
}

// stretch draws a range around v, most often a small one.
func (r *run) stretch(room interval, v int64) interval {
	most := int64(6)
	if r.s.Chance(1, 4) {
		most = 1 << r.s.Intn(16)
	}
	lo := max(room.lo, minus(v, r.s.Int64(0, most)))
	hi := min(room.hi, plus(v, r.s.Int64(0, most)))
	return interval{min(lo, v), max(hi, v)}
}

// wishOf draws where a switch should go, as wish does for a condition; -1 if no
// way leads to the exit.
func (r *run) wishOf(t *ir.Switch, info *block, pos int) (w wish, to int) {
	r.targets = r.targets[:0]
	for _, b := range t.Targets() {
		if r.blocks[b.Index].exit >= 0 {
			r.targets = append(r.targets, int32(b.Index))
		}
	}
	list := r.targets
	pick := func(from []int32) int { return int(choice.Pick(r.s, from)) }
	switch {
	case len(list) == 0:
		return w, -1
	case info.leave > 0 && r.s.Chance(info.leave, info.leave+3) && slices.Contains(list, int32(info.leaveTo)):
		return w, info.leaveTo
	case r.forced.pos == pos && slices.Contains(list, int32(r.forced.to)):
		return wish{firm: true, late: true}, r.forced.to
	case len(list) == 1:
		return wish{firm: true, late: true}, int(list[0])
	}
	nearest := func(by func(*block) int32) []int32 {
		least := by(&r.blocks[slices.MinFunc(list, func(a, b int32) int { return int(by(&r.blocks[a]) - by(&r.blocks[b])) })])
		return r.filter(func(b *block) bool { return by(b) == least })
	}
	exit := nearest(func(b *block) int32 { return b.exit })
	left := r.guide.Length - pos - 1 // blocks still to visit
	if left <= int(r.blocks[exit[0]].exit) {
		return wish{firm: true, late: true}, pick(exit)
	}
	if stay := r.filter(func(b *block) bool { return b.stays && int(b.exit) < left }); len(stay) > 0 && len(stay) < len(list) && left > int(r.blocks[exit[0]].exit)+2 {
		list = stay
	}
	if r.guide.Rounds > 0 {
		hub := &r.blocks[r.guide.Loop]
		if rounds := r.guide.Rounds - len(hub.visits); rounds <= 0 {
			if len(info.visits) >= r.guide.Rounds {
				if out := r.filter(func(b *block) bool { return !b.loops || !info.loops || b.loop != info.loop }); len(out) > 0 {
					return wish{firm: true}, pick(out)
				}
			}
		} else if back := r.filter(func(b *block) bool { return b.round >= 0 }); len(back) > 0 {
			near := back[:0]
			least := r.blocks[back[0]].round
			for _, b := range back {
				least = min(least, r.blocks[b].round)
			}
			slack := left - int(least) - (rounds-1)*r.cycle - int(hub.exit)
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

// filter returns those of r.targets that meet a condition.
func (r *run) filter(f func(*block) bool) []int32 {
	var list []int32
	for _, b := range r.targets {
		if f(&r.blocks[b]) {
			list = append(list, b)
		}
	}
	return list
}

// finishLabels gives values to the labels that the path did not need, of the
// switches that it met.
func (r *run) finishLabels(m *ir.Model) {
	for _, b := range r.switches {
		info := &r.blocks[b]
		if len(info.visits) == 0 {
			continue
		}
		t := r.f.Blocks[b].Term.(*ir.Switch)
		r.used = r.usedLabels(r.used[:0], t, info)
		dense := !r.s.Chance(1, 4)
		for _, c := range t.Cases {
			if _, ok := r.bound(c); ok {
				continue
			}
			v := r.unused(t.X.Type(), r.used, dense)
			room := interval{v, v}
			if c.Hi != nil {
				room = r.stretch(gap(t.X.Type(), r.used, v), v)
				setIn(m, c.Hi, room.hi)
			}
			setIn(m, c.Lo, room.lo)
			r.used = append(r.used, room)
		}
	}
}

func setIn(m *ir.Model, e ir.Expr, v int64) {
	sym := e.(*ir.Sym)
	m.Syms[sym.ID], m.Set[sym.ID] = v, true
}

// unused draws a value that is not used: if dense, beside one that is.
func (r *run) unused(t ir.Int, used []interval, dense bool) int64 {
	user := func(v int64) int {
		return slices.IndexFunc(used, func(u interval) bool { return labelHolds(t, u, v) })
	}
	if !dense {
		const tries = 8
		for range tries {
			if v := draw(r.s, all(t)); user(v) < 0 {
				return v
			}
		}
	}
	down := r.s.Chance(1, 3)
	v := choice.Pick(r.s, used).lo
	for range 2*len(used) + 2 {
		i := user(v)
		switch {
		case i < 0 && all(t).holds(v):
			return v
		case i < 0 || down && used[i].lo == all(t).lo || !down && used[i].hi == all(t).hi:
			v, down = 0, !down // there is room on the other side
		case down:
			v = used[i].lo - 1
		default:
			v = used[i].hi + 1
		}
	}
	return v // there is no value left, so that the function cannot be valid
}
