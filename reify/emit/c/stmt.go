package c

import (
	"fmt"

	"goreify/reify/ir"
)

// stmts writes the label and the statements of a block.
func (f *function) stmts(b *ir.Block, depth int) {
	f.label(depth, f.names.labels[b.Index])
	for _, s := range b.Stmts {
		f.stmt(s, depth)
	}
}

func (f *function) stmt(s ir.Stmt, depth int) {
	switch s := s.(type) {
	case *ir.Assign:
		sum, isSum := s.Src.(*ir.Checksum)
		last := ""
		if isSum {
			last = f.checksum(sum, depth)
		}
		f.begin(depth)
		if isSum {
			text := f.appendLoad(f.buf, s.Dst, anyPrec)
			text = append(text, " = "...)
			f.buf = append(append(text, last...), ";\n"...)
			return
		}
		f.buf = append(f.appendAssign(f.buf, s), ";\n"...)
	case *ir.AssignPtr:
		f.begin(depth)
		f.buf = append(f.appendAssignPtr(f.buf, s), ";\n"...)
	case *ir.AssignFloat:
		f.begin(depth)
		f.buf = append(f.appendAssignFloat(f.buf, s), ";\n"...)
	case *ir.AssignVec:
		f.begin(depth)
		text := f.appendLoad(f.buf, s.Dst, anyPrec)
		text = append(text, " = "...)
		text = f.appendVec(text, s.Src, anyPrec)
		f.buf = append(text, ";\n"...)
	case *ir.Copy:
		f.begin(depth)
		text := f.appendLoad(f.buf, s.Dst, anyPrec)
		text = append(text, " = "...)
		text = f.appendLoad(text, s.Src, anyPrec)
		f.buf = append(text, ";\n"...)
	case *ir.Overflow:
		f.overflow(s, depth)
	case *ir.Unreachable:
		f.line(depth, "__builtin_unreachable();")
	default:
		panic(fmt.Sprintf("emit/c: unknown statement %T", s))
	}
}

// appendAssign appends an assignment of an integer.
func (f *function) appendAssign(text []byte, s *ir.Assign) []byte {
	if f.unit.Style.Compound {
		if out, ok := f.appendCompound(text, s); ok {
			return out
		}
	}
	text = f.appendLoad(text, s.Dst, anyPrec)
	text = append(text, " = "...)
	src := s.Src
	if c, ok := src.(*ir.Convert); ok {
		switch t := s.Dst.Type().(ir.Int); {
		case !t.Standard(): // nothing but the assignment converts to it
			src = c.X
		case t != ir.Bool || declaredBool(s.Dst):
			src = f.assigned(src, t)
		}
	}
	return f.appendExpr(text, src, anyPrec)
}

// declaredBool reports whether p, whose type is ir.Bool, is a _Bool in C: a
// bit-field of one unsigned bit may have another type, to which assignments
// convert in another way.
func declaredBool(p ir.Place) bool {
	m, ok := p.(*ir.Member)
	return !ok || m.Base.Type().(*ir.Record).Fields[m.Field].Type == ir.Bool
}

func (f *function) appendAssignPtr(text []byte, s *ir.AssignPtr) []byte {
	if f.unit.Style.Compound {
		if add, ok := s.Src.(*ir.PtrAdd); ok {
			if l, ok := add.X.(*ir.LoadPtr); ok && samePlace(l.Place, s.Dst) && pure(s.Dst) && pure(add.Index) {
				return f.appendUpdate(text, s.Dst, ir.Add, f.widened(add.Index))
			}
		}
	}
	text = f.appendLoad(text, s.Dst, anyPrec)
	text = append(text, " = "...)
	return f.appendStoredPtr(text, s.Src, anyPrec)
}

func (f *function) appendAssignFloat(text []byte, s *ir.AssignFloat) []byte {
	if f.unit.Style.Compound {
		if b, ok := s.Src.(*ir.FloatBinary); ok {
			if l, ok := b.X.(*ir.FloatLoad); ok && samePlace(l.Place, s.Dst) && pure(s.Dst) && pure(b.Y) {
				text = f.appendLoad(text, s.Dst, anyPrec)
				text = append(text, ' ')
				text = append(text, b.Op.String()...)
				text = append(text, "= "...)
				return f.appendFloatExpr(text, b.Y, anyPrec)
			}
		}
	}
	text = f.appendLoad(text, s.Dst, anyPrec)
	text = append(text, " = "...)
	return f.appendStoredFloat(text, s.Src)
}

// overflow writes a checked operation. The builtin stores where a pointer
// says, and there is none to a bit-field or, for clang, a lane; nor may it
// change what the place of the flag depends on.
func (f *function) overflow(s *ir.Overflow, depth int) {
	direct := addressable(s.Dst)
	_, simple := s.Flag.(*ir.VarRef)
	if direct && simple {
		f.begin(depth)
		text := f.appendLoad(f.buf, s.Flag, anyPrec)
		text = append(text, " = "...)
		text = f.appendOverflow(text, s, "")
		f.buf = append(text, ";\n"...)
		return
	}
	f.line(depth, "{")
	sum, flag := f.names.sum, f.names.flag
	if direct {
		sum = ""
	} else {
		f.line(depth+1, f.typeName(s.Dst.Type().(ir.Int))+" "+sum+";")
	}
	f.begin(depth + 1)
	f.str("int " + flag + " = ")
	f.buf = f.appendOverflow(f.buf, s, sum)
	f.str(";\n")
	if !direct {
		f.begin(depth + 1)
		f.buf = f.appendLoad(f.buf, s.Dst, anyPrec)
		f.str(" = " + sum + ";\n")
	}
	f.begin(depth + 1)
	f.buf = f.appendLoad(f.buf, s.Flag, anyPrec)
	f.str(" = " + flag + ";\n")
	f.line(depth, "}")
}

// appendOverflow appends the call of the builtin, which stores in variable sum
// if that is not empty.
func (f *function) appendOverflow(text []byte, s *ir.Overflow, sum string) []byte {
	switch s.Op {
	case ir.Add:
		text = append(text, "__builtin_add_overflow("...)
	case ir.Sub:
		text = append(text, "__builtin_sub_overflow("...)
	case ir.Mul:
		text = append(text, "__builtin_mul_overflow("...)
	default:
		panic(fmt.Sprintf("emit/c: overflow of %v", s.Op))
	}
	text = f.appendExpr(text, f.widened(s.X), anyPrec)
	text = append(text, ", "...)
	text = f.appendExpr(text, f.widened(s.Y), anyPrec)
	text = append(text, ", "...)
	if sum != "" {
		text = append(text, '&')
		text = append(text, sum...)
	} else {
		text = f.appendAddr(text, s.Dst, anyPrec)
	}
	return append(text, ')')
}

// addressable reports whether C can take the address of a scalar place.
func addressable(p ir.Place) bool {
	switch p := p.(type) {
	case *ir.Member:
		return p.Base.Type().(*ir.Record).Fields[p.Field].Bits == 0
	case *ir.Elem:
		_, lane := p.Base.Type().(ir.Vector)
		return !lane
	}
	return true
}
