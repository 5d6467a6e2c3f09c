//go:build cgo && z3

package z3

import (
	"fmt"

	"goreify/reify/choice"
	"goreify/reify/ir"
	"goreify/reify/solve"
)

// A shape says what kind of functions randomProblem makes: the parameters of
// section 5.2 of the paper.
type shape struct {
	blocks, vars, assigns int
	termsA, termsC        int     // terms of an assignment and of a condition
	ops                   []ir.Op // between a variable and its coefficient
	types                 []ir.Int
	array                 bool // one variable is an array, with variable indices
	maxPath               int
}

var linear = []ir.Op{ir.Mul, ir.Mul, ir.Mul, ir.Add, ir.Sub}

var allOps = []ir.Op{ir.Mul, ir.Mul, ir.Add, ir.Sub, ir.Div, ir.Rem}

// A generator fills a random graph with random symbolic statements. It has
// less to it than the one in reify/sketch, which these tests must not need.
type generator struct {
	shape
	s *choice.Stream
	f *ir.Function
}

func randomProblem(sh shape, s *choice.Stream) solve.Problem {
	g := &generator{sh, s, &ir.Function{Name: "f", Result: ir.U32}}
	for i := range g.vars {
		g.variable(i)
	}
	n := g.blocks + 2
	for i := range n {
		g.f.Blocks = append(g.f.Blocks, &ir.Block{Name: fmt.Sprintf("b%d", i), Index: i})
	}
	for i, b := range g.f.Blocks {
		if 0 < i && i < n-1 {
			for range g.assigns {
				b.Stmts = append(b.Stmts, g.assignment())
			}
		}
		b.Term = g.term(i, n)
	}
	return solve.Problem{Func: g.f, Path: g.path()}
}

func (g *generator) variable(i int) {
	t := choice.Pick(g.s, g.types)
	v := &ir.Var{Name: fmt.Sprintf("v%d", i), Type: t, Kind: ir.Param, Index: i}
	if i > 0 {
		v.Kind = ir.Local
		if g.array && i == g.vars-1 {
			v.Type = ir.Array{Elem: t, Len: 3}
		}
		for range ir.Count(v.Type) {
			v.Init = append(v.Init, g.sym(t))
		}
	}
	g.f.Vars = append(g.f.Vars, v)
}

func (g *generator) sym(t ir.Int) *ir.Sym {
	g.f.Syms++
	return &ir.Sym{T: t, ID: g.f.Syms - 1}
}

func (g *generator) scalar() ir.Place {
	v := choice.Pick(g.s, g.f.Vars)
	if a, ok := v.Type.(ir.Array); ok {
		index := ir.Expr(g.sym(ir.I32))
		if g.s.Chance(1, 2) {
			index = convert(&ir.Load{Place: &ir.VarRef{Var: g.f.Vars[0]}}, ir.I32)
			index = &ir.Binary{Op: ir.Rem, X: index, Y: &ir.Const{T: ir.I32, V: int64(a.Len)}}
		}
		return &ir.Elem{Base: &ir.VarRef{Var: v}, Index: index}
	}
	return &ir.VarRef{Var: v}
}

func convert(x ir.Expr, t ir.Int) ir.Expr {
	if ir.IntOf(x) == t {
		return x
	}
	return &ir.Convert{T: t, X: x}
}

func (g *generator) sum(terms int) ir.Expr {
	t := ir.I32
	for _, u := range g.types {
		if u.Bits > t.Bits || u.Bits == t.Bits && g.s.Chance(1, 2) {
			t = u
		}
	}
	var sum ir.Expr = g.sym(t)
	for range terms {
		v := convert(&ir.Load{Place: g.scalar()}, t)
		term := &ir.Binary{Op: choice.Pick(g.s, g.ops), X: v, Y: g.sym(t)}
		sum = &ir.Binary{Op: choice.Pick(g.s, []ir.Op{ir.Add, ir.Sub}), X: term, Y: sum}
	}
	return sum
}

func (g *generator) assignment() ir.Stmt {
	dst := g.scalar()
	return &ir.Assign{Dst: dst, Src: convert(g.sum(g.termsA), dst.Type().(ir.Int))}
}

func (g *generator) term(i, n int) ir.Term {
	if i == n-1 {
		return &ir.Return{Val: &ir.Checksum{Of: g.f.Vars}}
	}
	next := g.f.Blocks[i+1] // so that every block reaches the exit
	if i == 0 {
		return &ir.Goto{To: next}
	}
	other := g.f.Blocks[g.s.Range(1, n-1)]
	if other == next {
		return &ir.Goto{To: next}
	}
	x := g.sum(g.termsC)
	op := ir.Op(g.s.Range(int(ir.Lt), int(ir.Ne)))
	return &ir.If{Cond: &ir.Binary{Op: op, X: x, Y: &ir.Const{T: ir.IntOf(x)}}, Then: next, Else: other}
}

// path walks at random and, past maxPath, straight on.
func (g *generator) path() []int {
	path := []int{0}
	for b := g.f.Blocks[0]; len(b.Succs()) > 0; path = append(path, b.Index) {
		if len(path) > g.maxPath {
			b = b.Succs()[0]
		} else {
			b = choice.Pick(g.s, b.Succs())
		}
	}
	return path
}
