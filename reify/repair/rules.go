package repair

import (
	"math/bits"

	"goreify/reify/ir"
)

// A rule is a row of Table 1: an operation a op b, or op a, that is undefined,
// and for which a condition holds, is replaced.
type rule struct {
	op   any // an ir.Op, ir.UnOp or ir.Fn
	when condition
	with replacement
}

// A condition is one on the operands of an operation that is undefined.
type condition int

const (
	undefined        condition = iota // the operation is undefined
	lowest                            // a is the smallest value of a signed type
	negative                          // a is negative
	zero                              // b is zero
	lowestByMinusOne                  // a is the smallest value and b is -1
	lowestCount                       // b is the smallest value of a signed type
)

// A replacement is a op b, op(a) if op is an ir.Fn, or a if op is nil.
type replacement struct {
	op    any
	moved bool // b is moved by a constant to a valid shift count, if it is not one
}

// rules are tried in order. Three cases are not in the table, or are left to the
// implementation:
//
//   - the shift of a negative value to the left, which becomes one to the right;
//   - that of so far that bits get lost, which is one of a count too large;
//   - the builtin functions.
var rules = []rule{
	{ir.Neg, lowest, replacement{}},
	{ir.Add, undefined, replacement{op: ir.Sub}},
	{ir.Sub, undefined, replacement{op: ir.Add}},
	{ir.Mul, lowestByMinusOne, replacement{op: ir.Sub}},
	{ir.Mul, undefined, replacement{op: ir.Div}},
	{ir.Div, zero, replacement{op: ir.Mul}},
	{ir.Div, lowestByMinusOne, replacement{op: ir.Sub}},
	{ir.Rem, zero, replacement{op: ir.Mul}},
	{ir.Rem, lowestByMinusOne, replacement{op: ir.Sub}},

	{ir.Shl, lowestCount, replacement{}},
	{ir.Shl, negative, replacement{op: ir.Shr, moved: true}},
	{ir.Shl, undefined, replacement{op: ir.Shl, moved: true}},
	{ir.Shr, lowestCount, replacement{}},
	{ir.Shr, undefined, replacement{op: ir.Shr, moved: true}},

	{ir.Clz, undefined, replacement{op: ir.Popcount}},
	{ir.Ctz, undefined, replacement{op: ir.Parity}},
	{ir.Abs, lowest, replacement{}},
}

// count returns b + c or b - c, a valid shift count of a. YARPGen draws this count.
// Here it is b modulo the number of valid counts, so that the draw of b still decides.
// b is not the smallest value of a signed type.
func (o operation) count(op ir.Op) ir.Expr {
	operand, b := o.operands[1], o.args[1]
	t := ir.IntOf(operand)
	n := int64(o.counts(op))
	if !t.Signed || b >= 0 {
		to := int64(uint64(b) % uint64(n))
		if to == b {
			return operand
		}
		return &ir.Binary{Op: ir.Sub, X: operand, Y: &ir.Const{T: t, V: t.Wrap(b - to)}}
	}
	to := min((b%n+n)%n, t.Max()+b) // the constant has the type of b, too
	return &ir.Binary{Op: ir.Add, X: operand, Y: &ir.Const{T: t, V: to - b}}
}

// counts returns the number of valid shift counts of a, which begin at 0: those that
// keep all bits if a is signed and shifted to the left.
func (o operation) counts(op ir.Op) int {
	t := ir.IntOf(o.operands[0])
	if op == ir.Shl && t.Signed {
		return t.Bits - bits.Len64(uint64(o.args[0]))
	}
	return t.Bits
}
