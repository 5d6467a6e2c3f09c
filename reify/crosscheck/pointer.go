package crosscheck

import (
	"goreify/reify/choice"
	"goreify/reify/ir"
)

// addPointers declares pointers to scalars, elements, members, and pointers.
func (r *room) addPointers() {
	var targets []ir.Place
	for _, p := range r.ints {
		if t := p.Type().(ir.Int); t.Standard() && addressable(p) {
			targets = append(targets, p)
		}
	}
	for range 6 {
		r.pointTo(choice.Pick(r.s, targets))
	}
	for _, p := range append([]ir.Place(nil), r.ptrs...) {
		if r.s.Chance(1, 3) && addressable(p) {
			r.pointTo(p)
		}
	}
	null := &ir.Var{Kind: ir.Static, Type: ir.Pointer{Elem: choice.Pick(r.s, integers)}}
	r.ptrs = append(r.ptrs, &ir.VarRef{Var: r.declare(null)})
}

// pointTo declares a pointer to a place. Those outside of functions cannot
// point to what is in them.
func (r *room) pointTo(p ir.Place) {
	e := &ir.AddrOf{Place: ir.CopyPlace(p)}
	v := &ir.Var{Kind: ir.Local, Type: ir.TypeOf[ir.Pointer](e), Init: []ir.Expr{nil}, Ptrs: []ir.Expr{e}}
	if root := ir.Root(p); root != nil && root.Kind.Lasts() {
		v.Kind = choice.Pick(r.s, []ir.Kind{ir.Local, ir.Static, ir.Global})
	}
	r.declare(v)
	r.ptrs = append(r.ptrs, &ir.VarRef{Var: v})
}

// addressable tells whether C allows the address of a place: bit-fields and lanes
// have none, nor has what is reached by way of a union, to be on the safe side.
func addressable(p ir.Place) bool {
	for {
		switch q := p.(type) {
		case *ir.VarRef:
			return true
		case *ir.Elem:
			if _, lane := q.Base.Type().(ir.Vector); lane {
				return false
			}
			p = q.Base
		case *ir.Member:
			rec := q.Base.Type().(*ir.Record)
			if rec.Fields[q.Field].Bits > 0 || rec.Union {
				return false
			}
			p = q.Base
		default:
			return false
		}
	}
}

// pointer draws a computation with pointers.
func (r *room) pointer(depth int) made {
	m := r.pointed(depth)
	m.pointers = true
	return m
}

func (r *room) pointed(depth int) made {
	switch r.s.Weighted(4, 2, 1, 2) {
	case 0: // what a pointer points to
		p := r.address(depth)
		for isPointer(ir.TypeOf[ir.Pointer](p).Elem) {
			p = &ir.Load{Place: &ir.Deref{X: p}}
		}
		return r.store(&ir.Load{Place: &ir.Deref{X: p}})
	case 1:
		x := r.address(depth)
		y := r.alike(x, depth)
		op := choice.Pick(r.s, []ir.Op{ir.Eq, ir.Ne, ir.Lt, ir.Le, ir.Gt, ir.Ge})
		return r.store(&ir.Binary{Op: op, X: x, Y: y})
	case 2:
		x := r.address(depth)
		return r.store(&ir.Binary{Op: ir.Sub, X: x, Y: r.alike(x, depth)})
	default: // a pointer that is stored and used
		x := r.address(depth)
		v := &ir.Var{Kind: ir.Local, Type: ir.TypeOf[ir.Pointer](x)}
		isNull := &ir.Var{Kind: ir.Local, Type: ir.I32}
		ref := func() ir.Expr { return &ir.Load{Place: &ir.VarRef{Var: v}} }
		return made{
			stmts: []ir.Stmt{
				&ir.Assign{Dst: &ir.VarRef{Var: v}, Src: x},
				&ir.Assign{Dst: &ir.VarRef{Var: isNull}, Src: &ir.Binary{Op: ir.Eq, X: ref(), Y: &ir.Null{T: ir.TypeOf[ir.Pointer](x)}}},
			},
			out: []*ir.Var{v, isNull},
		}
	}
}

func isPointer(t ir.Type) bool {
	_, ok := t.(ir.Pointer)
	return ok
}

// address draws a pointer.
func (r *room) address(depth int) ir.Expr {
	p := choice.Pick(r.s, r.ptrs)
	var e ir.Expr = &ir.Load{Place: ir.CopyPlace(p)}
	if r.s.Chance(1, 4) {
		if at := choice.Pick(r.s, r.ints); addressable(at) && at.Type().(ir.Int).Standard() {
			e = &ir.AddrOf{Place: ir.CopyPlace(at)}
		}
	}
	if depth > 1 && r.s.Chance(1, 2) {
		e = r.moved(e)
	}
	if t, ok := ir.TypeOf[ir.Pointer](e).Elem.(ir.Int); ok && t != ir.Bool && r.s.Chance(1, 5) {
		to := ir.TypeOf[ir.Pointer](e)
		t.Signed = !t.Signed
		to.Elem = t
		e = &ir.Cast{T: to, X: e}
	}
	return e
}

// moved adds a small number to a pointer.
func (r *room) moved(e ir.Expr) ir.Expr {
	t := choice.Pick(r.s, []ir.Int{ir.I32, ir.I64})
	return &ir.PtrAdd{X: e, Index: &ir.Const{T: t, V: int64(r.s.Range(-1, 2))}}
}

// alike draws a pointer to the type that x points to, often x itself or one near
// it, and sometimes null.
func (r *room) alike(x ir.Expr, depth int) ir.Expr {
	switch r.s.Weighted(3, 3, 1) {
	case 0:
		for range 10 {
			if y := r.address(depth); ir.TypeOf[ir.Pointer](y).Elem == ir.TypeOf[ir.Pointer](x).Elem {
				return y
			}
		}
	case 1:
		return r.moved(ir.CopyExpr(x))
	case 2:
		return &ir.Null{T: ir.TypeOf[ir.Pointer](x)}
	}
	return ir.CopyExpr(x)
}
