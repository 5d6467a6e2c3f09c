package golang

import (
	"fmt"
	"strconv"
	"strings"

	"goreify/reify/ir"
)

// target returns the destination of a store. A variable without other uses counts as
// unused.
func (f *function) target(p ir.Place) string {
	if v, ok := p.(*ir.VarRef); ok {
		return f.names.vars[v.Var.Index]
	}
	return string(f.appendPlace(nil, p))
}

func (f *function) stmt(s ir.Stmt) {
	f.begin(s)
	f.narrow = f.ofLanes(s)
	var text string
	switch s := s.(type) {
	case *ir.Assign:
		if f.unit.Style.Short && f.conditional(s) {
			return
		}
		text = f.assignment(s)
	case *ir.Transfer:
		f.transfer(s)
		return
	case *ir.Fill:
		f.fill(s)
		return
	case *ir.Unreachable:
		text = `panic("unreachable")`
	case *ir.Assume:
		cond := string(f.appendCond(nil, s.Cond, anyPrec, true))
		f.flush()
		f.line("if " + cond + " {")
		f.line("\tpanic(\"unreachable\")")
		f.line("}")
		return
	default:
		panic(fmt.Sprintf("emit/golang: statement %v", s))
	}
	f.flush()
	f.line(text)
}

// assignment returns an assignment, in the short form if the style wants that.
func (f *function) assignment(s *ir.Assign) string {
	if b, ok := s.Src.(*ir.Binary); ok && f.unit.Style.Compound && ir.IsInt(b.Y) && (b.Op.OnFloats() || b.Op.OnBits() || b.Op == ir.Rem) {
		dst, plain := s.Dst.(*ir.VarRef)
		load, ok := b.X.(*ir.Load)
		if ok && plain {
			if x, ok := load.Place.(*ir.VarRef); ok && x.Var == dst.Var {
				f.read[x.Var.Index] = true
				name := f.names.vars[x.Var.Index]
				c, constant := constantOf(b.Y)
				switch {
				case constant && c.V == 1 && b.Op == ir.Add && f.unit.Style.Consts == Untyped:
					return name + "++"
				case constant && c.V == 1 && b.Op == ir.Sub && f.unit.Style.Consts == Untyped:
					return name + "--"
				case constant && rejected(b.Op, c):
					return name + " " + b.Op.String() + "= " + f.variable(c)
				}
				return name + " " + b.Op.String() + "= " + f.expr(b.Y)
			}
		}
	}
	if _, record := s.Dst.Type().(*ir.Record); record {
		return f.target(s.Dst) + " = " + f.expr(s.Src)
	}
	src := f.source(s.Src)
	return f.target(s.Dst) + " = " + src
}

// source returns the source of an assignment or the operand of a return.
func (f *function) source(e ir.Expr) string {
	if sum, ok := e.(*ir.Checksum); ok {
		return f.checksum(sum)
	}
	return f.expr(e)
}

// result writes the end of the function.
func (f *function) result(t *ir.Return) {
	f.begin(t.Val)
	text := f.source(t.Val)
	f.flush()
	f.line("return " + text)
}

// checksum writes the computation of a checksum, and returns its value.
func (f *function) checksum(s *ir.Checksum) string {
	if len(s.Of) == 0 {
		return "0"
	}
	f.sums = true
	f.helpers[crcFunc] = true
	f.line("crc = 0")
	for _, v := range s.Of {
		f.read[v.Index] = true
		f.sum(f.names.vars[v.Index], v.Type, 0)
	}
	return "crc"
}

// sum adds all scalars of a place to the checksum.
func (f *function) sum(place string, t ir.Type, depth int) {
	if !summed(t) {
		return
	}
	indent := strings.Repeat("\t", depth)
	switch t := t.(type) {
	case ir.Int:
		f.line(indent + "crc = " + crcFunc + "(crc, uint64(" + place + "), " + strconv.Itoa(t.Bytes()) + ")")
	case ir.Float:
		f.helpers["math"] = true
		bits := "uint64(math.Float" + strconv.Itoa(t.Bits) + "bits(" + place + "))"
		f.line(indent + "crc = " + crcFunc + "(crc, " + bits + ", " + strconv.Itoa(t.Bits/8) + ")")
	case ir.Array:
		e := "e" + strconv.Itoa(depth)
		f.line(indent + "for _, " + e + " := range " + place + " {")
		f.sum(e, t.Elem, depth+1)
		f.line(indent + "}")
	case *ir.Record:
		for i := range t.Fields {
			if t.Union && i > 0 {
				break
			}
			f.sum(place+"."+fieldName(t, i), t.Member(i), depth)
		}
	default:
		panic(fmt.Sprintf("emit/golang: checksum of %v", t))
	}
}
