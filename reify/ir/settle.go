package ir

// Settle puts the constants m.Syms[ID] in the place of the symbols of f, like
// Concretize but in f itself. What symbols get that are not m.Set is up to the
// caller, who has filled m.Syms. It panics if m is shorter than f.Syms.
func Settle(f *Function, m *Model) {
	if len(m.Syms) < f.Syms {
		panic("ir: model of another function")
	}
	s := settler{syms: m.Syms, consts: make([]Const, 0, f.Syms)}
	for _, v := range f.Vars {
		s.exprs(v.Init)
	}
	for _, b := range f.Blocks {
		for _, st := range b.Stmts {
			s.stmt(st)
		}
		s.term(b.Term)
	}
	f.Syms = 0
}

type settler struct {
	syms   []int64
	consts []Const // never grows: each symbol stands once
}

func (s *settler) stmt(st Stmt) {
	switch st := st.(type) {
	case *Assign:
		s.expr(&st.Src)
		s.place(st.Dst)
	case *AssignPtr:
		s.ptr(st.Src)
		s.place(st.Dst)
	case *AssignFloat:
		s.float(st.Src)
		s.place(st.Dst)
	case *AssignVec:
		s.vec(st.Src)
		s.place(st.Dst)
	case *Copy:
		s.place(st.Src)
		s.place(st.Dst)
	case *Overflow:
		s.expr(&st.X)
		s.expr(&st.Y)
		s.place(st.Dst)
		s.place(st.Flag)
	case *Unreachable:
	default:
		panic(unknown(st))
	}
}

func (s *settler) term(t Term) {
	switch t := t.(type) {
	case *If:
		s.expr(&t.Cond)
	case *Switch:
		s.expr(&t.X)
		for i := range t.Cases {
			s.expr(&t.Cases[i].Lo)
			s.expr(&t.Cases[i].Hi)
		}
	case *Return:
		s.expr(&t.Val)
	case *Goto:
	default:
		panic(unknown(t))
	}
}

func (s *settler) exprs(list []Expr) {
	for i := range list {
		s.expr(&list[i])
	}
}

func (s *settler) expr(at *Expr) {
	switch e := (*at).(type) {
	case nil: // of a label that is no range, or of a pointer
	case *Sym:
		s.consts = append(s.consts, Const{T: e.T, V: s.syms[e.ID]})
		*at = &s.consts[len(s.consts)-1]
	case *Binary:
		s.expr(&e.X)
		s.expr(&e.Y)
	case *Load:
		s.place(e.Place)
	case *Convert:
		s.expr(&e.X)
	case *Unary:
		s.expr(&e.X)
	case *Select:
		s.expr(&e.If)
		s.expr(&e.X)
		s.expr(&e.Y)
	case *Builtin:
		s.exprs(e.Args)
	case *Call:
		s.exprs(e.Args)
	case *PtrCompare:
		s.ptr(e.X)
		s.ptr(e.Y)
	case *PtrDiff:
		s.ptr(e.X)
		s.ptr(e.Y)
	case *FloatToInt:
		s.float(e.X)
	case *FloatCompare:
		s.float(e.X)
		s.float(e.Y)
	case *Const, *Checksum:
	default:
		panic(unknown(e))
	}
}

func (s *settler) place(p Place) {
	for {
		switch q := p.(type) {
		case *VarRef:
			return
		case *Elem:
			s.expr(&q.Index)
			p = q.Base
		case *Member:
			p = q.Base
		case *Deref:
			s.ptr(q.X)
			return
		default:
			panic(unknown(p))
		}
	}
}

func (s *settler) ptr(e PtrExpr) {
	switch e := e.(type) {
	case *AddrOf:
		s.place(e.Place)
	case *LoadPtr:
		s.place(e.Place)
	case *Null:
	case *PtrAdd:
		s.ptr(e.X)
		s.expr(&e.Index)
	case *PtrCast:
		s.ptr(e.X)
	default:
		panic(unknown(e))
	}
}

func (s *settler) float(e FloatExpr) {
	switch e := e.(type) {
	case *FloatConst:
	case *FloatLoad:
		s.place(e.Place)
	case *FloatNeg:
		s.float(e.X)
	case *FloatBinary:
		s.float(e.X)
		s.float(e.Y)
	case *FloatConvert:
		s.float(e.X)
	case *FloatOf:
		s.expr(&e.X)
	default:
		panic(unknown(e))
	}
}

func (s *settler) vec(e VecExpr) {
	switch e := e.(type) {
	case *VecLoad:
		s.place(e.Place)
	case *VecOf:
		s.exprs(e.Lanes)
	case *VecUnary:
		s.vec(e.X)
	case *VecBinary:
		s.vec(e.X)
		s.vec(e.Y)
	case *VecShuffle:
		s.vec(e.X)
		s.vec(e.Y)
	case *VecConvert:
		s.vec(e.X)
	default:
		panic(unknown(e))
	}
}
