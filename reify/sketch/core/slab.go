package core

import "goreify/reify/ir"

// Thousands of functions a second: the nodes that most expressions consist of are
// allocated by the chunk. The methods do what the functions of their names do.
type nodes struct {
	binaries slab[ir.Binary]
	loads    slab[ir.Load]
	refs     slab[ir.VarRef]
	syms     slab[ir.Sym]
	consts   slab[ir.Const]
	elems    slab[ir.Elem]
	assigns  slab[ir.Assign]
}

// A slab hands out the elements of chunks. The zero slab is empty.
type slab[T any] struct{ free []T }

const chunk = 64

func (s *slab[T]) new() *T {
	if len(s.free) == 0 {
		s.free = make([]T, chunk)
	}
	t := &s.free[0]
	s.free = s.free[1:]
	return t
}

func (n *nodes) bin(op ir.Op, x, y ir.Expr) *ir.Binary {
	e := n.binaries.new()
	e.Op, e.X, e.Y = op, x, y
	return e
}

func (n *nodes) loadOf(p ir.Place) *ir.Load {
	e := n.loads.new()
	e.Place = p
	return e
}

func (n *nodes) ref(v *ir.Var) *ir.VarRef {
	p := n.refs.new()
	p.Var = v
	return p
}

func (n *nodes) elem(base ir.Place, index ir.Expr) *ir.Elem {
	p := n.elems.new()
	p.Base, p.Index = base, index
	return p
}

func (n *nodes) zero(t ir.Int) *ir.Const {
	e := n.consts.new()
	e.T = t
	return e
}

func (n *nodes) set(dst ir.Place, e ir.Expr) *ir.Assign {
	s := n.assigns.new()
	s.Dst, s.Src = dst, e
	return s
}
