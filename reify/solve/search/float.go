package search

import (
	"fmt"
	"math"
	"math/bits"

	"goreify/reify/ir"
)

// float returns the value of e in a state, or false if that is undefined or not
// exact. If pol is not nil, symbols in it that have no value get one.
func (ev *evaluator) float(e ir.Expr, state []int64, pol *policy) (float64, bool) {
	switch e := e.(type) {
	case *ir.FloatConst:
		return e.V, isFloat(e.T, e.V) && !(e.V == 0 && math.Signbit(e.V))
	case *ir.Load:
		v, ok := ev.read(e.Place, state, pol)
		return math.Float64frombits(uint64(v)), ok
	case *ir.Unary:
		x, ok := ev.float(e.X, state, pol)
		return -x, ok && x != 0
	case *ir.Binary:
		x, y, ok := both(ev, (*evaluator).float, [2]ir.Expr{e.X, e.Y}, state, pol)
		if !ok {
			return 0, false
		}
		return applyFloat(e.Op, ir.TypeOf[ir.Float](e.X), x, y)
	case *ir.Convert:
		t := e.T.(ir.Float)
		of, ok := ir.AsInt(e.X)
		if !ok {
			x, ok := ev.float(e.X, state, pol)
			return x, ok && isFloat(t, x)
		}
		x, ok := ev.number(e.X, state, all(of).clamp(1<<12), pol)
		if !ok {
			return 0, false
		}
		return floatOf(t, of, x)
	}
	panic(fmt.Sprintf("search: unknown floating-point expression %T", e))
}

// isFloat reports whether v is a number of type t.
func isFloat(t ir.Float, v float64) bool {
	return !math.IsNaN(v) && !math.IsInf(v, 0) && (t.Bits == 64 || float64(float32(v)) == v)
}

// applyFloat returns x op y, or false unless it is exact. Whether a sum or product of
// doubles is exact is told from the error, which is a double itself except near
// underflow: numbers so small are taken for inexact.
func applyFloat(op ir.Op, t ir.Float, x, y float64) (v float64, ok bool) {
	const tiny, huge = 1e-100, 1e100
	outside := func(x float64) bool { return x != 0 && !(tiny < math.Abs(x) && math.Abs(x) < huge) }
	if outside(x) || outside(y) || op == ir.Sub && x == 0 && y == 0 {
		return 0, false
	}
	switch op {
	case ir.Sub, ir.Add:
		if op == ir.Sub {
			y = 0 - y
		}
		v = x + y
		// The error of a sum (Knuth, The Art of Computer Programming 4.2.2).
		a := v - y
		b := v - a
		ok = x-a == 0 && y-b == 0
	case ir.Mul:
		v = float64(x * y)
		ok = math.FMA(x, y, -v) == 0
	case ir.Div:
		if y == 0 {
			return 0, false
		}
		v = x / y
		ok = math.FMA(v, y, -x) == 0
	}
	return v, ok && isFloat(t, v) && !outside(v) && !(v == 0 && math.Signbit(v))
}

// floatOf returns x, of type of, as a number of type t, or false if t does not hold it.
func floatOf(t ir.Float, of ir.Int, x int64) (float64, bool) {
	v, digits := float64(x), 24
	size := uint64(max(x, -x))
	if !of.Signed {
		v, size = float64(uint64(x)), uint64(x)
	}
	if t.Bits == 64 {
		digits = 53
	}
	return v, size == 0 || bits.Len64(size)-bits.TrailingZeros64(size) <= digits
}

// truncated returns x as an integer of type t, or false if t does not hold it.
func truncated(x float64, t ir.Int) (int64, bool) {
	if t == ir.Bool {
		return b2i(x != 0), true
	}
	x = math.Trunc(x)
	lo, hi := 0.0, math.Ldexp(1, t.Bits)
	if t.Signed {
		lo, hi = -hi/2, hi/2
	}
	switch {
	case x < lo || x >= hi:
		return 0, false
	case t.Signed:
		return int64(x), true
	}
	return int64(uint64(x)), true
}
