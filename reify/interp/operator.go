package interp

import (
	"fmt"
	"math/bits"

	"goreify/reify/ir"
)

// truth is the value of a condition in C.
func truth(b bool) int64 {
	if b {
		return 1
	}
	return 0
}

// bitwise computes x op y for the operators on bits (6.5.7, 6.5.10 to 6.5.12).
// Of two values that are sign- or zero-extended so is the result.
func (at *frame) bitwise(op ir.Op, t ir.Int, x, y int64) (int64, error) {
	switch op {
	case ir.And:
		return x & y, nil
	case ir.Or:
		return x | y, nil
	case ir.Xor:
		return x ^ y, nil
	case ir.Shl, ir.Shr:
		return at.shift(op, t, x, y)
	}
	panic(fmt.Sprintf("interp: unknown operator %d", op))
}

// shift computes x op y (6.5.7). C converts neither operand to the other's
// type; ir gives them one.
func (at *frame) shift(op ir.Op, t ir.Int, x, y int64) (int64, error) {
	// 6.5.7p3. As a uint64, a negative count is too large.
	if uint64(y) >= uint64(t.Bits) {
		return 0, at.ub(ShiftAmount, "%s %s %s in %s", t.Format(x), op, t.Format(y), t)
	}
	if op == ir.Shr {
		// 6.5.7p5: "If E1 has a signed type and a negative value, the resulting value
		// is implementation-defined": gcc and clang fill with the sign. An unsigned
		// type is zero-extended, so zeros are shifted in.
		if t.Signed {
			return x >> y, nil
		}
		return int64(uint64(x) >> y), nil
	}
	v := convert(t, x<<y)
	if !t.Signed {
		return v, nil
	}
	// 6.5.7p4: x must not be negative, and x * 2^y fit.
	if x < 0 || v>>y != x || v < 0 {
		return 0, at.ub(ShiftOverflow, "%d << %d in %s", x, y, t)
	}
	return v, nil
}

// unary computes op x in t, which for lanes of vectors can be narrow.
func (at *frame) unary(op ir.UnOp, t ir.Int, x int64) (int64, ir.Int, error) {
	switch op {
	case ir.Neg:
		if !t.Signed {
			return convert(t, -x), t, nil
		}
		if x == -1<<(t.Bits-1) {
			if at.rules != nil {
				return x, t, nil // it wraps
			}
			return 0, t, at.ub(SignedOverflow, "-(%d) does not fit %s", x, t)
		}
		return -x, t, nil
	case ir.Not:
		return convert(t, ^x), t, nil
	case ir.LNot:
		return truth(x == 0), ir.I32, nil
	}
	panic(fmt.Sprintf("interp: unknown operator %d", op))
}

// logical evaluates && or || (6.5.13, 6.5.14): the right operand only if the
// left one leaves the result open, and after it.
func (m *machine) logical(e *ir.Binary) (int64, ir.Int, error) {
	since := len(m.accesses)
	x, tx, err := m.eval(e.X)
	if err != nil {
		return 0, tx, err
	}
	checkOperands(e.Op, tx, tx)
	if (x != 0) == (e.Op == ir.LOr) {
		return truth(x != 0), ir.I32, nil
	}
	m.sequencePoint(since)
	defer m.show()
	m.chosen(e.Y)
	y, ty, err := m.eval(e.Y)
	if err != nil {
		return 0, ty, err
	}
	checkOperands(e.Op, tx, ty)
	return truth(y != 0), ir.I32, nil
}

// chosen reports an operand that is evaluated because of another operand's value.
func (m *machine) chosen(operand ir.Expr) {
	if m.o.Chosen != nil {
		m.o.Chosen(operand)
	}
}

// selected evaluates ?: (6.5.15p4), whose operands are evaluated by eval.
func selected[V, T any](m *machine, e *ir.Select, eval func(*machine, ir.Expr) (V, T, error)) (v V, t T, err error) {
	since := len(m.accesses)
	c, _, err := m.eval(e.If)
	if err != nil {
		return v, t, err
	}
	m.sequencePoint(since)
	defer m.show()
	operand := e.Y
	if c != 0 {
		operand = e.X
	}
	m.chosen(operand)
	return eval(m, operand)
}

// builtin calls a builtin function.
func (m *machine) builtin(e *ir.Builtin) (int64, ir.Int, error) {
	if len(e.Args) != e.Fn.Arity() {
		panic(fmt.Sprintf("interp: %d arguments of %s", len(e.Args), e.Fn))
	}
	if op, ok := e.Fn.Overflows(); ok {
		return m.wideOverflows(op, e.Args)
	}
	x, t, err := m.eval(e.Args[0])
	if err != nil {
		return 0, t, err
	}
	if e.Fn.Hints() {
		_, hint, err := m.eval(e.Args[1])
		checkOperands(e.Fn, t, hint)
		return x, t, err
	}
	checkOperands(e.Fn, t, t)
	if t.Signed != e.Fn.Signed() {
		panic(fmt.Sprintf("interp: argument of %s is %s", e.Fn, t))
	}
	// An unsigned x is zero-extended.
	switch e.Fn {
	case ir.Popcount:
		return int64(bits.OnesCount64(uint64(x))), ir.I32, nil
	case ir.Parity:
		return int64(bits.OnesCount64(uint64(x)) % 2), ir.I32, nil
	case ir.Clz, ir.Ctz:
		if x == 0 && m.rules != nil {
			return int64(t.Bits), ir.I32, nil
		}
		if x == 0 {
			return 0, ir.I32, m.ub(BuiltinArgument, "%s(0)", e.Fn)
		}
		if e.Fn == ir.Ctz {
			return int64(bits.TrailingZeros64(uint64(x))), ir.I32, nil
		}
		return int64(bits.LeadingZeros64(uint64(x)) - (64 - t.Bits)), ir.I32, nil
	case ir.Ffs:
		if x == 0 {
			return 0, ir.I32, nil
		}
		return int64(bits.TrailingZeros64(uint64(x)) + 1), ir.I32, nil
	case ir.Bswap:
		return int64(bits.ReverseBytes64(uint64(x)) >> (64 - t.Bits)), t, nil
	case ir.Abs:
		if x == -1<<(t.Bits-1) && m.rules != nil {
			return x, t, nil // it wraps
		}
		if x == -1<<(t.Bits-1) {
			return 0, t, m.ub(SignedOverflow, "abs(%d) does not fit %s", x, t)
		}
		return int64(magnitude(x)), t, nil
	}
	panic(fmt.Sprintf("interp: unknown builtin %d", e.Fn))
}
