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
		at, ok := ev.locate(e.Place, state, nil)
		if !ok {
			return 0, false
		}
		return ev.load(e.Place, at, state)
	case *ir.Binary:
		return ev.evalBinary(e, ir.IntOf(e.X), state)
	case *ir.Convert:
		x, ok := ev.eval(e.X, state)
		return e.T.Wrap(x), ok
	case *ir.Unary:
		x, ok := ev.eval(e.X, state)
		if !ok {
			return 0, false
		}
		return applyUnary(e.Op, ir.IntOf(e.X), x)
	case *ir.Select:
		c, ok := ev.eval(e.If, state)
		switch {
		case !ok:
			return 0, false
		case c != 0:
			return ev.eval(e.X, state)
		}
		return ev.eval(e.Y, state)
	case *ir.Builtin:
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
	case *ir.PtrCompare:
		return ev.comparePointers(e, state, nil)
	case *ir.PtrDiff:
		return ev.subtractPointers(e, state, nil)
	case *ir.FloatCompare:
		return ev.compareFloats(e, state, nil)
	case *ir.FloatToInt:
		return ev.floatToInt(e, state, nil)
	case *ir.WideCompare:
		return ev.compareWides(e, state, nil)
	case *ir.WideToInt:
		return ev.wideToInt(e, state, nil)
	case *ir.Checksum:
		return 0, ev.valued(e.Of, state) // nothing depends on it
	}
	panic(fmt.Sprintf("search: unknown expression %T", e))
}

// value is eval for the expression of a site.
func (ev *evaluator) value(at *site, state []int64) (int64, bool) {
	if b, ok := at.expr.(*ir.Binary); ok {
		return ev.evalBinary(b, at.over, state)
	}
	return ev.eval(at.expr, state)
}

// evalBinary is eval for an operator whose operands have type t. Asking each
// operator of a long sum for its type would take the square of its length.
func (ev *evaluator) evalBinary(e *ir.Binary, t ir.Int, state []int64) (int64, bool) {
	var x, y int64
	var ok bool
	if left, is := e.X.(*ir.Binary); is && !left.Op.Yields01() {
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
	if right, is := e.Y.(*ir.Binary); is && !right.Op.Yields01() {
		y, ok = ev.evalBinary(right, t, state)
	} else {
		y, ok = ev.eval(e.Y, state)
	}
	if !ok {
		return 0, false
	}
	return apply(e.Op, t, x, y)
}
