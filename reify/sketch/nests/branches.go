package nests

import (
	"slices"
	"sync"

	"goreify/reify/choice"
	"goreify/reify/ir"
	"goreify/reify/sketch/core"
)

// A branches is switches and branches whose ways soon meet again: tables of constants,
// and diamonds, which become conditional moves and stores.
type branches struct{ core.Base }

// Branches is the shape of branches whose ways soon meet again. Its share is that of all
// shapes in graphs.
type Branches struct{}

// New returns the branches of a function.
func (Branches) New(w *core.Writer) core.Part {
	if w.Policy.Shaped == 0 {
		return nil
	}
	return &branches{core.Base{Writer: w}}
}

// Find finds tables and diamonds.
func (w *branches) Find(b int) {
	switch succs := w.Graph.Succs[b]; {
	case len(succs) > 2:
		w.findTable(b)
	case len(succs) == 2 && !slices.Contains(succs, b):
		w.findDiamond(b)
	}
}

// findTable finds a switch of which most successors meet at once.
func (w *branches) findTable(b int) {
	g, preds := w.Graph, w.Preds
	succs := g.Succs[b]
	var cases []int
	for _, c := range succs {
		if c != b && len(preds[c]) == 1 && len(g.Succs[c]) == 1 && (len(cases) == 0 || g.Succs[c][0] == g.Succs[cases[0]][0]) {
			cases = append(cases, c)
		}
	}
	if len(cases) < 3 || !w.Take(w.Policy.Shaped, append(cases, b)...) {
		return
	}
	targets := sync.OnceValue(func() []*core.Leaf {
		return []*core.Leaf{w.Target(), w.Target()}[:w.S.Range(1, 2)]
	})
	w.Write[b] = func(b *ir.Block) { w.tableSwitch(b, succs) }
	for _, c := range cases {
		w.Write[c] = func(b *ir.Block) {
			for _, v := range targets() {
				b.Stmts = append(b.Stmts, core.Store(v, w.ConstantFor(v.T)))
			}
			b.Term = &ir.Goto{To: w.Func.Blocks[g.Succs[c][0]]}
		}
	}
}

// findDiamond finds a branch of which both ways meet at once, or one of which leads to
// the block after the other.
func (w *branches) findDiamond(b int) {
	g, preds := w.Graph, w.Preds
	side := func(c int) bool { return c != b && len(preds[c]) == 1 && len(g.Succs[c]) == 1 }
	x, y := g.Succs[b][0], g.Succs[b][1]
	var sides []int
	switch {
	case side(x) && side(y) && g.Succs[x][0] == g.Succs[y][0]:
		sides = []int{x, y}
	case side(x) && g.Succs[x][0] == y:
		sides = []int{x}
	case side(y) && g.Succs[y][0] == x:
		sides = []int{y}
	}
	if sides == nil || !w.Take(w.Policy.Shaped, append(sides, b)...) {
		return
	}
	// The first block that is written draws it.
	target := sync.OnceValue(w.Target)
	w.Write[b] = func(b *ir.Block) {
		b.Stmts = w.Statements(nil)
		w.Begin()
		if v := target(); len(sides) == 1 {
			b.Stmts = append(b.Stmts, core.Store(v, w.value(v)))
		}
		b.Term = &ir.If{Cond: w.ConditionOf(nil), Then: w.Func.Blocks[x], Else: w.Func.Blocks[y]}
	}
	for _, c := range sides {
		w.Write[c] = func(b *ir.Block) {
			w.Begin()
			v := target()
			b.Stmts = []ir.Stmt{core.Store(v, w.value(v))}
			b.Term = &ir.Goto{To: w.Func.Blocks[g.Succs[c][0]]}
		}
	}
}

// value returns the value that one side of a diamond assigns to a leaf: a constant,
// another variable, or a simple expression.
func (w *branches) value(l *core.Leaf) ir.Expr {
	t := core.Promote(l.T)
	switch w.S.Weighted(1, 1, 2) {
	case 0:
		return w.Constant(t)
	case 1:
		return w.Any(t)
	}
	return w.Simple(w.Region(), t, choice.Pick(w.S, w.Vars))
}

// tableSwitch makes b a switch on a few consecutive values.
func (w *branches) tableSwitch(b *ir.Block, succs []int) {
	b.Stmts = w.Statements(nil)
	w.Begin()
	v := choice.Pick(w.S, w.Vars)
	t := core.Promote(v.Leaves[0].T)
	x := core.Wrapped(ir.Add, t, w.Load(t, v), w.Symbol(t))
	last := len(succs) - 1
	sw := &ir.Switch{X: core.Bin(ir.And, x, core.Const(t, 7)), Default: w.Func.Blocks[succs[last]]}
	from := int64(w.S.Range(0, 7-last))
	for i := range last {
		sw.Cases = append(sw.Cases, ir.SwitchCase{Lo: core.Const(t, from+int64(i)), To: w.Func.Blocks[succs[i]]})
	}
	b.Term = sw
}
