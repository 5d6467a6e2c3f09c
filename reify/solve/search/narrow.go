package search

import "goreify/reify/ir"

// A pivot is a symbol that narrow can solve a condition for: on the way down
// to it stand only operators with an inversion.
type pivot struct {
	sym   *ir.Sym
	right uint32 // bit i: whether the way goes to the right at depth i
}

// pivots appends to list the pivots below e, which is at the given depth on
// the given way. All operators on the way have operands of type t.
func pivots(e ir.Expr, t ir.Int, way uint32, depth int, list []pivot) []pivot {
	switch e := e.(type) {
	case *ir.Sym:
		return append(list, pivot{e, way})
	case *ir.Binary:
		if depth == 32 {
			return list
		}
		// Only the outermost comparison; the order of u64 is not int64's.
		compares := e.Op.Compares() && depth == 0 && t != ir.U64
		if e.Op.Compares() && !compares {
			return list
		}
		if compares || inverts(e.Op, t, false) {
			list = pivots(e.X, t, way, depth+1, list)
		}
		if compares || inverts(e.Op, t, true) {
			list = pivots(e.Y, t, way|1<<depth, depth+1, list)
		}
	}
	return list
}

// narrow returns an interval of values of the pivot, which need not have one
// yet, for which e is defined and in want, given a state: of all of them where
// inversions are exact and no == or != is on the way. All operators on the way
// to the pivot have operands of type t, as pivots sees to.
func (r *run) narrow(e ir.Expr, t ir.Int, p pivot, want interval, state []int64) interval {
	for ; ; p.right >>= 1 {
		b, ok := e.(*ir.Binary)
		if !ok {
			return want
		}
		next, other, invert := b.X, b.Y, inversion(left)
		if p.right&1 != 0 {
			next, other, invert = b.Y, b.X, right
		}
		v, ok := r.eval(other, state)
		if !ok {
			return none
		}
		if b.Op.Compares() {
			want = compared(b.Op, t, v, want, next == b.X)
		} else if want, ok = invert(b.Op, t, v, want); !ok {
			return none
		}
		if want.empty() {
			return none
		}
		e = next
	}
}

// compared returns an interval that holds all x for which x op v (or v op x,
// if not left) is in want: all of them, or all but those that are equal.
func compared(op ir.Op, t ir.Int, v int64, want interval, left bool) interval {
	switch no, yes := want.holds(0), want.holds(1); {
	case no && yes:
		return all(t)
	case !no && !yes:
		return none
	case no:
		op = negated[op]
	}
	if !left {
		op = swapped[op]
	}
	switch op {
	case ir.Lt:
		if v == t.Min() {
			return none
		}
		return interval{t.Min(), v - 1}
	case ir.Le:
		return interval{t.Min(), v}
	case ir.Gt:
		if v == t.Max() {
			return none
		}
		return interval{v + 1, t.Max()}
	case ir.Ge:
		return interval{v, t.Max()}
	case ir.Eq:
		return interval{v, v}
	}
	return all(t) // !=: all but one
}

// negated is the comparison that holds when another does not, swapped the one
// with the operands exchanged.
var (
	negated = [...]ir.Op{ir.Lt: ir.Ge, ir.Ge: ir.Lt, ir.Gt: ir.Le, ir.Le: ir.Gt, ir.Eq: ir.Ne, ir.Ne: ir.Eq}
	swapped = [...]ir.Op{ir.Lt: ir.Gt, ir.Gt: ir.Lt, ir.Le: ir.Ge, ir.Ge: ir.Le, ir.Eq: ir.Eq, ir.Ne: ir.Ne}
)
