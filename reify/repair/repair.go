// Package repair makes an undefined operation defined by a local change, as
// YARPGen does (Livinskii, Babokin, Regehr: Random Testing for C and C++
// Compilers with YARPGen, OOPSLA 2020, section 3.1 and Table 1).
//
// The operands' values are known, because the operation has been met on a path.
// Operation looks up what to put in its place:
//
//	%a + %b    where %a is 2147483647 and %b is 1     %a - %b
//	%a / %b    where %b is 0                          %a * %b
//	%a << %b   where %a is 3 and %b is -2             %a << (%b + 30)
//
// What comes out is an operation much like the one that went in, and the
// operands stand in it as they stood, so that the expression still looks like
// what its author drew. It is defined for these values only. Where a statement
// is met with so many values that no such change serves all of them, Always
// gives a form that is defined whatever the values are:
//
//	%a + %b    i32(u32(%a) + u32(%b))
//	%a / %b    %a / (%b & 2147483647 | 1)
//	%a << %b   i32(u32(%a) << (%b & 31))
//	@g[%a]     @g[u32(%a) % 3]            // Index
//
// Nothing here changes what it is given. The results hold the operands
// themselves and not copies: they are to be put in place of the expression that
// the operands were taken from, which is then no longer used.
package repair

import "goreify/reify/ir"

// Operation returns what to put in place of e, which is a *ir.Binary, *ir.Unary
// or *ir.Builtin and undefined for args, the values of its operands in the
// representation of ir.Const. The result has the type of e, is defined for
// args, and holds each operand of e once or not at all. It is nil if there is
// nothing to put in place: e is then of a kind that is never undefined.
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

// parts returns the operator, builtin or unary operator of e, and its operands;
// nil if e is no operation.
func parts(e ir.Expr) (op any, operands []ir.Expr) {
	switch e := e.(type) {
	case *ir.Binary:
		return e.Op, []ir.Expr{e.X, e.Y}
	case *ir.Unary:
		return e.Op, []ir.Expr{e.X}
	case *ir.Builtin:
		return e.Fn, e.Args
	}
	return nil, nil
}

// An operation is one that is undefined for args.
type operation struct {
	operands []ir.Expr
	args     []int64
}

// is reports whether the operands are as the condition says.
func (o operation) is(c condition) bool {
	t, a := o.operands[0].Type(), o.args[0]
	switch c {
	case undefined:
		return true
	case lowest:
		return t.Signed && a == t.Min()
	case negative:
		return t.Signed && a < 0
	}
	bt, b := o.operands[1].Type(), o.args[1]
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
		return &ir.Builtin{Fn: op, Args: []ir.Expr{a}}
	case ir.Op:
		b := o.operands[1]
		if r.moved {
			b = o.count(op)
		}
		return &ir.Binary{Op: op, X: a, Y: b}
	}
	panic("repair: unknown replacement")
}
