package jvm

import (
	"fmt"
	"slices"

	"goreify/reify/ir"
)

// pointer pushes a pointer: an object, and an index.
func (w *function) pointer(e ir.Expr) {
	c := w.c
	switch e := e.(type) {
	case *ir.AddrOf:
		w.at(e.Place, address)
	case *ir.Load:
		if !w.inMemory(e.Place) {
			for _, col := range w.vars[ir.Root(e.Place).Index].cols {
				w.get(col)
			}
			break
		}
		w.at(e.Place, atOnce)
		h := w.hold()
		for i, descriptor := range []string{"[" + w.reference(ir.TypeOf[ir.Pointer](e)), "[I"} {
			w.pushObject(h)
			w.member(i, descriptor)
			w.pushIndex(h)
			c.element()
		}
		w.unhold(h)
	case *ir.Null:
		w.null(w.reference(e.T))
		c.int(0)
	case *ir.PtrAdd:
		w.pointer(e.X)
		_, size := units(ir.TypeOf[ir.Pointer](e).Elem)
		if k, ok := e.Index.(*ir.Const); ok {
			c.int(int32(k.V) * int32(size))
		} else {
			w.number(e.Index)
			w.times(size)
		}
		c.op(opIadd)
	case *ir.Cast:
		w.pointer(e.X)
	case *ir.Select:
		w.choice(e, w.pointer)
	default:
		panic(fmt.Sprintf("jvm: unknown pointer %T", e))
	}
	// The reference has one kind, whatever its origin.
	top := len(c.stack)
	c.stack[top-2] = w.reference(ir.TypeOf[ir.Pointer](e))
}

// pointee pushes a pointer that is to be followed.
func (w *function) pointee(e ir.Expr) {
	w.pointer(e)
	if w.untyped {
		w.c.swap()
		w.c.cast(objectOf(ir.TypeOf[ir.Pointer](e).Elem))
		w.c.swap()
	}
}

// storePointer stores the pointer on the stack in a place.
func (w *function) storePointer(p ir.Place) {
	src := w.hold()
	if !w.inMemory(p) {
		cols := w.vars[ir.Root(p).Index].cols
		w.set(cols[0], func() { w.pushObject(src) })
		w.set(cols[1], func() { w.pushIndex(src) })
		w.unhold(src)
		return
	}
	w.at(p, later)
	dst := w.hold()
	w.storePair(src, dst)
	w.unhold(dst)
	w.unhold(src)
}

// storePair stores the pointer that is held in an object of pointers.
func (w *function) storePair(src, dst held) {
	w.pushObject(dst)
	w.member(0, "["+src.descriptor)
	w.pushIndex(dst)
	w.pushObject(src)
	w.c.setElement()
	w.pushObject(dst)
	w.member(1, "[I")
	w.pushIndex(dst)
	w.pushIndex(src)
	w.c.setElement()
}

// addresses stores the initial addresses of a variable.
func (w *function) addresses(x *variable) {
	for i, p := range x.v.Ptrs {
		if p == nil {
			continue
		}
		w.pointer(p)
		if !x.boxed {
			w.storePointer(&ir.VarRef{Var: x.v})
			continue
		}
		src := w.hold()
		w.get(x.cols[0])
		at, _ := w.cell(x.v.Type, i)
		w.c.int(int32(at))
		dst := w.hold()
		w.storePair(src, dst)
		w.unhold(dst)
		w.unhold(src)
	}
}

// comparePointers goes to a label if x op y.
func (w *function) comparePointers(op ir.Op, x, y ir.Expr, to int) {
	c := w.c
	equality := op == ir.Eq || op == ir.Ne
	other := x
	_, null := y.(*ir.Null)
	if _, ok := x.(*ir.Null); ok {
		other, null = y, true
	}
	if null && equality {
		w.pointer(other)
		c.drop()
		if op == ir.Eq {
			c.jump(opIfnull, to)
		} else {
			c.jump(opIfnonnull, to)
		}
		return
	}
	w.pointer(x)
	left := w.hold()
	w.pointer(y)
	right := w.hold()
	differ := c.label()
	if !equality {
		objects := split(w.f, ir.TypeOf[ir.Pointer](x))
		w.rank(left, objects)
		w.rank(right, objects)
	} else {
		w.pushObject(left)
		w.pushObject(right)
		if op == ir.Eq {
			c.jump(opIfAcmpne, differ)
		} else {
			c.jump(opIfAcmpne, to)
		}
		w.pushIndex(left)
		w.pushIndex(right)
	}
	c.jump(opIfIcmpeq+conditions[op], to)
	c.place(differ)
	w.unhold(right)
	w.unhold(left)
}

// distance pushes how many elements there are between two pointers.
func (w *function) distance(e *ir.Binary) {
	c := w.c
	w.pointer(e.X)
	w.pointer(e.Y)
	i := w.stash("I")
	c.drop()
	c.load(i, "I", opIsub)
	c.swap()
	c.drop()
	if _, size := units(ir.TypeOf[ir.Pointer](e.X).Elem); size > 1 {
		c.int(int32(size), opIdiv)
	}
	c.op(opI2l)
	w.release(i, "I")
}

// A route leads to one of the objects of a variable: levels of the counts there, from
// the variable on.
type route []level

// A level is a number of records in each of those of the level above, or in an element
// of the object. It also has the number of scalars of a record, and the member of the
// record above that contains them.
type level struct{ n, scalars, member, offset int }

// routes returns those to objects of a t that pointers may point into which point into
// such as have a descriptor, or of a record.
func routes(t, to ir.Type) (list []route) {
	inner, n := units(t)
	top := level{n: n, scalars: ir.Count(t) / n}
	if inner == to || objectOf(inner) != objects && objectOf(inner) == objectOf(to) {
		return []route{{top}}
	}
	r, ok := inner.(*ir.Record)
	if !ok {
		return nil
	}
	for i, f := range r.Fields {
		if f.Bits > 0 {
			continue
		}
		for _, below := range routes(f.Type, to) {
			below[0].member, below[0].offset = i, r.Offset(i)
			list = append(list, append(route{top}, below...))
		}
	}
	return list
}

// split returns the variables of a function that have several objects which pointers of
// a type may point into, with the routes to them.
func split(f *ir.Function, to ir.Pointer) map[*ir.Var][]route {
	inner, _ := units(to.Elem)
	found := map[*ir.Var][]route{}
	box := boxed(f)
	for _, v := range f.Vars {
		if list := routes(v.Type, inner); len(list) > 1 && box[v.Index] {
			found[v] = list
		}
	}
	return found
}

// rank pushes a number that orders pointers by their order in a variable. If the
// variable is one object, their indices do so.
func (w *function) rank(h held, list map[*ir.Var][]route) {
	c := w.c
	end := c.label()
	for _, v := range w.f.Vars {
		for _, r := range list[v] {
			next := c.label()
			w.get(w.vars[v.Index].cols[0])
			t := v.Type
			for _, l := range r[1:] {
				inner, _ := units(t)
				t = inner.(*ir.Record).Member(l.member)
				w.member(l.member, objectOf(t))
			}
			w.pushObject(h)
			c.jump(opIfAcmpne, next)
			offset, per := 0, 1
			for _, l := range r {
				offset += l.offset
			}
			c.int(int32(offset))
			for k, l := range slices.Backward(r) {
				w.pushIndex(h)
				c.int(int32(per), opIdiv)
				if k > 0 { // the place behind the last object is not the first of another one
					c.int(int32(l.n), opIrem)
				}
				per *= l.n
				w.times(l.scalars)
				c.op(opIadd)
			}
			c.jump(opGoto, end)
			c.place(next)
		}
	}
	w.pushIndex(h)
	c.place(end)
}
