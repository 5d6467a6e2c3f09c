package jvm

import "goreify/reify/ir"

// A union by which bits are cast is an unsigned integer of these bits; its members are
// read and stored by shifts and masks.

// A part is one of a union by which bits are cast: a member, or an element of one.
type part struct {
	union ir.Place
	bits  ir.Int     // type of the union's integer
	t     ir.Type    // of the scalar
	size  int        // its bits
	steps []*ir.Elem // from the member on
}

// castPart returns the part that a place of a scalar is, or false.
func castPart(p ir.Place) (part, bool) {
	found := part{}
	for {
		switch q := p.(type) {
		case *ir.Elem:
			found.steps = append([]*ir.Elem{q}, found.steps...)
			p = q.Base
			continue
		case *ir.Member:
			if r := q.Base.Type().(*ir.Record); r.Cast {
				found.union, found.bits = q.Base, ir.Int{Bits: r.Width()}
				found.t, _ = units(r.Fields[q.Field].Type)
				found.size = r.Fields[q.Field].ScalarBits()
				return found, true
			}
		}
		return part{}, false
	}
}

// locateCast pushes the object and the index of the union of a part. It returns a
// function that pushes the shift of the part, or nil for none, and a function to call
// in the end.
func (w *function) locateCast(p part) (shift, done func()) {
	c := w.c
	s := w.locate(p.union, later)
	constant, computed := 0, -1
	for _, e := range p.steps {
		a := e.Base.Type().(ir.Array)
		_, n := units(a.Elem)
		if k, ok := e.Index.(*ir.Const); ok && k.V >= 0 && k.V < int64(a.Len) {
			constant += int(k.V) * n * p.size
			continue
		}
		if s.bare && (!w.style.Flat || !ir.Harmless(e.Index)) {
			w.nonNull(s)
			s.bare = false
		}
		w.bounded(e.Index, a.Len, !w.style.Flat, true)
		w.times(n * p.size)
		if computed < 0 {
			computed = w.temp("I")
		} else {
			c.load(computed, "I", opIadd)
		}
		c.store(computed, "I")
	}
	w.whole(s)
	switch {
	case computed >= 0:
		return func() {
			c.load(computed, "I")
			if constant > 0 {
				c.int(int32(constant), opIadd)
			}
		}, func() { w.release(computed, "I") }
	case constant > 0:
		return func() { c.int(int32(constant)) }, func() {}
	}
	return nil, func() {}
}

// loadCast pushes a part of a union.
func (w *function) loadCast(p part) {
	c := w.c
	shift, done := w.locateCast(p)
	c.element()
	w.widenObject(p.bits)
	k := kind(p.bits)
	if shift != nil {
		shift()
		c.op(of(k, opIushr))
	}
	done()
	f, ok := p.t.(ir.Float)
	if !ok {
		w.convert(p.bits, p.t.(ir.Int))
		return
	}
	if f.Bits == 64 {
		w.m.invokeStatic(c, "java/lang/Double", "longBitsToDouble", "(J)D")
		return
	}
	if k == "J" {
		c.op(opL2i)
	}
	w.m.invokeStatic(c, "java/lang/Float", "intBitsToFloat", "(I)F")
}

// toBits turns a scalar of a type into its bits as an integer, unless it is one.
func (w *function) toBits(from, to ir.Type) {
	f, ok := from.(ir.Float)
	if _, integer := to.(ir.Int); !ok || !integer {
		return
	}
	if f.Bits == 64 {
		w.m.invokeStatic(w.c, "java/lang/Double", "doubleToRawLongBits", "(D)J")
	} else {
		w.m.invokeStatic(w.c, "java/lang/Float", "floatToRawIntBits", "(F)I")
	}
}

// storeCast stores the value that value pushes in a part of a union, whose other bits
// stay.
func (w *function) storeCast(p part, value func()) {
	c := w.c
	k := kind(p.bits)
	own := ir.Int{Bits: p.size} // the bits that are stored
	shift, done := w.locateCast(p)
	if p.size < p.bits.Bits {
		h := w.hold()
		w.pushObject(h)
		w.pushIndex(h)
		w.pushObject(h)
		w.pushIndex(h)
		w.unhold(h)
		c.element()
		w.widenObject(p.bits)
		c.number(k, int64(1)<<p.size-1)
		if shift != nil {
			shift()
			c.op(of(k, opIshl))
		}
		c.number(k, -1, opIxor, opIand)
	}
	value()
	if t, ok := p.t.(ir.Int); ok {
		w.convert(t, own)
	} else {
		w.toBits(p.t, own)
	}
	if k == "J" && kind(own) == "I" {
		w.extend(own)
	}
	if p.size < p.bits.Bits {
		if shift != nil {
			shift()
			c.op(of(k, opIshl))
		}
		c.op(of(k, opIor))
	}
	done()
	c.setElement()
}
