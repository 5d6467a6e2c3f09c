package c

import (
	"fmt"
	"strconv"

	"goreify/reify/ir"
)

// appendPlace appends a place, which binds as tightly as an identifier.
func (f *function) appendPlace(text []byte, p ir.Place) []byte {
	switch p := p.(type) {
	case *ir.VarRef:
		return append(text, f.names.vars[p.Var.Index]...)
	case *ir.Elem:
		text = f.appendPlace(text, p.Base)
		return append(f.appendIndex(append(text, '['), p), ']')
	case *ir.Member:
		return f.appendMember(text, p)
	case *ir.Deref:
		return f.appendDeref(text, p, postfixPrec)
	default:
		panic(fmt.Sprintf("emit/c: unknown place %T", p))
	}
}

// appendIndex appends the index of an element, counted from the other end in a union
// by which bits are cast if the high byte comes first.
func (f *function) appendIndex(text []byte, p *ir.Elem) []byte {
	n := castLen(p)
	if n > 1 {
		text = append(text, lowIndexMacro+"("...)
	}
	text = f.appendExpr(text, f.widened(p.Index), anyPrec)
	if n > 1 {
		text = append(text, ", "+strconv.Itoa(n)+")"...)
	}
	return text
}

// castLen returns the number of elements beside p in a union by which bits are cast; 0
// if p is not in such a union.
func castLen(p *ir.Elem) int {
	if m, ok := p.Base.(*ir.Member); ok {
		if r := m.Base.Type().(*ir.Record); r.Cast {
			return m.Type().(ir.Array).Len
		}
	}
	return 0
}

// appendMember appends a member: "x.f", or "p->f" for that of (*p).
func (f *function) appendMember(text []byte, p *ir.Member) []byte {
	if d, ok := p.Base.(*ir.Deref); ok && f.unit.Style.Arrows {
		if _, isAddr := d.X.(*ir.AddrOf); !isAddr {
			text = f.appendExpr(text, d.X, postfixPrec)
			text = append(text, "->"...)
			return append(text, f.fieldName(p)...)
		}
	}
	text = f.appendPlace(text, p.Base)
	text = append(text, '.')
	return append(text, f.fieldName(p)...)
}

func (f *function) fieldName(p *ir.Member) string {
	return fieldName(p.Base.Type().(*ir.Record), p.Field)
}

// appendDeref appends the target of a pointer: "*p", or "p[i]" for *(p + i).
func (f *function) appendDeref(text []byte, p *ir.Deref, prec int) []byte {
	if add, ok := p.X.(*ir.PtrAdd); ok && f.unit.Style.Arrows {
		text = f.appendExpr(text, add.X, postfixPrec)
		text = append(text, '[')
		text = f.appendExpr(text, f.widened(add.Index), anyPrec)
		return append(text, ']')
	}
	text = open(text, unaryPrec, prec)
	text = f.appendExpr(append(text, '*'), p.X, unaryPrec)
	return shut(text, unaryPrec, prec)
}

// appendLoad appends a place as a value, whose operand prec is about.
func (f *function) appendLoad(text []byte, p ir.Place, prec int) []byte {
	if d, ok := p.(*ir.Deref); ok {
		return f.appendDeref(text, d, prec)
	}
	return f.appendPlace(text, p)
}

// appendAddr appends the address of a place.
func (f *function) appendAddr(text []byte, p ir.Place, prec int) []byte {
	if e, ok := p.(*ir.Elem); ok {
		if c, ok := e.Index.(*ir.Const); ok && c.V == 0 && f.unit.Style.Arrows {
			return f.appendLoad(text, e.Base, prec) // an array decays
		}
	}
	text = open(text, unaryPrec, prec)
	text = append(text, '&')
	text = f.appendLoad(text, p, unaryPrec)
	return shut(text, unaryPrec, prec)
}
