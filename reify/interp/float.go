package interp

import (
	"fmt"
	"math"
	"math/big"
	"math/bits"

	"goreify/reify/ir"
)

// holdsFloat reports whether v is a number of type t.
func holdsFloat(t ir.Float, v float64) bool {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return false
	}
	return t.Bits == 64 || float64(float32(v)) == v
}

// negativeZero reports whether v is -0, which no program makes; see ir.Float.
func negativeZero(v float64) bool { return v == 0 && math.Signbit(v) }

// float evaluates a floating-point expression.
func (m *machine) float(e ir.Expr) (float64, ir.Float, error) {
	switch e := e.(type) {
	case *ir.FloatConst:
		if !holdsFloat(e.T, e.V) || negativeZero(e.V) {
			return 0, e.T, m.at.ub(Inexact, "constant %v is not a number of %s", e.V, e.T)
		}
		return e.V, e.T, nil
	case *ir.Load:
		l, t, err := load[ir.Float](m, e.Place)
		if err != nil {
			return 0, t, err
		}
		return math.Float64frombits(uint64(m.mem.cells[l.addr])), t, nil
	case *ir.Unary: // Neg
		x, t, err := m.float(e.X)
		if err == nil && x == 0 {
			err = m.at.ub(Inexact, "-(%v) has a sign", x)
		}
		return -x, t, err
	case *ir.Binary:
		x, y, t, err := operands(e.Op, e.X, e.Y, m.float)
		if err != nil {
			return 0, t, err
		}
		v, err := m.at.floatBinary(e.Op, t, x, y)
		return v, t, err
	case *ir.Convert:
		to := e.T.(ir.Float)
		if ir.IsInt(e.X) {
			x, t, err := m.eval(e.X)
			if err != nil {
				return 0, to, err
			}
			v, err := m.at.floatOf(to, t, x)
			return v, to, err
		}
		x, _, err := m.float(e.X)
		if err == nil && !holdsFloat(to, x) {
			err = m.at.ub(Inexact, "%v is not a number of %s", x, to)
		}
		return x, to, err
	}
	panic(fmt.Sprintf("interp: unknown floating-point expression %T", e))
}

// floatBinary computes x op y, and demands that the result is exact.
func (at *frame) floatBinary(op ir.Op, t ir.Float, x, y float64) (float64, error) {
	if op == ir.Div && y == 0 {
		return 0, at.ub(DivisionByZero, "%v / 0", x) // 6.5.5p5
	}
	// A double holds more than a float. So if the result of the operation in double is
	// the exact one and a number of t, it is what t gives as well, the sign of a zero
	// included.
	if op == ir.Sub && x == 0 && y == 0 {
		return 0, at.ub(Inexact, "0 - 0 in %s", t) // gcc-12 may take it for -0
	}
	var v float64
	switch op {
	case ir.Add:
		v = x + y
	case ir.Sub:
		v = x - y
	case ir.Mul:
		v = x * y
	case ir.Div:
		v = x / y
	default:
		panic(fmt.Sprintf("interp: %s of floating-point numbers", op))
	}
	if !holdsFloat(t, v) || negativeZero(v) || !isExact(op, x, y, v) {
		return 0, at.ub(Inexact, "%v %s %v in %s", x, op, y, t)
	}
	return v, nil
}

// isExact reports whether v, which is x op y as double computes it, is x op y.
func isExact(op ir.Op, x, y, v float64) bool {
	// Of a product or quotient that is not too small, and of any sum, double
	// holds the error (Knuth; Dekker), and a fused operation computes it.
	const small = 0x1p-900
	switch op {
	case ir.Sub:
		return isExact(ir.Add, x, -y, v)
	case ir.Add:
		part := v - x
		return (x-(v-part))+(y-part) == 0
	case ir.Mul:
		if math.Abs(v) > small {
			return math.FMA(x, y, -v) == 0
		}
	case ir.Div:
		if math.Abs(v) > small && math.Abs(x) > small {
			return math.FMA(v, y, -x) == 0
		}
	}
	return isExactRat(op, x, y, v)
}

// isExactRat is isExact for all numbers, and slow.
func isExactRat(op ir.Op, x, y, v float64) bool {
	z := new(big.Rat)
	bx, by := new(big.Rat).SetFloat64(x), new(big.Rat).SetFloat64(y)
	switch op {
	case ir.Add:
		z.Add(bx, by)
	case ir.Sub:
		z.Sub(bx, by)
	case ir.Mul:
		z.Mul(bx, by)
	case ir.Div:
		z.Quo(bx, by)
	}
	return z.Cmp(new(big.Rat).SetFloat64(v)) == 0
}

// floatOf converts an integer (6.3.1.4p2).
func (at *frame) floatOf(t ir.Float, of ir.Int, x int64) (float64, error) {
	size, negative := uint64(x), false
	if of.Signed && x < 0 {
		size, negative = magnitude(x), true
	}
	digits := 24 // of a number of t
	if t.Bits == 64 {
		digits = 53
	}
	if size != 0 && bits.Len64(size)-bits.TrailingZeros64(size) > digits {
		return 0, at.ub(Inexact, "%s is not a number of %s", of.Format(x), t)
	}
	v := float64(size)
	if negative {
		v = -v
	}
	return v, nil
}

// floatToInt converts to an integer (6.3.1.4p1).
func (at *frame) floatToInt(t ir.Int, x float64) (int64, error) {
	if t == ir.Bool {
		return truth(x != 0), nil // 6.3.1.2p1, without a truncation
	}
	whole := math.Trunc(x)
	low, high := 0.0, math.Ldexp(1, t.Bits) // high is one more than the largest
	if t.Signed {
		low, high = -high/2, high/2
	}
	if whole < low || whole >= high {
		switch {
		case t.Bits < 32:
			return 0, at.ub(ConversionOutOfRange, "%v does not fit %s", x, t) // no instruction does that
		case at.rules.saturates && t.Signed && whole < low:
			return t.Min(), nil
		case at.rules.saturates && t.Signed:
			return t.Max(), nil
		}
		return 0, at.wrong(ConversionOutOfRange, "%v does not fit %s", x, t)
	}
	if t.Signed {
		return int64(whole), nil
	}
	return int64(uint64(whole)), nil
}
