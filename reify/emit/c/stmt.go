package c

import (
	"fmt"

	"goreify/reify/ir"
)

// stmts writes the label and the statements of a block.
func (f *function) stmts(b *ir.Block, depth int) {
	f.blockLabel(b.Index, depth)
	if len(b.Stmts) > 0 && f.movable != nil {
		f.resize(b, depth)
	}
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
			text := f.appendDst(f.buf, s.Dst)
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
	case *ir.AssignWide:
		f.begin(depth)
		text := f.appendDst(f.buf, s.Dst)
		text = f.appendWide(text, s.Src, anyPrec)
		f.buf = append(text, ";\n"...)
	case *ir.AssignVec:
		f.begin(depth)
		text := f.appendDst(f.buf, s.Dst)
		text = f.appendVec(text, s.Src, anyPrec)
		f.buf = append(text, ";\n"...)
	case *ir.Copy:
		f.begin(depth)
		text := f.appendDst(f.buf, s.Dst)
		text, passed := f.appendCopied(text, s)
		if !passed {
			text = f.appendLoad(text, s.Src, anyPrec)
		}
		f.buf = append(text, ";\n"...)
	case *ir.Overflow:
		f.begin(depth)
		text := f.appendDst(f.buf, s.Flag)
		text = f.appendOverflow(text, s)
		f.buf = append(text, ";\n"...)
	case *ir.Transfer:
		f.begin(depth)
		f.buf = f.appendBytes(f.buf, s.Name(), s.Dst, s.N, func(text []byte) []byte { return f.appendPtr(text, s.Src, anyPrec) })
	case *ir.Fill:
		f.begin(depth)
		f.buf = f.appendBytes(f.buf, "memset", s.Dst, s.N, func(text []byte) []byte { return f.appendExpr(text, f.widened(s.Byte), anyPrec) })
	case *ir.Unreachable:
		f.line(depth, "__builtin_unreachable();")
	case *ir.Assume:
		f.begin(depth)
		if s.Guard {
			f.str("if (")
			f.cond(s.Cond, true)
			f.str(")\n")
			f.line(depth+1, "__builtin_unreachable();")
			return
		}
		f.str(assumeMacro + "(")
		f.cond(s.Cond, false)
		f.str(");\n")
	default:
		panic(fmt.Sprintf("emit/c: unknown statement %T", s))
	}
}

// appendDst appends the left side of an assignment.
func (f *function) appendDst(text []byte, p ir.Place) []byte {
	return append(f.appendLoad(text, p, anyPrec), " = "...)
}

// appendAssign appends an assignment of an integer.
func (f *function) appendAssign(text []byte, s *ir.Assign) []byte {
	if f.unit.Style.Compound {
		if out, ok := f.appendCompound(text, s); ok {
			return out
		}
	}
	text = f.appendDst(text, s.Dst)
	src := s.Src
	if c, ok := src.(*ir.Convert); ok {
		switch t := s.Dst.Type().(ir.Int); {
		case !t.Standard(): // the assignment is the only conversion to it
			src = c.X
		case t != ir.Bool || declaredBool(s.Dst):
			src = f.assigned(src, t)
		}
	}
	return f.appendExpr(text, f.bare(src), anyPrec)
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
				return f.appendUpdate(text, s.Dst, ir.Add, f.widened(add.Index), true)
			}
		}
	}
	text = f.appendDst(text, s.Dst)
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
	text = f.appendDst(text, s.Dst)
	return f.appendStoredFloat(text, s.Src)
}

// appendOverflow appends a checked operation. Only the values of the operands
// matter, so they may be promoted.
func (f *function) appendOverflow(text []byte, s *ir.Overflow) []byte {
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
	text = f.appendAddr(text, s.Dst, anyPrec)
	return append(text, ')')
}

// appendBytes appends the call of a function of C on the bytes of n elements from
// dst on, of which second writes the second argument.
func (f *function) appendBytes(text []byte, name string, dst ir.Expr, n ir.Expr, second func([]byte) []byte) []byte {
	text = append(text, "__builtin_"...)
	text = append(text, name...)
	text = append(text, '(')
	text = f.appendPtr(text, dst, anyPrec)
	text = append(text, ", "...)
	text = second(text)
	text = append(text, ", "...)
	if c, ok := n.(*ir.Const); !ok || c.V != 1 {
		text = f.appendExpr(text, f.widened(n), multiplicativePrec)
		text = append(text, " * "...)
	}
	text = append(text, "sizeof("...)
	text = append(text, f.declarator(ir.TypeOf[ir.Pointer](dst).Elem, false, false, "")...)
	return append(text, "));\n"...)
}
