package c

import (
	"fmt"
	"strconv"

	"goreify/reify/ir"
)

// The precedence of the operators of C, from loose to tight.
const (
	anyPrec = iota
	equalityPrec
	relationalPrec
	additivePrec
	multiplicativePrec
	unaryPrec
)

// operators holds, for each operator, its text with the spaces around it and
// its precedence.
var operators = [...]struct {
	text string
	prec int
}{
	ir.Add: {" + ", additivePrec},
	ir.Sub: {" - ", additivePrec},
	ir.Mul: {" * ", multiplicativePrec},
	ir.Div: {" / ", multiplicativePrec},
	ir.Rem: {" % ", multiplicativePrec},
	ir.Lt:  {" < ", relationalPrec},
	ir.Le:  {" <= ", relationalPrec},
	ir.Gt:  {" > ", relationalPrec},
	ir.Ge:  {" >= ", relationalPrec},
	ir.Eq:  {" == ", equalityPrec},
	ir.Ne:  {" != ", equalityPrec},
}

// negation holds, for each comparison, the one that is true when it is false.
var negation = [...]ir.Op{ir.Lt: ir.Ge, ir.Le: ir.Gt, ir.Gt: ir.Le, ir.Ge: ir.Lt, ir.Eq: ir.Ne, ir.Ne: ir.Eq}

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
	}
	panic(fmt.Sprintf("emit/c: unknown type %v", t))
}

// Expressions are most of the text, so they are appended to a slice at hand,
// in the manner of strconv.AppendInt, which is faster than by way of a printer.

// appendConst appends a constant such that it has type t in C, or int if t is
// narrower: C has no such constants, and promotes the values anyway.
func appendConst(text []byte, t ir.Int, v int64) []byte {
	if t.Signed && t.Bits >= 32 && v == t.Min() {
		// C has no negative constants, and the negated one does not fit.
		text = append(text, '(')
		text = appendConst(text, t, v+1)
		return append(text, " - 1)"...)
	}
	switch t {
	case ir.U32:
		return append(strconv.AppendInt(text, v, 10), 'u')
	case ir.I64:
		return append(strconv.AppendInt(text, v, 10), "ll"...)
	case ir.U64:
		return append(strconv.AppendUint(text, uint64(v), 10), "ull"...)
	}
	return strconv.AppendInt(text, v, 10)
}

// appendExpr appends e, in parentheses if its operator binds more loosely than
// prec.
func (f *function) appendExpr(text []byte, e ir.Expr, prec int) []byte {
	switch e := e.(type) {
	case *ir.Const:
		return appendConst(text, e.T, e.V)
	case *ir.Load:
		return f.appendPlace(text, e.Place)
	case *ir.Binary:
		return f.appendBinary(text, e.Op, e, prec)
	case *ir.Convert:
		text = append(text, '(')
		text = append(text, typeName(e.T)...)
		text = append(text, ')')
		return f.appendExpr(text, e.X, unaryPrec)
	case *ir.Call:
		if f.whole == nil {
			panic(fmt.Sprintf("emit/c: @%s calls @%s: only EmitProgram writes functions that call", f.unit.Case.Func.Name, e.Func.Name))
		}
		return f.appendCall(text, e)
	case *ir.Sym:
		panic(fmt.Sprintf("emit/c: symbol ?%d in %s, which is to be concrete", e.ID, f.unit.Case.Func.Name))
	case *ir.Checksum:
		panic("emit/c: checksum that is not the operand of a return")
	default:
		panic(fmt.Sprintf("emit/c: unknown expression %T", e))
	}
}

// appendBinary appends the operands of e with op between them.
func (f *function) appendBinary(text []byte, op ir.Op, e *ir.Binary, prec int) []byte {
	own := operators[op].prec
	left, right := own, own+1
	if op.Compares() {
		// a < b < c is legal, but not what anybody wants to read.
		left, right = additivePrec, additivePrec
	}
	if own < prec {
		text = append(text, '(')
	}
	text = f.appendExpr(text, e.X, left)
	text = append(text, operators[op].text...)
	text = f.appendExpr(text, e.Y, right)
	if own < prec {
		text = append(text, ')')
	}
	return text
}

func (f *function) appendPlace(text []byte, p ir.Place) []byte {
	switch p := p.(type) {
	case *ir.VarRef:
		return append(text, f.names.vars[p.Var.Index]...)
	case *ir.Elem:
		text = f.appendPlace(text, p.Base)
		text = append(text, '[')
		text = f.appendExpr(text, p.Index, anyPrec)
		return append(text, ']')
	default:
		panic(fmt.Sprintf("emit/c: unknown place %T", p))
	}
}

// constant writes a constant; see appendConst.
func (p *printer) constant(t ir.Int, v int64) { p.buf = appendConst(p.buf, t, v) }

// expr writes a whole expression.
func (f *function) expr(e ir.Expr) { f.buf = f.appendExpr(f.buf, e, anyPrec) }

// cond writes a condition, or the opposite one.
func (f *function) cond(e ir.Expr, negate bool) {
	if !negate {
		f.expr(e)
		return
	}
	if b, ok := e.(*ir.Binary); ok && b.Op.Compares() {
		f.buf = f.appendBinary(f.buf, negation[b.Op], b, anyPrec)
		return
	}
	f.str("!")
	f.buf = f.appendExpr(f.buf, e, unaryPrec)
}
