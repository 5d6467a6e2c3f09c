package golang

import (
	"strconv"

	"goreify/reify/emit/frame"
	"goreify/reify/ir"
)

// Pointers are those of Go. Their arithmetic, which Go does not have, is that of
// package unsafe: a pointer out of an array has no answer, as in C.

// The functions that pointers need.
const (
	distanceFunc = "distance"
	fillFunc     = "fill"
)

// pointing reports whether a function has pointers, or copies whole arrays: its arrays
// are reached by their own names then.
func pointing(f *ir.Function) bool {
	for _, v := range f.Vars {
		if _, ok := ir.Innermost(v.Type).(ir.Pointer); ok {
			return true
		}
	}
	for n := range f.Nodes() {
		if ir.Any(n, points) {
			return true
		}
	}
	return false
}

// points reports whether n itself makes or follows a pointer, or copies a record.
func points(n ir.Node) bool {
	switch n := n.(type) {
	case *ir.AddrOf, *ir.Deref:
		return true
	case *ir.Assign:
		return ir.FamilyOf(n.Src) == ir.Records
	}
	return false
}

// size returns the bytes that a t takes, an int.
func (f *function) size(t ir.Type) string {
	f.helpers["unsafe"] = true
	return "int(unsafe.Sizeof(*(*" + f.typeName(t) + ")(nil)))"
}

// raw appends a pointer without its type.
func (f *function) raw(text []byte, e ir.Expr) []byte {
	f.helpers["unsafe"] = true
	return append(f.appendExpr(append(text, "unsafe.Pointer("...), e, anyPrec), ')')
}

// smallIndex is how large an index may be that is written as a constant.
const smallIndex = 1 << 16

// appendOffset appends the bytes between two elements.
func (f *function) appendOffset(text []byte, index ir.Expr, elem ir.Type) []byte {
	if c, ok := index.(*ir.Const); ok && c.V > -smallIndex && c.V < smallIndex {
		text = strconv.AppendInt(text, c.V, 10)
	} else {
		text = append(f.appendVariable(append(text, "int("...), index, anyPrec), ')')
	}
	return append(append(text, '*'), f.size(elem)...)
}

// appendPtr appends a pointer that is made of another, or of none.
func (f *function) appendPtr(text []byte, e ir.Expr) []byte {
	elem := ir.TypeOf[ir.Pointer](e).Elem
	text = append(append(append(text, "(*"...), f.typeName(elem)...), ")("...)
	switch e := e.(type) {
	case *ir.Null:
		text = append(text, "nil"...)
	case *ir.Cast:
		text = f.raw(text, e.X)
	case *ir.PtrAdd:
		text = append(f.raw(append(text, "unsafe.Add("...), e.X), ", "...)
		text = append(f.appendOffset(text, e.Index, elem), ')')
	}
	return append(text, ')')
}

// appendAddr appends the address of a place, which may be behind an array.
func (f *function) appendAddr(text []byte, p ir.Place) []byte {
	switch p := p.(type) {
	case *ir.Deref:
		return f.appendExpr(text, p.X, anyPrec)
	case *ir.Elem:
		array := p.Base.Type().(ir.Array)
		if c, ok := p.Index.(*ir.Const); ok && c.V >= 0 && c.V < int64(array.Len) {
			break
		}
		f.helpers["unsafe"] = true
		text = append(append(append(text, "(*"...), f.typeName(array.Elem)...), ")(unsafe.Add(unsafe.Pointer(&"...)
		text = append(f.appendPlace(text, p.Base), "), "...)
		return append(f.appendOffset(text, p.Index, array.Elem), "))"...)
	}
	return append(f.appendPlace(append(text, "(&"...), p), ')')
}

// appendDistance appends the bytes from y to x.
func (f *function) appendDistance(text []byte, x, y ir.Expr) []byte {
	f.helpers[distanceFunc] = true
	text = append(f.raw(append(text, distanceFunc+"("...), x), ", "...)
	return append(f.raw(text, y), ')')
}

// transfer writes memcpy or memmove.
func (f *function) transfer(s *ir.Transfer) {
	f.helpers["unsafe"] = true
	text := f.appendExpr([]byte("copy(unsafe.Slice("), s.Dst, anyPrec)
	n := ", " + f.expr(s.N)
	if ir.Any(s.N, frame.IsCall) { // which is made once
		name := f.temporary(ir.IntOf(s.N))
		f.before = append(f.before, name+" = "+n[2:])
		n = ", " + name
	}
	text = append(append(text, n...), "), unsafe.Slice("...)
	text = append(append(f.appendExpr(text, s.Src, anyPrec), n...), "))"...)
	f.flush()
	f.line(string(text))
}

// fill writes memset.
func (f *function) fill(s *ir.Fill) {
	f.helpers[fillFunc] = true
	text := append(f.raw([]byte(fillFunc+"("), s.Dst), ", "...)
	text = append(f.appendOffset(text, s.N, ir.TypeOf[ir.Pointer](s.Dst).Elem), ", byte("...)
	text = append(f.appendVariable(text, s.Byte, anyPrec), "))"...)
	f.flush()
	f.line(string(text))
}

// pointers returns lines that give a variable the addresses that it starts with.
func (f *function) pointers(v *ir.Var) (lines []string) {
	g := *f // indices are constants, which stay in place
	g.unit.Style.Consts = Untyped
	for i, p := range v.Ptrs {
		if p != nil {
			lines = append(lines, f.cell(f.own(v), v.Type, i)+" = "+g.expr(p))
		}
	}
	return lines
}

// cell returns a scalar of a named object.
func (f *function) cell(name string, t ir.Type, i int) string {
	for {
		switch u := t.(type) {
		case ir.Array:
			n := ir.Count(u.Elem)
			name, t, i = name+"["+strconv.Itoa(i/n)+"]", u.Elem, i%n
		case *ir.Record:
			k, first := u.At(i)
			name, t, i = name+"."+fieldName(u, k), u.Member(k), i-first
		default:
			return name
		}
	}
}

// own returns the name of a variable, or of the array behind a slice.
func (f *function) own(v *ir.Var) string {
	if name := f.names.arrays[v.Index]; name != "" {
		return name
	}
	return f.names.vars[v.Index]
}

// summed reports whether a checksum of a t sums anything up.
func summed(t ir.Type) bool {
	switch t := t.(type) {
	case ir.Pointer:
		return false
	case ir.Array:
		return summed(t.Elem)
	case *ir.Record:
		for i := range t.Fields {
			if summed(t.Member(i)) {
				return true
			}
			if t.Union {
				break
			}
		}
		return false
	}
	return true
}

// lastingPointers returns the lines of pointers for all variables with static lifetime.
func (f *function) lastingPointers() (lines []string) {
	for _, v := range f.fn.Vars {
		if v.Kind.Lasts() {
			lines = append(lines, f.pointers(v)...)
		}
	}
	return lines
}
