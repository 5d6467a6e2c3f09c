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
}

// reset makes all nodes free.
func (n *Memory) reset() {
	n.binaries.reset()
	n.loads.reset()
	n.refs.reset()
	n.syms.reset()
	n.consts.reset()
	n.elems.reset()
	n.assigns.reset()
}

// A slab hands out the elements of chunks. The zero slab is empty.
type slab[T any] struct {
	chunks [][]T
	next   int
	free   []T
}

const chunk = 64

func (s *slab[T]) reset() { s.next, s.free = 0, nil }

// new returns an element, which holds what was there before.
func (s *slab[T]) new() *T {
	if len(s.free) == 0 {
		if s.next == len(s.chunks) {
			s.chunks = append(s.chunks, make([]T, chunk))
		}
		s.free = s.chunks[s.next]
		s.next++
	}
	t := &s.free[0]
	s.free = s.free[1:]
	return t
}

// The methods do what the functions of their names do.

func (n *Memory) bin(op ir.Op, x, y ir.Expr) *ir.Binary {
	e := n.binaries.new()
	e.Op, e.X, e.Y = op, x, y
	return e
}

func (n *Memory) loadOf(p ir.Place) *ir.Load {
	e := n.loads.new()
	e.Place = p
	return e
}

func (n *Memory) ref(v *ir.Var) *ir.VarRef {
	p := n.refs.new()
	p.Var = v
	return p
}

func (n *Memory) elem(base ir.Place, index ir.Expr) *ir.Elem {
	p := n.elems.new()
	p.Base, p.Index = base, index
	return p
}

func (n *Memory) zero(t ir.Int) *ir.Const {
	e := n.consts.new()
	e.T, e.V = t, 0
	return e
}

func (n *Memory) set(dst ir.Place, e ir.Expr) *ir.Assign {
	s := n.assigns.new()
	s.Dst, s.Src = dst, e
	return s
}
