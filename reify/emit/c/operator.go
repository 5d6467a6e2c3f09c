package c

import (
	"fmt"

	"goreify/reify/ir"
)

// The precedence of the operators of C, from loose to tight.
const (
	anyPrec = iota
	selectPrec
	lorPrec
	landPrec
	orPrec
	xorPrec
	andPrec
	equalityPrec
	relationalPrec
	shiftPrec
	additivePrec
	multiplicativePrec
	unaryPrec
	postfixPrec
)

// An operator is a binary operator as it is written: its text with the spaces around
// it, its precedence, and the precedences that its operands need to be written without
// parentheses. C would need fewer parentheses about comparisons, shifts and bitwise
// operators; readers do not.
type operator struct {
	text              string
	prec, left, right int
}

var operators = [...]operator{
	ir.Add:  {" + ", additivePrec, additivePrec, multiplicativePrec},
	ir.Sub:  {" - ", additivePrec, additivePrec, multiplicativePrec},
	ir.Mul:  {" * ", multiplicativePrec, multiplicativePrec, unaryPrec},
	ir.Div:  {" / ", multiplicativePrec, multiplicativePrec, unaryPrec},
	ir.Rem:  {" % ", multiplicativePrec, multiplicativePrec, unaryPrec},
	ir.And:  {" & ", andPrec, unaryPrec, unaryPrec},
	ir.Or:   {" | ", orPrec, unaryPrec, unaryPrec},
	ir.Xor:  {" ^ ", xorPrec, unaryPrec, unaryPrec},
	ir.Shl:  {" << ", shiftPrec, unaryPrec, unaryPrec},
	ir.Shr:  {" >> ", shiftPrec, unaryPrec, unaryPrec},
	ir.Lt:   {" < ", relationalPrec, additivePrec, additivePrec},
	ir.Le:   {" <= ", relationalPrec, additivePrec, additivePrec},
	ir.Gt:   {" > ", relationalPrec, additivePrec, additivePrec},
	ir.Ge:   {" >= ", relationalPrec, additivePrec, additivePrec},
	ir.Eq:   {" == ", equalityPrec, additivePrec, additivePrec},
	ir.Ne:   {" != ", equalityPrec, additivePrec, additivePrec},
	ir.LAnd: {" && ", landPrec, equalityPrec, equalityPrec},
	ir.LOr:  {" || ", lorPrec, equalityPrec, equalityPrec},
}

// builtinName returns the function for arguments of type t. Those for 64 bits
// take long long, which is as wide with -m32.
func builtinName(fn ir.Fn, t ir.Int) string {
	wide := t.Bits == 64
	switch fn {
	case ir.Popcount, ir.Parity, ir.Clz, ir.Ctz, ir.Ffs:
		if wide {
			return "__builtin_" + fn.String() + "ll"
		}
		return "__builtin_" + fn.String()
	case ir.Bswap:
		if wide {
			return "__builtin_bswap64"
		}
		return "__builtin_bswap32"
	case ir.Abs:
		if wide {
			return "__builtin_llabs"
		}
		return "__builtin_abs"
	case ir.Expect:
		return "__builtin_expect"
	case ir.ExpectProbably:
		return "__builtin_expect_with_probability"
	}
	panic(fmt.Sprintf("emit/c: unknown builtin %v", fn))
}
