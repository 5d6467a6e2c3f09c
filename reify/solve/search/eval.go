package search

import (
	"fmt"
	"math/bits"

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
		at, ok := r.address(e.Place, state)
		if !ok {
			return 0, false
		}
		return state[at], true
	case *ir.Binary:
		return r.evalBinary(e, e.X.Type(), state)
	case *ir.Convert:
		x, ok := r.eval(e.X, state)
		return e.T.Wrap(x), ok
	case *ir.Checksum:
		return 0, true // nothing depends on it
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
	if left, is := e.X.(*ir.Binary); is && !left.Op.Compares() {
		x, ok = r.evalBinary(left, t, state)
	} else {
		x, ok = r.eval(e.X, state)
	}
	if !ok {
		return 0, false
	}
	if right, is := e.Y.(*ir.Binary); is && !right.Op.Compares() {
		y, ok = r.evalBinary(right, t, state)
	} else {
		y, ok = r.eval(e.Y, state)
	}
	if !ok {
		return 0, false
	}
	return apply(e.Op, t, x, y)
}

// address returns where in a state the scalar of place p is.
func (r *run) address(p ir.Place, state []int64) (int, bool) {
	switch p := p.(type) {
	case *ir.VarRef:
		return r.offset[p.Var.Index], true
	case *ir.Elem:
		at, ok := r.address(p.Base, state)
		if !ok {
			return 0, false
		}
		i, ok := r.eval(p.Index, state)
		array := p.Base.Type().(ir.Array)
		if !ok || i < 0 || i >= int64(array.Len) {
			return 0, false
		}
		return at + int(i)*ir.Count(array.Elem), true
	}
	panic(fmt.Sprintf("search: unknown place %T", p))
}

// apply returns x op y for operands of type t, or false if that is undefined.
func apply(op ir.Op, t ir.Int, x, y int64) (int64, bool) {
	if t == ir.I32 && op <= ir.Mul { // by far the most frequent
		v := x + y
		switch op {
		case ir.Sub:
			v = x - y
		case ir.Mul:
			v = x * y
		}
		return v, v == int64(int32(v))
	}
	switch op {
	case ir.Add:
		return fit(t, x+y, t.Bits == 64 && (x+y < x) != (y < 0))
	case ir.Sub:
		return fit(t, x-y, t.Bits == 64 && (x-y > x) != (y < 0))
	case ir.Mul:
		return fit(t, x*y, t.Bits == 64 && t.Signed && mulOverflows(x, y))
	case ir.Div, ir.Rem:
		if y == 0 || t.Signed && y == -1 && x == t.Min() {
			return 0, false
		}
		switch {
		case !t.Signed && op == ir.Div:
			return int64(uint64(x) / uint64(y)), true
		case !t.Signed:
			return int64(uint64(x) % uint64(y)), true
		case op == ir.Div:
			return x / y, true
		}
		return x % y, true
	}
	less := x < y
	if !t.Signed {
		less = uint64(x) < uint64(y)
	}
	var holds bool
	switch op {
	case ir.Lt:
		holds = less
	case ir.Le:
		holds = less || x == y
	case ir.Gt:
		holds = !less && x != y
	case ir.Ge:
		holds = !less
	case ir.Eq:
		holds = x == y
	case ir.Ne:
		holds = x != y
	default:
		panic("search: unknown operator " + op.String())
	}
	if holds {
		return 1, true
	}
	return 0, true
}

// fit returns v, the exact result of an operation but for wrapping at 64
// bits, as a value of type t, or false if t is signed and does not hold it.
func fit(t ir.Int, v int64, wrapped bool) (int64, bool) {
	if !t.Signed {
		return t.Wrap(v), true
	}
	return v, !wrapped && t.Holds(v)
}

func mulOverflows(x, y int64) bool {
	hi, lo := bits.Mul64(uint64(x), uint64(y))
	// The signed high word, from the unsigned one.
	if x < 0 {
		hi -= uint64(y)
	}
	if y < 0 {
		hi -= uint64(x)
	}
	return int64(hi) != int64(lo)>>63
}
