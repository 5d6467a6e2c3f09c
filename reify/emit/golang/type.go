package golang

import (
	"fmt"
	"slices"
	"strconv"

	"goreify/reify/ir"
)

// intName returns the type in Go. A bool is a byte that is 0 or 1; a bit-field has
// the smallest type that holds it.
func intName(t ir.Int) string {
	name := "int"
	if !t.Signed {
		name = "uint"
	}
	return name + strconv.Itoa(8*t.Bytes())
}

// typeName returns the type in Go.
func (f *function) typeName(t ir.Type) string {
	switch t := t.(type) {
	case ir.Int:
		return intName(t)
	case ir.Float:
		return "float" + strconv.Itoa(t.Bits)
	case ir.Pointer:
		return "*" + f.typeName(t.Elem)
	case ir.Array:
		return "[" + strconv.Itoa(t.Len) + "]" + f.typeName(t.Elem)
	case *ir.Record:
		for i, r := range f.fn.Types {
			if r == t {
				return f.names.records[i]
			}
		}
	}
	panic(fmt.Sprintf("emit/golang: type %v", t))
}

// fieldName returns the name of a member, with a letter before it so that it is not a
// keyword.
func fieldName(r *ir.Record, i int) string { return "m" + strconv.Itoa(i) + "_" + r.Fields[i].Name }

// literal appends the value of type t that the initial values from *at on form.
func (f *function) literal(text []byte, t ir.Type, init []ir.Expr, at *int) []byte {
	switch t := t.(type) {
	case ir.Int:
		e := init[*at]
		*at++
		return f.appendInitial(text, e)
	case ir.Float:
		e := init[*at]
		*at++
		return f.appendInitial(text, e)
	case ir.Pointer: // see pointers
		*at++
		return append(text, "nil"...)
	case ir.Array:
		text = append(append(text, f.typeName(t)...), '{')
		first := true
		for i := range t.Len {
			if n := ir.Count(t.Elem); f.unit.Style.Short && zeros(init[*at:*at+n]) {
				*at += n
				continue
			}
			if !first {
				text = append(text, ", "...)
			}
			first = false
			if f.unit.Style.Short && i > 0 && zeros(init[*at-ir.Count(t.Elem):*at]) {
				text = append(append(text, strconv.Itoa(i)...), ": "...)
			}
			text = f.literal(text, t.Elem, init, at)
		}
		return append(text, '}')
	case *ir.Record:
		text = append(append(text, f.typeName(t)...), '{')
		for i, field := range t.Fields {
			if i > 0 {
				text = append(text, ", "...)
			}
			text = append(append(text, fieldName(t, i)...), ": "...)
			text = f.literal(text, field.Type, init, at)
		}
		return append(text, '}')
	}
	panic(fmt.Sprintf("emit/golang: initial value of type %v", t))
}

// appendInitial appends an initial value, or 0 in place of one that is assigned later.
func (f *function) appendInitial(text []byte, e ir.Expr) []byte {
	c, ok := constantOf(e)
	if e == nil || !ok {
		return append(text, '0')
	}
	return append(text, c.T.Format(c.V)...)
}

// zeros tells whether initial values are those that a variable has without any.
func zeros(init []ir.Expr) bool {
	return !slices.ContainsFunc(init, func(e ir.Expr) bool {
		k, ok := e.(*ir.Const)
		return e != nil && (!ok || k.V != 0)
	})
}
