package wasm

import (
	"fmt"

	"goreify/reify/ir"
)

// stmt writes a statement.
func (w *function) stmt(s ir.Stmt) {
	c := &w.code
	switch s := s.(type) {
	case *ir.Assign:
		switch s.Dst.Type().(type) {
		case *ir.Record:
			w.assignRecord(s)
		case ir.Vector:
			w.assignVec(s)
		default:
			w.assign(s.Dst, s.Src, func(kept bool) { w.assigned(s.Src, kept) })
		}
	case *ir.Transfer:
		w.expr(s.Dst)
		w.expr(s.Src)
		w.scaled(s.N, ir.TypeOf[ir.Pointer](s.Dst).Elem)
		c.copy()
	case *ir.Fill:
		w.expr(s.Dst)
		w.expr(s.Byte)
		w.wrap(ir.IntOf(s.Byte))
		w.scaled(s.N, ir.TypeOf[ir.Pointer](s.Dst).Elem)
		c.op(opMemoryFill)
		c.byte(0)
	case *ir.Unreachable:
		c.op(opUnreachable)
	case *ir.Assume:
		w.cond(s.Cond, true)
		c.block(opIf, typeNone)
		c.op(opUnreachable, opEnd)
	default:
		panic(fmt.Sprintf("wasm: unknown statement %T", s))
	}
}

// assign stores the value that value pushes. With kept false, only the bits that the
// place has matter.
func (w *function) assign(dst ir.Place, src ir.Node, value func(kept bool)) {
	c := &w.code
	if v, ok := dst.(*ir.VarRef); ok {
		s := &w.slots[v.Var.Index]
		if s.in == local || s.in == globally {
			value(!w.late(s))
			w.setSlot(s)
			return
		}
	}
	t := dst.Type()
	field, ok := w.bitField(dst)
	kept := ok || !w.style.Late
	// Traps happen in order: the source first. A call may store to other bit-fields of
	// a unit, which is read before the source.
	if !ir.Harmless(src) && (ok || !ir.Harmless(dst)) {
		k := valueType(t)
		value(kept)
		tmp := w.stash(k)
		defer w.release(k, tmp)
		value = func(bool) { c.at(opLocalGet, tmp) }
	}
	off := w.address(dst)
	if ok {
		w.storeBits(field, off, func() { value(kept) })
		return
	}
	value(kept)
	w.store(t, off)
}

// assignRecord copies a record.
func (w *function) assignRecord(s *ir.Assign) {
	c := &w.code
	n, _ := w.m.size(s.Dst.Type())
	from := s.Src.(*ir.Load).Place
	if ir.Harmless(from) || ir.Harmless(s.Dst) {
		w.add(w.address(s.Dst))
		w.add(w.address(from))
		w.copy(n)
		return
	}
	// Traps happen in order: the source first.
	w.add(w.address(from))
	src := w.stash(typeI32)
	w.add(w.address(s.Dst))
	c.at(opLocalGet, src)
	w.release(typeI32, src)
	w.copy(n)
}

// assigned pushes the source of an assignment.
func (w *function) assigned(src ir.Expr, kept bool) {
	k, ok := src.(*ir.Convert)
	if ok && !kept {
		t, ok := k.T.(ir.Int)
		if from, integers := k.X.Type().(ir.Int); ok && integers && t.Bits < 32 && t != ir.Bool {
			w.expr(k.X)
			w.wrap(from)
			return
		}
	}
	w.expr(src)
}

// wrap turns an integer of a type on the stack into an i32 of its low bits.
func (w *function) wrap(t ir.Int) {
	if t.Bits > 32 {
		w.code.op(opI32WrapI64)
	}
}

// setSlot pops the value of a variable that is not in memory.
func (w *function) setSlot(s *slot) {
	if s.in == local {
		w.code.at(opLocalSet, s.index)
	} else {
		w.code.at(opGlobalSet, s.index)
	}
}

// copy copies so many bytes from the address on top of the stack to that below.
func (w *function) copy(n uint32) {
	c := &w.code
	if !w.style.Unrolled || n > 64 {
		c.i32(int64(n))
		c.copy()
		return
	}
	src, dst := w.temp(typeI32), w.temp(typeI32)
	c.at(opLocalSet, src)
	c.at(opLocalSet, dst)
	for at := uint32(0); at < n; {
		t := ir.U64
		for uint32(t.Bytes()) > n-at {
			t.Bits /= 2
		}
		c.at(opLocalGet, dst)
		c.at(opLocalGet, src)
		w.loadFrom(t, at)
		w.store(t, at)
		at += uint32(t.Bytes())
	}
	w.release(typeI32, src)
	w.release(typeI32, dst)
}
