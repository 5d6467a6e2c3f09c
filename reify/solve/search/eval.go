package search

import (
	"fmt"

	"goreify/reify/choice"
	"goreify/reify/ir"
)

// An evaluator finds the values of expressions in a state, and chooses values for
// symbols so that expressions have wanted results. It changes symbols, and of a state
// only the destinations of a statement; it knows nothing of the path.
type evaluator struct {
	layout
	symbols
	s       *choice.Stream
	unit    int // as in solve.Target
	factors bool
	daring  bool // let values in loops come near to overflowing
}

// eval returns the value of e in a state, or false if evaluating it is
// undefined or meets a symbol without a value.
func (ev *evaluator) eval(e ir.Expr, state []int64) (int64, bool) {
	switch e := e.(type) {
	case *ir.Const:
		return e.V, true
	case *ir.Sym:
		return ev.syms[e.ID], ev.set[e.ID]
	case *ir.Load:
		if v, scalar := e.Place.(*ir.VarRef); scalar {
			return state[ev.offset[v.Var.Index]], true
		}
		return ev.read(e.Place, state, nil)
	case *ir.Binary:
		t, ok := ir.AsInt(e.X)
		if !ok {
			return ev.operator(e, state, nil)
		}
		return ev.evalBinary(e, t, state)
	case *ir.Convert:
		t, ok := ir.AsInt(e.X)
		if !ok {
			return ev.toInt(e, state, nil)
		}
		x, ok := ev.evalOperand(e.X, t, state)
		return e.T.(ir.Int).Wrap(x), ok
	case *ir.Unary:
		t := ir.IntOf(e.X)
		x, ok := ev.evalOperand(e.X, t, state)
		if !ok {
			return 0, false
		}
		return applyUnary(e.Op, t, x)
	case *ir.Select:
		taken, _, ok := ev.sides(e, state, nil)
		if !ok {
			return 0, false
		}
		return ev.eval(taken, state)
	case *ir.Builtin:
		if op, ok := e.Fn.Overflows(); ok {
			return ev.overflows(e, op, state, nil)
		}
		x, ok := ev.eval(e.Args[0], state)
		if !ok {
			return 0, false
		}
		if len(e.Args) > 1 {
			if _, ok = ev.eval(e.Args[1], state); !ok {
				return 0, false
			}
		}
		return applyBuiltin(e.Fn, ir.IntOf(e.Args[0]), x)
	case *ir.Checksum:
		return 0, ev.valued(e.Of, state) // nothing depends on it
	}
	panic(fmt.Sprintf("search: unknown expression %T", e))
}

// evalOperand is eval for an operand of type t.
func (ev *evaluator) evalOperand(e ir.Expr, t ir.Int, state []int64) (int64, bool) {
	if b, ok := e.(*ir.Binary); ok && direct(b, t) {
		return ev.evalBinary(b, t, state)
	}
	return ev.eval(e, state)
}

// direct reports whether it is plain that the operands of e, an operand of type t, are
// integers of that type: those of a subtraction of 64 bits may be pointers.
func direct(e *ir.Binary, t ir.Int) bool {
	return !e.Op.Yields01() && (e.Op != ir.Sub || t.Bits < 64)
}

// operator returns the value of e, an integer whose operands are none, in a state, or
// false if that is undefined. If pol is not nil, symbols in it that have no value get
// one.
func (ev *evaluator) operator(e *ir.Binary, state []int64, pol *policy) (int64, bool) {
	operands := [2]ir.Expr{e.X, e.Y}
	switch e.Of() {
	case ir.Floats:
		x, y, ok := both(ev, (*evaluator).float, operands, state, pol)
		v, _ := apply(e.Op, ir.I32, b2i(x > y), b2i(x < y))
		return v, ok
	case ir.Wides:
		x, y, ok := both(ev, (*evaluator).wide, operands, state, pol)
		return compareWide(e.Op, ir.TypeOf[ir.Wide](e.X), x, y), ok
	}
	x, y, ok := both(ev, (*evaluator).pointer, operands, state, pol)
	if !ok {
		return 0, false
	}
	if e.Op == ir.Sub {
		return ev.distance(x, y, ir.TypeOf[ir.Pointer](e.X).Elem)
	}
	return ev.comparePointers(e, x, y)
}

// toInt is operator for a conversion.
func (ev *evaluator) toInt(e *ir.Convert, state []int64, pol *policy) (int64, bool) {
	t := e.T.(ir.Int)
	if ir.FamilyOf(e.X) == ir.Floats {
		x, ok := ev.float(e.X, state, pol)
		if !ok {
			return 0, false
		}
		return truncated(x, t)
	}
	x, ok := ev.wide(e.X, state, pol)
	if t == ir.Bool {
		return b2i(x != word{}), ok
	}
	return t.Wrap(int64(x[0])), ok
}

// sides returns the operand of e that is its value, and the other one.
func (ev *evaluator) sides(e *ir.Select, state []int64, pol *policy) (taken, other ir.Expr, ok bool) {
	c, ok := ev.number(e.If, state, all(ir.IntOf(e.If)), pol)
	if c == 0 {
		return e.Y, e.X, ok
	}
	return e.X, e.Y, ok
}

// both returns what value, a method of the evaluator, gives for two operands.
func both[T any](ev *evaluator, value func(*evaluator, ir.Expr, []int64, *policy) (T, bool), of [2]ir.Expr, state []int64, pol *policy) (x, y T, ok bool) {
	if x, ok = value(ev, of[0], state, pol); ok {
		y, ok = value(ev, of[1], state, pol)
	}
	return x, y, ok
}

// value is eval for the expression of a site.
func (ev *evaluator) value(at *site, state []int64) (int64, bool) {
	if at.binary != nil {
		return ev.evalBinary(at.binary, at.over, state)
	}
	return ev.eval(at.expr, state)
}

// evalBinary is eval for an operator whose operands have type t. Asking each
// operator of a long sum for its type would take the square of its length.
func (ev *evaluator) evalBinary(e *ir.Binary, t ir.Int, state []int64) (int64, bool) {
	var x, y int64
	var ok bool
	if left, is := e.X.(*ir.Binary); is && direct(left, t) {
		x, ok = ev.evalBinary(left, t, state)
	} else {
		x, ok = ev.eval(e.X, state)
	}
	if !ok {
		return 0, false
	}
	if e.Op.Logical() {
		if (x != 0) == (e.Op == ir.LOr) {
			return b2i(x != 0), true
		}
		y, ok = ev.eval(e.Y, state)
		return b2i(y != 0), ok
	}
	switch right := e.Y.(type) {
	case *ir.Sym: // as most are
		y, ok = ev.syms[right.ID], ev.set[right.ID]
	case *ir.Binary:
		y, ok = ev.evalOperand(right, t, state)
	default:
		y, ok = ev.eval(right, state)
	}
	if !ok {
		return 0, false
	}
	return apply(e.Op, t, x, y)
}
