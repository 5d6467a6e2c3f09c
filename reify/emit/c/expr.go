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

var opPrec = [...]int{
	ir.Add: additivePrec, ir.Sub: additivePrec,
	ir.Mul: multiplicativePrec, ir.Div: multiplicativePrec, ir.Rem: multiplicativePrec,
	ir.Lt: relationalPrec, ir.Le: relationalPrec, ir.Gt: relationalPrec, ir.Ge: relationalPrec,
	ir.Eq: equalityPrec, ir.Ne: equalityPrec,
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

// constant writes a constant such that it has type t in C, or int if t is
// narrower: C has no such constants, and promotes the values anyway.
func (p *printer) constant(t ir.Int, v int64) {
	if t.Signed && t.Bits >= 32 && v == t.Min() {
		// C has no negative constants, and the negated one does not fit.
		p.str("(")
		p.constant(t, v+1)
		p.str(" - 1)")
		return
	}
	if t == ir.U64 {
		p.buf = strconv.AppendUint(p.buf, uint64(v), 10)
	} else {
		p.buf = strconv.AppendInt(p.buf, v, 10)
	}
	switch t {
	case ir.U32:
		p.str("u")
	case ir.I64:
		p.str("ll")
	case ir.U64:
		p.str("ull")
	}
}

// expr writes e, in parentheses if its operator binds more loosely than prec.
func (f *function) expr(e ir.Expr, prec int) {
	switch e := e.(type) {
	case *ir.Const:
		f.constant(e.T, e.V)
	case *ir.Load:
		f.place(e.Place)
	case *ir.Binary:
		f.binary(e.Op, e, prec)
	case *ir.Convert:
		f.str("(")
		f.str(typeName(e.T))
		f.str(")")
		f.expr(e.X, unaryPrec)
	case *ir.Sym:
		panic(fmt.Sprintf("emit/c: symbol ?%d in %s, which is to be concrete", e.ID, f.unit.Case.Func.Name))
	case *ir.Checksum:
		panic("emit/c: checksum that is not the operand of a return")
	default:
		panic(fmt.Sprintf("emit/c: unknown expression %T", e))
	}
}

// binary writes the operands of e with op between them.
func (f *function) binary(op ir.Op, e *ir.Binary, prec int) {
	own := opPrec[op]
	left, right := own, own+1
	if op.Compares() {
		// a < b < c is legal, but not what anybody wants to read.
		left, right = additivePrec, additivePrec
	}
	if own < prec {
		f.str("(")
	}
	f.expr(e.X, left)
	f.str(" ")
	f.str(op.String())
	f.str(" ")
	f.expr(e.Y, right)
	if own < prec {
		f.str(")")
	}
}

// cond writes a condition, or the opposite one.
func (f *function) cond(e ir.Expr, negate bool) {
	if !negate {
		f.expr(e, anyPrec)
		return
	}
	if b, ok := e.(*ir.Binary); ok && b.Op.Compares() {
		f.binary(negation[b.Op], b, anyPrec)
		return
	}
	f.str("!")
	f.expr(e, unaryPrec)
}

func (f *function) place(p ir.Place) {
	switch p := p.(type) {
	case *ir.VarRef:
		f.str(f.names.vars[p.Var.Index])
	case *ir.Elem:
		f.place(p.Base)
		f.str("[")
		f.expr(p.Index, anyPrec)
		f.str("]")
	default:
		panic(fmt.Sprintf("emit/c: unknown place %T", p))
	}
}
