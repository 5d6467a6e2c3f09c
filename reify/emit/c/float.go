package c

import (
	"fmt"

	"goreify/reify/ir"
)

func floatName(t ir.Float) string {
	switch t {
	case ir.F32:
		return "float"
	case ir.F64:
		return "double"
	}
	panic(fmt.Sprintf("emit/c: unknown type %v", t))
}

// appendFloatExpr appends an expression whose value is a floating-point number.
func (f *function) appendFloatExpr(text []byte, e ir.Expr, prec int) []byte {
	switch e := e.(type) {
	case *ir.FloatConst:
		return appendFloat(text, e.T, e.V, f.unit.Style.Consts)
	case *ir.FloatLoad:
		return f.appendLoad(text, e.Place, prec)
	case *ir.FloatBinary:
		o := &operators[e.Op]
		x, y := f.balanceFloats(e.X, e.Y)
		text = open(text, o.prec, prec)
		text = f.appendFloatOperand(text, x, o.left)
		text = append(text, o.text...)
		text = f.appendFloatOperand(text, y, o.right)
		return shut(text, o.prec, prec)
	case *ir.FloatNeg:
		text = open(text, unaryPrec, prec)
		at := len(text) + 1
		text = f.appendFloatExpr(append(text, '-'), e.X, unaryPrec)
		return shut(apart(text, at), unaryPrec, prec)
	case *ir.FloatConvert:
		text = f.openCast(text, e.T, prec)
		text = f.appendFloatExpr(text, e.X, unaryPrec)
		return shut(text, unaryPrec, prec)
	case *ir.FloatOf:
		text = f.openCast(text, e.T, prec)
		text = f.appendExpr(text, f.widened(e.X), unaryPrec)
		return shut(text, unaryPrec, prec)
	default:
		panic(fmt.Sprintf("emit/c: unknown floating-point expression %T", e))
	}
}

func (f *function) openCast(text []byte, t ir.Float, prec int) []byte {
	text = open(text, unaryPrec, prec)
	text = append(text, '(')
	text = append(text, floatName(t)...)
	return append(text, ')')
}

// appendFloatOperand appends a floating-point number or, where C converts it, an integer.
func (f *function) appendFloatOperand(text []byte, e ir.Expr, prec int) []byte {
	if ir.FamilyOf(e) == ir.Integers {
		return f.appendExpr(text, e, prec)
	}
	return f.appendFloatExpr(text, e, prec)
}

// unconverted returns the operand of a conversion of e, or e itself.
func unconverted(e ir.Expr) ir.Expr {
	switch e := e.(type) {
	case *ir.FloatOf:
		return e.X
	case *ir.FloatConvert:
		if e.T == ir.F64 {
			return e.X
		}
	}
	return e
}

// balanceFloats leaves out the conversion of one operand where C converts it
// to the type of the other one.
func (f *function) balanceFloats(x, y ir.Expr) (ir.Expr, ir.Expr) {
	if !f.unit.Style.ImplicitCasts {
		return x, y
	}
	if u := unconverted(x); u != x {
		return u, y
	}
	return x, unconverted(y)
}

// appendStoredFloat appends a number that is assigned to a place of its type.
func (f *function) appendStoredFloat(text []byte, e ir.Expr) []byte {
	if f.unit.Style.ImplicitCasts {
		switch e := e.(type) {
		case *ir.FloatOf:
			return f.appendExpr(text, f.widened(e.X), anyPrec)
		case *ir.FloatConvert:
			return f.appendFloatExpr(text, e.X, anyPrec)
		}
	}
	return f.appendFloatExpr(text, e, anyPrec)
}

// appendFloatToInt appends a conversion that truncates. One to _Bool does not,
// in C.
func (f *function) appendFloatToInt(text []byte, e *ir.FloatToInt, prec int) []byte {
	text = open(text, unaryPrec, prec)
	text = append(text, '(')
	text = append(text, typeName(e.T)...)
	text = append(text, ')')
	if e.T == ir.Bool {
		text = append(text, "(int)"...)
	}
	text = f.appendFloatExpr(text, e.X, unaryPrec)
	return shut(text, unaryPrec, prec)
}

func (f *function) appendFloatCompare(text []byte, e *ir.FloatCompare, prec int) []byte {
	o := &operators[e.Op]
	x, y := f.balanceFloats(e.X, e.Y)
	text = open(text, o.prec, prec)
	text = f.appendFloatOperand(text, x, o.left)
	text = append(text, o.text...)
	text = f.appendFloatOperand(text, y, o.right)
	return shut(text, o.prec, prec)
}
