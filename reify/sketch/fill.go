package sketch

import (
	"goreify/reify/choice"
	"goreify/reify/ir"
)

// Fill gives values to the symbols that m leaves open: those that the path
// does not meet, which may be anything ("any const" in Figure 4b). Most are
// such that the statement could be executed; some are not.
func Fill(f *ir.Function, m *ir.Model, s *choice.Stream) {
	fl := filler{m, s}
	for _, v := range f.Vars {
		for _, e := range v.Init {
			fl.expr(e, constant)
		}
	}
	for _, b := range f.Blocks {
		for _, st := range b.Stmts {
			if a, ok := st.(*ir.Assign); ok {
				fl.expr(a.Src, constant)
				fl.place(a.Dst)
			}
		}
		if t, ok := b.Term.(*ir.If); ok {
			fl.expr(t.Cond, constant)
		}
	}
}

type filler struct {
	m *ir.Model
	s *choice.Stream
}

// A draw gives a value to a symbol in some position.
type draw func(s *choice.Stream, t ir.Int) int64

func constant(s *choice.Stream, t ir.Int) int64 {
	lo, hi := t.Min(), t.Max()
	if lo > hi { // u64, whose values are kept as those of i64
		lo, hi = ir.I64.Min(), ir.I64.Max()
	}
	return s.Constant(lo, hi)
}

func factor(s *choice.Stream, t ir.Int) int64 {
	if v := constant(s, t); v != 0 || s.Chance(1, 8) {
		return v
	}
	return int64(s.Range(1, 9))
}

func (fl filler) expr(e ir.Expr, d draw) {
	switch e := e.(type) {
	case *ir.Sym:
		if !fl.m.Set[e.ID] {
			fl.m.Syms[e.ID] = d(fl.s, e.T)
		}
	case *ir.Load:
		fl.place(e.Place)
	case *ir.Convert:
		fl.expr(e.X, constant)
	case *ir.Binary:
		operand := draw(constant)
		if e.Op == ir.Mul || e.Op == ir.Div || e.Op == ir.Rem {
			operand = factor
		}
		fl.expr(e.X, operand)
		fl.expr(e.Y, operand)
	}
}

func (fl filler) place(p ir.Place) {
	elem, ok := p.(*ir.Elem)
	if !ok {
		return
	}
	fl.place(elem.Base)
	last := elem.Base.Type().(ir.Array).Len - 1
	inside := func(s *choice.Stream, t ir.Int) int64 {
		if s.Chance(1, 12) {
			return s.Constant(max(t.Min(), -farIndex), farIndex)
		}
		return int64(s.Range(0, last))
	}
	fl.expr(elem.Index, inside)
	// %x % k + c: any value of %x is inside if k and c are small.
	if sum, ok := elem.Index.(*ir.Binary); ok {
		fl.expr(sum.Y, inside)
		if rem, ok := sum.X.(*ir.Binary); ok {
			fl.expr(rem.Y, func(s *choice.Stream, _ ir.Int) int64 { return int64(s.Range(1, last+1)) })
		}
	}
}
