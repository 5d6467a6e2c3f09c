package wasm

import (
	"fmt"

	"goreify/reify/ir"
)

// scaled pushes an index times the size of an element.
func (w *function) scaled(index ir.Expr, elem ir.Type) {
	c := &w.code
	w.expr(index)
	w.wrap(ir.IntOf(index))
	n, _ := w.m.size(elem)
	switch {
	case n == 1:
	case n&(n-1) == 0:
		shift := 0
		for n > 1<<shift {
			shift++
		}
		c.i32(int64(shift), opShl)
	default:
		c.i32(int64(n), opMul)
	}
}

// address pushes a part of the address of a place in memory, and returns the rest as an
// offset.
func (w *function) address(p ir.Place) uint32 {
	off, pushed := w.partly(p)
	if !pushed {
		w.code.i32(0)
	}
	return w.added(off)
}

// partly is address for a place of which nothing need be pushed.
func (w *function) partly(p ir.Place) (off uint32, pushed bool) {
	switch p := p.(type) {
	case *ir.VarRef:
		s := &w.slots[p.Var.Index]
		switch s.in {
		case fixed:
			return s.at, false
		case framed:
			w.code.at(opLocalGet, w.fp)
			return s.at, true
		}
		panic(fmt.Sprintf("wasm: %s has no address", p.Var.Name))
	case *ir.Elem:
		off, pushed = w.partly(p.Base)
		elem := p.Type()
		if k, ok := p.Index.(*ir.Const); ok {
			n, _ := w.m.size(elem)
			return off + uint32(k.V)*n, pushed
		}
		w.scaled(p.Index, elem)
		if pushed {
			w.code.op(opAdd)
		}
		return off, true
	case *ir.Member:
		off, pushed = w.partly(p.Base)
		return off + w.m.record(p.Base.Type().(*ir.Record)).fields[p.Field].offset, pushed
	case *ir.Deref:
		w.expr(p.X)
		return 0, true
	}
	panic(fmt.Sprintf("wasm: unknown place %T", p))
}

// bitField returns the bit-field that p is, or false.
func (w *function) bitField(p ir.Place) (spot, bool) {
	if m, ok := p.(*ir.Member); ok {
		s := w.m.record(m.Base.Type().(*ir.Record)).fields[m.Field]
		return s, s.bits > 0
	}
	return spot{}, false
}

// load pushes the value of a place that holds a scalar.
func (w *function) load(p ir.Place) {
	if v, ok := p.(*ir.VarRef); ok {
		s := &w.slots[v.Var.Index]
		switch s.in {
		case local:
			w.code.at(opLocalGet, s.index)
			if t, ok := v.Var.Type.(ir.Int); ok && w.late(s) {
				w.narrow(t)
			}
			return
		case globally:
			w.code.at(opGlobalGet, s.index)
			return
		}
	}
	off := w.address(p)
	if s, ok := w.bitField(p); ok {
		w.loadBits(s, off)
		return
	}
	w.loadFrom(p.Type(), off)
}

// late reports whether the value of a local is extended when it is read.
func (w *function) late(s *slot) bool {
	t, ok := s.v.Type.(ir.Int)
	return w.style.Late && s.in == local && ok && (t.Bits == 8 || t.Bits == 16)
}

// loadFrom pushes the scalar at the address on the stack.
func (w *function) loadFrom(t ir.Type, off uint32) {
	o, n := opI32Load, 4
	switch t := t.(type) {
	case ir.Int:
		n = t.Bytes()
		switch {
		case n == 8:
			o = opI32Load.of(typeI64)
		case n == 1 && t.Signed:
			o = opI32Load8S
		case n == 1:
			o = opI32Load8U
		case n == 2 && t.Signed:
			o = opI32Load16S
		case n == 2:
			o = opI32Load16U
		}
	case ir.Float:
		n = t.Bits / 8
		o = opF32Load.of(valueType(t))
	}
	w.code.memory(o, n, off)
}

// store stores the scalar on the stack at the address below it.
func (w *function) store(t ir.Type, off uint32) {
	o, n := opI32Store, 4
	switch t := t.(type) {
	case ir.Int:
		n = t.Bytes()
		switch n {
		case 8:
			o = opI32Store.of(typeI64)
		case 1:
			o = opI32Store8
		case 2:
			o = opI32Store16
		}
	case ir.Float:
		n = t.Bits / 8
		o = opF32Store.of(valueType(t))
	}
	w.code.memory(o, n, off)
}

// unit returns the type of the unit that a bit-field lies in, without a sign.
func (s spot) unit() ir.Int { return ir.Int{Bits: 8 * s.t.(ir.Int).Bytes()} }

// loadBits pushes the bit-field in the unit at the address on the stack.
func (w *function) loadBits(s spot, off uint32) {
	c := &w.code
	unit := s.unit()
	w.loadFrom(unit, off)
	t := valueType(unit)
	width := 32
	if t == typeI64 {
		width = 64
	}
	if up := width - s.bits - s.shift; up > 0 {
		c.number(t, int64(up), opShl)
	}
	if down := width - s.bits; down > 0 {
		c.number(t, int64(down))
		if s.signed {
			c.op(opShrS.of(t))
		} else {
			c.op(opShrU.of(t))
		}
	}
	if t == typeI64 && s.bits <= 32 {
		c.op(opI32WrapI64)
	}
}

// storeBits stores the value that value pushes, an integer of the width of the
// bit-field, in the unit at the address on the stack.
func (w *function) storeBits(s spot, off uint32, value func()) {
	c := &w.code
	unit := s.unit()
	t := valueType(unit)
	at := w.temp(typeI32)
	c.at(opLocalTee, at)
	c.at(opLocalGet, at)
	w.loadFrom(unit, off)
	mask := int64(1)<<s.bits - 1
	if s.bits == 64 {
		mask = -1
	}
	c.number(t, ^(mask << s.shift), opAnd)
	value()
	if t == typeI64 && s.bits <= 32 {
		c.op(opI64ExtendU)
	}
	c.number(t, mask, opAnd)
	if s.shift > 0 {
		c.number(t, int64(s.shift), opShl)
	}
	c.op(opOr.of(t))
	w.store(unit, off)
	w.release(typeI32, at)
}
