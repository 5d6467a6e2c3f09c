package search

import (
	"fmt"

	"goreify/reify/ir"
)

// A pivot is a symbol that narrow can solve a condition for: all operators above it
// have an inversion.
type pivot struct {
	sym   *ir.Sym
	right uint32 // bit i: whether the way goes to the right at depth i
	depth uint8  // operators on the way
	sure  bool   // all values that narrow returns are right
}

// down returns p one operator further down.
func (p pivot) down(right, sure bool) pivot {
	if right {
		p.right |= 1 << p.depth
	}
	p.depth++
	p.sure = sure
	return p
}

// pivots appends to list the pivots below e, of type t, to which the way of at leads.
func pivots(e ir.Expr, t ir.Int, at pivot, list []pivot) []pivot {
	if at.depth == 32 {
		return list
	}
	switch e := e.(type) {
	case *ir.Sym:
		at.sym = e
		return append(list, at)
	case *ir.Binary:
		t, ok := operands(e, t)
		if !ok {
			return list
		}
		right, left, sure := true, true, at.sure && exact(t)
		switch {
		case e.Op.Compares():
			if t == ir.U64 { // its order is not int64's
				return list
			}
			sure = sure && e.Op != ir.Eq && e.Op != ir.Ne
		case e.Op.Logical():
			sure = false
		default:
			left, right = inverts(e.Op, t, false), inverts(e.Op, t, true)
			sure = sure && !e.Op.OnBits()
		}
		if left {
			list = pivots(e.X, t, at.down(false, sure), list)
		}
		if right {
			list = pivots(e.Y, t, at.down(true, sure), list)
		}
	case *ir.Convert:
		if of, ok := ir.AsInt(e.X); ok && e.T.(ir.Int) != ir.U64 && of != ir.U64 {
			return pivots(e.X, of, at.down(false, false), list)
		}
	case *ir.Unary:
		if of := ir.IntOf(e.X); of != ir.U64 {
			return pivots(e.X, of, at.down(false, false), list)
		}
	case *ir.Select:
		list = pivots(e.X, t, at.down(false, false), list)
		return pivots(e.Y, t, at.down(true, false), list)
	}
	return list
}

// operands returns the type of the operands of e if it is an operator, else that of e,
// which is t. It returns false for an operator on other operands than integers.
func operands(e ir.Expr, t ir.Int) (of ir.Int, ok bool) {
	if b, is := e.(*ir.Binary); is && !direct(b, t) {
		return ir.AsInt(b.X)
	}
	return t, true
}

// narrow returns an interval of values of the pivot, which need not have one yet, for
// which e is defined and in want, given a state. The interval has all such values if
// inversions are exact and no == or != is above the pivot. If e is an operator, its
// operands have type t; else e has.
func (ev *evaluator) narrow(e ir.Expr, t ir.Int, p pivot, want interval, state []int64) interval {
	for ; ; p.right >>= 1 {
		switch b := e.(type) {
		case *ir.Binary:
			next, other, invert := b.X, b.Y, inversion(left)
			if p.right&1 != 0 {
				next, other, invert = b.Y, b.X, right
			}
			if b.Op.Logical() {
				var more bool
				if want, more = ev.alone(b, next, other, want, state); !more && want.empty() {
					return none
				} else if !more {
					return all(p.sym.T)
				}
				e = next
				t, _ = operands(next, t)
				continue
			}
			v, ok := ev.evalOperand(other, t, state)
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
		case *ir.Convert:
			of := ir.IntOf(b.X)
			want, _ = converted(b.T.(ir.Int), of, want)
			e, t = b.X, of
		case *ir.Unary:
			t = ir.IntOf(b.X)
			if b.Op == ir.LNot {
				want = compared(ir.Eq, t, 0, want, true)
			} else if fits, ok := right(ir.Sub, t, minuend(b.Op, t), want); ok {
				want = fits
			} else {
				return none
			}
			e = b.X
		case *ir.Select:
			c, ok := ev.eval(b.If, state)
			if !ok {
				return none
			}
			taken, other := b.X, b.Y
			if c == 0 {
				taken, other = other, taken
			}
			if (c == 0) != (p.right&1 != 0) {
				// The pivot is on the side that is not evaluated.
				if v, ok := ev.eval(taken, state); !ok || !want.holds(v) {
					return none
				}
				return all(p.sym.T)
			}
			e = taken
		case *ir.Sym:
			return want
		default:
			panic(fmt.Sprintf("search: no way down %T", e))
		}
		if want.empty() {
			return none
		}
		if next, ok := e.(*ir.Binary); ok && next.Op.Yields01() {
			t = ir.IntOf(next.X)
		}
	}
}

// alone returns the values of one operand of && or || for which the result is in want,
// given the other. If more is false, the operand does not matter.
func (ev *evaluator) alone(b *ir.Binary, next, other ir.Expr, want interval, state []int64) (room interval, more bool) {
	if want.holds(0) && want.holds(1) {
		return all(ir.IntOf(next)), false
	}
	v, ok := ev.eval(other, state)
	neutral := b.Op == ir.LAnd // the value with which the other one leaves the result open
	switch {
	case !ok && next == b.X && want.holds(0) == neutral:
		// Then only an operand that is not evaluated will do.
	case !ok:
		return none, false
	case (v != 0) != neutral:
		if want.holds(1) == neutral {
			return none, false
		}
		return all(ir.IntOf(next)), false
	}
	if want.holds(1) {
		return compared(ir.Ne, ir.IntOf(next), 0, interval{1, 1}, true), true
	}
	return interval{0, 0}, true
}

// compared returns an interval of x for which x op v (or v op x, if not left) is in
// want. It holds all such values, except where op excludes a single value.
func compared(op ir.Op, t ir.Int, v int64, want interval, left bool) interval {
	switch no, yes := want.holds(0), want.holds(1); {
	case no && yes:
		return all(t)
	case !no && !yes:
		return none
	case no:
		op = op.Negated()
	}
	if !left {
		op = op.Swapped()
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
	return all(t) // !=: all values except one
}
