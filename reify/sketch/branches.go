package sketch

import (
	"slices"
	"sync"

	"goreify/reify/choice"
	"goreify/reify/ir"
)

// A branches is switches and branches whose ways soon meet again: tables of constants,
// and diamonds, which become conditional moves and stores.
type branches struct{ base }

// Branches is the shape of branches whose ways soon meet again. Its share is that of all
// shapes in graphs.
type Branches struct{}

// New returns the branches of a function.
func (Branches) New(w *writer) Part {
	if w.p.Shaped == 0 {
		return nil
	}
	return &branches{base{w}}
}

// Find finds tables and diamonds.
func (w *branches) Find(b int) {
	switch succs := w.graph.Succs[b]; {
	case len(succs) > 2:
		w.findTable(b)
	case len(succs) == 2 && !slices.Contains(succs, b):
		w.findDiamond(b)
	}
}

// findTable finds a switch of which most successors meet at once.
func (w *branches) findTable(b int) {
	g, preds := w.graph, w.preds
	succs := g.Succs[b]
	var cases []int
	for _, c := range succs {
		if c != b && len(preds[c]) == 1 && len(g.Succs[c]) == 1 && (len(cases) == 0 || g.Succs[c][0] == g.Succs[cases[0]][0]) {
			cases = append(cases, c)
		}
	}
	if len(cases) < 3 || !w.take(w.p.Shaped, append(cases, b)...) {
		return
	}
	targets := sync.OnceValue(func() []*leaf {
		return []*leaf{w.target(), w.target()}[:w.s.Range(1, 2)]
	})
	w.write[b] = func(b *ir.Block) { w.tableSwitch(b, succs) }
	for _, c := range cases {
		w.write[c] = func(b *ir.Block) {
			for _, v := range targets() {
				b.Stmts = append(b.Stmts, store(v, w.constantFor(v.t)))
			}
			b.Term = &ir.Goto{To: w.f.Blocks[g.Succs[c][0]]}
		}
	}
}

// findDiamond finds a branch of which both ways meet at once, or one of which leads to
// the block after the other.
func (w *branches) findDiamond(b int) {
	g, preds := w.graph, w.preds
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
	if sides == nil || !w.take(w.p.Shaped, append(sides, b)...) {
		return
	}
	// The first block that is written draws it.
	target := sync.OnceValue(w.target)
	w.write[b] = func(b *ir.Block) {
		b.Stmts = w.statements(nil)
		w.begin()
		if v := target(); len(sides) == 1 {
			b.Stmts = append(b.Stmts, store(v, w.value(v)))
		}
		b.Term = &ir.If{Cond: w.condition(nil), Then: w.f.Blocks[x], Else: w.f.Blocks[y]}
	}
	for _, c := range sides {
		w.write[c] = func(b *ir.Block) {
			w.begin()
			v := target()
			b.Stmts = []ir.Stmt{store(v, w.value(v))}
			b.Term = &ir.Goto{To: w.f.Blocks[g.Succs[c][0]]}
		}
	}
}

// value returns the value that one side of a diamond assigns to a leaf: a constant,
// another variable, or a simple expression.
func (w *branches) value(l *leaf) ir.Expr {
	t := promote(l.t)
	switch w.s.Weighted(1, 1, 2) {
	case 0:
		return w.constant(t)
	case 1:
		return w.any(t)
	}
	return w.simple(w.in(), t, choice.Pick(w.s, w.vars))
}

// tableSwitch makes b a switch on a few consecutive values.
func (w *branches) tableSwitch(b *ir.Block, succs []int) {
	b.Stmts = w.statements(nil)
	w.begin()
	v := choice.Pick(w.s, w.vars)
	t := promote(v.leaves[0].t)
	x := wrapped(ir.Add, t, w.load(t, v), w.symbol(t))
	last := len(succs) - 1
	sw := &ir.Switch{X: bin(ir.And, x, constantOf(t, 7)), Default: w.f.Blocks[succs[last]]}
	from := int64(w.s.Range(0, 7-last))
	for i := range last {
		sw.Cases = append(sw.Cases, ir.SwitchCase{Lo: constantOf(t, from+int64(i)), To: w.f.Blocks[succs[i]]})
	}
	b.Term = sw
}
