package wasm

import "goreify/reify/ir"

// A slot is the place of a variable.
type slot struct {
	v     *ir.Var
	in    room
	index int    // of the local or global
	at    uint32 // the address, or the offset in the frame
	spots []spot // if it lasts or is in memory
}

type room int

const (
	local room = iota
	globally
	fixed // in memory, at an address
	framed
)

// place decides where variables are.
func (w *function) place() {
	f, m := w.f, w.m
	addressed := addressTaken(f)
	calls := !f.IsLeaf()
	w.slots = make([]slot, len(f.Vars))
	params := len(f.Params())
	w.params = params
	frame := uint32(0)
	for i, v := range f.Vars {
		s := &w.slots[i]
		s.v = v
		isScalar := scalar(v.Type)
		inMemory := !isScalar || addressed[i]
		var t byte
		if isScalar {
			t = valueType(v.Type)
		}
		switch {
		case v.Kind.Lasts() && !inMemory && (w.style.Scalars == InGlobals || w.style.Scalars == InLocals && v.Kind == ir.Static):
			s.in, s.index = globally, m.global(t, 0)
		case v.Kind.Lasts():
			s.in = fixed
		case inMemory || w.style.Scalars == InMemory:
			s.in = framed
		case w.style.Scalars == InGlobals && !calls:
			s.in, s.index = globally, m.global(t, 0)
		case v.Kind == ir.Param:
			s.in, s.index = local, i
		default:
			s.in, s.index = local, w.local(t)
		}
		if s.in == local {
			continue
		}
		if s.in == globally {
			if v.Kind.Lasts() {
				s.spots = []spot{{t: v.Type}}
			}
			continue
		}
		s.spots = m.spots(nil, v.Type, 0, false)
		size, align := m.size(v.Type)
		if s.in == framed && w.style.Fixed && !calls {
			s.in = fixed
		}
		if s.in == fixed {
			s.at = m.alloc(size, align)
			continue
		}
		s.at = (frame + align - 1) / align * align
		frame = s.at + size
	}
	w.frame = (frame + 15) / 16 * 16
}

// frames returns a bound of the bytes that frames take at a time in the calls of a unit.
func (m *module) frames(u Unit) (most uint32) {
	for f, n := range u.Live() {
		most += uint32(n) * m.frame(f)
	}
	return most
}

// frame returns a bound of the bytes of a function's frame in any style.
func (m *module) frame(f *ir.Function) uint32 {
	bytes := uint32(0)
	for _, v := range f.Vars {
		if !v.Kind.Lasts() {
			size, align := m.size(v.Type)
			bytes += size + align - 1
		}
	}
	return (bytes + 15) / 16 * 16
}

// addressTaken tells which variables have their address taken, by Var.Index.
func addressTaken(f *ir.Function) []bool {
	taken := make([]bool, len(f.Vars))
	var look func(n ir.Node) bool
	look = func(n ir.Node) bool {
		if a, ok := n.(*ir.AddrOf); ok {
			if v := ir.Root(a.Place); v != nil {
				taken[v.Index] = true
			}
		}
		return ir.Parts(n, look)
	}
	for _, v := range f.Vars {
		for _, e := range v.Init {
			look(e)
		}
		for _, p := range v.Ptrs {
			look(p)
		}
	}
	for n := range f.Nodes() {
		look(n)
	}
	return taken
}

func scalar(t ir.Type) bool {
	switch t.(type) {
	case ir.Int, ir.Float, ir.Pointer:
		return true
	}
	return false
}

// lasting returns the slots of the variables that keep their values.
func (w *function) lasting() []*slot {
	var list []*slot
	for i := range w.slots {
		if s := &w.slots[i]; s.v.Kind.Lasts() {
			list = append(list, s)
		}
	}
	return list
}

// initialise gives a variable its initial values: cells without one are zero.
func (w *function) initialise(s *slot) {
	c := &w.code
	v := s.v
	if s.in == local || s.in == globally {
		if v.Init == nil {
			if s.in == globally {
				c.constant(valueType(v.Type), 0)
				c.at(opGlobalSet, s.index)
			}
			return
		}
		w.initialCell(v, 0, v.Type)
		w.setSlot(s)
		return
	}
	size, _ := w.m.size(v.Type)
	if len(s.spots) > 2 || v.Init == nil && len(s.spots) > 1 {
		w.whole(s)
		c.i32(0)
		c.i32(int64(size), opMemoryFill)
		c.byte(0)
		if v.Init == nil {
			return
		}
	}
	for i, at := range s.spots {
		if at.hidden {
			continue
		}
		if len(s.spots) > 2 && zeroCell(v, i) {
			continue
		}
		off := w.base(s, at.offset)
		if at.bits > 0 {
			w.storeBits(at, off, func() { w.initialCell(v, i, ir.Int{Bits: at.bits, Signed: at.signed}) })
			continue
		}
		w.initialCell(v, i, at.t)
		w.store(at.t, off)
	}
}

func zeroCell(v *ir.Var, i int) bool {
	if v.Init == nil {
		return true
	}
	if v.Ptrs != nil && v.Ptrs[i] != nil {
		return false
	}
	k, ok := v.Init[i].(*ir.Const)
	return v.Init[i] == nil || ok && k.V == 0
}

// initialCell pushes the initial value of cell i of v, of type t.
func (w *function) initialCell(v *ir.Var, i int, t ir.Type) {
	switch t := t.(type) {
	case ir.Pointer:
		if v.Ptrs == nil || v.Ptrs[i] == nil {
			w.code.i32(0)
			return
		}
		w.expr(v.Ptrs[i])
	case ir.Float:
		x := 0.0
		if v.Init != nil {
			x = float64(v.Init[i].(*ir.Const).V)
		}
		w.code.float(t, x)
	default:
		if v.Init == nil {
			w.code.number(valueType(t), 0)
			return
		}
		w.expr(v.Init[i])
	}
}

// base pushes a part of the address of a variable in memory, and returns the rest, with
// off.
func (w *function) base(s *slot, off uint32) uint32 {
	if s.in == framed {
		w.code.at(opLocalGet, w.fp)
	} else {
		w.code.i32(0)
	}
	return w.added(s.at + off)
}

// added adds an offset, or returns it for the instruction to hold.
func (w *function) added(off uint32) uint32 {
	if !w.style.Added {
		return off
	}
	w.add(off)
	return 0
}

// add adds an offset to the address on the stack.
func (w *function) add(off uint32) {
	if off != 0 {
		w.code.i32(int64(off), opAdd)
	}
}

// whole pushes the address of a variable in memory.
func (w *function) whole(s *slot) {
	w.add(w.base(s, 0))
}
