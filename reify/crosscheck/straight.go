package crosscheck

import (
	"errors"
	"fmt"

	"goreify/reify/choice"
	"goreify/reify/emit/c"
	"goreify/reify/interp"
	"goreify/reify/ir"
)

// A straightLine draws functions of one block over all types and operators. It
// takes no care that they are defined: it only favours small values, without
// which next to none would be.
type straightLine struct {
	s *choice.Stream
	f *ir.Function
}

// drawStraightLine returns a function and arguments for it.
func drawStraightLine(s *choice.Stream, name string) (*ir.Function, []int64) {
	g := &straightLine{s, &ir.Function{Name: name}}
	var args []int64
	for range s.Range(1, 4) {
		t := choice.Pick(s, lanes)
		g.declare(&ir.Var{Kind: ir.Param, Type: t})
		args = append(args, g.value(t))
	}
	for range s.Range(1, 4) {
		g.drawVar()
	}
	b := &ir.Block{Name: "entry"}
	g.f.Blocks = []*ir.Block{b}
	for range s.Range(1, 5) {
		dst := g.place(choice.Pick(s, g.f.Vars))
		b.Stmts = append(b.Stmts, &ir.Assign{Dst: dst, Src: g.expr(dst.Type().(ir.Int), s.Range(1, 3))})
	}
	if s.Chance(1, 2) {
		g.f.Result = choice.Pick(s, lanes)
		b.Term = &ir.Return{Val: g.expr(g.f.Result, 2)}
	} else {
		g.f.Result = ir.U32
		b.Term = &ir.Return{Val: &ir.Checksum{Of: g.f.Vars}}
	}
	return g.f, args
}

// StraightLines returns functions of one block that are defined, and others that are
// not, with what they do: as many as are asked for, of numbers from first on. Code that
// reads a variable before it is set, or between two accesses of it, is left out, as no
// sanitizer sees that.
func StraightLines(first, defined, undefined int) (good, bad []Member, err error) {
	for n := first; len(good) < defined || len(bad) < undefined; n++ {
		for try := 0; ; try++ {
			s := choice.New(choice.Derive(uint64(n), fmt.Sprintf("straight line %d", try)))
			f, args := drawStraightLine(s, fmt.Sprintf("s%d", n))
			if err := ir.Check(f); err != nil {
				return nil, nil, bug(f, err)
			}
			got, err := interp.Run(f, args, interp.Options{})
			var ub *interp.UB
			if err != nil && !errors.As(err, &ub) {
				return nil, nil, bug(f, err)
			}
			m := Member{Claim: &ir.Claim{Func: f, Args: args, Want: got.Value, Path: []int{0}}, Style: c.Style{}}
			switch {
			case err == nil && len(good) < defined:
				good = append(good, m)
			case err != nil && len(bad) < undefined && ub.Kind != interp.UninitializedRead && ub.Kind != interp.UnsequencedAccess:
				bad = append(bad, m)
			default:
				continue
			}
			break
		}
	}
	return good, bad, nil
}

func (g *straightLine) declare(v *ir.Var) {
	v.Index = len(g.f.Vars)
	v.Name = fmt.Sprintf("v%d", v.Index)
	v.Volatile = g.s.Chance(1, 8)
	g.f.Vars = append(g.f.Vars, v)
}

func (g *straightLine) drawVar() {
	scalar := choice.Pick(g.s, lanes)
	v := &ir.Var{Kind: ir.Kind(g.s.Range(int(ir.Local), int(ir.Static))), Type: scalar}
	for range g.s.Weighted(3, 2, 1) {
		v.Type = ir.Array{Elem: v.Type, Len: g.s.Range(1, 4)}
	}
	if g.s.Chance(9, 10) {
		for range ir.Count(v.Type) {
			v.Init = append(v.Init, &ir.Const{T: scalar, V: g.value(scalar)})
		}
	}
	g.declare(v)
}

// value draws a value of t: mostly small, sometimes near a bound or a power of
// two, sometimes anything.
func (g *straightLine) value(t ir.Int) int64 {
	switch g.s.Weighted(12, 3, 2, 1) {
	case 0:
		return t.Wrap(int64(g.s.Range(-20, 20)))
	case 1:
		return t.Wrap(choice.Pick(g.s, []int64{t.Min(), t.Max()}) + int64(g.s.Range(-1, 1)))
	case 2:
		return t.Wrap(1<<g.s.Intn(64) + int64(g.s.Range(-1, 1)))
	default:
		return t.Wrap(int64(g.s.Uint64()))
	}
}

// place draws a scalar that is v or a part of it.
func (g *straightLine) place(v *ir.Var) ir.Place {
	var p ir.Place = &ir.VarRef{Var: v}
	for {
		a, ok := p.Type().(ir.Array)
		if !ok {
			return p
		}
		var index ir.Expr
		switch g.s.Weighted(6, 3, 1) {
		case 0:
			t := choice.Pick(g.s, lanes)
			index = &ir.Const{T: t, V: int64(g.s.Intn(a.Len))}
		case 1: // in bounds, too
			t := choice.Pick(g.s, []ir.Int{ir.U32, ir.U64})
			index = &ir.Binary{Op: ir.Rem, X: g.expr(t, 1), Y: &ir.Const{T: t, V: int64(a.Len)}}
		case 2:
			index = g.expr(choice.Pick(g.s, lanes), 1)
		}
		p = &ir.Elem{Base: p, Index: index}
	}
}

// expr draws an expression of type t with at most depth operators on the way
// to a leaf. Conversions do not count.
func (g *straightLine) expr(t ir.Int, depth int) ir.Expr {
	if depth == 0 {
		if g.s.Chance(1, 3) {
			return &ir.Const{T: t, V: g.value(t)}
		}
		return g.loadAs(t)
	}
	if t.Bits < 32 || g.s.Chance(1, 4) {
		return &ir.Convert{T: t, X: g.expr(choice.Pick(g.s, lanes), depth-g.s.Intn(2))}
	}
	if t == ir.I32 && g.s.Chance(1, 3) {
		of := choice.Pick(g.s, []ir.Int{ir.I32, ir.I64, ir.U32, ir.U64})
		op := ir.Op(g.s.Range(int(ir.Lt), int(ir.Ne)))
		return &ir.Binary{Op: op, X: g.expr(of, depth-1), Y: g.expr(of, depth-1)}
	}
	op := ir.Op(g.s.Range(int(ir.Add), int(ir.Rem)))
	return &ir.Binary{Op: op, X: g.expr(t, depth-1), Y: g.expr(t, g.s.Intn(depth))}
}

// loadAs draws a variable and converts it to t if it is of another type.
func (g *straightLine) loadAs(t ir.Int) ir.Expr {
	v := choice.Pick(g.s, g.f.Vars)
	for range 2 { // prefer one that needs no conversion
		if ir.Scalar(v.Type) != t {
			v = choice.Pick(g.s, g.f.Vars)
		}
	}
	load := &ir.Load{Place: g.place(v)}
	if ir.IntOf(load) == t {
		return load
	}
	return &ir.Convert{T: t, X: load}
}
