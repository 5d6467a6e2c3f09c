package search

import "goreify/reify/ir"

// An interval is a set of consecutive values, empty if lo > hi. Intervals are
// exact for signed types of up to 32 bits, where no bound computed below
// leaves int64; for the others see inverts.
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

// inverts reports whether the intervals below are exact for operators on t.
// For the other types the engine draws, checks and backtracks.
func inverts(t ir.Int) bool { return t.Signed && t.Bits <= 32 }

// An inversion says which values of one operand make an operation come to a
// wanted result.
type inversion func(op ir.Op, t ir.Int, other int64, want interval) (interval, bool)

// right returns the y for which x op y is defined and in want.
// The second result is false if the operator has no such interval.
func right(op ir.Op, t ir.Int, x int64, want interval) (interval, bool) {
	want = want.and(all(t))
	if want.empty() {
		return none, true
	}
	if !inverts(t) {
		return none, false
	}
	switch op {
	case ir.Add:
		return interval{want.lo - x, want.hi - x}.and(all(t)), true
	case ir.Sub:
		return interval{x - want.hi, x - want.lo}.and(all(t)), true
	case ir.Mul:
		return factor(x, want).and(all(t)), true
	}
	return none, false
}

// left returns the x for which x op y is defined and in want.
func left(op ir.Op, t ir.Int, y int64, want interval) (interval, bool) {
	want = want.and(all(t))
	if want.empty() {
		return none, true
	}
	if !inverts(t) {
		return none, false
	}
	switch op {
	case ir.Add:
		return interval{want.lo - y, want.hi - y}.and(all(t)), true
	case ir.Sub:
		return interval{want.lo + y, want.hi + y}.and(all(t)), true
	case ir.Mul:
		return factor(y, want).and(all(t)), true
	case ir.Div:
		return dividend(y, want).and(all(t)), true
	}
	return none, false
}

// factor returns the q with q*k in want.
func factor(k int64, want interval) interval {
	switch {
	case k == 0 && want.holds(0):
		return interval{-1 << 31, 1<<31 - 1}
	case k == 0:
		return none
	case k < 0:
		return factor(-k, interval{-want.hi, -want.lo})
	}
	return interval{ceilDiv(want.lo, k), floorDiv(want.hi, k)}
}

// dividend returns the x with x/k in want, division truncating towards zero.
func dividend(k int64, want interval) interval {
	switch {
	case k == 0:
		return none
	case k < 0:
		return dividend(-k, interval{-want.hi, -want.lo})
	}
	lo, hi := want.lo*k, want.hi*k
	if want.lo <= 0 {
		lo -= k - 1
	}
	if want.hi >= 0 {
		hi += k - 1
	}
	return interval{lo, hi}
}

func floorDiv(a, k int64) int64 {
	q := a / k
	if a%k < 0 {
		q--
	}
	return q
}

func ceilDiv(a, k int64) int64 { return -floorDiv(-a, k) }

// bounds returns an interval that holds every value e can have whatever the
// variables are, given the symbols that have values.
func (r *run) bounds(e ir.Expr) interval {
	t := e.Type()
	switch e := e.(type) {
	case *ir.Const:
		return interval{e.V, e.V}
	case *ir.Sym:
		if r.set[e.ID] {
			return interval{r.syms[e.ID], r.syms[e.ID]}
		}
	case *ir.Binary:
		if !inverts(t) {
			break
		}
		x, y := r.bounds(e.X), r.bounds(e.Y)
		switch e.Op {
		case ir.Add:
			return interval{x.lo + y.lo, x.hi + y.hi}.and(all(t))
		case ir.Sub:
			return interval{x.lo - y.hi, x.hi - y.lo}.and(all(t))
		case ir.Rem:
			m := max(y.hi, -y.lo) - 1
			return interval{max(-m, min(x.lo, 0)), min(m, max(x.hi, 0))}
		}
	}
	return all(t)
}
