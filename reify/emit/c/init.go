package c

import (
	"bytes"
	"fmt"

	"goreify/reify/ir"
)

// declare writes a declaration with the initialiser.
func (f *function) declare(v *ir.Var, depth int) {
	f.begin(depth)
	if f.isStored(v) {
		f.makeStored(v, depth)
		f.str(";\n")
		return
	}
	f.variable(v, f.names.vars[v.Index])
	if v.Init != nil || isWide(v.Type) {
		f.initial(v, depth)
	}
	f.str(";\n")
}

// initial writes the initialiser.
func (f *function) initial(v *ir.Var, depth int) {
	f.str(" = ")
	i := initialiser{function: f, v: v, depth: depth}
	i.write(v.Type)
}

// An initialiser writes the initial values of a variable.
type initialiser struct {
	*function
	v     *ir.Var
	depth int
	cell  int // the scalar to write next
}

// write writes the initialiser of the part of type t that begins at the
// current scalar.
func (i *initialiser) write(t ir.Type) {
	switch t := t.(type) {
	case ir.Int:
		i.expr(i.assigned(i.v.Init[i.cell], t))
		i.cell++
	case ir.Wide:
		i.str("0")
	case ir.Float:
		i.expr(i.v.Init[i.cell])
		i.cell++
	case ir.Pointer:
		i.pointer(i.cell)
		i.cell++
	case ir.Array:
		designated := i.unit.Style.Designated
		if flat := flatElem(t); flat != nil && i.unit.Style.FlatBraces && !designated {
			t = ir.Array{Elem: flat, Len: ir.Count(t)}
		}
		end := i.cell + ir.Count(t)
		i.list(i.shown(t), func(k int) {
			if designated {
				i.str("[")
				i.int(k)
				i.str("] = ")
			}
			i.write(t.Elem)
		})
		i.cell = end
	case ir.Vector:
		i.list(t.Lanes, func(int) { i.write(t.Elem) })
	case *ir.Record:
		end := i.cell + ir.Count(t)
		fields := len(t.Fields)
		if t.Union {
			fields = 1
		}
		i.list(fields, func(k int) {
			if i.unit.Style.Designated {
				i.str("." + fieldName(t, k) + " = ")
			}
			i.write(t.Fields[k].Type)
		})
		i.cell = end
	default:
		panic(fmt.Sprintf("emit/c: unknown type %T", t))
	}
}

// flatElem returns the innermost element type of t, an array of arrays, if that is a
// scalar; braces about other elements are not left out.
func flatElem(t ir.Array) ir.Type {
	elem := ir.Innermost(t)
	switch elem.(type) {
	case ir.Int, ir.Float, ir.Pointer:
		return elem
	}
	return nil
}

// list writes n things in braces.
func (i *initialiser) list(n int, write func(k int)) {
	i.str("{")
	line, seen := len(i.buf)-i.column(), len(i.buf) // where the line begins, as of the text before seen
	for k := range n {
		if k > 0 {
			i.str(",")
			if end := bytes.LastIndexByte(i.buf[seen:], '\n'); end >= 0 {
				line = seen + end + 1
			}
			seen = len(i.buf)
			i.spaceAt(seen-line, blanks[:(i.depth+1)*indentWidth])
		}
		write(k)
	}
	i.str("}")
}

// pointer writes the initial value of scalar cell, a pointer.
func (i *initialiser) pointer(cell int) { i.buf = i.appendInitialPtr(i.buf, i.v, cell) }

// appendInitialPtr appends the initial value of scalar cell of v, a pointer.
func (f *function) appendInitialPtr(text []byte, v *ir.Var, cell int) []byte {
	if v.Ptrs == nil || v.Ptrs[cell] == nil {
		return append(text, '0')
	}
	if f.names.getters != nil && f.names.getters[v.Index] != "" {
		return append(append(text, f.names.getters[v.Index]...), "()"...)
	}
	if at, ok := f.positionOf(v.Ptrs[cell]); ok && v.Kind == ir.Local && !f.passed(v) {
		text = append(text, "__builtin_assume_aligned("...)
		text = f.appendExpr(text, v.Ptrs[cell], anyPrec)
		return append(text, ", "+itoa(at.align)+", "+itoa(at.offset)+")"...)
	}
	return f.appendExpr(text, v.Ptrs[cell], anyPrec)
}

// forward declares the variables at file scope that pointers of v point to before they
// are defined.
func (f *function) forward(v *ir.Var, declared map[*ir.Var]bool) {
	for _, p := range v.Ptrs {
		a, ok := p.(*ir.AddrOf)
		if !ok {
			continue
		}
		to := ir.Root(a.Place)
		if to == nil || to.Index <= v.Index || declared[to] {
			continue
		}
		declared[to] = true
		if to.Kind == ir.Static {
			f.str("static ")
		} else {
			f.str("extern ")
		}
		f.variable(to, f.names.vars[to.Index])
		f.str(";\n")
	}
}
