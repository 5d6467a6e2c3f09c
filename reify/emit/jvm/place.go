package jvm

import (
	"fmt"
	"strconv"
	"strings"

	"goreify/reify/ir"
)

// A column is a part of a variable that is one of Java's: a scalar, or an array of
// one type of scalars. Records are taken apart: a [3]struct{x i32, y [2]i64} has the
// columns int[3] and long[3][2].
type column struct {
	t      ir.Type // Int or Float
	dims   []int
	hidden bool // in a member of a union that is not its first

	in         room
	slot       int
	name       string // of the field
	descriptor string
	volatile   bool
	whole      bool // it holds a reference, or the index of a pointer, and is described
}

type room int

const (
	local room = iota
	field
)

// A shape is a type with the columns that its scalars are in.
type shape struct {
	t      ir.Type
	elem   *shape   // of an array
	fields []*shape // of a record
	col    *column  // of a scalar
}

// A variable is one of a function, with its columns. A variable that is an object has
// that object; a pointer has two columns, an object and an index.
type variable struct {
	v     *ir.Var
	shape *shape // nil if it is an object or a pointer
	cols  []*column
	boxed bool
}

// shapeOf adds the columns of a type.
func (x *variable) shapeOf(t ir.Type, dims []int, hidden bool) *shape {
	s := &shape{t: t}
	switch t := t.(type) {
	case ir.Int, ir.Float:
		s.col = &column{t: t, dims: dims, hidden: hidden}
		x.cols = append(x.cols, s.col)
	case ir.Array:
		s.elem = x.shapeOf(t.Elem, append(dims[:len(dims):len(dims)], t.Len), hidden)
	case *ir.Record:
		for i := range t.Fields {
			s.fields = append(s.fields, x.shapeOf(t.Member(i), dims, hidden || t.Union && i > 0))
		}
	default:
		panic(fmt.Sprintf("jvm: columns of %v", t))
	}
	return s
}

// cells calls do for each scalar, in the order of ir.Count, with its indices, which do
// may not keep.
func (s *shape) cells(indices []int, do func(c *column, indices []int)) {
	switch {
	case s.col != nil:
		do(s.col, indices)
	case s.elem != nil:
		for i := range s.t.(ir.Array).Len {
			s.elem.cells(append(indices, i), do)
		}
	default:
		for _, f := range s.fields {
			f.cells(indices, do)
		}
	}
}

// leaves calls do for each column.
func (s *shape) leaves(do func(c *column)) {
	switch {
	case s.col != nil:
		do(s.col)
	case s.elem != nil:
		s.elem.leaves(do)
	default:
		for _, f := range s.fields {
			f.leaves(do)
		}
	}
}

// kind returns the descriptor of a scalar on the operand stack.
func kind(t ir.Type) string {
	switch t := t.(type) {
	case ir.Int:
		if t.Bits > 32 {
			return "J"
		}
		return "I"
	case ir.Float:
		if t.Bits == 64 {
			return "D"
		}
		return "F"
	}
	panic(fmt.Sprintf("jvm: no scalar: %v", t))
}

// stored returns the descriptor of a scalar in a field or an array.
func stored(t ir.Type) string {
	n, ok := t.(ir.Int)
	switch {
	case !ok || n.Bits > 16:
		return kind(t)
	case n == ir.Bool:
		return "Z"
	case n.Bits <= 8:
		return "B"
	case n.Signed:
		return "S"
	}
	return "C"
}

// describe sets the descriptor of a column in a style.
func (c *column) describe(flat bool) {
	switch {
	case c.whole:
	case len(c.dims) == 0 && c.in == local:
		c.descriptor = kind(c.t)
	case len(c.dims) == 0:
		c.descriptor = stored(c.t)
	case flat:
		c.descriptor = "[" + stored(c.t)
	default:
		c.descriptor = strings.Repeat("[", len(c.dims)) + stored(c.t)
	}
}

func (c *column) length() int {
	n := 1
	for _, d := range c.dims {
		n *= d
	}
	return n
}

// place decides where variables are.
func (w *function) place() {
	next := 0
	if w.style.Instance {
		next = 1
		w.locals = append(w.locals, "L"+className+";")
	}
	w.vars = make([]variable, len(w.f.Vars))
	w.untyped = untyped(w.f)
	boxes := boxed(w.f)
	for i, v := range w.f.Vars {
		x := &w.vars[i]
		x.v, x.boxed = v, boxes[i]
		switch t := v.Type.(type) {
		case ir.Pointer:
			if !x.boxed {
				x.cols = []*column{{t: t, whole: true, descriptor: w.reference(t)}, {t: ir.I32, whole: true, descriptor: "I"}}
				break
			}
			x.cols = []*column{{t: t, whole: true, descriptor: objects}}
		default:
			if x.boxed {
				x.cols = []*column{{t: t, whole: true, descriptor: objectOf(t)}}
				break
			}
			x.shape = x.shapeOf(v.Type, nil, false)
		}
		for k, c := range x.cols {
			own := !v.Kind.Lasts() && w.calls // by each of the calls that have not ended
			inField := v.Kind.Lasts() || w.style.Scalars == InFields && !own
			if v.Volatile && w.style.Volatile && len(c.dims) == 0 && !own && !x.boxed {
				inField, c.volatile = true, true
			}
			if v.Kind == ir.Param {
				w.locals = w.append(w.locals, kind(c.t))
			}
			if inField {
				c.in = field
				c.name = w.f.Name + "$" + v.Name
				if len(x.cols) > 1 {
					c.name += "$" + strconv.Itoa(k)
				}
			}
			c.describe(w.style.Flat)
			switch {
			case c.in == field:
				w.m.field(c, w.style.Instance)
			case v.Kind == ir.Param:
				c.slot = next // unless it is an object
			default:
				c.slot = len(w.locals)
				w.locals = w.append(w.locals, c.descriptor)
			}
			if v.Kind == ir.Param {
				next = len(w.locals)
			}
		}
	}
	for i := range w.vars {
		if x := &w.vars[i]; x.boxed && x.v.Kind == ir.Param && x.cols[0].in == local {
			x.cols[0].slot = len(w.locals)
			w.locals = w.append(w.locals, x.cols[0].descriptor)
		}
	}
}

// append appends a local variable to the slots.
func (w *function) append(locals []string, descriptor string) []string {
	locals = append(locals, descriptor)
	if slots(descriptor) == 2 {
		locals = append(locals, "")
	}
	return locals
}

// this pushes the object of fields, if they belong to one.
func (w *function) this() {
	if w.style.Instance {
		w.c.load(0, "L"+className+";")
	}
}

// get pushes the contents of a column: a scalar or an array.
func (w *function) get(c *column) {
	switch {
	case c.in == local:
		w.c.load(c.slot, c.descriptor)
	case w.style.Instance:
		w.this()
		w.c.field(opGetfield, className, c.name, c.descriptor)
	default:
		w.c.field(opGetstatic, className, c.name, c.descriptor)
	}
	if len(c.dims) == 0 && c.in == field && !c.whole {
		w.widen(c.t)
	}
}

// set stores the value that value pushes in a column.
func (w *function) set(c *column, value func()) {
	if push := value; c.in == field && len(c.dims) == 0 && c.t == ir.U8 && !c.whole {
		value = func() {
			push()
			w.c.op(opI2b) // as javac does: a field of bytes is assigned a byte
		}
	}
	switch {
	case c.in == local:
		value()
		w.c.store(c.slot, c.descriptor)
	case w.style.Instance:
		w.this()
		value()
		w.c.field(opPutfield, className, c.name, c.descriptor)
	default:
		value()
		w.c.field(opPutstatic, className, c.name, c.descriptor)
	}
}

// widen turns the contents of a field or an array of bytes into a value of the column's
// type.
func (w *function) widen(t ir.Type) {
	if t == ir.U8 {
		w.c.int(0xff, opIand)
	}
}

// resolve returns the shape of a place, and the indices on the way to it.
func (w *function) resolve(p ir.Place) (*shape, []ir.Expr) {
	switch p := p.(type) {
	case *ir.VarRef:
		return w.vars[p.Var.Index].shape, nil
	case *ir.Elem:
		s, indices := w.resolve(p.Base)
		return s.elem, append(indices, p.Index)
	case *ir.Member:
		s, indices := w.resolve(p.Base)
		return s.fields[p.Field], indices
	}
	panic(fmt.Sprintf("jvm: unknown place %T", p))
}

// load pushes the value of a place that holds a scalar.
func (w *function) load(p ir.Place) {
	if w.inMemory(p) {
		w.loadObject(p)
		return
	}
	s, indices := w.resolve(p)
	c := s.col
	w.get(c)
	if len(c.dims) == 0 {
		return
	}
	w.reach(c, len(indices), func(i int) { w.index(c, indices[i]) }, constants(indices))
	w.c.element()
	w.widen(c.t)
}

// constants returns the values of indices if all are constants that are in bounds,
// else nil.
func constants(indices []ir.Expr) []int {
	var list []int
	for _, e := range indices {
		k, ok := e.(*ir.Const)
		if !ok || k.V < 0 || k.V > 1<<30 {
			return nil
		}
		list = append(list, int(k.V))
	}
	return list
}

// reach replaces the array of a column by the array and the index of one of its
// elements. known are the indices, if they are known.
func (w *function) reach(c *column, n int, index func(i int), known []int) {
	if strings.HasPrefix(c.descriptor, "[[") {
		for i := range n - 1 {
			index(i)
			w.c.element()
		}
		index(n - 1)
		return
	}
	if known != nil {
		at := 0
		for i, k := range known {
			at = at*c.dims[i] + k
		}
		w.c.int(int32(at))
		return
	}
	for i := range n {
		index(i)
		if i > 0 {
			w.c.op(opIadd)
		}
		if i < n-1 {
			w.c.int(int32(c.dims[i+1]), opImul)
		}
	}
}

// reachConstant is reach for constant indices.
func (w *function) reachConstant(c *column, indices []int) {
	w.reach(c, len(indices), func(i int) { w.c.int(int32(indices[i])) }, indices)
}

// index pushes an index into a column as an int. A value that an int cannot hold is out
// of bounds.
func (w *function) index(c *column, e ir.Expr) {
	if k, ok := e.(*ir.Const); ok {
		if k.V < 0 || k.V > 1<<30 {
			w.c.int(-1)
		} else {
			w.c.int(int32(k.V))
		}
		return
	}
	w.expr(e)
	if ir.IntOf(e).Bits <= 32 {
		return
	}
	if w.style.Flat && len(c.dims) > 1 {
		w.c.op(opL2i)
		return
	}
	w.c.invoke(opInvokestatic, className, w.m.helper(indexHelper), "(J)I")
}

// storeTo stores the value that value pushes in a place of a scalar. safe says that
// value cannot throw.
func (w *function) storeTo(p ir.Place, value func(), safe bool) {
	if w.inMemory(p) {
		w.storeObject(p, value, safe)
		return
	}
	s, indices := w.resolve(p)
	c := s.col
	if len(c.dims) == 0 {
		w.set(c, value)
		return
	}
	element := func() {
		w.get(c)
		w.reach(c, len(indices), func(i int) { w.index(c, indices[i]) }, constants(indices))
	}
	// Exceptions are thrown in order: the source first. The last index is found to be
	// out of bounds when all operands have been evaluated.
	if !safe && !(len(indices) == 1 && ir.Harmless(indices[0])) && !ir.Harmless(p) {
		k := kind(c.t)
		value()
		tmp := w.stash(k)
		element()
		w.c.load(tmp, k)
		w.release(tmp, k)
	} else {
		element()
		value()
	}
	w.c.setElement()
}
