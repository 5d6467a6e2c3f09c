package sketch

import (
	"goreify/reify/choice"
	"goreify/reify/ir"
)

// A source is a variable and the paths from it to integers.
type source struct {
	v         *ir.Var
	leaves    []*leaf // at least one
	writables []*leaf // of these the ones that can be assigned to
}

func (s *source) writable() bool { return len(s.writables) > 0 }

// A leaf is a path from a variable to an integer: to the variable itself, through
// elements, members, and pointers.
type leaf struct {
	root  *ir.Var
	steps []step
	t     ir.Int
}

// A step leads from a place to a part of it, or to its target.
type step struct {
	kind  stepKind
	field int // of toMember
	len   int // of toElem and toNeighbour: how many there are
}

type stepKind int

const (
	toElem stepKind = iota
	toMember
	toPointee
	toNeighbour // from a pointer to an element, to another one of the same array
)

// newSource returns v as a source, or nil if no integer is reached from it.
func newSource(v *ir.Var) *source {
	s := &source{v: v}
	s.add(v.Type, nil, !v.Const)
	if len(s.leaves) == 0 {
		return nil
	}
	return s
}

// add adds the leaves below steps, which lead to a place of type t. Pointers have a
// file of their own.
func (s *source) add(t ir.Type, steps []step, writable bool) {
	// Each has steps of its own.
	next := func(n step) []step { return append(steps[:len(steps):len(steps)], n) }
	switch t := t.(type) {
	case ir.Int:
		l := &leaf{root: s.v, steps: steps, t: t}
		s.leaves = append(s.leaves, l)
		if writable {
			s.writables = append(s.writables, l)
		}
	case ir.Array:
		s.add(t.Elem, next(step{kind: toElem, len: t.Len}), writable)
	case ir.Vector:
		s.add(t.Elem, next(step{kind: toElem, len: t.Lanes}), writable)
	case *ir.Record:
		if t.Union {
			return
		}
		for i := range t.Fields {
			s.add(t.Member(i), next(step{kind: toMember, field: i}), writable)
		}
	}
}

// register adds v to the lists from which variables are drawn.
func (sc *scope) register(s *source) {
	if s == nil {
		return
	}
	sc.vars = append(sc.vars, s)
	if s.writable() {
		sc.dests = append(sc.dests, s)
	}
	if _, ok := s.v.Type.(ir.Int); ok && !s.v.Volatile {
		sc.counts = append(sc.counts, s)
	}
}

// scalarDest returns a scalar to assign to: hardly ever a truth value, and a parameter
// if few can be assigned to.
func (sc *scope) scalarDest() *source {
	v := choice.Pick(sc.s, sc.counts)
	for range 4 {
		if v.writable() && v.leaves[0].t != ir.Bool {
			break
		}
		v = choice.Pick(sc.s, sc.counts)
	}
	if !v.writable() {
		v = sc.vars[0] // a parameter
	}
	return v
}

// dest returns a variable to assign to.
func (sc *scope) dest() *source { return choice.Pick(sc.s, sc.dests) }

// place returns the place of a leaf, with indices drawn.
func (sc *scope) place(l *leaf) ir.Place { return l.place(sc.index) }

// place returns the place of the leaf, with indices from the given function, which gets
// the number of elements.
func (l *leaf) place(index func(int) ir.Expr) ir.Place {
	var p ir.Place = nodeRef(l.root)
	for _, s := range l.steps {
		switch s.kind {
		case toElem:
			p = nodeElem(p, index(s.len))
		case toMember:
			p = nodeMember(p, s.field)
		case toPointee:
			p = nodeDeref(nodeLoadPtr(p))
		case toNeighbour:
			p = nodeDeref(nodePtrAdd(nodeLoadPtr(p), index(s.len)))
		}
	}
	return p
}

// load returns the value of some integer of a variable, as one of type t. If
// it must not be read it is a parameter's instead.
func (sc *scope) load(t ir.Int, v *source) ir.Expr {
	l := choice.Pick(sc.s, v.leaves)
	if !sc.readable(l) {
		l = choice.Pick(sc.s, sc.counts).leaves[0]
	}
	return convert(t, nodeLoad(sc.place(l)))
}

// any returns the value of some integer, as one of type t.
func (sc *scope) any(t ir.Int) ir.Expr { return sc.load(t, choice.Pick(sc.s, sc.vars)) }

// index returns the index of an element of n: a symbol, or a variable folded into the
// bounds and perhaps a symbol. A mask works for every value of the variable; a
// remainder has the sign of its dividend.
func (sc *scope) index(n int) ir.Expr {
	if sc.s.Chance(2, 5) {
		return sc.symbol(ir.I32)
	}
	x := ir.Expr(nodeLoad(sc.place(choice.Pick(sc.s, sc.counts).leaves[0])))
	t := promote(ir.IntOf(x))
	x = convert(t, x)
	if sc.p.Bitwise > 0 && sc.s.Chance(1, 2) {
		return bin(ir.And, x, constantOf(t, mask(n)))
	}
	return bin(ir.Add, bin(ir.Rem, x, sc.symbol(t)), sc.symbol(t))
}

// mask returns the largest number of ones that is an index of n elements.
func mask(n int) int64 {
	m := 0
	for 2*m+1 < n {
		m = 2*m + 1
	}
	return int64(m)
}

// scalar returns the value of a scalar as one of type t.
func scalar(t ir.Int, v *source) ir.Expr {
	return convert(t, nodeLoadVar(v.v))
}

// twice returns two loads of one value, which must not be volatile, nor have indices
// that are drawn anew.
func (sc *scope) twice(t ir.Int, v *source) (x, y ir.Expr) {
	syms, read := sc.f.Syms, len(sc.read)
	x = sc.load(t, v)
	if sc.f.Syms != syms || len(sc.read) != read {
		x = convert(t, nodeLoadVar(choice.Pick(sc.s, sc.counts).v))
	}
	return x, ir.CopyExpr(x)
}
