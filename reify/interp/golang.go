package interp

import (
	"fmt"

	"goreify/reify/ir"
)

// goRules are those of The Go Programming Language Specification, of which the
// comments quote the section Arithmetic operators.
var goRules = semantics{
	binary: goBinary,
	traps: map[Kind]ir.Trap{
		// "If x is out of range at run time, a run-time panic occurs": Index expressions.
		OutOfBounds: ir.OutOfBounds,
		// "If x is of pointer type and has the value nil": Address operators, Selectors.
		NullDereference: ir.NullPointer,
		// The code of package golang for it panics.
		UnreachableReached: ir.Unreached,
	},
	// "The order of those events compared to the evaluation of x and indexing of x and
	// the evaluation of y is not specified": Order of evaluation.
	unordered: true,
}

func goBinary(op ir.Op, t ir.Int, x, y int64) (int64, ir.Trap) {
	if v, ok := wraps(op, t, x, y); ok {
		return v, ""
	}
	switch op {
	case ir.Div, ir.Rem:
		switch {
		case y == 0:
			// "If the divisor is zero at run time, a run-time panic occurs."
			return 0, ir.DivideByZero
		case t.Signed && y == -1:
			// "if the dividend x is the most negative value for the int type of x, the
			// quotient q = x / -1 is equal to x (and r = 0) due to two's-complement
			// integer overflow."
			if op == ir.Rem {
				return 0, ""
			}
			return convert(t, -x), ""
		}
		return quotient(op, t, x, y), ""
	case ir.Shl, ir.Shr:
		if t.Signed && y < 0 {
			// "If the right operand is negative at run time, a run-time panic occurs."
			return 0, ir.NegativeShift
		}
		if uint64(y) >= uint64(t.Bits) {
			// "Shifts behave as if the left operand is shifted n times by 1": the
			// result is the bits that were shifted in.
			if op == ir.Shr && t.Signed && x < 0 {
				return -1, ""
			}
			return 0, ""
		}
		return shifted(op, t, x, y), ""
	}
	panic(fmt.Sprintf("interp: unknown operator %d", op))
}
