package solve_test

import (
	"fmt"

	"goreify/reify/choice"
	"goreify/reify/ir"
	"goreify/reify/solve"
)

var (
	allInts  = []ir.Int{ir.I8, ir.I16, ir.I32, ir.I64, ir.U8, ir.U16, ir.U32, ir.U64}
	wideInts = []ir.Int{ir.I32, ir.I64, ir.U32, ir.U64}
)

// A shape says what functions a generator makes. Unlike those of package
// sketch they have expressions of any form, in which a symbol may stand
// anywhere, and variables of any type.
type shape struct {
	types   []ir.Int // of variables
	wide    []ir.Int // of operators
	arrays  bool
	symbols int // leaves that are symbols, in percent
	blocks  int // entry and exit not counted
	maxPath int
	depth   int  // of expressions
	rich    bool // all operators on integers, and switches
}

type generator struct {
	shape
	s *choice.Stream
	f *ir.Function
}

// generate returns a random function and a random path through it.
func generate(sh shape, s *choice.Stream) solve.Problem {
	g := &generator{sh, s, &ir.Function{Name: "f", Result: ir.U32}}
	for i := range s.Range(2, 5) {
		g.variable(i)
	}
	n := g.blocks + 2
	for i := range n {
		g.f.Blocks = append(g.f.Blocks, &ir.Block{Name: fmt.Sprintf("b%d", i), Index: i})
	}
	for i, b := range g.f.Blocks {
		if 0 < i && i < n-1 {
			for range s.Range(0, 2) {
				dst := g.place()
				b.Stmts = append(b.Stmts, &ir.Assign{Dst: dst, Src: g.expr(dst.Type().(ir.Int), g.depth)})
			}
		}
		b.Term = g.term(i, n)
	}
	return solve.Problem{Func: g.f, Path: g.path()}
}

func (g *generator) variable(i int) {
	v := &ir.Var{Name: fmt.Sprintf("v%d", i), Type: choice.Pick(g.s, g.types), Index: i}
	if i > 0 && (i > 2 || g.s.Chance(1, 2) || g.f.Vars[i-1].Kind != ir.Param) {
		v.Kind = choice.Pick(g.s, []ir.Kind{ir.Local, ir.Global, ir.Static})
		for g.arrays && g.s.Chance(1, 3) {
			v.Type = ir.Array{Elem: v.Type, Len: g.s.Range(1, 3)}
		}
		if v.Kind == ir.Local || g.s.Chance(3, 4) {
			for range ir.Count(v.Type) {
				v.Init = append(v.Init, g.leaf(ir.Scalar(v.Type)))
			}
		}
	}
	g.f.Vars = append(g.f.Vars, v)
}

func (g *generator) place() ir.Place {
	var p ir.Place = &ir.VarRef{Var: choice.Pick(g.s, g.f.Vars)}
	for {
		array, ok := p.Type().(ir.Array)
		if !ok {
			return p
		}
		index := g.expr(ir.I32, 1)
		if g.s.Chance(1, 2) {
			index = &ir.Binary{Op: ir.Rem, X: index, Y: &ir.Const{T: ir.I32, V: int64(array.Len)}}
		}
		p = &ir.Elem{Base: p, Index: index}
	}
}

// leaf returns a symbol or a constant.
func (g *generator) leaf(t ir.Int) ir.Expr {
	if g.s.Chance(g.symbols, 100) {
		g.f.Syms++
		return &ir.Sym{T: t, ID: g.f.Syms - 1}
	}
	v := g.s.Int64(-9, 9)
	if g.s.Chance(1, 4) {
		v = choice.Pick(g.s, []int64{t.Min(), t.Max(), int64(g.s.Uint64())})
	}
	return &ir.Const{T: t, V: t.Wrap(v)}
}

func (g *generator) expr(t ir.Int, depth int) ir.Expr {
	switch {
	case depth == 0 || g.s.Chance(1, 4):
		if g.s.Chance(1, 2) {
			return g.leaf(t)
		}
		scalar := &ir.VarRef{Var: choice.Pick(g.s, g.f.Vars)}
		if _, ok := scalar.Type().(ir.Int); ok || depth > 0 {
			var place ir.Place = scalar
			if !ok {
				place = g.place()
			}
			return convert(&ir.Load{Place: place}, t)
		}
		return g.leaf(t)
	case t == ir.I32 && g.s.Chance(1, 8):
		return g.comparison(depth)
	}
	of := t
	if t.Bits < 32 || g.s.Chance(1, 4) {
		of = choice.Pick(g.s, g.wide)
	}
	if g.rich && g.s.Chance(1, 2) {
		return convert(g.richExpr(of, depth), t)
	}
	op := choice.Pick(g.s, []ir.Op{ir.Add, ir.Sub, ir.Mul, ir.Mul, ir.Div, ir.Rem})
	x, y := g.expr(of, depth-1), g.expr(of, depth-1)
	return convert(&ir.Binary{Op: op, X: x, Y: y}, t)
}

func (g *generator) comparison(depth int) ir.Expr {
	of := choice.Pick(g.s, g.wide)
	ops := []ir.Op{ir.Lt, ir.Le, ir.Gt, ir.Ge, ir.Eq, ir.Ne}
	if g.rich {
		ops = append(ops, ir.LAnd, ir.LOr)
	}
	op := choice.Pick(g.s, ops)
	return &ir.Binary{Op: op, X: g.expr(of, depth-1), Y: g.expr(of, depth-1)}
}

// richExpr returns an expression of type t, which is at least 32 bits wide, of
// an operator that other shapes do not have.
func (g *generator) richExpr(t ir.Int, depth int) ir.Expr {
	x := g.expr(t, depth-1)
	switch g.s.Intn(8) {
	case 0:
		return &ir.Unary{Op: choice.Pick(g.s, []ir.UnOp{ir.Neg, ir.Not}), X: x}
	case 1:
		return convert(&ir.Unary{Op: ir.LNot, X: x}, t)
	case 2:
		return &ir.Select{If: g.expr(choice.Pick(g.s, g.types), depth-1), X: x, Y: g.expr(t, depth-1)}
	case 3:
		fn := ir.Fn(g.s.Intn(8))
		of := ir.Int{Bits: t.Bits, Signed: fn.Signed()}
		if fn == ir.Expect {
			of = ir.I32
		}
		args := []ir.Expr{convert(x, of)}
		if fn == ir.Expect {
			args = append(args, &ir.Const{T: ir.I32, V: 1})
		}
		return convert(&ir.Builtin{Fn: fn, Args: args}, t)
	}
	op := choice.Pick(g.s, []ir.Op{ir.And, ir.Or, ir.Xor, ir.Shl, ir.Shr})
	y := g.expr(t, depth-1)
	if op.Shifts() && g.s.Chance(1, 2) {
		y = &ir.Binary{Op: ir.And, X: y, Y: &ir.Const{T: t, V: 7}}
	}
	return &ir.Binary{Op: op, X: x, Y: y}
}

// label returns a label of a switch: mostly a symbol, of which no two
// constants are the same.
func (g *generator) label(t ir.Int, i int) ir.SwitchCase {
	sym := func() ir.Expr {
		g.f.Syms++
		return &ir.Sym{T: t, ID: g.f.Syms - 1}
	}
	c := ir.SwitchCase{Lo: sym(), To: g.f.Blocks[g.s.Range(1, len(g.f.Blocks)-1)]}
	switch g.s.Intn(8) {
	case 0:
		c.Lo = &ir.Const{T: t, V: int64(10 * i)}
	case 1:
		c.Lo = &ir.Const{T: t, V: int64(10 * i)}
		c.Hi = &ir.Const{T: t, V: int64(10*i + 5)}
	case 2, 3:
		c.Hi = sym()
	}
	return c
}

func convert(x ir.Expr, t ir.Int) ir.Expr {
	if ir.IntOf(x) == t {
		return x
	}
	return &ir.Convert{T: t, X: x}
}

func (g *generator) term(i, n int) ir.Term {
	switch {
	case i == n-1 && g.s.Chance(1, 2):
		return &ir.Return{Val: &ir.Checksum{Of: g.f.Vars}}
	case i == n-1:
		return &ir.Return{Val: g.expr(ir.U32, g.depth)}
	}
	next := g.f.Blocks[i+1] // so that every block reaches the exit
	other := g.f.Blocks[g.s.Range(1, n-1)]
	if i == 0 || other == next {
		return &ir.Goto{To: next}
	}
	if g.rich && g.s.Chance(1, 3) {
		t := choice.Pick(g.s, g.wide)
		w := &ir.Switch{X: g.expr(t, g.depth), Default: next}
		for i := range g.s.Range(1, 5) {
			w.Cases = append(w.Cases, g.label(t, i))
		}
		return w
	}
	cond := g.comparison(g.depth)
	if g.s.Chance(1, 6) {
		cond = g.expr(choice.Pick(g.s, allInts), g.depth) // any value but zero holds
	}
	return &ir.If{Cond: cond, Then: next, Else: other}
}

// path walks at random and, past maxPath, straight on.
func (g *generator) path() []int {
	path := []int{0}
	for b := g.f.Blocks[0]; len(b.Succs()) > 0; path = append(path, b.Index) {
		if len(path) > g.maxPath {
			if t, ok := b.Term.(*ir.Switch); ok {
				b = t.Default
			} else {
				b = b.Succs()[0]
			}
		} else {
			b = choice.Pick(g.s, b.Succs())
		}
	}
	return path
}
