package jvm

import (
	"fmt"
	"slices"

	"goreify/reify/emit/frame"
	"goreify/reify/ir"
)

// Some variables are Java objects: those whose address is taken, types that
// contain pointers or unions by which bits are cast, and records that are
// copied from or to such variables. The object of scalars, or of arrays of
// them in any dimensions, is one array. The object of records is an Object[] of the
// objects of their members, each for all records. The object of pointers is an Object[]
// of two, an array of references and one of indices: a pointer is an object, and an
// index into it, counted in scalars, records or pointers. Thus a pointer to a member of
// an element is one to an element of an array, too, and pointers that are equal in C
// have the same object and index. Null is null and 0. All other variables stay in
// columns, see place.go.

const objects = "[" + objectType

// units returns the type that the indices of an object count, and how many of these are
// in a type: for a union by which bits are cast, the bits.
func units(t ir.Type) (inner ir.Type, n int) {
	n = 1
	for {
		switch u := t.(type) {
		case *ir.Record:
			if u.Cast {
				return ir.Int{Bits: u.Width()}, n
			}
			return t, n
		case ir.Array:
			n, t = n*u.Len, u.Elem
		default:
			return t, n
		}
	}
}

// objectOf returns the descriptor of the object of a type.
func objectOf(t ir.Type) string {
	switch t, _ := units(t); t := t.(type) {
	case ir.Int:
		if t == ir.U16 {
			return "[S" // it may be read as an i16
		}
		return "[" + stored(t)
	case ir.Float:
		return "[" + stored(t)
	}
	return objects
}

// reference returns the descriptor of the objects that pointers of a type point into.
func (w *function) reference(t ir.Pointer) string {
	if w.untyped {
		return objectType
	}
	return objectOf(t.Elem)
}

// boxed returns which variables are objects, by Var.Index.
func boxed(f *ir.Function) []bool {
	box := make([]bool, len(f.Vars))
	inMemory := func(p ir.Place) bool {
		v := ir.Root(p)
		return v == nil || box[v.Index]
	}
	put := func(p ir.Place) {
		if v := ir.Root(p); v != nil {
			box[v.Index] = true
		}
	}
	var copies [][2]ir.Place
	var look func(n ir.Node) bool
	look = func(n ir.Node) bool {
		switch n := n.(type) {
		case *ir.AddrOf:
			put(n.Place)
		case *ir.Assign:
			from, ok := copied(n)
			if !ok {
				break
			}
			copies = append(copies, [2]ir.Place{n.Dst, from})
			if ir.Any(n, frame.IsCall) { // indices are to be evaluated once
				put(n.Dst)
			}
		}
		return ir.Parts(n, look)
	}
	for _, v := range f.Vars {
		pointers, others := holds(v.Type)
		_, alone := v.Type.(ir.Pointer)
		box[v.Index] = box[v.Index] || others || pointers && !alone
		for _, p := range v.Ptrs {
			look(p)
		}
	}
	for n := range f.Nodes() {
		look(n)
	}
	for again := true; again; {
		again = false
		for _, c := range copies {
			if inMemory(c[0]) != inMemory(c[1]) {
				put(c[0])
				put(c[1])
				again = true
			}
		}
	}
	return box
}

// holds reports whether a t contains pointers, and unions by which bits are cast.
func holds(t ir.Type) (pointers, others bool) {
	switch t := t.(type) {
	case ir.Pointer:
		return true, false
	case ir.Array:
		return holds(t.Elem)
	case *ir.Record:
		others = t.Cast
		for _, f := range t.Fields {
			p, o := holds(f.Type)
			pointers, others = pointers || p, others || o
		}
	}
	return pointers, others
}

// untyped reports whether pointers of f are cast to types that point into other
// objects: then references are Objects.
func untyped(f *ir.Function) bool {
	other := func(n ir.Node) bool {
		c, ok := n.(*ir.Cast)
		if !ok {
			return false
		}
		t, ok := c.T.(ir.Pointer)
		return ok && objectOf(t.Elem) != objectOf(ir.TypeOf[ir.Pointer](c.X).Elem)
	}
	for n := range f.Nodes() {
		if ir.Any(n, other) {
			return true
		}
	}
	return slices.ContainsFunc(f.Vars, func(v *ir.Var) bool {
		return slices.ContainsFunc(v.Ptrs, func(p ir.Expr) bool { return ir.Any(p, other) })
	})
}

// build pushes a new object of n values of a type, which are zero or null.
func (w *function) build(t ir.Type, n int) {
	c := w.c
	inner, k := units(t)
	n *= k
	switch u := inner.(type) {
	case ir.Pointer:
		w.list(2, func(i int) {
			c.int(int32(n))
			if i == 0 {
				c.newArray("["+w.reference(u), 1)
			} else {
				c.newArray("[I", 1)
			}
		})
	case *ir.Record:
		w.list(len(u.Fields), func(i int) { w.build(u.Member(i), n) })
	default:
		c.int(int32(n))
		c.newArray(objectOf(inner), 1)
	}
}

// list pushes a new Object[] of the given number of elements, which push pushes.
func (w *function) list(n int, push func(i int)) {
	c := w.c
	c.int(int32(n))
	c.newArray(objects, 1)
	for i := range n {
		c.dup()
		c.int(int32(i))
		push(i)
		c.setElement()
	}
}

// member replaces an Object[] by one of its elements, which is an object of a kind.
func (w *function) member(i int, descriptor string) {
	w.c.int(int32(i))
	w.c.element()
	w.c.cast(descriptor)
}

// cell replaces the object of a t by that of scalar i of t, and returns its index and
// its type.
func (w *function) cell(t ir.Type, i int) (index int, scalar ir.Type) {
	for {
		inner, k := units(t)
		per := ir.Count(t) / k
		index, i = index*k+i/per, i%per
		r, ok := inner.(*ir.Record)
		if !ok {
			return index, inner
		}
		f, first := r.At(i)
		t, i = r.Member(f), i-first
		w.member(f, objectOf(t))
	}
}

// hidden reports whether scalar i of a t is a pointer, or in a member of a union that
// is not its first: no checksum has it.
func hidden(t ir.Type, i int) bool {
	for {
		inner, k := units(t)
		i %= ir.Count(t) / k
		r, ok := inner.(*ir.Record)
		if !ok {
			_, pointer := inner.(ir.Pointer)
			return pointer || i > 0
		}
		f, first := r.At(i)
		if r.Union && f > 0 {
			return true
		}
		t, i = r.Member(f), i-first
	}
}

// initialiseObject makes the object of a variable, and gives it the initial values that are
// constants.
func (w *function) initialiseObject(x *variable) {
	c := w.c
	w.set(x.cols[0], func() {
		w.build(x.v.Type, 1)
		for i, e := range x.v.Init {
			k, ok := e.(*ir.Const)
			if !ok || k.V == 0 {
				continue
			}
			c.dup()
			at, t := w.cell(x.v.Type, i)
			c.int(int32(at))
			w.initialScalar(ir.Cell(x.v.Type, i), k)
			w.toBits(ir.Cell(x.v.Type, i), t)
			c.setElement()
		}
	})
}

// inMemory reports whether a place is in an object.
func (w *function) inMemory(p ir.Place) bool {
	v := ir.Root(p)
	return v == nil || w.vars[v.Index].boxed
}

// A spot is a place in the object on the stack.
type spot struct {
	t      ir.Type
	pushed bool // a part of the index is on the stack, too
	add    int  // the rest of the index
	bare   bool // the object may be null
}

// A usage is the use of a place.
type usage int

const (
	atOnce usage = iota // an access follows
	later               // indices are to be checked now
	address
)

// locate pushes the object that contains a place, and a part of the index.
func (w *function) locate(p ir.Place, how usage) spot {
	c := w.c
	switch p := p.(type) {
	case *ir.VarRef:
		w.get(w.vars[p.Var.Index].cols[0])
		return spot{t: p.Var.Type}
	case *ir.Elem:
		s := w.locate(p.Base, later)
		t := s.t.(ir.Array)
		n := t.Len
		s.t = t.Elem
		_, size := units(s.t)
		k, ok := p.Index.(*ir.Const)
		constant := ok && k.V >= 0 && (k.V < int64(n) || k.V == int64(n) && how == address)
		// The object is checked for null before the index is evaluated and checked, or
		// not at all without an access.
		if s.bare && (how == address || !constant && (!w.style.Flat || !ir.Harmless(p.Index))) {
			w.nonNull(s)
			s.bare = false
		}
		if constant {
			s.add += int(k.V) * size
			return s
		}
		// Java checks the index of an array of scalars that is not part of another
		// object.
		_, alone := p.Base.(*ir.VarRef)
		_, record := s.t.(*ir.Record)
		w.bounded(p.Index, n, !w.style.Flat && how != address && !w.rolled(p.Index), how == later || !alone || size > 1 || record)
		w.times(size)
		if s.pushed {
			c.op(opIadd)
		}
		s.pushed = true
		return s
	case *ir.Member:
		s := w.locate(p.Base, later)
		t := s.t.(*ir.Record).Member(p.Field)
		_, size := units(t)
		if s.pushed {
			c.swap()
		}
		w.member(p.Field, objectOf(t))
		if s.pushed {
			c.swap()
			w.times(size)
		}
		return spot{t: t, pushed: s.pushed, add: s.add * size}
	case *ir.Deref:
		if a, ok := p.X.(*ir.AddrOf); ok {
			return w.locate(a.Place, how)
		}
		w.pointee(p.X)
		return spot{t: p.Type(), pushed: true, bare: true}
	}
	panic(fmt.Sprintf("jvm: unknown place %T", p))
}

// bounded pushes an index as an int. If the index is to be checked at all, a value that
// an int cannot hold is out of bounds. If it is to be checked now, so is a value not
// below a length.
func (w *function) bounded(e ir.Expr, length int, checked, now bool) {
	c := w.c
	w.expr(e)
	if ir.IntOf(e).Bits > 32 {
		if checked {
			c.invoke(opInvokestatic, className, w.m.helper(indexHelper), "(J)I")
		} else {
			c.op(opL2i)
		}
	}
	if checked && now {
		c.int(int32(length))
		c.invoke(opInvokestatic, className, w.m.helper(boundHelper), "(II)I")
	}
}

// nonNull throws if the object of a spot is null.
func (w *function) nonNull(s spot) {
	if s.pushed {
		w.c.swap()
	}
	w.c.dup()
	w.c.op(opArraylength)
	w.c.drop()
	if s.pushed {
		w.c.swap()
	}
}

// times multiplies an index.
func (w *function) times(n int) {
	if n != 1 {
		w.c.int(int32(n), opImul)
	}
}

// at pushes the object that a place is in, and the index.
func (w *function) at(p ir.Place, how usage) {
	w.whole(w.locate(p, how))
}

// whole pushes the missing part of the index of a spot.
func (w *function) whole(s spot) {
	switch {
	case !s.pushed:
		w.c.int(int32(s.add))
	case s.add != 0:
		w.c.int(int32(s.add), opIadd)
	}
}

// loadObject pushes the scalar of a place, which is in an object.
func (w *function) loadObject(p ir.Place) {
	if part, ok := castPart(p); ok {
		w.loadCast(part)
		return
	}
	w.at(p, atOnce)
	w.c.element()
	w.widenObject(p.Type())
}

// widenObject is widen for what an object holds.
func (w *function) widenObject(t ir.Type) {
	if t == ir.U16 {
		w.c.op(opI2c)
		return
	}
	w.widen(t)
}

// A held is an object and an index in temporary variables. An index that is zero need
// not be in a variable: then the number of the variable is negative.
type held struct {
	descriptor    string
	object, index int
}

// hold stores the object and the index on the stack.
func (w *function) hold() held {
	top := len(w.c.stack)
	h := held{descriptor: w.c.stack[top-2]}
	h.object = w.temp(h.descriptor)
	h.index = w.temp("I")
	w.c.store(h.index, "I")
	w.c.store(h.object, h.descriptor)
	return h
}

func (w *function) unhold(h held) {
	if h.index >= 0 {
		w.release(h.index, "I")
	}
	w.release(h.object, h.descriptor)
}

// pushObject and pushIndex push what is held.
func (w *function) pushObject(h held) { w.c.load(h.object, h.descriptor) }
func (w *function) pushIndex(h held)  { w.c.load(h.index, "I") }

// storeObject stores what value pushes in a place that is in an object and holds a scalar;
// see storeTo.
func (w *function) storeObject(p ir.Place, value func(), safe bool) {
	c := w.c
	store := func(value func()) {
		if part, ok := castPart(p); ok {
			w.storeCast(part, value)
			return
		}
		w.at(p, atOnce)
		value()
		c.setElement()
	}
	if safe || ir.Harmless(p) {
		store(value)
		return
	}
	k := kind(p.Type())
	value()
	tmp := w.stash(k)
	store(func() { c.load(tmp, k) })
	w.release(tmp, k)
}

// checksumObject adds the scalars of a variable that is an object to the checksum on the
// stack.
func (w *function) checksumObject(x *variable) {
	c := w.c
	t := x.v.Type
	inner, _ := units(t)
	switch inner.(type) {
	case ir.Int, ir.Float:
		w.get(x.cols[0])
		c.int(int32(bytes(inner)))
		array := objectOf(t)
		c.invoke(opInvokestatic, className, w.m.helper(sumHelper+array[1:]), "(I"+array+"I)I")
		return
	}
	for i := range ir.Count(t) {
		if hidden(t, i) {
			continue
		}
		w.get(x.cols[0])
		at, scalar := w.cell(t, i)
		c.int(int32(at))
		c.element()
		w.sumScalar(scalar)
	}
}
