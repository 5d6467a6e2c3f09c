package reduce

import (
	"fmt"

	"goreify/reify/ir"
)

// code retypes the expressions of f. What is declared has its new types.
func (r *retyper) code(f *ir.Function) {
	for _, x := range f.Vars {
		cells := cellsOf(x.Type, false)
		for i := range x.Init {
			if x.Init[i] == nil {
				continue
			}
			if _, ok := x.Init[i].(*ir.Const); ok {
				continue
			}
			r.expr(&x.Init[i], whole)
			assigned(&x.Init[i], cells[i].t.(ir.Int))
		}
	}
	for _, b := range f.Blocks {
		for _, s := range b.Stmts {
			r.stmt(s)
		}
		switch t := b.Term.(type) {
		case *ir.Goto:
		case *ir.If:
			r.expr(&t.Cond, loose)
		case *ir.Switch:
			r.expr(&t.X, typed)
			for i := range t.Cases {
				c := &t.Cases[i]
				c.Lo = retyped(c.Lo, r.ints)
				if c.Hi != nil {
					c.Hi = retyped(c.Hi, r.ints)
				}
			}
		case *ir.Return:
			if _, ok := t.Val.(*ir.Checksum); !ok {
				r.expr(&t.Val, typed)
			}
		default:
			panic(fmt.Sprintf("reduce: unknown terminator %T", t))
		}
	}
}

func (r *retyper) stmt(s ir.Stmt) {
	switch s := s.(type) {
	case *ir.Assign:
		r.place(s.Dst)
		if _, ok := s.Src.(*ir.Checksum); ok {
			return
		}
		r.expr(&s.Src, whole)
		if t := s.Dst.Type().(ir.Int); t != s.Src.Type() {
			assigned(&s.Src, t)
		}
	case *ir.AssignPtr:
		r.ptr(s.Src)
		r.place(s.Dst)
	case *ir.AssignFloat:
		r.float(s.Src)
		r.place(s.Dst)
	case *ir.AssignVec:
		r.vec(&s.Src)
		r.place(s.Dst)
	case *ir.Copy:
		r.place(s.Src)
		r.place(s.Dst)
	case *ir.Overflow:
		r.expr(&s.X, typed)
		r.expr(&s.Y, typed)
		r.place(s.Dst)
		r.place(s.Flag)
	case *ir.Unreachable:
	default:
		panic(fmt.Sprintf("reduce: unknown statement %T", s))
	}
}

// expr retypes what *at is made of, and then makes it of the type that ints
// wants, unless the slot is loose.
func (r *retyper) expr(at *ir.Expr, s slot) {
	want := r.ints(r.exprs[*at])
	switch e := (*at).(type) {
	case *ir.Const:
		*at = retyped(e, r.ints)
	case *ir.Sym:
		e.T = want
	case *ir.Load:
		r.place(e.Place)
	case *ir.Unary:
		r.expr(&e.X, typed)
	case *ir.Binary:
		r.expr(&e.X, typed)
		r.expr(&e.Y, typed)
	case *ir.Select:
		r.expr(&e.If, loose)
		r.expr(&e.X, typed)
		r.expr(&e.Y, typed)
	case *ir.Convert:
		r.expr(&e.X, loose)
		if e.T = want; e.X.Type() == want {
			*at = e.X
		}
	case *ir.Builtin:
		before := r.exprs[e.Args[0]]
		r.expr(&e.Args[0], typed)
		if t := e.Args[0].Type(); !wide(t) || t.Signed != e.Fn.Signed() {
			e.Args[0] = converted(before, e.Args[0])
		}
	case *ir.Call:
		for i := range e.Args {
			r.expr(&e.Args[i], typed)
			assigned(&e.Args[i], e.Func.Vars[i].Type.(ir.Int))
		}
	case *ir.PtrCompare:
		r.ptr(e.X)
		r.ptr(e.Y)
	case *ir.PtrDiff:
		r.ptr(e.X)
		r.ptr(e.Y)
	case *ir.FloatToInt:
		r.float(e.X)
		e.T = want
	case *ir.FloatCompare:
		r.float(e.X)
		r.float(e.Y)
	default:
		panic(fmt.Sprintf("reduce: unknown expression %T", e))
	}
	if s != loose && (*at).Type() != want {
		*at = &ir.Convert{T: want, X: *at}
	}
}

func (r *retyper) place(p ir.Place) {
	switch p := p.(type) {
	case *ir.VarRef:
	case *ir.Elem:
		r.place(p.Base)
		r.expr(&p.Index, loose)
	case *ir.Member:
		r.place(p.Base)
	case *ir.Deref:
		r.ptr(p.X)
	default:
		panic(fmt.Sprintf("reduce: unknown place %T", p))
	}
}

func (r *retyper) ptr(e ir.PtrExpr) {
	switch e := e.(type) {
	case *ir.Null: // is declared
	case *ir.AddrOf:
		r.place(e.Place)
	case *ir.LoadPtr:
		r.place(e.Place)
	case *ir.PtrAdd:
		r.ptr(e.X)
		r.expr(&e.Index, loose)
	case *ir.PtrCast:
		r.ptr(e.X)
	default:
		panic(fmt.Sprintf("reduce: unknown pointer %T", e))
	}
}

func (r *retyper) float(e ir.FloatExpr) {
	switch e := e.(type) {
	case *ir.FloatConst:
	case *ir.FloatLoad:
		r.place(e.Place)
	case *ir.FloatNeg:
		r.float(e.X)
	case *ir.FloatBinary:
		r.float(e.X)
		r.float(e.Y)
	case *ir.FloatConvert:
		r.float(e.X)
	case *ir.FloatOf:
		r.expr(&e.X, loose)
	default:
		panic(fmt.Sprintf("reduce: unknown floating-point expression %T", e))
	}
}

func (r *retyper) vec(at *ir.VecExpr) {
	want := r.typ(r.vecs[*at]).(ir.Vector)
	switch e := (*at).(type) {
	case *ir.VecLoad:
		r.place(e.Place)
	case *ir.VecOf:
		e.T = want
		for i := range e.Lanes {
			r.expr(&e.Lanes[i], typed)
			assigned(&e.Lanes[i], want.Elem)
		}
	case *ir.VecUnary:
		r.vec(&e.X)
	case *ir.VecBinary:
		r.vec(&e.X)
		r.vec(&e.Y)
	case *ir.VecShuffle:
		r.vec(&e.X)
		r.vec(&e.Y)
	case *ir.VecConvert:
		r.vec(&e.X)
		e.T = want
	default:
		panic(fmt.Sprintf("reduce: unknown vector %T", e))
	}
	if (*at).Type() != want {
		*at = &ir.VecConvert{T: want, X: *at}
	}
}
