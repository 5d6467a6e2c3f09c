package ir

import "fmt"

// An Op is a binary operator. Arithmetic that does not fit is undefined on signed
// types, and wraps on unsigned ones. Div and Rem truncate towards zero and are
// undefined for a zero divisor and for Min / -1. A shift is undefined unless its
// right operand is at least 0 and less than the width; so is Shl of a negative
// value, or where a signed type does not hold the result (6.5.7p4). Shr of a
// negative value fills with ones.
type Op int

// The operators: arithmetic, bitwise, then the comparisons, which yield 0 or 1,
// and the logical ones, which do so as well and evaluate their right operand
// only if the left one leaves the result open.
const (
	Add Op = iota
	Sub
	Mul
	Div
	Rem
	And
	Or
	Xor
	Shl
	Shr
	Lt
	Le
	Gt
	Ge
	Eq
	Ne
	LAnd
	LOr
	numOps
)

// opTable says of each operator: how C writes it, how tightly it binds, from 1 to 10 as in
// C, where all associate to the left, and the families of operands that it takes.
var opTable = [numOps]struct {
	name string
	prec int
	on   families
}{
	Add:  {"+", 9, integral | 1<<Floats},
	Sub:  {"-", 9, integral | 1<<Floats | 1<<Pointers},
	Mul:  {"*", 10, integral | 1<<Floats},
	Div:  {"/", 10, integral | 1<<Floats},
	Rem:  {"%", 10, integral},
	And:  {"&", 5, integral},
	Or:   {"|", 3, integral},
	Xor:  {"^", 4, integral},
	Shl:  {"<<", 8, integral},
	Shr:  {">>", 8, integral},
	Lt:   {"<", 7, comparable},
	Le:   {"<=", 7, comparable},
	Gt:   {">", 7, comparable},
	Ge:   {">=", 7, comparable},
	Eq:   {"==", 6, comparable},
	Ne:   {"!=", 6, comparable},
	LAnd: {"&&", 2, 1 << Integers},
	LOr:  {"||", 1, 1 << Integers},
}

// families is a set of families, which have a bit each.
type families uint8

const (
	integral   families = 1<<Integers | 1<<Wides | 1<<Vectors
	comparable          = integral | 1<<Floats | 1<<Pointers
)

// On reports whether o takes operands of the family.
func (o Op) On(of Family) bool { return o >= 0 && o < numOps && opTable[o].on>>of&1 != 0 }

// prec returns how tightly o binds; 0 for what is no operator, in parentheses everywhere.
func (o Op) prec() int {
	if o < 0 || o >= numOps {
		return 0
	}
	return opTable[o].prec
}

// String returns the operator as C writes it.
func (o Op) String() string {
	if o < 0 || o >= numOps {
		return fmt.Sprintf("Op(%d)", int(o))
	}
	return opTable[o].name
}

// Ops returns all binary operators, in the order of their values.
func Ops() []Op {
	all := make([]Op, numOps)
	for o := range numOps {
		all[o] = o
	}
	return all
}

// Sets of operators, which have a bit each. All sets of operators are named here: a
// comparison such as o >= And would change with the order above.
const (
	bitwise     = 1<<And | 1<<Or | 1<<Xor
	comparisons = 1<<Lt | 1<<Le | 1<<Gt | 1<<Ge | 1<<Eq | 1<<Ne
	logical     = 1<<LAnd | 1<<LOr
)

func (o Op) in(set uint64) bool { return set>>uint(o)&1 != 0 }

// Additive reports whether o is Add or Sub.
func (o Op) Additive() bool { return o == Add || o == Sub }

// OnFloats reports whether o computes a floating-point number of two: Add, Sub,
// Mul or Div.
func (o Op) OnFloats() bool { return o.Overflows() || o == Div }

// Overflows reports whether there is an Overflow of o: it is Add, Sub or Mul.
func (o Op) Overflows() bool { return o == Add || o == Sub || o == Mul }

// Divides reports whether o is Div or Rem.
func (o Op) Divides() bool { return o == Div || o == Rem }

// Bitwise reports whether o is And, Or or Xor.
func (o Op) Bitwise() bool { return o.in(bitwise) }

// Shifts reports whether o is Shl or Shr.
func (o Op) Shifts() bool { return o == Shl || o == Shr }

// OnBits reports whether o is an operator on bits: And, Or, Xor, Shl or Shr.
func (o Op) OnBits() bool { return o.Bitwise() || o.Shifts() }

// Compares reports whether o is a comparison.
func (o Op) Compares() bool { return o.in(comparisons) }

// The comparisons that hold where another does not, and for its operands in the
// other order.
var (
	negated = [...]Op{Lt: Ge, Le: Gt, Gt: Le, Ge: Lt, Eq: Ne, Ne: Eq}
	swapped = [...]Op{Lt: Gt, Le: Ge, Gt: Lt, Ge: Le, Eq: Eq, Ne: Ne}
)

// Negated returns the comparison that holds where the comparison o does not.
func (o Op) Negated() Op { return o.otherComparison(&negated) }

// Swapped returns the comparison that y and x have where x and y have the
// comparison o.
func (o Op) Swapped() Op { return o.otherComparison(&swapped) }

func (o Op) otherComparison(table *[Ne + 1]Op) Op {
	if !o.Compares() {
		panic(fmt.Sprintf("ir: %s is not a comparison", o))
	}
	return table[o]
}

// Logical reports whether o is LAnd or LOr.
func (o Op) Logical() bool { return o.in(logical) }

// Yields01 reports whether the result is 0 or 1, of type i32, whatever the type
// of the operands.
func (o Op) Yields01() bool { return o.in(comparisons | logical) }

// An UnOp is a unary operator. Neg is undefined for the smallest value of a
// signed type. LNot is 1 if the operand is zero, else 0.
type UnOp int

// The unary operators.
const (
	Neg UnOp = iota
	Not
	LNot
	numUnOps
)

var unOpTable = [numUnOps]struct {
	name string
	on   families
}{
	Neg:  {"-", integral | 1<<Floats},
	Not:  {"~", integral},
	LNot: {"!", 1 << Integers},
}

// On reports whether o takes an operand of the family.
func (o UnOp) On(of Family) bool { return o >= 0 && o < numUnOps && unOpTable[o].on>>of&1 != 0 }

// String returns the operator as C writes it.
func (o UnOp) String() string {
	if o < 0 || o >= numUnOps {
		return fmt.Sprintf("UnOp(%d)", int(o))
	}
	return unOpTable[o].name
}

// A Fn is a builtin function.
type Fn int

// The builtin functions. Their types are in fnTable.
const (
	Popcount       Fn = iota // the number of bits that are 1
	Parity                   // Popcount modulo 2
	Clz                      // the number of leading zeros; undefined for 0
	Ctz                      // the number of trailing zeros; undefined for 0
	Ffs                      // one more than the index of the lowest 1, or 0
	Bswap                    // the bytes in the other order
	Abs                      // the magnitude; undefined for the smallest value
	Expect                   // the first argument; the second, a constant, is a hint
	ExpectProbably           // Expect, with a hint that is right in 6 of 10 cases, no more
	AddOverflows             // whether the type does not hold the sum
	SubOverflows             // whether it does not hold the difference
	MulOverflows             // whether it does not hold the product
	MulHigh                  // the high half of the product of two u64; package lower alone makes it
	numFns
)

// fnTable says of each function: its name without the prefix __builtin_, how many arguments
// it takes, whether these have a sign, and whether the result has the type of the first, or
// else is an i32. Arguments are of 32 or 64 bits, those of functions that hint are i32, and
// those of functions that tell of an overflow are __int128, with a sign or without.
var fnTable = [numFns]struct {
	name   string
	arity  int
	signed bool
	keeps  bool
}{
	Popcount:       {"popcount", 1, false, false},
	Parity:         {"parity", 1, false, false},
	Clz:            {"clz", 1, false, false},
	Ctz:            {"ctz", 1, false, false},
	Ffs:            {"ffs", 1, true, false},
	Bswap:          {"bswap", 1, false, true},
	Abs:            {"abs", 1, true, true},
	Expect:         {"expect", 2, true, true},
	ExpectProbably: {"expect_probably", 2, true, true},
	AddOverflows:   {"add_overflow", 2, true, false},
	SubOverflows:   {"sub_overflow", 2, true, false},
	MulOverflows:   {"mul_overflow", 2, true, false},
	MulHigh:        {"mul_high", 2, false, true},
}

// String returns the name without the prefix __builtin_.
func (f Fn) String() string {
	if f < 0 || f >= numFns {
		return fmt.Sprintf("Fn(%d)", int(f))
	}
	return fnTable[f].name
}

// Hints reports whether the result is the first argument, and the second a hint of its
// usual value.
func (f Fn) Hints() bool { return f == Expect || f == ExpectProbably }

// Overflows returns the operator whose overflow f tells of, in a Wide.
func (f Fn) Overflows() (op Op, ok bool) {
	switch f {
	case AddOverflows:
		return Add, true
	case SubOverflows:
		return Sub, true
	case MulOverflows:
		return Mul, true
	}
	return 0, false
}

// OverflowFn returns the function that tells of an overflow of o, for which Overflows holds.
func (o Op) OverflowFn() Fn {
	for fn := AddOverflows; fn <= MulOverflows; fn++ {
		if op, _ := fn.Overflows(); op == o {
			return fn
		}
	}
	panic(fmt.Sprintf("ir: no function tells of an overflow of %s", o))
}

// Arity returns the number of arguments.
func (f Fn) Arity() int { return fnTable[f].arity }

// Signed reports whether the arguments have a signed type.
func (f Fn) Signed() bool { return fnTable[f].signed }

// keeps reports whether the result has the type of the first argument.
func (f Fn) keeps() bool { return f >= 0 && f < numFns && fnTable[f].keeps }
