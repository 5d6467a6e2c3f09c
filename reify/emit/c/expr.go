package c

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

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

func floatName(t ir.Float) string {
	switch t {
	case ir.F32:
		return "float"
	case ir.F64:
		return "double"
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
	case *ir.FloatConst:
		return appendFloat(text, e.T, e.V, f.unit.Style.Consts)
	case *ir.Null:
		return f.cast(text, e.T, prec, func(text []byte, _ int) []byte { return append(text, '0') })
	case *ir.Load:
		if text, passed := f.appendPassed(text, e); passed {
			return text
		}
		return f.appendLoad(text, e.Place, prec)
	case *ir.Binary:
		return f.appendBinary(text, e, prec)
	case *ir.Unary:
		return f.cut(text, e, prec, func(text []byte, prec int) []byte { return f.appendUnary(text, e, prec) })
	case *ir.Select:
		return f.appendSelect(text, e, prec)
	case *ir.Convert:
		return f.appendConvert(text, e.T, e.X, prec)
	case *ir.Cast:
		return f.appendCast(text, e, prec)
	case *ir.Builtin:
		return f.appendBuiltin(text, e, prec)
	case *ir.Call:
		return f.appendCall(text, e)
	case *ir.AddrOf:
		return f.appendAddr(text, e.Place, prec)
	case *ir.PtrAdd:
		text = open(text, additivePrec, prec)
		text = f.appendExpr(text, e.X, additivePrec)
		text = append(text, " + "...)
		text = f.appendExpr(text, f.widened(e.Index), multiplicativePrec)
		return shut(text, additivePrec, prec)
	case *ir.VecOf:
		return f.appendLanes(text, e)
	case *ir.Shuffle:
		return f.appendShuffle(text, e)
	case *ir.VecCall:
		return f.appendList(append(text, f.lanewiseName(e)...), operandsOf(e.X))
	case *ir.Sym:
		panic(fmt.Sprintf("emit/c: symbol ?%d in %s, which is to be concrete", e.ID, f.unit.Claim.Func.Name))
	case *ir.Checksum:
		panic("emit/c: checksum that is not the operand of a return")
	default:
		panic(fmt.Sprintf("emit/c: unknown expression %T", e))
	}
}

// appendList appends arguments in parentheses.
func (f *function) appendList(text []byte, args []ir.Expr) []byte {
	text = append(text, '(')
	for i, x := range args {
		if i > 0 {
			text = append(text, ", "...)
		}
		text = f.appendExpr(text, x, anyPrec)
	}
	return append(text, ')')
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

// appendBinary appends a binary operator.
func (f *function) appendBinary(text []byte, e *ir.Binary, prec int) []byte {
	of := ir.FamilyOf(e.Y) // which is that of X, whose leaves are farther away in most trees
	if of == ir.Integers {
		return f.appendOperands(text, e, of, prec)
	}
	write := func(text []byte, prec int) []byte { return f.appendOperands(text, e, of, prec) }
	switch {
	case of == ir.Vectors && e.Op.Compares(), of == ir.Pointers && e.Op == ir.Sub:
		return f.cast(text, e.Type(), prec, write) // compilers and targets differ in its type
	case of == ir.Wides && (e.Op.Overflows() || e.Op == ir.Shl):
		return f.cut(text, e, prec, write)
	}
	return write(text, prec)
}

// appendOperands appends the operands of e, of a family, with the operator between them.
func (f *function) appendOperands(text []byte, e *ir.Binary, of ir.Family, prec int) []byte {
	op, x, y := e.Op, e.X, e.Y
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
	default:
		x, y = f.balance(x, y)
	}
	if o.prec < left && of == ir.Integers {
		if b, ok := x.(*ir.Binary); ok && b.Op == op && !op.Compares() && !op.Shifts() {
			left = o.prec // a & b & c
		}
	}
	text = open(text, o.prec, prec)
	text = f.appendExpr(text, x, left)
	text = append(text, o.text...)
	if op == ir.Eq || op == ir.Ne {
		text = f.appendStored(text, y, o.right)
	} else {
		text = f.appendExpr(text, y, o.right)
	}
	return shut(text, o.prec, prec)
}

// appendStored appends what is assigned to its type, or compared for equality with it:
// a null pointer needs no type there.
func (f *function) appendStored(text []byte, e ir.Expr, prec int) []byte {
	if _, null := e.(*ir.Null); null {
		return append(text, '0')
	}
	return f.appendExpr(text, e, prec)
}

func (f *function) appendUnary(text []byte, e *ir.Unary, prec int) []byte {
	x := f.promote(e.X)
	if e.Op == ir.LNot {
		x = f.truth(e.X)
	}
	text = open(text, unaryPrec, prec)
	text = append(text, e.Op.String()...)
	at := len(text)
	text = f.appendExpr(text, x, unaryPrec)
	if e.Op == ir.Neg {
		text = apart(text, at)
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

// cast appends the conversion to t of the text that write writes, which is about prec.
func (f *function) cast(text []byte, t ir.Type, prec int, write func(text []byte, prec int) []byte) []byte {
	switch t := t.(type) {
	case ir.Int:
	case ir.Wide:
		f.named = true
		if t.BitInt {
			text = append(append(text, strings.ToUpper(t.String())...), '(')
			return append(write(text, anyPrec), ')')
		}
	default:
		f.named = true
	}
	text = open(text, unaryPrec, prec)
	text = append(append(append(text, '('), f.declarator(t, false, false, "")...), ')')
	return shut(write(text, unaryPrec), unaryPrec, prec)
}

// appendConvert appends the conversion of x to t.
func (f *function) appendConvert(text []byte, t ir.Type, x ir.Expr, prec int) []byte {
	truncated := false
	switch t := t.(type) {
	case ir.Vector:
		f.named = true
		text = f.appendExpr(append(text, "__builtin_convertvector("...), x, anyPrec)
		return append(append(append(text, ", "...), vectorName(t)...), ')')
	case ir.Float:
		x = f.widened(x)
	case ir.Int:
		if !t.Standard() {
			panic(fmt.Sprintf("emit/c: conversion to %v that is not the source of an assignment", t))
		}
		x = f.promote(x)
		truncated = t == ir.Bool && ir.FamilyOf(x) == ir.Floats // in C, it is not
	case ir.Wide:
		x = f.promote(x)
	}
	return f.cast(text, t, prec, func(text []byte, prec int) []byte {
		if truncated {
			text = append(text, "(int)"...)
		}
		return f.appendExpr(text, x, prec)
	})
}

// appendBuiltin appends the call of a builtin, whose parameters have the type of its
// arguments, except those of expect.
func (f *function) appendBuiltin(text []byte, e *ir.Builtin, prec int) []byte {
	if _, ok := e.Fn.Overflows(); ok {
		return f.appendList(append(text, overflowFunc(e)...), e.Args)
	}
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
			if of := ir.FamilyOf(e.X); of == ir.Integers || of == ir.Pointers {
				f.expr(&ir.Binary{Op: e.Op.Negated(), X: e.X, Y: e.Y})
				return
			}
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
