package interp

import (
	"fmt"

	"goreify/reify/ir"
)

// wasmRules are those of the WebAssembly Core Specification, section 4.3.2 (Integer
// Operations). An index out of bounds does not trap: it reaches another cell of the
// memory, so the run has no answer. The same holds for null, which is the address 0.
var wasmRules = semantics{
	binary: wasmBinary,
	traps: map[Kind]ir.Trap{
		UnreachableReached:   ir.Unreached, // unreachable
		ConversionOutOfRange: ir.Truncate,  // trunc_u, trunc_s
	},
}

func wasmBinary(op ir.Op, t ir.Int, x, y int64) (int64, ir.Trap) {
	if v, ok := wraps(op, t, x, y); ok {
		return v, ""
	}
	switch op {
	case ir.Div, ir.Rem:
		switch {
		case y == 0:
			return 0, ir.DivideByZero // idiv_u, idiv_s, irem_u, irem_s: "If j2 is 0, then the result is undefined"
		case t.Signed && y == -1 && x == t.Min():
			if op == ir.Div && t.Bits < 32 {
				return x, "" // a lane, computed in i32 and wrapped
			}
			if op == ir.Div {
				return 0, ir.DivideOverflow // idiv_s: "if j1 divided by j2 is 2^(N-1), then the result is undefined"
			}
			return 0, "" // irem_s
		}
		return quotient(op, t, x, y), ""
	case ir.Shl, ir.Shr:
		return shifted(op, t, x, y&int64(t.Bits-1)), "" // ishl, ishr_u, ishr_s: "let k be i2 modulo N"
	}
	panic(fmt.Sprintf("interp: unknown operator %d", op))
}
