package offpath

import (
	"goreify/reify/choice"
	"goreify/reify/ir"
)

// Fill gives values to the symbols that m leaves open: those that the path does not
// meet, which may have any value ("any const" in Figure 4b). Most of these values keep
// the statement defined; some do not. No two labels of a switch get one value.
func Fill(f *ir.Function, m *ir.Model, s *choice.Stream) {
	fl := filler{m, s}
	for _, v := range f.Vars {
		for _, e := range v.Init {
			fl.node(e)
		}
		for _, p := range v.Ptrs {
			fl.node(p)
		}
	}
	for _, b := range f.Blocks {
		for _, st := range b.Stmts {
			fl.node(st)
		}
		switch t := b.Term.(type) {
		case *ir.If:
			fl.expr(t.Cond, constant)
		case *ir.Switch:
			fl.node(t.X)
			fl.labels(t)
		case *ir.Return:
			fl.node(t.Val)
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

// node fills the symbols below n. A symbol that is all of it may be any constant.
func (fl filler) node(n ir.Node) {
	switch n := n.(type) {
	case *ir.VarRef:
	case *ir.Assign: // with VarRef the most frequent, and soonest told apart
		fl.node(n.Src)
		fl.node(n.Dst)
	case *ir.Elem:
		fl.node(n.Base)
		fl.index(n.Index, length(n.Base.Type())-1)
	case *ir.PtrAdd:
		fl.node(n.X)
		fl.index(n.Index, 3)
	case *ir.Transfer:
		fl.node(n.Dst)
		fl.node(n.Src)
		fl.index(n.N, 3)
	case *ir.Fill:
		fl.node(n.Dst)
		fl.expr(n.Byte, constant)
		fl.index(n.N, 3)
	case *ir.VecOf:
		for _, lane := range n.Lanes {
			fl.expr(lane, factor)
		}
	case ir.Expr:
		if ir.FamilyOf(n) != ir.Integers {
			fl.parts(n)
			return
		}
		fl.expr(n, constant)
	default:
		fl.parts(n)
	}
}

func (fl filler) parts(n ir.Node) {
	ir.Parts(n, func(part ir.Node) bool {
		fl.node(part)
		return true
	})
}

// expr is node for an integer expression, which is drawn by d if it is a symbol.
func (fl filler) expr(e ir.Expr, d draw) {
	switch e := e.(type) {
	case *ir.Sym:
		if !fl.m.Set[e.ID] {
			fl.m.Syms[e.ID] = d(fl.s, e.T)
		}
	case *ir.Const:
	case *ir.Load:
		fl.node(e.Place)
	case *ir.Binary:
		if e.Of() != ir.Integers {
			fl.parts(e)
			return
		}
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
	case *ir.Builtin:
		for _, arg := range e.Args {
			fl.expr(arg, factor)
		}
	default:
		fl.parts(e)
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
	if sum, ok := e.(*ir.Binary); ok && sum.Of() == ir.Integers {
		fl.expr(sum.Y, inside)
		if rem, ok := sum.X.(*ir.Binary); ok && rem.Of() == ir.Integers {
			fl.expr(rem.Y, func(s *choice.Stream, _ ir.Int) int64 { return int64(s.Range(1, last+1)) })
		}
	}
}
