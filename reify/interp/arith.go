package interp

import (
	"fmt"
	"math/bits"

	"goreify/reify/ir"
)

// Values are in the representation of ir.Const: sign- or zero-extended to 64
// bits, u64 reinterpreted as int64.

// convert is the conversion of a value to t (6.3.1.3): unchanged if t holds it, else
// modulo 2^Bits. C defines the latter for unsigned types (p2); for signed ones it is
// implementation-defined (p3), and gcc and clang document that they do the same. Without
// the high bits an integer in two's complement is its remainder modulo 2^Bits. A bit-field is a type of its width (6.7.2.1p10). To _Bool, every
// value except zero becomes 1 (6.3.1.2p1).
func convert(t ir.Int, v int64) int64 {
	high := uint(64 - t.Bits)
	if high >= 64 {
		panic(fmt.Sprintf("interp: no integer type has %d bits", t.Bits))
	}
	switch {
	case t == ir.Bool:
		return truth(v != 0)
	case t.Signed:
		return v << high >> high
	}
	return int64(uint64(v) << high >> high)
}

// holds reports whether v is a value of t.
func holds(t ir.Int, v int64) bool { return convert(t, v) == v }

// binary computes x op y in t, which for lanes of vectors can be narrow.
func (at *frame) binary(op ir.Op, t ir.Int, x, y int64) (int64, ir.Int, error) {
	switch op {
	case ir.And: // 6.5.10 to 6.5.12. Of two values that are extended so is the result.
		return x & y, t, nil
	case ir.Or:
		return x | y, t, nil
	case ir.Xor:
		return x ^ y, t, nil
	case ir.Shl, ir.Shr:
		v, err := at.shift(op, t, x, y)
		return v, t, err
	case ir.Lt, ir.Le, ir.Gt, ir.Ge, ir.Eq, ir.Ne:
		// 6.5.8p6, 6.5.9p3: "the result has type int".
		return compare(op, t, x, y), ir.I32, nil
	case ir.Div, ir.Rem:
		v, err := at.divide(op, t, x, y)
		return v, t, err
	}
	low, fits := compute64(op, x, y)
	v := convert(t, low) // 6.2.5p9: unsigned types wrap
	if t.Signed && (!fits || v != low) && !at.rules.wraps {
		return 0, t, at.ub(SignedOverflow, "%d %s %d does not fit %s", x, op, y, t) // 6.5p5
	}
	return v, t, nil
}

// compute64 computes a sum, difference or product modulo 2^64, and reports whether 64
// bits with a sign hold it.
func compute64(op ir.Op, x, y int64) (v int64, fits bool) {
	switch op {
	case ir.Add:
		v = x + y
		return v, (x^v)&(y^v) >= 0 // the sign differs from those of both operands
	case ir.Sub:
		v = x - y
		return v, (x^y)&(x^v) >= 0 // the sign differs from that of x, and so does y's
	case ir.Mul:
		// Warren, Hacker's Delight, 8-3: the high word of the product with signs.
		hi, lo := bits.Mul64(uint64(x), uint64(y))
		return int64(lo), int64(hi)-(x>>63&y)-(y>>63&x) == int64(lo)>>63
	}
	panic(fmt.Sprintf("interp: unknown operator %d", op))
}

// divide computes a quotient, which is truncated towards zero as in Go, or its remainder
// (6.5.5p6).
func (at *frame) divide(op ir.Op, t ir.Int, x, y int64) (int64, error) {
	switch {
	case y == 0 && at.rules.wraps:
		return 0, at.wrong(DivisionByZero, "%s %s %s in %s", t.Format(x), op, t.Format(y), t)
	case y == 0: // 6.5.5p5
		return 0, at.ub(DivisionByZero, "%s %s 0", t.Format(x), op)
	case !t.Signed && op == ir.Div:
		return int64(uint64(x) / uint64(y)), nil
	case !t.Signed:
		return int64(uint64(x) % uint64(y)), nil
	case y == -1 && x == -1<<(t.Bits-1):
		return at.divideLeast(op, t, x)
	case op == ir.Div:
		return x / y, nil
	}
	return x % y, nil
}

// divideLeast is divide for x, the smallest value of t, and -1.
func (at *frame) divideLeast(op ir.Op, t ir.Int, x int64) (int64, error) {
	switch {
	case !at.rules.wraps || at.rules.undefinedQuotient:
		// 6.5.5p6: if the quotient is not representable, the remainder is undefined, too.
		return 0, at.ub(SignedOverflow, "%d %s -1 does not fit %s", x, op, t)
	case op == ir.Rem:
		return 0, nil
	case t.Bits >= 32 && at.rules.traps[SignedOverflow] != "":
		return 0, at.wrong(SignedOverflow, "%d %s -1 in %s", x, op, t)
	}
	return x, nil
}

// shift computes x op y (6.5.7). C converts neither operand to the other's
// type; ir gives them one.
func (at *frame) shift(op ir.Op, t ir.Int, x, y int64) (int64, error) {
	n := uint64(y) // 6.5.7p3. Thus a negative count is too large.
	if n >= uint64(t.Bits) {
		switch {
		case at.rules.counts == maskedCounts:
			n &= uint64(t.Bits - 1)
		case at.rules.counts == undefinedCounts || t.Signed && y < 0:
			return 0, at.wrong(ShiftAmount, "%s %s %s in %s", t.Format(x), op, t.Format(y), t)
		}
	}
	if op == ir.Shr {
		// 6.5.7p5: "If E1 has a signed type and a negative value, the resulting value
		// is implementation-defined": gcc and clang fill with the sign. An unsigned
		// type is zero-extended, so zeros are shifted in.
		if t.Signed {
			return x >> n, nil
		}
		return int64(uint64(x) >> n), nil
	}
	v := convert(t, x<<n)
	// 6.5.7p4: x must not be negative, and x * 2^y fit.
	if t.Signed && (x < 0 || v>>n != x || v < 0) && !at.rules.wraps {
		return 0, at.ub(ShiftOverflow, "%d << %d in %s", x, y, t)
	}
	return v, nil
}

// unary computes op x in t, which for lanes of vectors can be narrow.
func (at *frame) unary(op ir.UnOp, t ir.Int, x int64) (int64, ir.Int, error) {
	switch op {
	case ir.Neg:
		if t.Signed && x == -1<<(t.Bits-1) && !at.rules.wraps {
			return 0, t, at.ub(SignedOverflow, "-(%d) does not fit %s", x, t)
		}
		return convert(t, -x), t, nil
	case ir.Not:
		return convert(t, ^x), t, nil
	case ir.LNot:
		return truth(x == 0), ir.I32, nil
	}
	panic(fmt.Sprintf("interp: unknown operator %d", op))
}

func magnitude(x int64) uint64 {
	if x < 0 {
		return -uint64(x)
	}
	return uint64(x)
}

// compare returns 1 if x op y holds in type t, else 0 (6.5.8p6, 6.5.9p3).
func compare(op ir.Op, t ir.Int, x, y int64) int64 {
	less := x < y
	if !t.Signed {
		less = uint64(x) < uint64(y)
	}
	equal := x == y
	switch op {
	case ir.Lt:
		return truth(less)
	case ir.Le:
		return truth(less || equal)
	case ir.Gt:
		return truth(!less && !equal)
	case ir.Ge:
		return truth(!less)
	case ir.Eq:
		return truth(equal)
	case ir.Ne:
		return truth(!equal)
	}
	panic(fmt.Sprintf("interp: unknown operator %d", op))
}

// truth is the value of a condition in C.
func truth(b bool) int64 {
	if b {
		return 1
	}
	return 0
}
