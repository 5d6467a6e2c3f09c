package search

import (
	"fmt"

	"goreify/reify/ir"
)

// eval returns the value of e in a state, or false if evaluating it is
// undefined or meets a symbol without a value.
func (r *run) eval(e ir.Expr, state []int64) (int64, bool) {
	switch e := e.(type) {
	case *ir.Const:
		return e.V, true
	case *ir.Sym:
		return r.syms[e.ID], r.set[e.ID]
	case *ir.Load:
		if v, scalar := e.Place.(*ir.VarRef); scalar {
			return state[r.offset[v.Var.Index]], true
		}
		at, ok := r.locate(e.Place, state, nil)
		if !ok {
			return 0, false
		}
		return r.load(e.Place, at, state)
	case *ir.Binary:
		return r.evalBinary(e, e.X.Type(), state)
	case *ir.Convert:
		x, ok := r.eval(e.X, state)
		return e.T.Wrap(x), ok
	case *ir.Unary:
		x, ok := r.eval(e.X, state)
		if !ok {
			return 0, false
		}
		return applyUnary(e.Op, e.X.Type(), x)
	case *ir.Select:
		c, ok := r.eval(e.If, state)
		switch {
		case !ok:
			return 0, false
		case c != 0:
			return r.eval(e.X, state)
		}
		return r.eval(e.Y, state)
	case *ir.Builtin:
		x, ok := r.eval(e.Args[0], state)
		if !ok {
			return 0, false
		}
		if len(e.Args) > 1 {
			if _, ok = r.eval(e.Args[1], state); !ok {
				return 0, false
			}
		}
		return applyBuiltin(e.Fn, e.Args[0].Type(), x)
	case *ir.PtrCompare:
		return r.comparePointers(e, state, nil)
	case *ir.PtrDiff:
		return r.subtractPointers(e, state, nil)
	case *ir.FloatCompare:
		return r.compareFloats(e, state, nil)
	case *ir.FloatToInt:
		return r.floatToInt(e, state, nil)
	case *ir.Checksum:
		return 0, r.valued(e.Of, state) // nothing depends on it
	}
	panic(fmt.Sprintf("search: unknown expression %T", e))
}

// value is eval for the expression of a site.
func (r *run) value(at *site, state []int64) (int64, bool) {
	if b, ok := at.expr.(*ir.Binary); ok {
		return r.evalBinary(b, at.over, state)
	}
	return r.eval(at.expr, state)
}

// evalBinary is eval for an operator whose operands have type t. Asking each
// operator of a long sum for its type would take the square of its length.
func (r *run) evalBinary(e *ir.Binary, t ir.Int, state []int64) (int64, bool) {
	var x, y int64
	var ok bool
	if left, is := e.X.(*ir.Binary); is && !left.Op.Yields01() {
		x, ok = r.evalBinary(left, t, state)
	} else {
		x, ok = r.eval(e.X, state)
	}
	if !ok {
		return 0, false
	}
	if e.Op >= ir.LAnd {
		if (x != 0) == (e.Op == ir.LOr) {
			return b2i(x != 0), true
		}
		y, ok = r.eval(e.Y, state)
		return b2i(y != 0), ok
	}
	if right, is := e.Y.(*ir.Binary); is && !right.Op.Yields01() {
		y, ok = r.evalBinary(right, t, state)
	} else {
		y, ok = r.eval(e.Y, state)
	}
	if !ok {
		return 0, false
	}
	return apply(e.Op, t, x, y)
}
