package core

import "goreify/reify/ir"

// A Memory is the nodes that most expressions of a function consist of, allocated by the
// chunk. It is for callers that make functions one after another, thousands a second, and
// drop most of them: its function is overwritten by the next one that is made in it. Its
// former contents decide nothing. The zero Memory is ready for use.
type Memory struct {
	binaries slab[ir.Binary]
	loads    slab[ir.Load]
	refs     slab[ir.VarRef]
	syms     slab[ir.Sym]
	consts   slab[ir.Const]
	elems    slab[ir.Elem]
	assigns  slab[ir.Assign]
	ifs      slab[ir.If]
	gotos    slab[ir.Goto]
	vars     slab[ir.Var]
	stmts    []ir.Stmt // of all blocks
}

// reset makes all nodes free.
func (m *Memory) reset() {
	m.binaries.reset()
	m.loads.reset()
	m.refs.reset()
	m.syms.reset()
	m.consts.reset()
	m.elems.reset()
	m.assigns.reset()
	m.ifs.reset()
	m.gotos.reset()
	m.vars.reset()
	m.stmts = m.stmts[:0]
}

// A slab hands out the elements of chunks. The zero slab is empty.
type slab[T any] struct {
	chunks [][]T
	next   int
	free   []T
}

// A chunk is twice as long as the one before, from leastChunk on, up to 32 times.
const leastChunk = 4

func (s *slab[T]) reset() { s.next, s.free = 0, nil }

// new returns an element, which holds what was there before.
func (s *slab[T]) new() *T {
	if len(s.free) == 0 {
		if s.next == len(s.chunks) {
			s.chunks = append(s.chunks, make([]T, leastChunk<<min(len(s.chunks), 5)))
		}
		s.free = s.chunks[s.next]
		s.next++
	}
	t := &s.free[0]
	s.free = s.free[1:]
	return t
}

// Bin is the function of this name.
func (m *Memory) Bin(op ir.Op, x, y ir.Expr) *ir.Binary {
	e := m.binaries.new()
	e.Op, e.X, e.Y = op, x, y
	return e
}

// LoadOf is Load.
func (m *Memory) LoadOf(p ir.Place) *ir.Load {
	e := m.loads.new()
	e.Place = p
	return e
}

// Ref is the function of this name.
func (m *Memory) Ref(v *ir.Var) *ir.VarRef {
	p := m.refs.new()
	p.Var = v
	return p
}

// Elem is the function of this name.
func (m *Memory) Elem(base ir.Place, index ir.Expr) *ir.Elem {
	p := m.elems.new()
	p.Base, p.Index = base, index
	return p
}

// Const is the function of this name.
func (m *Memory) Const(t ir.Int, v int64) *ir.Const {
	e := m.consts.new()
	e.T, e.V = t, t.Wrap(v)
	return e
}

// Assign is the function of this name.
func (m *Memory) Assign(dst ir.Place, e ir.Expr) *ir.Assign {
	s := m.assigns.new()
	s.Dst, s.Src = dst, e
	return s
}

// PlaceOf is Leaf.Place.
func (m *Memory) PlaceOf(l *Leaf, index func(int) ir.Expr) ir.Place {
	var p ir.Place = m.Ref(l.Root)
	for _, s := range l.Steps {
		if s.Kind == ToElem {
			p = m.Elem(p, index(s.Len))
		} else {
			p = s.from(p, index)
		}
	}
	return p
}
