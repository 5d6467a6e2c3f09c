package search

import (
	"slices"

	"goreify/reify/choice"
	"goreify/reify/ir"
)

// labels chooses values for the labels of switches. A label that the walk
// needs keeps its value until the walk goes back behind the position where it
// got it; given has them in the order of these positions.
type labels struct {
	*evaluator
	given []givenLabel
	used  []interval // values that the labels of the switch at hand cannot have
}

// A givenLabel is the symbol of a label and where on the path it got its value.
type givenLabel struct{ id, pos int }

// back unsets the labels that got their value at pos or later.
func (l *labels) back(pos int) {
	for n := len(l.given); n > 0 && l.given[n-1].pos >= pos; n-- {
		l.set[l.given[n-1].id] = false
		l.given = l.given[:n-1]
	}
}

// fixed returns one of the labels of a block if all of them have values.
func (l *labels) fixed(t *ir.Switch, to int) (interval, bool) {
	if t.Default.Index == to {
		return none, false
	}
	var list []interval
	for _, c := range t.Cases {
		if c.To.Index != to {
			continue
		}
		values, ok := l.bound(c)
		if !ok {
			return none, false
		}
		if !values.empty() { // else a range of u64
			list = append(list, values)
		}
	}
	if len(list) == 0 {
		return none, false
	}
	return choice.Pick(l.s, list), true
}

// bound returns the values of a label, or false if it has no values yet.
func (l *labels) bound(c ir.SwitchCase) (interval, bool) {
	lo, ok := l.eval(c.Lo, nil)
	if !ok || c.Hi == nil {
		return interval{lo, lo}, ok
	}
	hi, ok := l.eval(c.Hi, nil)
	return interval{lo, hi}, ok
}

// pinRanges gives a range one end of which is a constant the other one as well.
func (l *labels) pinRanges(t *ir.Switch) {
	for _, c := range t.Cases {
		if c.Hi == nil {
			continue
		}
		lo, okLo := l.eval(c.Lo, nil)
		hi, okHi := l.eval(c.Hi, nil)
		if sym, ok := c.Hi.(*ir.Sym); ok && okLo && !okHi {
			l.assign(sym, lo)
		} else if sym, ok := c.Lo.(*ir.Sym); ok && okHi && !okLo {
			l.assign(sym, hi)
		}
	}
}

// labelHolds reports whether v is one of the values of a label of type t.
func labelHolds(t ir.Int, a interval, v int64) bool {
	if t == ir.U64 {
		return uint64(a.lo) <= uint64(v) && uint64(v) <= uint64(a.hi)
	}
	return a.holds(v)
}

// outcome returns the block that a value leads to, or false if that is open.
func (l *labels) outcome(t *ir.Switch, info *block, v int64) (to int, ok bool) {
	x := ir.IntOf(t.X)
	free := false
	for _, c := range t.Cases {
		values, ok := l.bound(c)
		if ok && labelHolds(x, values, v) {
			return c.To.Index, true
		}
		free = free || !ok
	}
	last := len(info.values) - 1
	return t.Default.Index, !free || slices.Contains(info.values[:last], v)
}

// lead makes a value, whose outcome is open, lead to a block.
func (l *labels) lead(t *ir.Switch, d decision, to int, v int64) bool {
	if to == t.Default.Index {
		return true
	}
	free := -1
	n := 0
	for i, c := range t.Cases {
		if c.To.Index != to {
			continue
		}
		if _, ok := l.bound(c); !ok {
			if n++; l.s.Intn(n) == 0 {
				free = i
			}
		}
	}
	if free < 0 {
		return false
	}
	c := t.Cases[free]
	l.give(c.Lo, v, d.pos)
	if c.Hi == nil {
		return true
	}
	l.give(c.Hi, v, d.pos)
	l.findUsed(t, d.info)
	room := l.stretch(gap(ir.IntOf(t.X), l.used, v), v)
	l.give(c.Lo, room.lo, d.pos)
	l.give(c.Hi, room.hi, d.pos)
	return true
}

// give gives a value to a label until the walk goes back behind pos.
func (l *labels) give(e ir.Expr, v int64, pos int) {
	sym := e.(*ir.Sym)
	l.assign(sym, v)
	l.given = append(l.given, givenLabel{sym.ID, pos})
}

// unsetAll takes the values of all labels of a switch away.
func (l *labels) unsetAll(t *ir.Switch) {
	for _, c := range t.Cases {
		for _, e := range [2]ir.Expr{c.Lo, c.Hi} {
			if sym, ok := e.(*ir.Sym); ok {
				l.set[sym.ID] = false
			}
		}
	}
}

// findUsed lists the values that no new label of t may have: those of the other labels,
// and those that have been met.
func (l *labels) findUsed(t *ir.Switch, info *block) {
	l.used = l.used[:0]
	for _, c := range t.Cases {
		if values, ok := l.bound(c); ok {
			l.used = append(l.used, values)
		}
	}
	for _, v := range info.values[:min(len(info.values), len(info.visits))] {
		l.used = append(l.used, interval{v, v})
	}
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
func (l *labels) stretch(room interval, v int64) interval {
	most := int64(6)
	if l.s.Chance(1, 4) {
		most = 1 << l.s.Intn(16)
	}
	lo := max(room.lo, minus(v, l.s.Int64(0, most)))
	hi := min(room.hi, plus(v, l.s.Int64(0, most)))
	return interval{min(lo, v), max(hi, v)}
}

// finish gives values in a model to the labels of a switch, which the path met,
// that the path did not need.
func (l *labels) finish(m *ir.Model, t *ir.Switch, info *block) {
	l.findUsed(t, info)
	dense := !l.s.Chance(1, 4)
	for _, c := range t.Cases {
		if _, ok := l.bound(c); ok {
			continue
		}
		v := l.unused(ir.IntOf(t.X), dense)
		room := interval{v, v}
		if c.Hi != nil {
			room = l.stretch(gap(ir.IntOf(t.X), l.used, v), v)
			setIn(m, c.Hi, room.hi)
		}
		setIn(m, c.Lo, room.lo)
		l.used = append(l.used, room)
	}
}

func setIn(m *ir.Model, e ir.Expr, v int64) {
	sym := e.(*ir.Sym)
	m.Syms[sym.ID], m.Set[sym.ID] = v, true
}

// unused draws a value that is not used: if dense, beside one that is.
func (l *labels) unused(t ir.Int, dense bool) int64 {
	user := func(v int64) int {
		return slices.IndexFunc(l.used, func(u interval) bool { return labelHolds(t, u, v) })
	}
	if !dense {
		const tries = 8
		for range tries {
			if v := draw(l.s, all(t)); user(v) < 0 {
				return v
			}
		}
	}
	down := l.s.Chance(1, 3)
	v := choice.Pick(l.s, l.used).lo
	for range 2*len(l.used) + 2 {
		i := user(v)
		switch {
		case i < 0 && all(t).holds(v):
			return v
		case i < 0 || down && l.used[i].lo == all(t).lo || !down && l.used[i].hi == all(t).hi:
			v, down = 0, !down // there is room on the other side
		case down:
			v = l.used[i].lo - 1
		default:
			v = l.used[i].hi + 1
		}
	}
	return v // all values are used, so that the function cannot be valid
}
