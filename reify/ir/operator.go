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

var opNames = [numOps]string{"+", "-", "*", "/", "%", "&", "|", "^", "<<", ">>", "<", "<=", ">", ">=", "==", "!=", "&&", "||"}

// String returns the operator as C writes it.
func (o Op) String() string {
	if o < 0 || o >= numOps {
		return fmt.Sprintf("Op(%d)", int(o))
	}
	return opNames[o]
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

var unOpNames = [numUnOps]string{"-", "~", "!"}

// String returns the operator as C writes it.
func (o UnOp) String() string {
	if o < 0 || o >= numUnOps {
		return fmt.Sprintf("UnOp(%d)", int(o))
	}
	return unOpNames[o]
}

// A Unary is an operator and its operand, which is at least 32 bits wide.
type Unary struct {
	Op UnOp
	X  Expr
}

// A Select is X if If is not zero, else Y; the other one is not evaluated. X and
// Y have the same type, which is at least 32 bits wide.
type Select struct{ If, X, Y Expr }

// A Builtin is a function that gcc and clang know.
type Builtin struct {
	Fn   Fn
	Args []Expr // as many as Fn.Arity
}

func (*Unary) isExpr()   {}
func (*Select) isExpr()  {}
func (*Builtin) isExpr() {}

// Type returns the type of the operand, or i32 for LNot.
func (e *Unary) Type() Type {
	if e.Op == LNot {
		return I32
	}
	return e.X.Type()
}

// Type returns the type of X and Y.
func (e *Select) Type() Type { return e.X.Type() }

// Type returns i32, or the type of the first argument for Bswap, Abs and those that
// hint.
func (e *Builtin) Type() Type {
	switch e.Fn {
	case Bswap, Abs, Expect, ExpectProbably:
		return e.Args[0].Type()
	}
	return I32
}

// A Fn is a builtin function. The type of its arguments is given with each.
type Fn int

// The builtin functions.
const (
	Popcount       Fn = iota // u32, u64: the number of bits that are 1
	Parity                   // u32, u64: Popcount modulo 2
	Clz                      // u32, u64: the number of leading zeros; undefined for 0
	Ctz                      // u32, u64: the number of trailing zeros; undefined for 0
	Ffs                      // i32, i64: one more than the index of the lowest 1, or 0
	Bswap                    // u32, u64: the bytes in the other order
	Abs                      // i32, i64: the magnitude; undefined for the smallest value
	Expect                   // i32, and an i32 constant: the first; the second is a hint
	ExpectProbably           // Expect, with a hint that is right in 6 of 10 cases, no more
	numFns
)

var fnNames = [numFns]string{"popcount", "parity", "clz", "ctz", "ffs", "bswap", "abs", "expect", "expect_probably"}

// String returns the name without the prefix __builtin_.
func (f Fn) String() string {
	if f < 0 || f >= numFns {
		return fmt.Sprintf("Fn(%d)", int(f))
	}
	return fnNames[f]
}

// Hints reports whether the result is the first argument, and the second a hint of its
// usual value.
func (f Fn) Hints() bool { return f == Expect || f == ExpectProbably }

// Arity returns the number of arguments: 2 for those that hint, 1 for the others.
func (f Fn) Arity() int {
	if f.Hints() {
		return 2
	}
	return 1
}

// Signed reports whether the arguments have a signed type.
func (f Fn) Signed() bool { return f == Ffs || f == Abs || f.Hints() }

// An Overflow computes X Op Y, which is Add, Sub or Mul, as if in a type of unlimited
// width. It stores the result in Dst, wrapped to its type, and then whether the
// wrapping changed it, 1 or 0, in Flag, which is an i32 or a bool. The operands are of
// standard types of at least 32 bits, Dst is of one of 8 to 64, not necessarily all of
// one. Dst and Flag do not overlap. It is __builtin_add_overflow and its like.
type Overflow struct {
	Flag, Dst Place
	Op        Op
	X, Y      Expr
}

// An Unreachable is undefined when it is executed.
type Unreachable struct{}

// An Assume is undefined when it is executed and Cond, which calls nothing and reads
// nothing volatile, is 0. With Guard it is a branch around unreachable code, else a
// builtin that states the condition.
type Assume struct {
	Cond  Expr
	Guard bool
}

func (*Overflow) isStmt()    {}
func (*Unreachable) isStmt() {}
func (*Assume) isStmt()      {}
