package search

import "goreify/reify/ir"

// A decision is the site at the end of the last block of the path, whose successor is
// to be found.
type decision struct {
	at   *site
	info *block
	pos  int
}

func (d decision) failure() *failure { return &failure{pos: d.pos, at: d.at} }

// turning is the data of turn. rows are all visits of the condition so far, the last
// one being the decision's.
type turning struct {
	*run
	decision
	rows  []row
	saved []int64 // the symbols of the condition, as they were
}

// A row is a visit of a condition, and whether that is to hold there.
type row struct {
	pos   int
	holds bool
}

// want returns the values that the condition may have in the row.
func (r row) want() interval {
	if r.holds {
		return interval{1, 1}
	}
	return interval{0, 0}
}

// turn makes a condition hold, or not hold, at the end of the path, and has it go as
// before at every earlier position that met it. Its symbols affect no variable, so they
// can be chosen anew each time without changes to the values on the path. If it fails
// it leaves them as they were.
func (r *run) turn(d decision, then int, holds, late bool) bool {
	if r.goes(d.at, d.pos, holds) {
		return true
	}
	if len(d.at.syms) == 0 || r.decided(d, then, holds) {
		return false
	}
	t := &r.turning
	t.decision = d
	t.rows = t.rows[:0]
	for _, p := range d.info.visits[:len(d.info.visits)-1] {
		t.rows = append(t.rows, row{int(p), r.path[p+1] == then})
	}
	t.rows = append(t.rows, row{d.pos, holds})
	r.steps += len(t.rows)
	return t.solve(late)
}

// goes reports whether the condition holds, or does not hold, at a position.
func (r *run) goes(at *site, pos int, holds bool) bool {
	v, ok := r.value(at, r.state(pos+1))
	return ok && (v != 0) == holds
}

// decided reports whether the condition went the other way before on the same
// data, so that no values of its symbols can change that now.
func (r *run) decided(d decision, then int, holds bool) bool {
	state := r.state(d.pos + 1)
	for _, p := range d.info.visits[:len(d.info.visits)-1] {
		if (r.path[p+1] == then) != holds && r.same(d.at, state, r.state(int(p)+1)) {
			return true
		}
	}
	return false
}

// solve gives values to the symbols of the condition that are right for all
// rows, or leaves them as they were.
func (t *turning) solve(late bool) bool {
	t.saved = t.saved[:0]
	known := true
	for _, sym := range t.at.syms {
		t.saved = append(t.saved, t.syms[sym.ID])
		known = known && t.set[sym.ID]
	}
	if known && t.moveConstant() {
		return true
	}
	restarts := 6
	switch n := len(t.rows); {
	case len(t.at.pivots) == 0:
		restarts = 24 // nothing to solve for, only draws
	case t.equalities() > 1:
		restarts = 0 // on other data the same equality hardly ever holds again
	case n > 2 && late:
		restarts = 3
	case n > 5:
		restarts = 0
	case n > 2:
		restarts = 2
	}
	for range restarts {
		t.stats.Restarts++
		t.steps += len(t.rows)
		if t.restart() {
			t.info.rooms = t.info.rooms[:0]
			return true
		}
	}
	for i, sym := range t.at.syms {
		t.syms[sym.ID], t.set[sym.ID] = t.saved[i], known
	}
	return false
}

// equalities counts the rows in which the condition must find its sides equal.
func (t *turning) equalities() (n int) {
	top := t.at.binary
	if top == nil || top.Op != ir.Eq && top.Op != ir.Ne {
		return 0
	}
	for _, row := range t.rows {
		if row.holds == (top.Op == ir.Eq) {
			n++
		}
	}
	return n
}

// moveConstant solves for the last pivot, the constant of the condition, over all rows,
// while the other symbols stay. Most turns need nothing else, and it costs one
// evaluation: the room that the earlier rows leave is kept.
func (t *turning) moveConstant() bool {
	if len(t.at.pivots) == 0 {
		return false
	}
	info := t.info
	p := t.at.pivots[len(t.at.pivots)-1]
	room := all(p.sym.T)
	if n := len(info.rooms); n > 0 {
		room = info.rooms[n-1]
	}
	for n := len(info.rooms); n < len(t.rows); n++ {
		if room = room.and(t.narrowAt(t.rows[n], p)); room.empty() {
			return false
		}
		if n < len(t.rows)-1 {
			info.rooms = append(info.rooms, room)
		}
	}
	return t.settle(p, room)
}

// narrowAt returns the values of the pivot for which the condition goes the way
// of a row.
func (t *turning) narrowAt(r row, p pivot) interval {
	return t.narrow(t.at.expr, t.at.over, p, r.want(), t.state(r.pos+1))
}

// settle gives the pivot a value in the room, if some value is right for all rows. The
// room may have holes if the condition has == or !=.
func (t *turning) settle(p pivot, room interval) bool {
	old, was := t.syms[p.sym.ID], t.set[p.sym.ID]
	top := t.at.binary
	sure := top != nil && top.Op.Compares() && p.sure
	const draws = 3
	for range draws {
		t.assign(p.sym, drawPivot(t.s, room))
		if sure || t.goesAll() {
			return true
		}
	}
	t.syms[p.sym.ID], t.set[p.sym.ID] = old, was
	return false
}

func (t *turning) goesAll() bool {
	for _, row := range t.rows {
		if !t.goes(t.at, row.pos, row.holds) {
			return false
		}
	}
	return true
}

// restart gives random values to the symbols of the condition, then solves for
// one of them over all rows.
func (t *turning) restart() bool {
	t.unset(t.at.syms)
	row := t.rows[t.s.Intn(len(t.rows))]
	n := len(t.rows)
	if t.s.Chance(1, 2) {
		n = max(n, t.visitsExpected(t.at.block))
	}
	pivots := t.at.pivots
	want := interval{0, 1}
	if len(pivots) == 0 {
		want = row.want()
	}
	pol := t.policyFor(ir.I32, n, 0)
	if _, ok := t.chooseAt(t.at, t.state(row.pos+1), want, &pol); !ok {
		return false
	}
	if len(pivots) == 0 {
		return t.goesAll()
	}
	// The last pivot is the constant of the condition, which can nearly always
	// be solved for.
	p := pivots[len(pivots)-1]
	if t.s.Chance(1, 4) {
		p = pivots[t.s.Intn(len(pivots))]
	}
	room := all(p.sym.T)
	for i := len(t.rows) - 1; i >= 0 && !room.empty(); i-- {
		room = room.and(t.narrowAt(t.rows[i], p))
	}
	return !room.empty() && t.settle(p, room)
}
