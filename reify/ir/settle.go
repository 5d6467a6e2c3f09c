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
		for i := range v.Init {
			s.expr(&v.Init[i])
		}
	}
	for _, b := range f.Blocks {
		for _, st := range b.Stmts {
			switch st := st.(type) {
			case *Assign:
				s.expr(&st.Src)
				s.place(st.Dst)
			default:
				panic(unknown(st))
			}
		}
		switch t := b.Term.(type) {
		case *If:
			s.expr(&t.Cond)
		case *Return:
			s.expr(&t.Val)
		case *Goto:
		default:
			panic(unknown(t))
		}
	}
	f.Syms = 0
}

type settler struct {
	syms   []int64
	consts []Const // never grows: each symbol stands once
}

func (s *settler) expr(at *Expr) {
	switch e := (*at).(type) {
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
	case *Call:
		for i := range e.Args {
			s.expr(&e.Args[i])
		}
	case *Const, *Checksum:
	default:
		panic(unknown(e))
	}
}

func (s *settler) place(p Place) {
	for {
		elem, ok := p.(*Elem)
		if !ok {
			return
		}
		s.expr(&elem.Index)
		p = elem.Base
	}
}
