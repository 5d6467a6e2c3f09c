package core

import (
	"slices"

	"goreify/reify/choice"
	"goreify/reify/ir"
)

// A pointer is a variable that points to one of some spots, on every path: it can be
// followed everywhere.
type pointer struct {
	v     *ir.Var
	to    ir.Type // its current target
	spots []*Spot // its possible targets
	reach int     // elements that it may be followed to from there, at least 1
	outer bool    // it points to a pointer
	null  bool    // it is null throughout, and not followed
}

// A Spot is a place that can be pointed to: a variable or a part of one.
type Spot struct {
	Root  *ir.Var
	steps []Step
	T     ir.Type
	after int // elements of an array that begin with it; 1 if it is not an element
}

// Spots returns the possible targets of pointers in v. Their indices are to be drawn,
// except those of the last dimension.
func Spots(v *ir.Var) []*Spot {
	if v.Volatile {
		return nil
	}
	return Parts(v)
}

// Parts returns the parts of v that have an address, unions apart.
func Parts(v *ir.Var) []*Spot {
	var list []*Spot
	var add func(t ir.Type, steps []Step, after int)
	add = func(t ir.Type, steps []Step, after int) {
		next := func(n Step) []Step { return append(steps[:len(steps):len(steps)], n) }
		switch t := t.(type) {
		case ir.Int:
			list = append(list, &Spot{v, steps, t, after})
		case ir.Array:
			add(t.Elem, next(Step{Kind: ToElem, Len: t.Len}), t.Len)
		case *ir.Record:
			if t.Union {
				return
			}
			list = append(list, &Spot{v, steps, t, after})
			for i, f := range t.Fields {
				if f.Bits == 0 {
					add(f.Type, next(Step{Kind: toMember, field: i}), 1)
				}
			}
		}
	}
	add(v.Type, nil, 1)
	return list
}

// newPointer adds a pointer, to an integer, a struct or a pointer. Its targets
// are variables of the same lifetime, or longer.
func (sc *scope) newPointer() {
	if len(sc.Ptrs) > 0 && sc.Roll(sc.Policy.PtrPtr) && sc.newOuter() {
		return
	}
	if sc.Options.Memory > 0 && sc.Roll(sc.Policy.Table) {
		sc.newTable()
		return
	}
	var all []*Spot
	for _, v := range sc.Func.Vars {
		if !slices.Contains(sc.tables, v) {
			all = append(all, Spots(v)...)
		}
	}
	from := all
	walks := sc.Roll(sc.Policy.PtrIndex)
	if walks {
		from = slices.DeleteFunc(slices.Clone(all), func(s *Spot) bool { return s.after == 1 })
	}
	if walks = walks && len(from) > 0; !walks {
		from = all
	}
	first := choice.Pick(sc.S, from)
	if len(sc.Ptrs) > 0 && !walks && sc.Roll(sc.Policy.Alias) {
		if p := choice.Pick(sc.S, sc.Ptrs); !p.outer {
			first = choice.Pick(sc.S, p.spots)
		}
	}
	p := &pointer{to: first.T, reach: 1}
	if walks {
		p.reach = sc.S.Range(2, first.after)
	}
	kind := ir.Local
	if first.Root.Kind.Lasts() {
		kind = sc.Kind()
	}
	constant := first.Root.Const || sc.Roll(sc.Policy.Const)
	for _, s := range all {
		lives := kind == ir.Local || s.Root.Kind.Lasts()
		if s.T == p.to && s.after >= p.reach && lives && (constant || !s.Root.Const) {
			p.spots = append(p.spots, s)
		}
	}
	p.v = sc.NewVar(kind, ir.Pointer{Elem: p.to, Const: constant})
	p.v.Init = []ir.Expr{nil}
	p.v.Ptrs = []ir.Expr{nil}
	sc.Ptrs = append(sc.Ptrs, p)
	if p.null = sc.Roll(sc.Policy.Null); p.null {
		return
	}
	p.v.Ptrs[0] = sc.addressFixed(first, p.reach)
	s := &Source{V: p.v}
	through := Step{Kind: ToPointee}
	if p.reach > 1 {
		through = Step{Kind: toNeighbour, Len: p.reach}
	}
	s.Add(p.to, []Step{through}, !constant)
	sc.Register(s)
}

// newTable adds an array that no statement writes on the path, and a local pointer to
// it. The array is read through that pointer alone, so that a back end may declare the
// pointer restrict.
func (sc *scope) newTable() {
	t := sc.ScalarType()
	n := choice.Pick(sc.S, []int{2, 3, 4, 8})
	v := sc.NewVar(choice.Pick(sc.S, []ir.Kind{ir.Global, ir.Static}), ir.Array{Elem: t, Len: n})
	sc.Initialise(v)
	sc.Summed = append(sc.Summed, v)
	sc.tables = append(sc.tables, v)
	p := sc.NewVar(ir.Local, ir.Pointer{Elem: t, Const: sc.S.Chance(1, 2)})
	p.Init = []ir.Expr{nil}
	p.Ptrs = []ir.Expr{sc.addressFixed(Spots(v)[0], n)}
	s := &Source{V: p}
	s.Add(t, []Step{{Kind: toNeighbour, Len: n}}, false)
	sc.Register(s)
}

// newOuter adds a pointer to a pointer, if a pointer exists to point to.
func (sc *scope) newOuter() bool {
	inner := choice.Pick(sc.S, sc.Ptrs)
	if inner.outer || inner.null {
		return false
	}
	kind := ir.Local
	if inner.v.Kind != ir.Local {
		kind = sc.Kind()
	}
	v := sc.NewVar(kind, ir.Pointer{Elem: inner.v.Type})
	v.Init = []ir.Expr{nil}
	v.Ptrs = []ir.Expr{AddressOf(Ref(inner.v))}
	sc.Ptrs = append(sc.Ptrs, &pointer{v: v, to: inner.v.Type, spots: inner.spots, reach: inner.reach, outer: true})
	through := Step{Kind: ToPointee}
	if inner.reach > 1 {
		through = Step{Kind: toNeighbour, Len: inner.reach}
	}
	s := &Source{V: v}
	s.Add(inner.to, []Step{{Kind: ToPointee}, through}, !inner.v.Type.(ir.Pointer).Const)
	sc.Register(s)
	return true
}

// addressFixed returns the address of a spot with constant indices, such that
// reach elements begin there.
func (sc *scope) addressFixed(s *Spot, reach int) *ir.AddrOf {
	return Address(sc.S, s, reach, func(n int) ir.Expr {
		return Const(ir.I32, int64(sc.S.Intn(n)))
	})
}

// Address returns the address of a spot with indices of a function that gets
// their number.
func Address(draws *choice.Stream, s *Spot, reach int, index func(int) ir.Expr) *ir.AddrOf {
	steps := len(s.steps)
	var p ir.Place = Ref(s.Root)
	for i, st := range s.steps {
		switch {
		case st.Kind == toMember:
			p = Member(p, st.field)
		case i == steps-1 && reach > 1:
			// From here on there must be enough of them.
			p = Elem(p, Const(ir.I32, int64(draws.Intn(st.Len-reach+1))))
		default:
			p = Elem(p, index(st.Len))
		}
	}
	return AddressOf(p)
}

// repoint returns p = &v, p = q, or *pp = &v; nil if the pointer has no other target.
func (w *stmtWriter) repoint() []ir.Stmt {
	p := choice.Pick(w.S, w.Ptrs)
	if p.null {
		return nil
	}
	var dst ir.Place = Ref(p.v)
	if p.outer {
		dst = Deref(Load(dst))
	}
	if q := choice.Pick(w.S, w.Ptrs); w.S.Chance(1, 3) && within(q, p) {
		return []ir.Stmt{Assign(dst, Load(Ref(q.v)))}
	}
	s := choice.Pick(w.S, p.spots)
	return []ir.Stmt{Assign(dst, Address(w.S, s, p.reach, w.index))}
}

// within reports whether p may take the value of q.
func within(q, p *pointer) bool {
	from, to := q.v.Type.(ir.Pointer), p.v.Type.(ir.Pointer)
	return q != p && !q.null && !q.outer && !p.outer && q.to == p.to && q.reach >= p.reach &&
		(to.Const || !from.Const) && (p.v.Kind == ir.Local || q.v.Kind != ir.Local)
}

// ComparePointers returns a comparison of two pointers, or of one with null; or nil if
// the function has none.
func (w *Exprs) ComparePointers() ir.Expr {
	p := choice.Pick(w.S, w.Ptrs)
	op := choice.Pick(w.S, Equalities)
	x := Load(Ref(p.v))
	if p.reach > 1 && !p.outer && !p.null && w.S.Chance(1, 2) {
		further := PtrAdd(x, w.index(p.reach))
		return Bin(op, &ir.Binary{Op: ir.Sub, X: further, Y: Load(Ref(p.v))}, w.Symbol(ir.I64))
	}
	var like []*pointer
	for _, q := range w.Ptrs {
		if q != p && q.to == p.to {
			like = append(like, q)
		}
	}
	switch {
	case len(like) > 0 && w.S.Chance(2, 3):
		return &ir.Binary{Op: op, X: x, Y: Load(Ref(choice.Pick(w.S, like).v))}
	case !p.outer && w.S.Chance(1, 2):
		return &ir.Binary{Op: op, X: x, Y: Address(w.S, choice.Pick(w.S, p.spots), 1, w.index)}
	}
	return &ir.Binary{Op: op, X: x, Y: &ir.Null{T: p.v.Type.(ir.Pointer)}}
}
