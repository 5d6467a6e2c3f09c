package jvm

import (
	"strconv"
	"strings"

	"goreify/reify/ir"
)

func (w *sourceWriter) stmt(s ir.Stmt) {
	a, ok := s.(*ir.Assign)
	if !ok {
		unsaid(s)
	}
	switch t := a.Dst.Type().(type) {
	case ir.Int:
		if ref, ok := a.Dst.(*ir.VarRef); ok && !w.boxed[ref.Var] {
			text := w.name(w.fn, ref.Var) + " = " + w.value(a.Src, t) + ";"
			if w.fresh[ref.Var] {
				w.fresh[ref.Var] = false
				text = javaType(t) + " " + text
			}
			w.line(text)
			return
		}
		value := w.expr(a.Src)
		if e := element(t); e != javaType(t) && !w.isElement(a.Src, t) {
			if k, ok := a.Src.(*ir.Const); !ok || !t.Signed && k.V > 127 {
				value = "(" + e + ") " + paren(value)
			}
		}
		w.line(w.place(a.Dst) + " = " + value + ";")
	case ir.Pointer:
		ref, ok := a.Dst.(*ir.VarRef)
		if !ok {
			unsaid(a.Dst)
		}
		text := w.name(w.fn, ref.Var) + " = " + w.pointer(a.Src) + ";"
		if w.fresh[ref.Var] {
			w.fresh[ref.Var] = false
			text = w.typeOf(ref.Var) + " " + text
		}
		w.line(text)
	default:
		unsaid(a)
	}
}

// isElement tells whether an expression reads an element of arrays of a type, so that no cast
// is needed to store it.
func (w *sourceWriter) isElement(e ir.Expr, t ir.Int) bool {
	load, ok := e.(*ir.Load)
	if !ok || ir.IntOf(e) != t || t.Bits <= 8 && !t.Signed {
		return false
	}
	ref, plain := load.Place.(*ir.VarRef)
	return !plain || w.boxed[ref.Var]
}

// value returns an expression as a value of a type.
func (w *sourceWriter) value(e ir.Expr, t ir.Int) string { return w.expr(e) }

func paren(text string) string {
	if strings.ContainsAny(text, " -") {
		return "(" + text + ")"
	}
	return text
}

// pointer returns an array whose first element a pointer leads to.
func (w *sourceWriter) pointer(e ir.Expr) string {
	switch e := e.(type) {
	case *ir.AddrOf:
		return w.name(w.fn, e.Place.(*ir.VarRef).Var)
	case *ir.Null:
		return "null"
	case *ir.Load:
		if ref, ok := e.Place.(*ir.VarRef); ok {
			return w.name(w.fn, ref.Var)
		}
	case *ir.Select:
		return w.cond(e.If, false) + " ? " + paren(w.pointer(e.X)) + " : " + paren(w.pointer(e.Y))
	}
	unsaid(e)
	return ""
}

// place returns a place of integers.
func (w *sourceWriter) place(p ir.Place) string {
	switch p := p.(type) {
	case *ir.VarRef:
		if w.boxed[p.Var] {
			return w.name(w.fn, p.Var) + "[0]"
		}
		return w.name(w.fn, p.Var)
	case *ir.Deref:
		return paren(w.pointer(p.X)) + "[0]"
	case *ir.Elem:
		if ref, ok := p.Base.(*ir.VarRef); ok {
			index := w.expr(p.Index)
			if ir.IntOf(p.Index).Bits > 32 {
				index = "(int) " + paren(index)
			}
			return w.name(w.fn, ref.Var) + "[" + index + "]"
		}
	}
	unsaid(p)
	return ""
}

func javaConst(k *ir.Const) string {
	switch {
	case k.T.Bits > 32 && k.V >= -1<<31 && k.V < 1<<31:
		return strconv.FormatInt(k.V, 10)
	case k.T.Bits > 32:
		return strconv.FormatInt(k.V, 10) + "L"
	case k.T.Bits == 32:
		return strconv.FormatInt(int64(int32(k.V)), 10)
	}
	return strconv.FormatInt(k.V, 10)
}

var boxes = map[string]string{"int": "Integer", "long": "Long"}

// expr returns an integer.
func (w *sourceWriter) expr(e ir.Expr) string {
	if !ir.IsInt(e) {
		unsaid(e)
	}
	t := ir.IntOf(e)
	switch e := e.(type) {
	case *ir.Const:
		text := javaConst(e)
		if t.Bits > 32 && !strings.HasSuffix(text, "L") {
			text += "L" // of operators, it decides the type
		}
		return text
	case *ir.Load:
		text := w.place(e.Place)
		if ref, plain := e.Place.(*ir.VarRef); t.Bits <= 8 && !t.Signed && t != ir.Bool && (!plain || w.boxed[ref.Var]) {
			text += " & 255"
		}
		return text
	case *ir.Unary:
		switch e.Op {
		case ir.Neg:
			return "-" + paren(w.expr(e.X))
		case ir.Not:
			return "~" + paren(w.expr(e.X))
		}
		return w.cond(e, false) + " ? 1 : 0"
	case *ir.Binary:
		if e.Op.Yields01() {
			return w.cond(e, false) + " ? 1 : 0"
		}
		return w.binary(e)
	case *ir.Select:
		return w.condOperand(e.If) + " ? " + paren(w.expr(e.X)) + " : " + paren(w.expr(e.Y))
	case *ir.Convert:
		return w.convert(e, t)
	case *ir.Call:
		var args []string
		for _, a := range e.Args {
			args = append(args, w.expr(a))
		}
		return e.Func.Name + "(" + strings.Join(args, ", ") + ")"
	case *ir.Builtin:
		x := ir.IntOf(e.Args[0])
		name, ok := map[ir.Fn]string{ir.Popcount: "bitCount", ir.Clz: "numberOfLeadingZeros", ir.Ctz: "numberOfTrailingZeros", ir.Bswap: "reverseBytes"}[e.Fn]
		if e.Fn == ir.Abs {
			return "Math.abs(" + w.expr(e.Args[0]) + ")"
		}
		if ok && x.Bits >= 32 {
			return boxes[javaType(x)] + "." + name + "(" + w.expr(e.Args[0]) + ")"
		}
	}
	unsaid(e)
	return ""
}

func (w *sourceWriter) binary(e *ir.Binary) string {
	if e.Of() != ir.Integers {
		unsaid(e)
	}
	x, y, t := w.expr(e.X), w.expr(e.Y), ir.IntOf(e.X)
	op := e.Op.String()
	switch {
	case e.Op.Shifts():
		if !t.Signed && e.Op == ir.Shr {
			op = ">>>"
		}
	case e.Op.Divides() && !t.Signed:
		name := "divideUnsigned"
		if e.Op == ir.Rem {
			name = "remainderUnsigned"
		}
		return boxes[javaType(t)] + "." + name + "(" + x + ", " + y + ")"
	}
	if prior, ok := e.X.(*ir.Binary); ok && prior.Op == e.Op && (e.Op == ir.Add || e.Op == ir.Mul || e.Op == ir.And || e.Op == ir.Or || e.Op == ir.Xor) {
		return x + " " + op + " " + paren(y)
	}
	return paren(x) + " " + op + " " + paren(y)
}

func (w *sourceWriter) convert(e *ir.Convert, t ir.Int) string {
	if !ir.IsInt(e.X) {
		unsaid(e)
	}
	from, x := ir.IntOf(e.X), w.expr(e.X)
	if !t.Standard() || !from.Standard() {
		unsaid(e)
	}
	narrow := x
	if from.Bits > 32 && t.Bits <= 32 && t != ir.Bool {
		narrow = "(int) " + paren(x)
	}
	switch {
	case t == ir.Bool:
		return w.condOperand(e.X) + " ? 1 : 0"
	case t.Bits == 8 && t.Signed:
		return "(byte) " + paren(x)
	case t.Bits == 8:
		return paren(narrow) + " & 255"
	case t.Bits == 16 && t.Signed:
		return "(short) " + paren(x)
	case t.Bits == 16:
		return "(char) " + paren(x)
	case t.Bits == 64 && from == ir.U32:
		return paren(x) + " & 0xffffffffL"
	case t.Bits == 64 && from.Bits < 64:
		return "(long) " + paren(x)
	}
	return narrow
}

func (w *sourceWriter) condOperand(e ir.Expr) string {
	text := w.cond(e, false)
	if b, ok := e.(*ir.Binary); ok && b.Op.Logical() {
		return "(" + text + ")"
	}
	return text
}

// cond returns a truth value, or its opposite.
func (w *sourceWriter) cond(e ir.Expr, negate bool) string {
	switch e := e.(type) {
	case *ir.Binary:
		op := e.Op
		switch {
		case op.Compares():
			if e.Of() != ir.Integers {
				unsaid(e)
			}
			if negate {
				op = op.Negated()
			}
			t := ir.IntOf(e.X)
			x, y := w.expr(e.X), w.expr(e.Y)
			if !t.Signed && op != ir.Eq && op != ir.Ne {
				return boxes[javaType(t)] + ".compareUnsigned(" + x + ", " + y + ") " + op.String() + " 0"
			}
			if k, ok := e.Y.(*ir.Const); ok {
				y = javaConst(k)
				return paren(x) + " " + op.String() + " " + y
			}
			return paren(x) + " " + op.String() + " " + paren(y)
		case op.Logical():
			text := w.condOperand(e.X) + " " + op.String() + " " + w.condOperand(e.Y)
			if negate {
				return "!(" + text + ")"
			}
			return text
		}
	case *ir.Unary:
		if e.Op == ir.LNot {
			return w.cond(e.X, !negate)
		}
	}
	op := " != 0"
	if negate {
		op = " == 0"
	}
	return paren(w.expr(e)) + op
}
