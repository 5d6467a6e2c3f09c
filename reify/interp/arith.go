package interp

import (
	"fmt"
	"math"
	"math/bits"

	"goreify/reify/ir"
)

// Values are in the representation of ir.Const: sign- or zero-extended to 64
// bits, u64 reinterpreted as int64.

// convert is the conversion of a value to t (6.3.1.3): unchanged if t holds it, else
// modulo 2^Bits. C defines the latter for unsigned types (p2); for signed ones it is
// implementation-defined (p3), and gcc and clang document that they do the same. A
// conversion of Go's integers drops the high bits, which is the remainder modulo 2^Bits
// in two's complement. A bit-field is a type of its width (6.7.2.1p10). To _Bool, every
// value except zero becomes 1 (6.3.1.2p1).
func convert(t ir.Int, v int64) int64 {
	if t.Signed {
		switch t.Bits {
		case 8:
			return int64(int8(v))
		case 16:
			return int64(int16(v))
		case 32:
			return int64(int32(v))
		case 64:
			return v
		}
	} else {
		switch t.Bits {
		case 8:
			return int64(uint8(v))
		case 16:
			return int64(uint16(v))
		case 32:
			return int64(uint32(v))
		case 64:
			return v
		}
	}
	return convertNarrow(t, v)
}

// convertNarrow is convert for _Bool and the types of bit-fields.
func convertNarrow(t ir.Int, v int64) int64 {
	if t.Bits < 1 || t.Bits > 64 {
		panic(fmt.Sprintf("interp: no integer type has %d bits", t.Bits))
	}
	if t == ir.Bool {
		if v != 0 {
			return 1
		}
		return 0
	}
	sign := int64(1) << (t.Bits - 1)
	low := v & (sign | (sign - 1))
	if t.Signed && low >= sign {
		return low - sign - sign
	}
	return low
}

// holds reports whether v is a value of t.
func holds(t ir.Int, v int64) bool { return convert(t, v) == v }

// signed computes x op y in the signed type t. The divisor is not zero. It
// reports false if t does not hold the result (6.5p5).
func signed(op ir.Op, t ir.Int, x, y int64) (v int64, ok bool) {
	switch op {
	case ir.Div, ir.Rem:
		// 6.5.5p6: the quotient is truncated towards zero, as in Go, and if it
		// is not representable then the remainder is undefined as well. The
		// only such quotient is that of the smallest value and -1.
		if y == -1 && x == -1<<(t.Bits-1) {
			return 0, false
		}
		if op == ir.Div {
			return x / y, true
		}
		return x % y, true
	}
	if t.Bits == 64 {
		return signed64(op, x, y)
	}
	// With at most 32 bits, int64 holds every sum, difference and product.
	switch op {
	case ir.Add:
		v = x + y
	case ir.Sub:
		v = x - y
	case ir.Mul:
		v = x * y
	default:
		panic(fmt.Sprintf("interp: unknown operator %d", op))
	}
	return v, holds(t, v)
}

// signed64 computes x op y in i64 from the exact sign and magnitude.
func signed64(op ir.Op, x, y int64) (int64, bool) {
	switch op {
	case ir.Add:
		v := x + y
		// Only operands of the same sign overflow, and then v has the other.
		return v, (x < 0) != (y < 0) || (v < 0) == (x < 0)
	case ir.Sub:
		v := x - y
		// Only operands of different sign overflow, and then v has not x's.
		return v, (x < 0) == (y < 0) || (v < 0) == (x < 0)
	case ir.Mul:
		hi, lo := bits.Mul64(magnitude(x), magnitude(y))
		limit := uint64(math.MaxInt64)
		if (x < 0) != (y < 0) {
			limit++ // the magnitude of the smallest value
		}
		return x * y, hi == 0 && lo <= limit
	}
	panic(fmt.Sprintf("interp: unknown operator %d", op))
}

func magnitude(x int64) uint64 {
	if x < 0 {
		return -uint64(x)
	}
	return uint64(x)
}

// unsigned computes x op y in the unsigned type t, modulo 2^Bits (6.2.5p9).
// The divisor is not zero.
func unsigned(op ir.Op, t ir.Int, x, y int64) int64 {
	switch op {
	case ir.Add:
		return convert(t, x+y)
	case ir.Sub:
		return convert(t, x-y)
	case ir.Mul:
		return convert(t, x*y)
	case ir.Div:
		return int64(uint64(x) / uint64(y))
	case ir.Rem:
		return int64(uint64(x) % uint64(y))
	}
	panic(fmt.Sprintf("interp: unknown operator %d", op))
}

// compare returns 1 if x op y holds in type t, else 0 (6.5.8p6, 6.5.9p3).
func compare(op ir.Op, t ir.Int, x, y int64) int64 {
	less := x < y
	if !t.Signed {
		less = uint64(x) < uint64(y)
	}
	equal := x == y
	var holds bool
	switch op {
	case ir.Lt:
		holds = less
	case ir.Le:
		holds = less || equal
	case ir.Gt:
		holds = !less && !equal
	case ir.Ge:
		holds = !less
	case ir.Eq:
		holds = equal
	case ir.Ne:
		holds = !equal
	default:
		panic(fmt.Sprintf("interp: unknown operator %d", op))
	}
	if holds {
		return 1
	}
	return 0
}
