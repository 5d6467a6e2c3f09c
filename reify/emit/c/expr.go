package c

import (
	"fmt"
	"slices"
	"strconv"

	"goreify/reify/ir"
)

// typeName returns the type in C. Those of 64 bits are long long, which is as
// wide with -m32.
func typeName(t ir.Int) string {
	switch t {
	case ir.I8:
		return "signed char"
	case ir.I16:
		return "short"
	case ir.I32:
		return "int"
	case ir.I64:
		return "long long"
	case ir.U8:
		return "unsigned char"
	case ir.U16:
		return "unsigned short"
	case ir.U32:
		return "unsigned"
	case ir.U64:
		return "unsigned long long"
	case ir.Bool:
		return "_Bool"
	}
	panic(fmt.Sprintf("emit/c: unknown type %v", t))
}

// Expressions are most of the text, so they are appended to a slice at hand, in the
// manner of strconv.AppendInt, which is faster than by way of a printer. Their type in
// C is that of the expression, or its promoted type.

// appendExpr appends e, in parentheses if its operator binds more loosely than
// prec.
func (f *function) appendExpr(text []byte, e ir.Expr, prec int) []byte {
	switch e := e.(type) {
	case *ir.Const:
		if f.short != nil && e.T == ir.I64 && e.V != e.T.Min() && int64(int32(e.V)) != e.V {
			return strconv.AppendInt(text, e.V, 10) // it is a long, as wide, or a long long
		}
		return appendConstBase(text, e.T, e.V, f.unit.Style.Consts)
	case *ir.Load:
		if text, passed := f.appendRead(text, e); passed {
			return text
		}
		return f.appendLoad(text, e.Place, prec)
	case *ir.Binary:
		return f.appendBinary(text, e.Op, e, prec)
	case *ir.Unary:
		return f.appendUnary(text, e, prec)
	case *ir.Select:
		return f.appendSelect(text, e, prec)
	case *ir.Convert:
		return f.appendCast(text, e.T, e.X, prec)
	case *ir.Builtin:
		return f.appendBuiltin(text, e, prec)
	case *ir.Call:
		return f.appendCall(text, e)
	case *ir.PtrCompare:
		return f.appendPtrCompare(text, e.Op, e, prec)
	case *ir.PtrDiff:
		return f.appendPtrDiff(text, e, prec)
	case *ir.FloatToInt:
		return f.appendFloatToInt(text, e, prec)
	case *ir.FloatCompare:
		return f.appendFloatCompare(text, e, prec)
	case *ir.WideToInt:
		return f.appendWideToInt(text, e, prec)
	case *ir.WideCompare:
		return f.appendWideCompare(text, e, prec)
	case *ir.Sym:
		panic(fmt.Sprintf("emit/c: symbol ?%d in %s, which is to be concrete", e.ID, f.unit.Claim.Func.Name))
	case *ir.Checksum:
		panic("emit/c: checksum that is not the operand of a return")
	default:
		panic(fmt.Sprintf("emit/c: unknown expression %T", e))
	}
}

// open and shut append the parentheses about something of precedence own.
func open(text []byte, own, prec int) []byte {
	if own < prec {
		return append(text, '(')
	}
	return text
}

func shut(text []byte, own, prec int) []byte {
	if own < prec {
		return append(text, ')')
	}
	return text
}

// appendBinary appends the operands of e with op between them.
func (f *function) appendBinary(text []byte, op ir.Op, e *ir.Binary, prec int) []byte {
	x, y := e.X, e.Y
	if f.short != nil {
		op, y = turned(op, y)
	}
	o := &operators[op]
	left := o.left
	switch {
	case op.Logical():
		x, y = f.truth(x), f.truth(y)
	case op.Shifts():
		x, y = f.promote(x), f.count(y)
	case f.unit.Style.ImplicitCasts:
		x, y = f.balance(x, y)
	}
	if o.prec < left {
		if b, ok := x.(*ir.Binary); ok && b.Op == op && !op.Compares() && !op.Shifts() {
			left = o.prec // a & b & c
		}
	}
	text = open(text, o.prec, prec)
	text = f.appendExpr(text, x, left)
	text = append(text, o.text...)
	text = f.appendExpr(text, y, o.right)
	return shut(text, o.prec, prec)
}

func (f *function) appendUnary(text []byte, e *ir.Unary, prec int) []byte {
	text = open(text, unaryPrec, prec)
	switch e.Op {
	case ir.Neg:
		at := len(text) + 1
		text = f.appendExpr(append(text, '-'), f.promote(e.X), unaryPrec)
		text = apart(text, at)
	case ir.Not:
		text = f.appendExpr(append(text, '~'), f.promote(e.X), unaryPrec)
	case ir.LNot:
		text = f.appendExpr(append(text, '!'), f.truth(e.X), unaryPrec)
	default:
		panic(fmt.Sprintf("emit/c: unknown operator %v", e.Op))
	}
	return shut(text, unaryPrec, prec)
}

// apart sets the text from text[at] on apart from a minus before it, if it begins with
// a minus itself.
func apart(text []byte, at int) []byte {
	if text[at] == '-' {
		return slices.Insert(text, at, ' ')
	}
	return text
}

func (f *function) appendSelect(text []byte, e *ir.Select, prec int) []byte {
	x, y := f.balance(e.X, e.Y)
	text = open(text, selectPrec, prec)
	text = f.appendExpr(text, f.truth(e.If), lorPrec)
	text = append(text, " ? "...)
	text = f.appendExpr(text, x, lorPrec)
	text = append(text, " : "...)
	text = f.appendExpr(text, y, selectPrec)
	return shut(text, selectPrec, prec)
}

// appendCast appends the conversion of x to t.
func (f *function) appendCast(text []byte, t ir.Int, x ir.Expr, prec int) []byte {
	if !t.Standard() {
		panic(fmt.Sprintf("emit/c: conversion to %v that is not the source of an assignment", t))
	}
	text = open(text, unaryPrec, prec)
	text = append(text, '(')
	text = append(text, typeName(t)...)
	text = append(text, ')')
	text = f.appendExpr(text, f.promote(x), unaryPrec)
	return shut(text, unaryPrec, prec)
}

// appendBuiltin appends the call of a builtin, whose parameters have the type of its
// arguments, except those of expect.
func (f *function) appendBuiltin(text []byte, e *ir.Builtin, prec int) []byte {
	t := ir.IntOf(e.Args[0])
	if e.Fn.Hints() { // its result is long
		text = open(text, unaryPrec, prec)
		text = append(text, "(int)"...)
		text = f.appendExpect(text, e)
		return shut(text, unaryPrec, prec)
	}
	text = append(text, builtinName(e.Fn, t)...)
	text = append(text, '(')
	text = f.appendExpr(text, f.assigned(e.Args[0], t), anyPrec)
	return append(text, ')')
}

func (f *function) appendExpect(text []byte, e *ir.Builtin) []byte {
	text = append(text, builtinName(e.Fn, ir.I32)...)
	text = append(text, '(')
	text = f.appendExpr(text, f.widened(e.Args[0]), anyPrec)
	text = append(text, ", "...)
	text = f.appendExpr(text, e.Args[1], anyPrec)
	if e.Fn == ir.ExpectProbably {
		text = append(text, ", 0.6"...)
	}
	return append(text, ')')
}

// expr writes a whole expression.
func (f *function) expr(e ir.Expr) { f.buf = f.appendExpr(f.buf, e, anyPrec) }

// cond writes a condition, or the opposite one.
func (f *function) cond(e ir.Expr, negate bool) {
	e = f.truth(e)
	switch e := e.(type) {
	case *ir.Binary:
		if negate && e.Op.Compares() {
			f.buf = f.appendBinary(f.buf, e.Op.Negated(), e, anyPrec)
			return
		}
	case *ir.PtrCompare:
		if negate {
			f.buf = f.appendPtrCompare(f.buf, e.Op.Negated(), e, anyPrec)
			return
		}
	case *ir.Unary:
		if negate && e.Op == ir.LNot {
			f.expr(f.truth(e.X))
			return
		}
	case *ir.Builtin:
		if e.Fn.Hints() {
			if negate {
				f.str("!")
			}
			f.buf = f.appendExpect(f.buf, e)
			return
		}
	}
	if !negate {
		f.expr(e)
		return
	}
	f.str("!")
	f.buf = f.appendExpr(f.buf, e, unaryPrec)
}
