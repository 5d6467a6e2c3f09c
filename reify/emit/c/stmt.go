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
	case *ir.Overflow:
		f.begin(depth)
		text := f.appendDst(f.buf, s.Flag)
		text = f.appendOverflow(text, s)
		f.buf = append(text, ";\n"...)
	case *ir.Transfer:
		f.begin(depth)
		f.buf = f.appendBytes(f.buf, s.Name(), s.Dst, s.N, func(text []byte) []byte { return f.appendExpr(text, s.Src, anyPrec) })
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

// appendAssign appends an assignment other than of a checksum.
func (f *function) appendAssign(text []byte, s *ir.Assign) []byte {
	if f.unit.Style.Compound {
		if out, ok := f.appendCompound(text, s); ok {
			return out
		}
	}
	return f.appendStored(f.appendDst(text, s.Dst), f.source(s), anyPrec)
}

// source returns the expression to write for the source of s.
func (f *function) source(s *ir.Assign) ir.Expr {
	switch t := s.Dst.Type().(type) {
	case ir.Int:
		c, ok := conversionOf(s.Src)
		switch {
		case ok && !t.Standard(): // the assignment is the only conversion to it
			return f.bare(c.x)
		case ok && (t != ir.Bool || declaredBool(s.Dst)):
			return f.bare(f.assigned(s.Src, t))
		}
		return f.bare(s.Src)
	case ir.Float:
		if c, ok := s.Src.(*ir.Convert); ok && f.unit.Style.ImplicitCasts {
			return f.widened(c.X)
		}
	}
	return s.Src
}

// declaredBool reports whether p, whose type is ir.Bool, is a _Bool in C: a
// bit-field of one unsigned bit may have another type, to which assignments
// convert in another way.
func declaredBool(p ir.Place) bool {
	m, ok := p.(*ir.Member)
	return !ok || m.Base.Type().(*ir.Record).Fields[m.Field].Type == ir.Bool
}

// appendOverflow appends a checked operation. Only the values of the operands
// matter, so they may be promoted.
func (f *function) appendOverflow(text []byte, s *ir.Overflow) []byte {
	verb, ok := map[ir.Op]string{ir.Add: "add", ir.Sub: "sub", ir.Mul: "mul"}[s.Op]
	if !ok {
		panic(fmt.Sprintf("emit/c: overflow of %v", s.Op))
	}
	text = append(text, "__builtin_"+verb+"_overflow("...)
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
	text = f.appendExpr(text, dst, anyPrec)
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
