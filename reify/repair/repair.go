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
