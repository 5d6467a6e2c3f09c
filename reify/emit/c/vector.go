package c

import (
	"fmt"
	"strconv"

	"goreify/reify/ir"
)

// appendVec appends an expression whose value is a vector. Compilers differ in
// the type of a comparison of vectors, so that it is always cast.
func (f *function) appendVec(text []byte, e ir.VecExpr, prec int) []byte {
	f.named = true
	switch e := e.(type) {
	case *ir.VecLoad:
		return f.appendLoad(text, e.Place, prec)
	case *ir.VecOf:
		text = append(text, '(')
		text = append(text, vectorName(e.T)...)
		text = append(text, "){"...)
		for i, lane := range e.Lanes {
			if i > 0 {
				text = append(text, ", "...)
			}
			text = f.appendExpr(text, f.assigned(lane, e.T.Elem), anyPrec)
		}
		return append(text, '}')
	case *ir.VecUnary:
		text = open(text, unaryPrec, prec)
		switch e.Op {
		case ir.Neg:
			text = append(text, '-')
			at := len(text)
			text = apart(f.appendVec(text, e.X, unaryPrec), at)
		case ir.Not:
			text = f.appendVec(append(text, '~'), e.X, unaryPrec)
		default:
			panic(fmt.Sprintf("emit/c: vector operator %v", e.Op))
		}
		return shut(text, unaryPrec, prec)
	case *ir.VecBinary:
		return f.appendVecBinary(text, e, prec)
	case *ir.VecShuffle:
		// Commas of compound literals must not be those of the macro.
		text = append(text, shuffleMacro+"("...)
		for _, x := range []ir.VecExpr{e.X, e.Y} {
			text = append(text, '(')
			text = f.appendVec(text, x, anyPrec)
			text = append(text, "), "...)
		}
		text = append(text, vectorName(maskOf(e.Type()))...)
		for _, i := range e.Index {
			text = append(text, ", "...)
			text = strconv.AppendInt(text, int64(i), 10)
		}
		return append(text, ')')
	case *ir.VecConvert:
		text = append(text, "__builtin_convertvector("...)
		text = f.appendVec(text, e.X, anyPrec)
		text = append(text, ", "...)
		text = append(text, vectorName(e.T)...)
		return append(text, ')')
	default:
		panic(fmt.Sprintf("emit/c: unknown vector expression %T", e))
	}
}

// maskOf returns the type of the indices of a shuffle of vectors of type t.
func maskOf(t ir.Vector) ir.Vector {
	t.Elem.Signed = true
	return t
}

func (f *function) appendVecBinary(text []byte, e *ir.VecBinary, prec int) []byte {
	o := &operators[e.Op]
	own := prec
	if e.Op.Compares() {
		text = open(text, unaryPrec, prec)
		text = append(text, '(')
		text = append(text, vectorName(e.Type())...)
		text = append(text, ")("...)
	} else {
		own = o.prec
		text = open(text, own, prec)
	}
	text = f.appendVec(text, e.X, o.left)
	text = append(text, o.text...)
	text = f.appendVec(text, e.Y, o.right)
	if e.Op.Compares() {
		text = append(text, ')')
		return shut(text, unaryPrec, prec)
	}
	return shut(text, own, prec)
}
