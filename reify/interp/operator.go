package interp

import (
	"fmt"
	"math/bits"

	"goreify/reify/ir"
)

// logical evaluates && or || (6.5.13, 6.5.14): the right operand only if the
// left one leaves the result open, and after it.
func (m *machine) logical(e *ir.Binary) (int64, ir.Int, error) {
	since := len(m.order.accesses)
	x, tx, err := m.eval(e.X)
	if err != nil {
		return 0, tx, err
	}
	checkOperands(e.Op, tx, tx)
	if (x != 0) == (e.Op == ir.LOr) {
		return truth(x != 0), ir.I32, nil
	}
	m.order.sequencePoint(since)
	defer m.order.show()
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
func selected[V, T any](m *machine, e *ir.Select, eval func(ir.Expr) (V, T, error)) (v V, t T, err error) {
	since := len(m.order.accesses)
	c, _, err := m.eval(e.If)
	if err != nil {
		return v, t, err
	}
	m.order.sequencePoint(since)
	defer m.order.show()
	operand := e.Y
	if c != 0 {
		operand = e.X
	}
	m.chosen(operand)
	return eval(operand)
}

// builtin calls a builtin function.
func (m *machine) builtin(e *ir.Builtin) (int64, ir.Int, error) {
	if len(e.Args) != e.Fn.Arity() {
		panic(fmt.Sprintf("interp: %d arguments of %s", len(e.Args), e.Fn))
	}
	if op, ok := e.Fn.Overflows(); ok {
		return m.overflows(op, e.Args)
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
	if e.Fn == ir.MulHigh {
		y, of, err := m.eval(e.Args[1])
		checkOperands(e.Fn, t, of)
		hi, _ := bits.Mul64(uint64(x), uint64(y))
		return int64(hi), t, err
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
		if x == 0 && !m.at.rules.wraps {
			return 0, ir.I32, m.at.ub(BuiltinArgument, "%s(0)", e.Fn)
		}
		if e.Fn == ir.Ctz {
			return int64(min(bits.TrailingZeros64(uint64(x)), t.Bits)), ir.I32, nil
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
		if x == -1<<(t.Bits-1) && !m.at.rules.wraps {
			return 0, t, m.at.ub(SignedOverflow, "abs(%d) does not fit %s", x, t)
		}
		return convert(t, int64(magnitude(x))), t, nil
	}
	panic(fmt.Sprintf("interp: unknown builtin %d", e.Fn))
}
