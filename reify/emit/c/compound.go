package c

import (
	"goreify/reify/ir"
)

// appendCompound appends s as a compound assignment, such as "x += y" or "x++",
// if it is of that form and C computes it in the same type.
func (f *function) appendCompound(text []byte, s *ir.Assign) ([]byte, bool) {
	switch t := s.Dst.Type().(type) {
	case ir.Int:
		return f.appendIntCompound(text, s, t)
	case ir.Float:
		if b, ok := s.Src.(*ir.Binary); ok && updates(s, b.X, b.Y) {
			return f.appendUpdate(text, s.Dst, b.Op, b.Y, false), true
		}
	case ir.Pointer:
		if add, ok := s.Src.(*ir.PtrAdd); ok && updates(s, add.X, add.Index) {
			return f.appendUpdate(text, s.Dst, ir.Add, f.widened(add.Index), true), true
		}
	}
	return text, false
}

// updates reports whether x is the value of the destination of s, and y can be the right
// side of a compound assignment to it.
func updates(s *ir.Assign, x, y ir.Expr) bool {
	l, ok := x.(*ir.Load)
	return ok && samePlace(l.Place, s.Dst) && pure(s.Dst) && pure(y)
}

// appendIntCompound is appendCompound for an integer of type t.
func (f *function) appendIntCompound(text []byte, s *ir.Assign, t ir.Int) ([]byte, bool) {
	if t == ir.Bool || odd(t) {
		return text, false
	}
	src := s.Src
	if c, ok := conversionOf(src); ok {
		src = c.x
	}
	b, ok := src.(*ir.Binary)
	if !ok || b.Op.Yields01() {
		return text, false
	}
	x := b.X
	if c, ok := conversionOf(x); ok && usual(c.from, c.to) == c.to {
		if b.Op.Shifts() && promoted(c.from) != c.to {
			return text, false
		}
		x = c.x
	}
	if !updates(s, x, b.Y) {
		return text, false
	}
	y, of := b.Y, ir.IntOf(b)
	switch {
	case b.Op.Shifts():
		y = f.count(y)
	case of == ir.I32:
		y = f.promote(y)
	}
	if of == t {
		y = f.bare(y)
	}
	// x++ adds an int: if the type of y is another one, it can overflow though x += y
	// does not.
	step := of == t || !t.Signed || t.Bits < 32
	return f.appendUpdate(text, s.Dst, b.Op, y, step), true
}

// appendUpdate appends "dst op= y", or "dst++" or "dst--" if the meaning is the same
// and step allows it.
func (f *function) appendUpdate(text []byte, dst ir.Place, op ir.Op, y ir.Expr, step bool) []byte {
	if c, ok := y.(*ir.Const); step && ok && (op == ir.Add || op == ir.Sub) && (c.V == 1 || c.V == -1 && c.T.Signed) {
		text = f.appendLoad(text, dst, postfixPrec)
		if (op == ir.Add) == (c.V == 1) {
			return append(text, "++"...)
		}
		return append(text, "--"...)
	}
	if f.short != nil {
		op, y = turned(op, y)
	}
	text = f.appendLoad(text, dst, anyPrec)
	text = append(text, ' ')
	text = append(text, op.String()...)
	text = append(text, "= "...)
	return f.appendExpr(text, y, anyPrec)
}

// pure reports whether node makes no call, so that it can be evaluated at any time and
// any number of times.
func pure(node ir.Node) bool {
	return !ir.Any(node, func(n ir.Node) bool {
		_, ok := n.(*ir.Call)
		return ok
	})
}

// samePlace reports whether two places have the same text.
func samePlace(p, q ir.Place) bool {
	switch p := p.(type) {
	case *ir.VarRef:
		q, ok := q.(*ir.VarRef)
		return ok && p.Var == q.Var
	case *ir.Elem:
		q, ok := q.(*ir.Elem)
		return ok && samePlace(p.Base, q.Base) && p.Index.String() == q.Index.String()
	case *ir.Member:
		q, ok := q.(*ir.Member)
		return ok && p.Field == q.Field && samePlace(p.Base, q.Base)
	case *ir.Deref:
		q, ok := q.(*ir.Deref)
		return ok && p.X.String() == q.X.String()
	}
	return false
}
