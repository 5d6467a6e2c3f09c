package reduce

import "goreify/reify/ir"

// code retypes the expressions of f. Declarations have their new types already.
func (r *retyper) code(f *ir.Function) {
	v := of(ir.Vectors, r.vec)
	v.last, v.expr, v.stmt = true, r.expr, r.stmt
	for _, x := range f.Vars {
		cells := cellsOf(x.Type, false)
		for i := range x.Init {
			if x.Init[i] == nil {
				continue
			}
			if _, ok := x.Init[i].(*ir.Const); ok {
				continue
			}
			v.onExpr(&x.Init[i], whole)
			assigned(&x.Init[i], cells[i].t.(ir.Int))
		}
	}
	v.code(f)
}

func (r *retyper) stmt(at *ir.Stmt) {
	s, ok := (*at).(*ir.Assign)
	if !ok {
		return
	}
	if _, ok := s.Src.(*ir.Checksum); ok {
		return
	}
	if t, ok := s.Dst.Type().(ir.Int); ok && t != ir.IntOf(s.Src) {
		assigned(&s.Src, t)
	}
}

// expr gives *at, whose parts have been retyped, the type that ints wants, unless the
// slot is loose.
func (r *retyper) expr(at *ir.Expr, s slot) {
	want := r.ints(r.exprs[*at])
	switch e := (*at).(type) {
	case *ir.Const:
		*at = retyped(e, r.ints)
	case *ir.Sym:
		e.T = want
	case *ir.Convert:
		if e.T = want.Boxed(); ir.IsInt(e.X) && ir.IntOf(e.X) == want {
			*at = e.X
		}
	case *ir.Builtin:
		if !ir.IsInt(e.Args[0]) {
			break
		}
		if t := ir.IntOf(e.Args[0]); !wide(t) || t.Signed != e.Fn.Signed() {
			e.Args[0] = converted(r.args[e], e.Args[0])
		}
	case *ir.Checksum:
		return
	case *ir.Call:
		for i := range e.Args {
			assigned(&e.Args[i], e.Func.Vars[i].Type.(ir.Int))
		}
	}
	if s != loose && ir.IntOf((*at)) != want {
		*at = &ir.Convert{T: want.Boxed(), X: *at}
	}
}

// vec gives *at, whose parts have been retyped, the type that ints wants.
func (r *retyper) vec(at *ir.Expr) {
	want := r.typ(r.vecs[*at]).(ir.Vector)
	switch e := (*at).(type) {
	case *ir.VecOf:
		e.T = want
		for i := range e.Lanes {
			assigned(&e.Lanes[i], want.Elem)
		}
	case *ir.Convert:
		e.T = want
	case *ir.Cast:
		e.T = want
	}
	if ir.TypeOf[ir.Vector]((*at)) != want {
		*at = &ir.Convert{T: want, X: *at}
	}
}
