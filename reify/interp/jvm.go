package interp

import (
	"fmt"

	"goreify/reify/ir"
)

// jvmRules are those of The Java Virtual Machine Specification, section 6.5
// (Instructions), of which the comments quote. Indices are those of Java arrays.
var jvmRules = semantics{
	binary: jvmBinary,
	traps: map[Kind]ir.Trap{
		// iaload: "if index is not within the bounds of the array referenced by arrayref,
		// the iaload instruction throws an ArrayIndexOutOfBoundsException".
		OutOfBounds: ir.OutOfBounds,
		// aaload, iaload, arraylength: "if arrayref is null, ... throws a NullPointerException".
		NullDereference: ir.NullPointer,
		// The code of package jvm for it throws.
		UnreachableReached: ir.Unreached,
	},
	// d2i, d2l, f2i, f2l: "the value must be too small ... and the result is the
	// smallest representable value of type int", and likewise for values that are too
	// large.
	saturates: true,
}

func jvmBinary(op ir.Op, t ir.Int, x, y int64) (int64, ir.Trap) {
	if v, ok := wraps(op, t, x, y); ok {
		return v, ""
	}
	switch op {
	case ir.Div, ir.Rem:
		switch {
		case y == 0:
			// idiv: "if the value of the divisor in an int division is 0, idiv throws an
			// ArithmeticException".
			return 0, ir.DivideByZero
		case t.Signed && y == -1:
			// idiv: "if the dividend is the negative integer of largest possible magnitude
			// ... and the divisor is -1, then overflow occurs, and the result is equal to
			// the dividend"; irem: "This is true even in the special case ... (the
			// remainder is 0)".
			if op == ir.Rem {
				return 0, ""
			}
			return convert(t, -x), ""
		}
		return quotient(op, t, x, y), ""
	case ir.Shl, ir.Shr:
		// ishl: "shifting value1 left by s bit positions, where s is the value of the low
		// 5 bits of value2"; lshl has 6.
		return shifted(op, t, x, y&int64(t.Bits-1)), ""
	}
	panic(fmt.Sprintf("interp: unknown operator %d", op))
}
