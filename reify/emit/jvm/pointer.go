package jvm

import (
	"fmt"

	"goreify/reify/ir"
)

// pointer pushes a pointer: an object, and an index.
func (w *function) pointer(e ir.PtrExpr) {
	c := w.c
	switch e := e.(type) {
	case *ir.AddrOf:
		w.at(e.Place, address)
	case *ir.LoadPtr:
		if !w.inMemory(e.Place) {
			for _, col := range w.vars[ir.Root(e.Place).Index].cols {
				w.get(col)
			}
			break
		}
		w.at(e.Place, atOnce)
		h := w.hold()
		for i, descriptor := range []string{"[" + w.reference(e.Type()), "[I"} {
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
		_, size := units(e.Type().Elem)
		if k, ok := e.Index.(*ir.Const); ok {
			c.int(int32(k.V) * int32(size))
		} else {
			w.number(e.Index)
			w.times(size)
		}
		c.op(opIadd)
	case *ir.PtrCast:
		w.pointer(e.X)
	case *ir.PtrSelect:
		other, end := c.label(), c.label()
		w.cond(e.If, other, false)
		w.pointer(e.X)
		c.jump(opGoto, end)
		c.place(other)
		w.pointer(e.Y)
		c.place(end)
	default:
		panic(fmt.Sprintf("jvm: unknown pointer %T", e))
	}
	// Wherever it comes from, it is of one kind.
	top := len(c.stack)
	c.stack[top-2] = w.reference(e.Type())
}

// assignPtr stores a pointer.
func (w *function) assignPtr(s *ir.AssignPtr) {
	w.pointer(s.Src)
	w.storePointer(s.Dst)
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

// addresses stores the addresses that a variable has at first.
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

// comparePointers goes to a label if e is not zero, or with when false if it is.
func (w *function) comparePointers(e *ir.PtrCompare, to int, when bool) {
	c := w.c
	op := e.Op
	if !when {
		op = op.Negated()
	}
	equality := op == ir.Eq || op == ir.Ne
	x := e.X
	_, null := e.Y.(*ir.Null)
	if _, ok := x.(*ir.Null); ok {
		x, null = e.Y, true
	}
	if null && equality {
		w.pointer(x)
		c.drop()
		if op == ir.Eq {
			c.jump(opIfnull, to)
		} else {
			c.jump(opIfnonnull, to)
		}
		return
	}
	w.pointer(e.X)
	h := w.hold()
	w.pointer(e.Y)
	i := w.temp("I")
	c.store(i, "I")
	skip := c.label()
	if equality {
		w.pushObject(h)
		if op == ir.Eq {
			c.jump(opIfAcmpne, skip)
		} else {
			c.jump(opIfAcmpne, to)
		}
	} else {
		c.drop()
	}
	w.pushIndex(h)
	c.load(i, "I")
	c.jump(opIfIcmpeq+conditions[op], to)
	c.place(skip)
	w.release(i, "I")
	w.unhold(h)
}

// distance pushes how many elements there are between two pointers.
func (w *function) distance(e *ir.PtrDiff) {
	c := w.c
	w.pointer(e.X)
	w.pointer(e.Y)
	i := w.temp("I")
	c.store(i, "I")
	c.drop()
	c.load(i, "I")
	c.op(opIsub)
	c.swap()
	c.drop()
	if _, size := units(e.X.Type().Elem); size > 1 {
		c.int(int32(size))
		c.op(opIdiv)
	}
	c.op(opI2l)
	w.release(i, "I")
}
