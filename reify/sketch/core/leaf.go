package core

import (
	"goreify/reify/choice"
	"goreify/reify/ir"
)

// A Source is a variable and the paths from it to integers.
type Source struct {
	V         *ir.Var
	Leaves    []*Leaf // at least one
	Writables []*Leaf // of these the ones that can be assigned to
}

// Writable reports whether a part of the variable can be assigned to.
func (s *Source) Writable() bool { return len(s.Writables) > 0 }

// A Leaf is a path from a variable to an integer: to the variable itself, through
// elements, members, and pointers.
type Leaf struct {
	Root  *ir.Var
	Steps []Step
	T     ir.Int
}

// A Step leads from a place to a part of it, or to its target.
type Step struct {
	Kind  stepKind
	field int // of toMember
	Len   int // of toElem and toNeighbour: how many there are
}

type stepKind int

const (
	ToElem stepKind = iota
	toMember
	ToPointee
	toNeighbour // from a pointer to an element, to another one of the same array
)

// A scalar is a Source as most are, with its only leaf.
type scalar struct {
	Source
	leaf Leaf
	list [1]*Leaf
}

// source makes s the source of v, an integer.
func (s *scalar) source(v *ir.Var, t ir.Int) *Source {
	s.leaf = Leaf{Root: v, T: t}
	s.list[0] = &s.leaf
	s.Source = Source{V: v, Leaves: s.list[:]}
	if !v.Const {
		s.Writables = s.list[:]
	}
	return &s.Source
}

// NewSource returns v as a source, or nil if no integer is reached from it.
func NewSource(v *ir.Var) *Source {
	if t, ok := v.Type.(ir.Int); ok {
		return new(scalar).source(v, t)
	}
	s := &Source{V: v}
	s.Add(v.Type, nil, !v.Const)
	if len(s.Leaves) == 0 {
		return nil
	}
	return s
}

// Add adds the leaves below steps, which lead to a place of type t. Pointers have a
// file of their own.
func (s *Source) Add(t ir.Type, steps []Step, writable bool) {
	// Each has steps of its own.
	next := func(n Step) []Step { return append(steps[:len(steps):len(steps)], n) }
	switch t := t.(type) {
	case ir.Int:
		l := &Leaf{Root: s.V, Steps: steps, T: t}
		s.Leaves = append(s.Leaves, l)
		if writable {
			s.Writables = append(s.Writables, l)
		}
	case ir.Array:
		s.Add(t.Elem, next(Step{Kind: ToElem, Len: t.Len}), writable)
	case ir.Vector:
		s.Add(t.Elem, next(Step{Kind: ToElem, Len: t.Lanes}), writable)
	case *ir.Record:
		if t.Union {
			return
		}
		for i := range t.Fields {
			s.Add(t.Member(i), next(Step{Kind: toMember, field: i}), writable)
		}
	}
}

// Source is NewSource for as long as the function is written.
func (sc *scope) Source(v *ir.Var) *Source {
	if t, ok := v.Type.(ir.Int); ok {
		return sc.scalars.new().source(v, t)
	}
	return NewSource(v)
}

// Register adds v to the lists from which variables are drawn.
func (sc *scope) Register(s *Source) {
	if s == nil {
		return
	}
	sc.Vars = append(sc.Vars, s)
	if s.Writable() {
		sc.dests = append(sc.dests, s)
	}
	if _, ok := s.V.Type.(ir.Int); ok && !s.V.Volatile {
		sc.Counts = append(sc.Counts, s)
	}
}

// ScalarDest returns a scalar to assign to: hardly ever a truth value, and a parameter
// if few can be assigned to.
func (sc *scope) ScalarDest() *Source {
	v := choice.Pick(sc.S, sc.Counts)
	for range 4 {
		if v.Writable() && v.Leaves[0].T != ir.Bool {
			break
		}
		v = choice.Pick(sc.S, sc.Counts)
	}
	if !v.Writable() {
		v = sc.Vars[0] // a parameter
	}
	return v
}

// Dest returns a variable to assign to.
func (sc *scope) Dest() *Source { return choice.Pick(sc.S, sc.dests) }

// Place returns the place of a leaf, with indices drawn.
func (sc *scope) Place(l *Leaf) ir.Place {
	if len(l.Steps) == 0 { // as most are
		return sc.Ref(l.Root)
	}
	return sc.PlaceOf(l, sc.index)
}

// Place returns the place of the leaf, with indices from the given function, which gets
// the number of elements.
func (l *Leaf) Place(index func(int) ir.Expr) ir.Place {
	var p ir.Place = Ref(l.Root)
	for _, s := range l.Steps {
		p = s.from(p, index)
	}
	return p
}

// from returns the place that s leads to from p.
func (s Step) from(p ir.Place, index func(int) ir.Expr) ir.Place {
	switch s.Kind {
	case ToElem:
		return Elem(p, index(s.Len))
	case toMember:
		return Member(p, s.field)
	case ToPointee:
		return Deref(Load(p))
	}
	return Deref(PtrAdd(Load(p), index(s.Len))) // toNeighbour
}

// Load returns the value of some integer of a variable, as one of type t. If
// it must not be read it is a parameter's instead.
func (sc *scope) Load(t ir.Int, v *Source) ir.Expr {
	l := choice.Pick(sc.S, v.Leaves)
	if !sc.readable(l) {
		l = choice.Pick(sc.S, sc.Counts).Leaves[0]
	}
	e := ir.Expr(sc.LoadOf(sc.Place(l)))
	if l.T == t {
		return e
	}
	return Convert(t, e)
}

// Any returns the value of some integer, as one of type t.
func (sc *scope) Any(t ir.Int) ir.Expr { return sc.Load(t, choice.Pick(sc.S, sc.Vars)) }

// index returns the index of an element of n: a symbol, or a variable folded into the
// bounds and perhaps a symbol. A mask works for every value of the variable; a
// remainder has the sign of its dividend.
func (sc *scope) index(n int) ir.Expr {
	if sc.S.Chance(2, 5) {
		return sc.Symbol(ir.I32)
	}
	x := ir.Expr(sc.LoadOf(sc.Place(choice.Pick(sc.S, sc.Counts).Leaves[0])))
	t := Promote(ir.IntOf(x))
	x = Convert(t, x)
	if sc.Policy.Bitwise > 0 && sc.S.Chance(1, 2) {
		return sc.Bin(ir.And, x, Const(t, Mask(n)))
	}
	return sc.Bin(ir.Add, sc.Bin(ir.Rem, x, sc.Symbol(t)), sc.Symbol(t))
}

// Mask returns the largest number of ones that is an index of n elements.
func Mask(n int) int64 {
	m := 0
	for 2*m+1 < n {
		m = 2*m + 1
	}
	return int64(m)
}

// Scalar returns the value of a scalar as one of type t.
func Scalar(t ir.Int, v *Source) ir.Expr {
	return Convert(t, LoadVar(v.V))
}

// Twice returns two loads of one value, which must not be volatile, nor have indices
// that are drawn anew.
func (sc *scope) Twice(t ir.Int, v *Source) (x, y ir.Expr) {
	syms, read := sc.Func.Syms, len(sc.read)
	x = sc.Load(t, v)
	if sc.Func.Syms != syms || len(sc.read) != read {
		x = Convert(t, LoadVar(choice.Pick(sc.S, sc.Counts).V))
	}
	return x, ir.CopyExpr(x)
}
