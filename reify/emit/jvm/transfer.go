package jvm

import "goreify/reify/ir"

const (
	arraysClass = "java/util/Arrays"
	systemClass = "java/lang/System"
)

// A span is values of a type in an object: index pushes where they begin, counted in
// units, of which a value has the given number.
type span struct {
	object func()
	index  func(size int)
}

func (w *function) span(h held) span {
	return span{func() { w.pushObject(h) }, func(size int) { w.pushIndex(h); w.times(size) }}
}

// parts calls do for the arrays that contain values of a type, with the number of their
// elements in a value.
func (w *function) parts(t ir.Type, size int, list []span, do func(t ir.Type, size int, list []span)) {
	inner, k := units(t)
	size *= k
	members := func(i int, descriptor string) (m []span) {
		for _, s := range list {
			m = append(m, span{func() { s.object(); w.member(i, descriptor) }, s.index})
		}
		return m
	}
	switch u := inner.(type) {
	case *ir.Record:
		for i := range u.Fields {
			w.parts(u.Member(i), size, members(i, objectOf(u.Member(i))), do)
		}
	case ir.Pointer:
		for i, descriptor := range []string{"[" + w.reference(u), "[I"} {
			do(u, size, members(i, descriptor))
		}
	default:
		do(inner, size, list)
	}
}

// copyObject copies a record from one place in an object to another.
func (w *function) copyObject(to, from ir.Place) {
	c := w.c
	w.at(from, later)
	src := w.hold()
	w.checked(from, src)
	w.at(to, later)
	dst := w.hold()
	w.checked(to, dst)
	const few = 4
	w.parts(to.Type(), 1, []span{w.span(src), w.span(dst)}, func(t ir.Type, n int, list []span) {
		from, to := list[0], list[1]
		if n > few {
			w.arraycopy(from, to, n, func() { c.int(int32(n)) })
			return
		}
		for i := range n {
			for k, s := range []span{to, from} {
				s.object()
				s.index(n)
				if i > 0 {
					c.int(int32(i), opIadd)
				}
				if k == 1 {
					c.element()
				}
			}
			c.setElement()
		}
	})
	w.unhold(dst)
	w.unhold(src)
}

// checked throws if the held object of a place is null, which a pointer may lead to.
func (w *function) checked(p ir.Place, h held) {
	if !ir.Harmless(p) {
		w.pushObject(h)
		w.c.op(opArraylength)
		w.c.drop()
	}
}

// arraycopy copies elements.
func (w *function) arraycopy(from, to span, size int, count func()) {
	for _, s := range []span{from, to} {
		s.object()
		s.index(size)
	}
	count()
	w.m.invokeStatic(w.c, systemClass, "arraycopy", "("+objectType+"I"+objectType+"II)V")
}

// transfer writes memcpy or memmove.
func (w *function) transfer(s *ir.Transfer) {
	w.pointee(s.Dst)
	dst := w.hold()
	w.pointee(s.Src)
	src := w.hold()
	n := w.temp("I")
	w.number(s.N)
	w.c.store(n, "I")
	w.elements(s.Dst, []held{src, dst}, func(_ ir.Type, size int, list []span) {
		w.arraycopy(list[0], list[1], size, func() { w.c.load(n, "I"); w.times(size) })
	})
	w.release(n, "I")
	w.unhold(src)
	w.unhold(dst)
}

// elements is parts for the targets of pointers, whose indices are counted in units.
func (w *function) elements(p ir.Expr, list []held, do func(t ir.Type, size int, list []span)) {
	inner, k := units(ir.TypeOf[ir.Pointer](p).Elem)
	var spans []span
	for _, h := range list {
		spans = append(spans, w.span(h))
	}
	w.parts(inner, 1, spans, func(t ir.Type, size int, list []span) {
		var counted []span
		for _, s := range list {
			counted = append(counted, span{s.object, func(n int) { s.index(n / k) }})
		}
		do(t, size*k, counted)
	})
}

// fill writes memset.
func (w *function) fill(s *ir.Fill) {
	c := w.c
	w.pointee(s.Dst)
	dst := w.hold()
	b := w.temp("I")
	w.number(s.Byte)
	c.int(0xff, opIand)
	c.store(b, "I")
	n := w.temp("I")
	w.number(s.N)
	c.store(n, "I")
	w.elements(s.Dst, []held{dst}, func(t ir.Type, size int, list []span) {
		list[0].object()
		list[0].index(size)
		list[0].index(size)
		c.load(n, "I")
		w.times(size)
		c.op(opIadd)
		w.filled(t, b)
		w.m.invokeStatic(c, arraysClass, "fill", "("+objectOf(t)+"II"+objectOf(t)[1:]+")V")
	})
	w.release(n, "I")
	w.release(b, "I")
	w.unhold(dst)
}

// filled pushes the scalar of which each byte is that in a local variable.
func (w *function) filled(t ir.Type, b int) {
	c := w.c
	i, ok := t.(ir.Int)
	switch {
	case !ok: // of zeros
		c.float(kind(t), 0)
	case i == ir.Bool: // or a bit-field of one bit
		c.load(b, "I")
		c.int(1, opIand)
	case !i.Standard(): // a bit-field of zeros or ones
		c.load(b, "I")
		c.int(1, opIand, opIneg)
		if kind(i) == "J" {
			c.op(opI2l)
			w.narrowLong(i)
		} else {
			w.narrow(i)
		}
	case kind(i) == "J":
		c.load(b, "I", opI2l)
		c.long(0x0101010101010101, opLmul)
	default:
		c.load(b, "I")
		c.int(0x01010101, opImul)
		switch objectOf(i) {
		case "[B":
			c.op(opI2b)
		case "[S":
			c.op(opI2s)
		}
	}
}
