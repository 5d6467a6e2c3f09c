package search

import "goreify/reify/ir"

// decide makes the condition at a position go the way of the path, there and
// at every earlier position that met it. Its symbols touch no variable, so it
// can be solved anew each time without changing what the path has computed.
func (r *run) decide(at *site, pos int) bool {
	if r.decides(at, pos) {
		return true
	}
	if len(at.syms) == 0 {
		return false
	}
	r.rows = r.rows[:0]
	for i := r.first[at.block]; i <= pos; i++ {
		if r.Path[i] == at.block {
			r.rows = append(r.rows, i)
		}
	}
	restarts := 12
	if len(r.rows) > 8 {
		restarts = 6
	}
	for range restarts {
		if r.solveCondition(at) {
			return true
		}
	}
	r.unset(at)
	return false
}

// taken returns 1 if the path takes the true branch at a position, else 0.
func (r *run) taken(pos int) int64 {
	b := r.Func.Blocks[r.Path[pos]]
	if b.Term.(*ir.If).Then.Index == r.Path[pos+1] {
		return 1
	}
	return 0
}

// decides reports whether the condition goes the way of the path at a
// position.
func (r *run) decides(at *site, pos int) bool {
	v, ok := r.eval(at.expr, r.state(pos+1))
	return ok && (v != 0) == (r.taken(pos) != 0)
}

// solveCondition gives random values to the symbols of a condition, then
// solves for one of them over all rows.
func (r *run) solveCondition(at *site) bool {
	r.unset(at)
	row := r.rows[r.s.Intn(len(r.rows))]
	m := r.moodFor(ir.I32, len(r.rows), 0)
	if _, ok := r.choose(at.expr, r.state(row+1), interval{0, 1}, m); !ok {
		return false
	}
	if len(at.pivots) == 0 {
		return r.decidesAll(at)
	}
	// The last pivot is the constant of the condition, which can nearly always
	// be solved for.
	pivot := at.pivots[len(at.pivots)-1]
	if r.s.Chance(1, 3) {
		pivot = at.pivots[r.s.Intn(len(at.pivots))]
	}
	r.set[pivot.ID] = false
	room := all(pivot.T)
	for _, pos := range r.rows {
		room = room.and(r.narrow(at.expr, pivot, interval{r.taken(pos), r.taken(pos)}, r.state(pos+1)))
		if room.empty() {
			return false
		}
	}
	const draws = 4 // the room may have holes, for conditions with == and !=
	for range draws {
		r.assign(pivot, r.drawPivot(room))
		if r.decidesAll(at) {
			return true
		}
	}
	return false
}

// drawPivot draws from the values that decide rightly, the last ones that do
// more often than others.
func (r *run) drawPivot(room interval) int64 {
	if r.s.Chance(1, 7) {
		if r.s.Chance(1, 2) {
			return room.lo
		}
		return room.hi
	}
	return draw(r.s, room)
}

func (r *run) decidesAll(at *site) bool {
	for _, pos := range r.rows {
		if !r.decides(at, pos) {
			return false
		}
	}
	return true
}

// pivots appends to list the symbols of a condition that narrow can solve
// for: below it stand only operators with an inversion.
func pivots(e ir.Expr, list []*ir.Sym) []*ir.Sym {
	switch e := e.(type) {
	case *ir.Sym:
		return append(list, e)
	case *ir.Binary:
		if !inverts(e.X.Type()) || e.Op == ir.Rem {
			return list
		}
		list = pivots(e.X, list)
		if e.Op != ir.Div {
			list = pivots(e.Y, list)
		}
	}
	return list
}

// narrow returns an interval that holds all values of sym, which has none yet,
// for which e is defined and in want, given a state.
func (r *run) narrow(e ir.Expr, sym *ir.Sym, want interval, state []int64) interval {
	if e == ir.Expr(sym) {
		return want
	}
	b := e.(*ir.Binary)
	under, other, invert := b.X, b.Y, inversion(left)
	if !r.open(under) {
		under, other, invert = b.Y, b.X, right
	}
	v, ok := r.eval(other, state)
	if !ok {
		return none
	}
	if b.Op.Compares() {
		want = compared(b.Op, b.X.Type(), v, want, under == b.X)
	} else if want, ok = invert(b.Op, b.X.Type(), v, want); !ok {
		return none
	}
	if want.empty() {
		return none
	}
	return r.narrow(under, sym, want, state)
}

// compared returns an interval that holds all x for which x op v (or v op x,
// if not left) is in want, which is one of [0,0] and [1,1].
func compared(op ir.Op, t ir.Int, v int64, want interval, left bool) interval {
	if want.holds(0) {
		op = negated[op]
	}
	if !left {
		op = swapped[op]
	}
	switch op {
	case ir.Lt:
		return interval{t.Min(), v - 1}
	case ir.Le:
		return interval{t.Min(), v}
	case ir.Gt:
		return interval{v + 1, t.Max()}
	case ir.Ge:
		return interval{v, t.Max()}
	case ir.Eq:
		return interval{v, v}
	}
	return all(t) // !=: all but one
}

// negated maps a comparison to the one that holds when it does not, swapped to
// the one with its operands exchanged.
var (
	negated = map[ir.Op]ir.Op{ir.Lt: ir.Ge, ir.Ge: ir.Lt, ir.Gt: ir.Le, ir.Le: ir.Gt, ir.Eq: ir.Ne, ir.Ne: ir.Eq}
	swapped = map[ir.Op]ir.Op{ir.Lt: ir.Gt, ir.Gt: ir.Lt, ir.Le: ir.Ge, ir.Ge: ir.Le, ir.Eq: ir.Eq, ir.Ne: ir.Ne}
)
