package c

import (
	"goreify/reify/ir"
)

// appendCompound appends s as a compound assignment, such as "x += y" or "x++",
// if it is of that form and C computes it in the same type.
func (f *function) appendCompound(text []byte, s *ir.Assign) ([]byte, bool) {
	t := s.Dst.Type().(ir.Int)
	if t == ir.Bool || odd(t) {
		return text, false
	}
	src := s.Src
	if c, ok := src.(*ir.Convert); ok {
		src = c.X
	}
	b, ok := src.(*ir.Binary)
	if !ok || b.Op.Yields01() {
		return text, false
	}
	x := b.X
	if c, ok := x.(*ir.Convert); ok && usual(ir.IntOf(c.X), c.T) == c.T {
		if b.Op.Shifts() && promoted(ir.IntOf(c.X)) != c.T {
			return text, false
		}
		x = c.X
	}
	l, ok := x.(*ir.Load)
	if !ok || !samePlace(l.Place, s.Dst) || !pure(s.Dst) || !pure(b.Y) {
		return text, false
	}
	y := b.Y
	switch {
	case b.Op.Shifts():
		y = f.count(y)
	case ir.IntOf(b) == ir.I32:
		y = f.promote(y)
	}
	if ir.IntOf(b) == t {
		y = f.bare(y)
	}
	// x++ adds an int: if the type of y is another one, it can overflow though x += y
	// does not.
	step := ir.IntOf(b) == t || !t.Signed || t.Bits < 32
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
	if _, ok := node.(*ir.Call); ok {
		return false
	}
	return ir.Parts(node, pure)
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
