package search

import (
	"math/bits"

	"goreify/reify/ir"
)

// chooseWrapping is chooseOperand for operators that have one right value of
// the operand for each result: the result is drawn.
func (ev *evaluator) chooseWrapping(o operand, want interval, pol *policy) (int64, bool) {
	if want.lo < want.hi {
		want = want.and(all(o.t)).clamp(pol.addend)
	}
	if want.empty() {
		return 0, false
	}
	w := draw(ev.s, want)
	switch {
	case o.e.Op == ir.Xor:
		w ^= o.other
	case o.e.Op == ir.Add:
		w -= o.other
	case o.right:
		w = o.other - w
	default:
		w += o.other
	}
	return o.result(ev.assign(o.sym, o.t.Wrap(w)))
}

// sideOf returns values of the left operand of a comparison, of type t, for which it
// has a truth value, given the right one.
func (ev *evaluator) sideOf(e *ir.Binary, t ir.Int, truth interval, state []int64) interval {
	y, ok := ev.evalOperand(e.Y, t, state)
	if ok && (t != ir.U64 || e.Op == ir.Eq && truth.lo == 1 || e.Op == ir.Ne && truth.lo == 0) {
		if side := compared(e.Op, t, y, truth, true); !side.empty() {
			return side
		}
	}
	return all(t)
}

// leftOperand returns values of x that make x op y, an operator on bits, likely
// to be defined and in want.
func leftOperand(op ir.Op, t ir.Int, want interval) interval {
	switch {
	case op == ir.Shl && t.Signed:
		return interval{0, max(1, t.Max()>>8)} // of negative values it is undefined
	case op == ir.And && want.lo >= 0 && want != all(t):
		return interval{0, want.hi}
	}
	return all(t)
}

// rightOperand is leftOperand for y.
func rightOperand(op ir.Op, t ir.Int, want interval) interval {
	if op.Shifts() {
		return interval{0, int64(t.Bits) - 1}
	}
	return leftOperand(op, t, want)
}

// chooseLogical is choose for && and ||. An operand that is not evaluated gets
// values for its symbols as well: later it may be.
func (ev *evaluator) chooseLogical(e *ir.Binary, state []int64, want interval, pol *policy) (int64, bool) {
	short := e.Op == ir.LOr // the value of X that decides
	decided, open := interval{0, 0}, interval{1, 1}
	if short {
		decided, open = open, decided
	}
	left := interval{0, 1}
	switch {
	case want.holds(decided.lo) && want.holds(open.lo):
	case !want.holds(decided.lo):
		left = open
	case ev.s.Chance(1, 2):
		left = decided
	}
	x, ok := ev.choose(e.X, state, ev.truth(e.X, left), pol)
	if !ok {
		return 0, false
	}
	if (x != 0) == short {
		ev.chooseUnevaluated(e.Y, state, pol)
		return b2i(short), true
	}
	y, ok := ev.choose(e.Y, state, ev.truth(e.Y, want.and(interval{0, 1})), pol)
	return b2i(y != 0), ok
}

// truth returns values of e whose truth is in want.
func (ev *evaluator) truth(e ir.Expr, want interval) interval {
	t := ir.IntOf(e)
	if b, ok := e.(*ir.Binary); ok && b.Op.Yields01() && ir.IsInt(b.X) {
		return want
	}
	switch want {
	case interval{0, 0}:
		return want
	case interval{1, 1}:
		if ev.s.Chance(1, 3) && t.Signed {
			return interval{t.Min(), -1}
		}
		return interval{1, all(t).hi}
	}
	return all(t)
}

func (ev *evaluator) chooseUnary(e *ir.Unary, state []int64, want interval, pol *policy) (int64, bool) {
	t := ir.IntOf(e.X)
	room := all(t)
	switch e.Op {
	case ir.LNot:
		switch room = ev.truth(e.X, room); {
		case !want.holds(1):
			room = ev.truth(e.X, interval{1, 1})
		case !want.holds(0):
			room = ev.truth(e.X, interval{0, 0})
		}
	default:
		if fits, ok := right(ir.Sub, t, minuend(e.Op, t), want); ok && !fits.empty() {
			room = fits
		}
	}
	x, ok := ev.chooseOperator(e.X, t, state, room, pol)
	if !ok {
		return 0, false
	}
	return applyUnary(e.Op, t, x)
}

// minuend returns the c for which -x or ~x is c - x.
func minuend(op ir.UnOp, t ir.Int) int64 {
	switch {
	case op == ir.Neg:
		return 0
	case t.Signed:
		return -1
	}
	return t.Max()
}

func (ev *evaluator) chooseSelect(e *ir.Select, state []int64, want interval, pol *policy) (int64, bool) {
	taken, other, ok := ev.sides(e, state, pol)
	if !ok {
		return 0, false
	}
	v, ok := ev.choose(taken, state, want, pol)
	ev.chooseUnevaluated(other, state, pol)
	return v, ok
}

func (ev *evaluator) chooseBuiltin(e *ir.Builtin, state []int64, want interval, pol *policy) (int64, bool) {
	if op, ok := e.Fn.Overflows(); ok {
		return ev.overflows(e, op, state, pol)
	}
	t := ir.IntOf(e.Args[0])
	room := all(t)
	switch e.Fn {
	case ir.Expect, ir.ExpectProbably:
		room = want
	case ir.Clz, ir.Ctz:
		room.lo = 1
	case ir.Abs:
		if room.lo++; want.hi >= 0 && want.hi < room.hi {
			room = interval{max(0, want.lo), want.hi}
		}
	}
	x, ok := ev.choose(e.Args[0], state, room, pol)
	if !ok {
		return 0, false
	}
	if len(e.Args) > 1 {
		ev.chooseUnevaluated(e.Args[1], state, pol)
		if _, ok = ev.eval(e.Args[1], state); !ok {
			return 0, false
		}
	}
	return applyBuiltin(e.Fn, t, x)
}

// converted returns an interval of values of type of whose conversions to t are in
// want; exact says that it holds all of them.
func converted(t, of ir.Int, want interval) (room interval, exact bool) {
	switch {
	case t == ir.Bool:
		switch {
		case want.holds(0) && want.holds(1):
			return all(of), of != ir.U64
		case want.holds(0):
			return interval{0, 0}, true
		case want.holds(1):
			return interval{1, all(of).hi}, false
		}
		return none, true
	case t.Holds(of.Min()) && t.Holds(of.Max()) && t != ir.U64:
		return want.and(all(of)), true
	}
	if room = want.and(all(t)).and(all(of)); room.empty() && of.Bits >= t.Bits && !want.empty() {
		room = interval{of.Wrap(want.lo), of.Wrap(want.hi)}
	}
	return room, false
}

// shiftsIn returns the y from 0 to n for which f(y) is in want; f is monotone.
func shiftsIn(n int64, want interval, f func(y int64) int64) interval {
	room := none
	for y := int64(0); y <= n; y++ {
		if want.holds(f(y)) {
			if room.empty() {
				room.lo = y
			}
			room.hi = y
		}
	}
	return room
}

// shiftCount is the inversion for y in x << y or x >> y. For << of unsigned types it
// returns only some of the right values: those that shift no one out.
func shiftCount(op ir.Op, t ir.Int, x int64, want interval) interval {
	if op == ir.Shr {
		return shiftsIn(int64(t.Bits)-1, want, func(y int64) int64 { return x >> y })
	}
	if x < 0 {
		return none
	}
	most := int64(bits.Len64(uint64(t.Max())) - bits.Len64(uint64(x)))
	return shiftsIn(min(most, int64(t.Bits)-1), want, func(y int64) int64 { return x << y })
}

// shifted is the inversion for x in x << y or x >> y; see shiftCount.
func shifted(op ir.Op, t ir.Int, y int64, want interval) interval {
	if y < 0 || y >= int64(t.Bits) {
		return none
	}
	if op == ir.Shl {
		room := interval{0, t.Max() >> y}
		k := int64(1) << min(y, 62)
		return room.and(interval{ceilDiv(want.lo, k), floorDiv(want.hi, k)})
	}
	k := int64(1) << min(y, 62)
	return interval{times(want.lo, k), plus(times(want.hi, k), k-1)}
}

// aligned returns values y for which x ^ y is in want: as many consecutive ones as
// possible, which are all numbers that differ in some of the low bits only.
func aligned(x int64, want interval) interval {
	// The order of int64 is that of uint64 with the first bit inverted.
	const first = 1 << 63
	lo, hi := uint64(want.lo)^first, uint64(want.hi)^first
	for k := 63; k >= 0; k-- {
		low := uint64(1)<<k - 1
		if base := (lo + low) &^ low; lo <= base && base <= hi && hi-base >= low {
			from := int64(base^first) ^ x&^int64(low)
			return interval{from, from | int64(low)}
		}
	}
	return none
}
