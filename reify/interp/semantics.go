package interp

import (
	"fmt"
	"strconv"

	"goreify/reify/ir"
)

// semantics are the rules of a language where languages differ. The zero value has those
// of C.
type semantics struct {
	// wraps says that operations on integers wrap: abs of the smallest value is itself, and
	// so is its quotient by -1, of which the remainder is 0. Clz and ctz of 0 are the width.
	wraps bool
	// undefinedQuotient says that it is nevertheless undefined to divide the smallest value by -1.
	undefinedQuotient bool
	// wrapsWide says that wide integers wrap, too, except where their division overflows.
	wrapsWide bool
	// zeroes says that locals start at zero.
	zeroes bool
	// counts says what a shift by less than zero or by the width and more is.
	counts shiftCounts
	// saturates says that a conversion of a floating-point number to a signed type of 32
	// or 64 bits which does not hold it gives the nearest value that the type holds.
	saturates bool
	// traps are those that some kinds of undefined behaviour end in. All other kinds stay
	// a *UB: then the run has no answer in that language. DivisionByZero, ShiftAmount and
	// SignedOverflow are those of integers other than wide ones, the last that of the
	// smallest value by -1 in at least 32 bits: narrower lanes are computed in 32 bits.
	traps map[Kind]ir.Trap
	// unordered says that operands may be evaluated in any order as far as traps go, so
	// that a statement which could trap in two ways has no answer.
	unordered bool
}

// shiftCounts say what a shift is whose count is not less than the width.
type shiftCounts int

const (
	undefinedCounts shiftCounts = iota // a count that is negative is undefined, too
	maskedCounts                       // the count is taken modulo the width
	anyCounts                          // all bits are shifted out; a negative count traps
)

// The semantics besides that of C.
const (
	Go   ir.Under = "go"
	Wasm ir.Under = "wasm"
	JVM  ir.Under = "jvm"
	LLVM ir.Under = "llvm"
)

var under = map[ir.Under]*semantics{
	ir.C: {},
	// The Go Programming Language Specification, of which the section is Arithmetic
	// operators, unless the comment names another.
	Go: {
		// "if the dividend x is the most negative value for the int type of x, the quotient
		// q = x / -1 is equal to x (and r = 0) due to two's-complement integer overflow."
		wraps:  true,
		zeroes: true,
		// "Shifts behave as if the left operand is shifted n times by 1".
		counts: anyCounts,
		traps: map[Kind]ir.Trap{
			// "If the divisor is zero at run time, a run-time panic occurs."
			DivisionByZero: ir.DivideByZero,
			// "If the right operand is negative at run time, a run-time panic occurs."
			ShiftAmount: ir.NegativeShift,
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
	},
	// The WebAssembly Core Specification, section 4.3.2 (Integer Operations). An index out
	// of bounds does not trap: it reaches another cell of the memory, so the run has no
	// answer. The same holds for null, which is the address 0.
	Wasm: {
		zeroes: true,
		wraps:  true,         // iadd, isub, imul, irem_s
		counts: maskedCounts, // ishl, ishr_u, ishr_s: "let k be i2 modulo N"
		traps: map[Kind]ir.Trap{
			DivisionByZero:       ir.DivideByZero,   // idiv_u, idiv_s, irem_u, irem_s: "If j2 is 0, then the result is undefined"
			SignedOverflow:       ir.DivideOverflow, // idiv_s: "if j1 divided by j2 is 2^(N-1), then the result is undefined"
			UnreachableReached:   ir.Unreached,      // unreachable
			ConversionOutOfRange: ir.Truncate,       // trunc_u, trunc_s
		},
	},
	// The Java Virtual Machine Specification, section 6.5 (Instructions). Indices are those
	// of Java arrays.
	JVM: {
		// idiv: "if the dividend is the negative integer of largest possible magnitude ...
		// and the divisor is -1, then overflow occurs, and the result is equal to the
		// dividend"; irem: "This is true even in the special case ... (the remainder is 0)".
		wraps:  true,
		zeroes: true,
		// ishl: "shifting value1 left by s bit positions, where s is the value of the low
		// 5 bits of value2"; lshl has 6.
		counts: maskedCounts,
		// d2i, d2l, f2i, f2l: "the value must be too small ... and the result is the
		// smallest representable value of type int", and likewise for values that are too
		// large.
		saturates: true,
		traps: map[Kind]ir.Trap{
			// idiv: "if the value of the divisor in an int division is 0, idiv throws an
			// ArithmeticException".
			DivisionByZero: ir.DivideByZero,
			// iaload: "if index is not within the bounds of the array referenced by arrayref,
			// the iaload instruction throws an ArrayIndexOutOfBoundsException".
			OutOfBounds: ir.OutOfBounds,
			// aaload, iaload, arraylength: "if arrayref is null, ... throws a NullPointerException".
			NullDereference: ir.NullPointer,
			// The code of package jvm for it throws.
			UnreachableReached: ir.Unreached,
		},
	},
	// The LLVM Language Reference Manual. Where an operation is poison there, it is undefined
	// here at once: a value that is poison on the path would be of no use. Package emit/llvm
	// writes no promise that a call under these rules does not keep.
	LLVM: {
		// add, sub, mul, shl: "If the result ... has ... overflow, the result returned is the
		// mathematical result modulo 2^n". llvm.abs, llvm.ctlz and llvm.cttz are told that the
		// smallest value and 0 are no poison.
		wraps:     true,
		wrapsWide: true,
		// sdiv, srem: "Overflow also leads to undefined behavior; this is a rare case, but can
		// occur, for example, by doing a 32-bit division of -2147483648 by -1."
		undefinedQuotient: true,
		// shl, lshr, ashr: "If op2 is (statically or dynamically) equal to or larger than the
		// number of bits in op1, this instruction returns a poison value."
		counts: undefinedCounts,
	},
}

// rulesOf returns semantics by their name.
func rulesOf(u ir.Under) (*semantics, error) {
	s, ok := under[u]
	if !ok {
		return nil, fmt.Errorf("interp: unknown semantics %q", u)
	}
	return s, nil
}

// wrong returns the consequence of undefined behaviour under the rules of the run: a
// *Trap or a *UB.
func (at *frame) wrong(k Kind, format string, args ...any) error {
	u := at.ub(k, format, args...)
	trap, ok := at.rules.traps[k]
	switch {
	case !ok:
		return u
	case at.rules.unordered && at.mayTrapElsewhere():
		u.Kind = UnspecifiedOrder
		u.Detail += ", beside what may trap as well"
		return u
	}
	return &Trap{Kind: trap, Func: u.Func, Block: u.Block, Stmt: u.Stmt, Step: u.Step, Detail: u.Detail}
}

// mayTrapElsewhere reports whether what is executed, which traps, could trap in another way.
func (at *frame) mayTrapElsewhere() bool {
	return at.block == nil || len(trapping(at.node, map[string]bool{})) > 1
}

// trapping adds to a set the ways in which a node may trap.
func trapping(n ir.Node, set map[string]bool) map[string]bool {
	switch n := n.(type) {
	case nil:
		return set
	case *ir.If:
		return trapping(n.Cond, set)
	case *ir.Switch:
		return trapping(n.X, set)
	case *ir.Return:
		return trapping(n.Val, set)
	case *ir.Goto:
		return set
	case *ir.Binary:
		if !ir.IsInt(n) || n.Of() != ir.Integers {
			break
		}
		switch c, _ := n.Y.(*ir.Const); {
		case n.Op.Divides() && (c == nil || c.V == 0):
			set["division"] = true
		case n.Op.Shifts() && ir.IntOf(n.Y).Signed && (c == nil || c.V < 0):
			set["shift"] = true
		}
	case *ir.Elem:
		a, ok := n.Base.Type().(ir.Array)
		if c, _ := n.Index.(*ir.Const); !ok || c == nil || uint64(c.V) >= uint64(a.Len) {
			set["index"] = true
		}
	case *ir.Deref:
		set["pointer"] = true
	case *ir.Convert:
		if _, ok := n.T.(ir.Int); ok && ir.FamilyOf(n.X) == ir.Floats {
			set["conversion"] = true
		}
	case *ir.Unreachable, *ir.Assume:
		set["unreachable"] = true
	case *ir.Call:
		set["call "+strconv.Itoa(len(set))] = true
	}
	ir.Parts(n, func(part ir.Node) bool {
		trapping(part, set)
		return true
	})
	return set
}
