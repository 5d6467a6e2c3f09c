package sketch

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
	spots []*spot // its possible targets
	reach int     // elements that it may be followed to from there, at least 1
	outer bool    // it points to a pointer
	null  bool    // it is null throughout, and not followed
}

// A spot is a place that can be pointed to: a variable or a part of one.
type spot struct {
	root  *ir.Var
	steps []step
	t     ir.Type
	after int // elements of an array that begin with it; 1 if it is not an element
}

// spots returns the possible targets of pointers in v. Their indices are to be drawn,
// except those of the last dimension.
func spots(v *ir.Var) []*spot {
	if v.Volatile {
		return nil
	}
	return parts(v)
}

// parts returns the parts of v that have an address, unions apart.
func parts(v *ir.Var) []*spot {
	var list []*spot
	var add func(t ir.Type, steps []step, after int)
	add = func(t ir.Type, steps []step, after int) {
		next := func(n step) []step { return append(steps[:len(steps):len(steps)], n) }
		switch t := t.(type) {
		case ir.Int:
			list = append(list, &spot{v, steps, t, after})
		case ir.Array:
			add(t.Elem, next(step{kind: toElem, len: t.Len}), t.Len)
		case *ir.Record:
			if t.Union {
				return
			}
			list = append(list, &spot{v, steps, t, after})
			for i, f := range t.Fields {
				if f.Bits == 0 {
					add(f.Type, next(step{kind: toMember, field: i}), 1)
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
	if len(sc.ptrs) > 0 && sc.roll(sc.p.PtrPtr) && sc.newOuter() {
		return
	}
	if sc.o.Memory > 0 && sc.roll(sc.p.Table) {
		sc.newTable()
		return
	}
	var all []*spot
	for _, v := range sc.f.Vars {
		if !slices.Contains(sc.tables, v) {
			all = append(all, spots(v)...)
		}
	}
	from := all
	walks := sc.roll(sc.p.PtrIndex)
	if walks {
		from = slices.DeleteFunc(slices.Clone(all), func(s *spot) bool { return s.after == 1 })
	}
	if walks = walks && len(from) > 0; !walks {
		from = all
	}
	first := choice.Pick(sc.s, from)
	if len(sc.ptrs) > 0 && !walks && sc.roll(sc.p.Alias) {
		if p := choice.Pick(sc.s, sc.ptrs); !p.outer {
			first = choice.Pick(sc.s, p.spots)
		}
	}
	p := &pointer{to: first.t, reach: 1}
	if walks {
		p.reach = sc.s.Range(2, first.after)
	}
	kind := ir.Local
	if first.root.Kind.Lasts() {
		kind = sc.kind()
	}
	constant := first.root.Const || sc.roll(sc.p.Const)
	for _, s := range all {
		lives := kind == ir.Local || s.root.Kind.Lasts()
		if s.t == p.to && s.after >= p.reach && lives && (constant || !s.root.Const) {
			p.spots = append(p.spots, s)
		}
	}
	p.v = sc.newVar(kind, ir.Pointer{Elem: p.to, Const: constant})
	p.v.Init = []ir.Expr{nil}
	p.v.Ptrs = []ir.Expr{nil}
	sc.ptrs = append(sc.ptrs, p)
	if p.null = sc.roll(sc.p.Null); p.null {
		return
	}
	p.v.Ptrs[0] = sc.addressFixed(first, p.reach)
	s := &source{v: p.v}
	through := step{kind: toPointee}
	if p.reach > 1 {
		through = step{kind: toNeighbour, len: p.reach}
	}
	s.add(p.to, []step{through}, !constant)
	sc.register(s)
}

// newTable adds an array that no statement writes on the path, and a local pointer to
// it. The array is read through that pointer alone, so that a back end may declare the
// pointer restrict.
func (sc *scope) newTable() {
	t := sc.scalarType()
	n := choice.Pick(sc.s, []int{2, 3, 4, 8})
	v := sc.newVar(choice.Pick(sc.s, []ir.Kind{ir.Global, ir.Static}), ir.Array{Elem: t, Len: n})
	sc.initialise(v)
	sc.summed = append(sc.summed, v)
	sc.tables = append(sc.tables, v)
	p := sc.newVar(ir.Local, ir.Pointer{Elem: t, Const: sc.s.Chance(1, 2)})
	p.Init = []ir.Expr{nil}
	p.Ptrs = []ir.Expr{sc.addressFixed(spots(v)[0], n)}
	s := &source{v: p}
	s.add(t, []step{{kind: toNeighbour, len: n}}, false)
	sc.register(s)
}

// newOuter adds a pointer to a pointer, if a pointer exists to point to.
func (sc *scope) newOuter() bool {
	inner := choice.Pick(sc.s, sc.ptrs)
	if inner.outer || inner.null {
		return false
	}
	kind := ir.Local
	if inner.v.Kind != ir.Local {
		kind = sc.kind()
	}
	v := sc.newVar(kind, ir.Pointer{Elem: inner.v.Type})
	v.Init = []ir.Expr{nil}
	v.Ptrs = []ir.Expr{nodeAddressOf(nodeRef(inner.v))}
	sc.ptrs = append(sc.ptrs, &pointer{v: v, to: inner.v.Type, spots: inner.spots, reach: inner.reach, outer: true})
	through := step{kind: toPointee}
	if inner.reach > 1 {
		through = step{kind: toNeighbour, len: inner.reach}
	}
	s := &source{v: v}
	s.add(inner.to, []step{{kind: toPointee}, through}, !inner.v.Type.(ir.Pointer).Const)
	sc.register(s)
	return true
}

// addressFixed returns the address of a spot with constant indices, such that
// reach elements begin there.
func (sc *scope) addressFixed(s *spot, reach int) *ir.AddrOf {
	return address(sc.s, s, reach, func(n int) ir.Expr {
		return constantOf(ir.I32, int64(sc.s.Intn(n)))
	})
}

// address returns the address of a spot with indices of a function that gets
// their number.
func address(draws *choice.Stream, s *spot, reach int, index func(int) ir.Expr) *ir.AddrOf {
	steps := len(s.steps)
	var p ir.Place = nodeRef(s.root)
	for i, st := range s.steps {
		switch {
		case st.kind == toMember:
			p = nodeMember(p, st.field)
		case i == steps-1 && reach > 1:
			// From here on there must be enough of them.
			p = nodeElem(p, constantOf(ir.I32, int64(draws.Intn(st.len-reach+1))))
		default:
			p = nodeElem(p, index(st.len))
		}
	}
	return nodeAddressOf(p)
}

// repoint returns p = &v, p = q, or *pp = &v; nil if the pointer has no other target.
func (w *stmtWriter) repoint() []ir.Stmt {
	p := choice.Pick(w.s, w.ptrs)
	if p.null {
		return nil
	}
	var dst ir.Place = nodeRef(p.v)
	if p.outer {
		dst = nodeDeref(nodeLoadPtr(dst))
	}
	if q := choice.Pick(w.s, w.ptrs); w.s.Chance(1, 3) && within(q, p) {
		return []ir.Stmt{nodeAssignPtr(dst, nodeLoadPtr(nodeRef(q.v)))}
	}
	s := choice.Pick(w.s, p.spots)
	return []ir.Stmt{nodeAssignPtr(dst, address(w.s, s, p.reach, w.index))}
}

// within reports whether p may take the value of q.
func within(q, p *pointer) bool {
	from, to := q.v.Type.(ir.Pointer), p.v.Type.(ir.Pointer)
	return q != p && !q.null && !q.outer && !p.outer && q.to == p.to && q.reach >= p.reach &&
		(to.Const || !from.Const) && (p.v.Kind == ir.Local || q.v.Kind != ir.Local)
}

// comparePointers returns a comparison of two pointers, or of one with null; or nil if
// the function has none.
func (w *exprWriter) comparePointers() ir.Expr {
	p := choice.Pick(w.s, w.ptrs)
	op := choice.Pick(w.s, equalities)
	x := nodeLoadPtr(nodeRef(p.v))
	if p.reach > 1 && !p.outer && !p.null && w.s.Chance(1, 2) {
		further := nodePtrAdd(x, w.index(p.reach))
		return bin(op, &ir.PtrDiff{X: further, Y: nodeLoadPtr(nodeRef(p.v))}, w.symbol(ir.I64))
	}
	var like []*pointer
	for _, q := range w.ptrs {
		if q != p && q.to == p.to {
			like = append(like, q)
		}
	}
	switch {
	case len(like) > 0 && w.s.Chance(2, 3):
		return &ir.PtrCompare{Op: op, X: x, Y: nodeLoadPtr(nodeRef(choice.Pick(w.s, like).v))}
	case !p.outer && w.s.Chance(1, 2):
		return &ir.PtrCompare{Op: op, X: x, Y: address(w.s, choice.Pick(w.s, p.spots), 1, w.index)}
	}
	return &ir.PtrCompare{Op: op, X: x, Y: &ir.Null{T: p.v.Type.(ir.Pointer)}}
}
