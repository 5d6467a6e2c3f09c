package search

import (
	"slices"

	"goreify/reify/choice"
	"goreify/reify/ir"
)

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

// pinRanges gives a range one end of which is a constant the other one as well.
func (r *run) pinRanges(t *ir.Switch) {
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
