package search

import (
	"math/bits"

	"goreify/reify/ir"
)

// apply returns x op y for operands of type t, or false if that is undefined.
func apply(op ir.Op, t ir.Int, x, y int64) (int64, bool) {
	if t == ir.I32 { // by far the most frequent
		switch op {
		case ir.Add:
			return x + y, x+y == int64(int32(x+y))
		case ir.Sub:
			return x - y, x-y == int64(int32(x-y))
		case ir.Mul:
			return x * y, x*y == int64(int32(x*y))
		}
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
	if op.OnBits() {
		return bitwise(op, t, x, y)
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
	return b2i(holds), true
}

// bitwise is apply for the operators on bits.
func bitwise(op ir.Op, t ir.Int, x, y int64) (int64, bool) {
	switch op {
	case ir.And:
		return x & y, true
	case ir.Or:
		return x | y, true
	case ir.Xor:
		return x ^ y, true
	}
	if y < 0 || y >= int64(t.Bits) {
		return 0, false
	}
	switch {
	case op == ir.Shr && t.Signed:
		return x >> y, true
	case op == ir.Shr:
		return int64(uint64(x) >> y), true
	case !t.Signed:
		return t.Wrap(x << y), true
	}
	return x << y, x >= 0 && x <= t.Max()>>y
}

// applyUnary returns op x for an operand of type t, or false if that is
// undefined.
func applyUnary(op ir.UnOp, t ir.Int, x int64) (int64, bool) {
	switch op {
	case ir.Neg:
		return t.Wrap(-x), !t.Signed || x != t.Min()
	case ir.Not:
		return t.Wrap(^x), true
	case ir.LNot:
		return b2i(x == 0), true
	}
	panic("search: unknown operator " + op.String())
}

// applyBuiltin returns what a function gives for its first argument, of type
// t, or false if that is undefined.
func applyBuiltin(fn ir.Fn, t ir.Int, x int64) (int64, bool) {
	u := uint64(x)
	switch fn {
	case ir.Popcount:
		return int64(bits.OnesCount64(u)), true
	case ir.Parity:
		return int64(bits.OnesCount64(u) & 1), true
	case ir.Clz:
		return int64(bits.LeadingZeros64(u) - 64 + t.Bits), x != 0
	case ir.Ctz:
		return int64(bits.TrailingZeros64(u)), x != 0
	case ir.Ffs:
		if x == 0 {
			return 0, true
		}
		return int64(bits.TrailingZeros64(u) + 1), true
	case ir.Bswap:
		return int64(bits.ReverseBytes64(u) >> (64 - t.Bits)), true
	case ir.Abs:
		return max(x, -x), x != t.Min()
	case ir.Expect, ir.ExpectProbably:
		return x, true
	}
	panic("search: unknown function " + fn.String())
}

func b2i(b bool) int64 {
	if b {
		return 1
	}
	return 0
}

// fit returns v, the exact result of an operation except for wrapping at 64 bits, as a
// value of type t, or false if t is signed and does not hold it.
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
