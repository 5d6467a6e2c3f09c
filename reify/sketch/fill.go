package sketch

import (
	"goreify/reify/choice"
	"goreify/reify/ir"
)

// Fill gives values to the symbols that m leaves open: those that the path
// does not meet, which may be anything ("any const" in Figure 4b). Most are
// such that the statement could be executed; some are not. No two labels of a
// switch get one value.
func Fill(f *ir.Function, m *ir.Model, s *choice.Stream) {
	fl := filler{m, s}
	for _, v := range f.Vars {
		for _, e := range v.Init {
			fl.expr(e, constant)
		}
		for _, p := range v.Ptrs {
			fl.ptr(p)
		}
	}
	for _, b := range f.Blocks {
		for _, st := range b.Stmts {
			fl.stmt(st)
		}
		switch t := b.Term.(type) {
		case *ir.If:
			fl.expr(t.Cond, constant)
		case *ir.Switch:
			fl.expr(t.X, constant)
			fl.labels(t)
		case *ir.Return:
			fl.expr(t.Val, constant)
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

// count draws a shift count, now and then one that is too large.
func count(s *choice.Stream, t ir.Int) int64 {
	if s.Chance(1, 12) {
		return constant(s, t)
	}
	return int64(s.Intn(t.Bits))
}

func (fl filler) stmt(st ir.Stmt) {
	switch st := st.(type) {
	case *ir.Assign:
		fl.expr(st.Src, constant)
		fl.place(st.Dst)
	case *ir.AssignPtr:
		fl.ptr(st.Src)
		fl.place(st.Dst)
	case *ir.AssignFloat:
		fl.float(st.Src)
		fl.place(st.Dst)
	case *ir.AssignVec:
		fl.vec(st.Src)
		fl.place(st.Dst)
	case *ir.Copy:
		fl.place(st.Src)
		fl.place(st.Dst)
	case *ir.Overflow:
		fl.expr(st.X, constant)
		fl.expr(st.Y, constant)
		fl.place(st.Dst)
		fl.place(st.Flag)
	}
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
		switch e.Op {
		case ir.Mul, ir.Div, ir.Rem:
			operand = factor
		case ir.Shl, ir.Shr:
			fl.expr(e.X, constant)
			fl.expr(e.Y, count)
			return
		}
		fl.expr(e.X, operand)
		fl.expr(e.Y, operand)
	case *ir.Unary:
		fl.expr(e.X, constant)
	case *ir.Select:
		fl.expr(e.If, constant)
		fl.expr(e.X, constant)
		fl.expr(e.Y, constant)
	case *ir.Builtin:
		for _, arg := range e.Args {
			fl.expr(arg, factor)
		}
	case *ir.PtrCompare:
		fl.ptr(e.X)
		fl.ptr(e.Y)
	case *ir.PtrDiff:
		fl.ptr(e.X)
		fl.ptr(e.Y)
	case *ir.FloatToInt:
		fl.float(e.X)
	case *ir.FloatCompare:
		fl.float(e.X)
		fl.float(e.Y)
	}
}

func (fl filler) ptr(p ir.PtrExpr) {
	switch p := p.(type) {
	case *ir.AddrOf:
		fl.place(p.Place)
	case *ir.LoadPtr:
		fl.place(p.Place)
	case *ir.PtrAdd:
		fl.ptr(p.X)
		fl.index(p.Index, 3)
	case *ir.PtrCast:
		fl.ptr(p.X)
	}
}

func (fl filler) float(e ir.FloatExpr) {
	switch e := e.(type) {
	case *ir.FloatLoad:
		fl.place(e.Place)
	case *ir.FloatNeg:
		fl.float(e.X)
	case *ir.FloatBinary:
		fl.float(e.X)
		fl.float(e.Y)
	case *ir.FloatConvert:
		fl.float(e.X)
	case *ir.FloatOf:
		fl.expr(e.X, constant)
	}
}

func (fl filler) vec(e ir.VecExpr) {
	switch e := e.(type) {
	case *ir.VecLoad:
		fl.place(e.Place)
	case *ir.VecOf:
		for _, lane := range e.Lanes {
			fl.expr(lane, factor)
		}
	case *ir.VecUnary:
		fl.vec(e.X)
	case *ir.VecBinary:
		fl.vec(e.X)
		fl.vec(e.Y)
	case *ir.VecShuffle:
		fl.vec(e.X)
		fl.vec(e.Y)
	case *ir.VecConvert:
		fl.vec(e.X)
	}
}

func (fl filler) place(p ir.Place) {
	switch p := p.(type) {
	case *ir.Elem:
		fl.place(p.Base)
		fl.index(p.Index, length(p.Base.Type())-1)
	case *ir.Member:
		fl.place(p.Base)
	case *ir.Deref:
		fl.ptr(p.X)
	}
}

// length returns the number of elements of an array or lanes of a vector.
func length(t ir.Type) int {
	if v, ok := t.(ir.Vector); ok {
		return v.Lanes
	}
	return t.(ir.Array).Len
}

// index fills an index whose largest value is last.
func (fl filler) index(e ir.Expr, last int) {
	inside := func(s *choice.Stream, t ir.Int) int64 {
		if s.Chance(1, 12) {
			return s.Constant(max(t.Min(), -farIndex), farIndex)
		}
		return int64(s.Range(0, last))
	}
	fl.expr(e, inside)
	// %x % k + c: any value of %x is inside if k and c are small.
	if sum, ok := e.(*ir.Binary); ok {
		fl.expr(sum.Y, inside)
		if rem, ok := sum.X.(*ir.Binary); ok {
			fl.expr(rem.Y, func(s *choice.Stream, _ ir.Int) int64 { return int64(s.Range(1, last+1)) })
		}
	}
}

// labels fills those of a switch: small ones, close together or far apart.
func (fl filler) labels(sw *ir.Switch) {
	taken := make(map[int64]bool, len(sw.Cases))
	for _, c := range sw.Cases {
		if v, ok := fl.label(c.Lo); ok {
			taken[v] = true
		}
	}
	dense := fl.s.Chance(1, 2)
	for _, c := range sw.Cases {
		sym, ok := c.Lo.(*ir.Sym)
		if !ok || fl.m.Set[sym.ID] {
			continue
		}
		v := int64(fl.s.Range(0, 3))
		if !dense {
			v = constant(fl.s, sym.T)
		}
		for taken[v] {
			v = sym.T.Wrap(v + int64(fl.s.Range(1, 3)))
		}
		taken[v] = true
		fl.m.Syms[sym.ID] = v
	}
}

// label returns the value of a label, if it is known.
func (fl filler) label(e ir.Expr) (v int64, ok bool) {
	switch e := e.(type) {
	case *ir.Const:
		return e.V, true
	case *ir.Sym:
		return fl.m.Syms[e.ID], fl.m.Set[e.ID]
	}
	return 0, false
}
