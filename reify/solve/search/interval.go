package search

import (
	"math"

	"goreify/reify/ir"
)

// An interval is a set of consecutive values, empty if lo > hi.
type interval struct{ lo, hi int64 }

func (a interval) empty() bool             { return a.lo > a.hi }
func (a interval) holds(v int64) bool      { return a.lo <= v && v <= a.hi }
func (a interval) width() uint64           { return uint64(a.hi) - uint64(a.lo) }
func (a interval) and(b interval) interval { return interval{max(a.lo, b.lo), min(a.hi, b.hi)} }

var none = interval{1, 0}

// all returns every value of a type. The values of u64 are not consecutive as
// int64: of that type it returns the lower half.
func all(t ir.Int) interval {
	if t == ir.U64 {
		return interval{0, ir.I64.Max()}
	}
	return interval{t.Min(), t.Max()}
}

// exact reports whether the inversions below are exact for arithmetic on t: no bound
// that they compute leaves int64. For other types they give some of the right values,
// with errors at the ends of the range perhaps, and the choice is checked.
func exact(t ir.Int) bool { return t.Signed && t.Bits <= 32 }

// inverts reports whether op has an inversion for its left or right operand. Without an
// inversion the engine draws, checks and backtracks.
func inverts(op ir.Op, t ir.Int, right bool) bool {
	switch op {
	case ir.Add, ir.Sub, ir.Mul:
		return t != ir.U64
	case ir.Div:
		return t != ir.U64 && !right
	case ir.Xor, ir.Shl, ir.Shr:
		return t != ir.U64
	}
	return false
}

// An inversion says which values of one operand make an operation defined and its
// result one of want. The second result is false if the operator has no inversion.
type inversion func(op ir.Op, t ir.Int, other int64, want interval) (interval, bool)

// right is the inversion for y in x op y.
func right(op ir.Op, t ir.Int, x int64, want interval) (interval, bool) {
	if want = want.and(all(t)); want.empty() {
		return none, true
	}
	if !inverts(op, t, true) {
		return none, false
	}
	switch op {
	case ir.Add:
		return within(t, minus(want.lo, x), minus(want.hi, x)), true
	case ir.Sub:
		return within(t, minus(x, want.hi), minus(x, want.lo)), true
	case ir.Mul:
		return factor(x, want).and(all(t)), true
	case ir.Xor:
		return aligned(x, want).and(all(t)), true
	case ir.Shl, ir.Shr:
		return shiftCount(op, t, x, want), true
	}
	panic("search: no inversion of " + op.String())
}

// left is the inversion for x in x op y.
func left(op ir.Op, t ir.Int, y int64, want interval) (interval, bool) {
	if want = want.and(all(t)); want.empty() {
		return none, true
	}
	if !inverts(op, t, false) {
		return none, false
	}
	switch op {
	case ir.Add:
		return within(t, minus(want.lo, y), minus(want.hi, y)), true
	case ir.Sub:
		return within(t, plus(want.lo, y), plus(want.hi, y)), true
	case ir.Mul:
		return factor(y, want).and(all(t)), true
	case ir.Div:
		return dividend(y, want).and(all(t)), true
	case ir.Xor:
		return aligned(y, want).and(all(t)), true
	case ir.Shl, ir.Shr:
		return shifted(op, t, y, want).and(all(t)), true
	}
	panic("search: no inversion of " + op.String())
}

// within returns the values of t from lo to hi. Those of an unsigned type wrap,
// which may leave two intervals; it returns the larger.
func within(t ir.Int, lo, hi int64) interval {
	if t.Signed || lo >= 0 && t.Holds(hi) {
		return interval{lo, hi}.and(all(t))
	}
	if uint64(hi)-uint64(lo) >= uint64(t.Max()) {
		return all(t)
	}
	lo, hi = t.Wrap(lo), t.Wrap(hi)
	if lo <= hi {
		return interval{lo, hi}
	}
	if t.Max()-lo > hi {
		return interval{lo, t.Max()}
	}
	return interval{0, hi}
}

// plus and minus stop at the ends of int64.
func plus(a, b int64) int64 {
	switch s := a + b; {
	case a > 0 && b > 0 && s < 0:
		return math.MaxInt64
	case a < 0 && b < 0 && s >= 0:
		return math.MinInt64
	default:
		return s
	}
}

func minus(a, b int64) int64 {
	switch s := a - b; {
	case a >= 0 && b < 0 && s < 0:
		return math.MaxInt64
	case a < 0 && b > 0 && s >= 0:
		return math.MinInt64
	default:
		return s
	}
}

// factor returns the q with q*k in want.
func factor(k int64, want interval) interval {
	switch {
	case k == 0 && want.holds(0):
		return interval{math.MinInt64, math.MaxInt64}
	case k == 0:
		return none
	case k < 0:
		return factor(minus(0, k), interval{minus(0, want.hi), minus(0, want.lo)})
	}
	return interval{ceilDiv(want.lo, k), floorDiv(want.hi, k)}
}

// dividend returns the x with x/k in want, division truncating towards zero.
func dividend(k int64, want interval) interval {
	switch {
	case k == 0:
		return none
	case k < 0:
		return dividend(minus(0, k), interval{minus(0, want.hi), minus(0, want.lo)})
	}
	lo, hi := times(want.lo, k), times(want.hi, k)
	if want.lo <= 0 {
		lo = minus(lo, k-1)
	}
	if want.hi >= 0 {
		hi = plus(hi, k-1)
	}
	return interval{lo, hi}
}

// times stops at the ends of int64; k is positive.
func times(a, k int64) int64 {
	switch {
	case !mulOverflows(a, k):
		return a * k
	case a < 0:
		return math.MinInt64
	}
	return math.MaxInt64
}

func floorDiv(a, k int64) int64 {
	q := a / k
	if a%k < 0 {
		q--
	}
	return q
}

func ceilDiv(a, k int64) int64 {
	q := a / k
	if a%k > 0 {
		q++
	}
	return q
}

// bounds returns an interval that holds every value that e, of type t, can have for any
// values of the variables, given the symbols that have values.
func (ev *evaluator) bounds(e ir.Expr, t ir.Int) interval {
	switch e := e.(type) {
	case *ir.Const:
		return interval{e.V, e.V}
	case *ir.Sym:
		if ev.set[e.ID] {
			return interval{ev.syms[e.ID], ev.syms[e.ID]}
		}
	case *ir.Convert:
		if !ir.IsInt(e.X) {
			break
		}
		of := ir.IntOf(e.X)
		if room := ev.bounds(e.X, of); of != ir.U64 && t.Holds(room.lo) && t.Holds(room.hi) && t != ir.U64 {
			return room
		}
	case *ir.Binary:
		if e.Op.Yields01() && onIntegers(e) != nil {
			return interval{0, 1}
		}
		if e.Op.Yields01() || !exact(t) {
			break
		}
		x, y := ev.bounds(e.X, t), ev.bounds(e.Y, t)
		switch e.Op {
		case ir.Add:
			return interval{x.lo + y.lo, x.hi + y.hi}.and(all(t))
		case ir.Sub:
			return interval{x.lo - y.hi, x.hi - y.lo}.and(all(t))
		case ir.Rem:
			most := max(y.hi, -y.lo) - 1
			return interval{max(-most, min(x.lo, 0)), min(most, max(x.hi, 0))}
		case ir.And:
			if x.lo >= 0 || y.lo >= 0 {
				switch {
				case x.lo < 0:
					return interval{0, y.hi}
				case y.lo < 0:
					return interval{0, x.hi}
				}
				return interval{0, min(x.hi, y.hi)}
			}
		}
	}
	return all(t)
}
