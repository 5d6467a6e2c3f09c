// Package repair makes an undefined operation defined by a local change, as
// YARPGen does (Livinskii, Babokin, Regehr: Random Testing for C and C++
// Compilers with YARPGen, OOPSLA 2020, section 3.1 and Table 1).
//
// The operands' values are known, because the path evaluates the operation. Operation
// looks up a replacement:
//
//	%a + %b    where %a is 2147483647 and %b is 1     %a - %b
//	%a / %b    where %b is 0                          %a * %b
//	%a << %b   where %a is 3 and %b is -2             %a << (%b + 30)
//
// The replacement is an operation much like the original, with the operands unchanged,
// so that the expression still looks like the one that was drawn. It is defined for
// these values only. If a statement is executed with so many values that no such change
// suits all of them, Always gives a form that is defined for all values:
//
//	%a + %b    i32(u32(%a) + u32(%b))
//	%a / %b    %a / (%b & 2147483647 | 1)
//	%a << %b   i32(u32(%a) << (%b & 31))
//	@g[%a]     @g[u32(%a) % 3]            // Index
//
// No function here changes its arguments. The results hold the operands themselves and
// not copies: a result takes the place of the expression from which the operands were
// taken, and which is then no longer used.
package repair

import "goreify/reify/ir"

// Operation returns a replacement for e, which is a *ir.Binary, *ir.Unary or
// *ir.Builtin on integers and undefined for args, the values of its operands in the
// representation of ir.Const. The result has the type of e, is defined for args, and
// holds each operand of e once or not at all. It is nil if e is of a kind that is never
// undefined.
//
// A constant that the result needs follows from args alone.
func Operation(e ir.Expr, args []int64) ir.Expr { return apply(rules, e, args) }

func apply(rules []rule, e ir.Expr, args []int64) ir.Expr {
	op, operands := parts(e)
	if operands == nil {
		return nil
	}
	o := operation{operands: operands, args: args}
	for _, r := range rules {
		if r.op == op && o.is(r.when) {
			return o.build(r.with)
		}
	}
	return nil
}

// parts returns the operator of e, which is unary, binary or a builtin, and its
// operands; nil if e is no operation on integers.
func parts(e ir.Expr) (op any, operands []ir.Expr) {
	switch e := e.(type) {
	case *ir.Binary:
		op, operands = e.Op, []ir.Expr{e.X, e.Y}
	case *ir.Unary:
		op, operands = e.Op, []ir.Expr{e.X}
	case *ir.Builtin:
		op, operands = e.Fn, e.Args
	}
	if operands == nil || !ir.IsInt(operands[0]) {
		return nil, nil
	}
	return op, operands
}

// An operation is one that is undefined for args.
type operation struct {
	operands []ir.Expr
	args     []int64
}

// is reports whether the operands meet the condition.
func (o operation) is(c condition) bool {
	t, a := ir.IntOf(o.operands[0]), o.args[0]
	switch c {
	case undefined:
		return true
	case lowest:
		return t.Signed && a == t.Min()
	case negative:
		return t.Signed && a < 0
	}
	bt, b := ir.IntOf(o.operands[1]), o.args[1]
	switch c {
	case zero:
		return b == 0
	case lowestByMinusOne:
		return t.Signed && a == t.Min() && b == -1
	case lowestCount:
		return bt.Signed && b == bt.Min()
	}
	panic("repair: unknown condition")
}

// build returns the replacement.
func (o operation) build(r replacement) ir.Expr {
	a := o.operands[0]
	switch op := r.op.(type) {
	case nil:
		return a
	case ir.Fn:
		return call(op, a)
	case ir.Op:
		b := o.operands[1]
		if r.moved {
			b = o.count(op)
		}
		return &ir.Binary{Op: op, X: a, Y: b}
	}
	panic("repair: unknown replacement")
}
