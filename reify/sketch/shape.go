package sketch

import (
	"slices"
	"sync"

	"goreify/reify/cfg"
	"goreify/reify/choice"
	"goreify/reify/ir"
)

// A writeFunc writes a block that is a part of a shape.
type writeFunc func(w *writer, b *ir.Block)

// A shaped is the parts of a graph that are shapes for passes to find (see
// cfg.Options.Shapes), and the functions that write their blocks.
type shaped struct {
	write    []writeFunc // by block, nil for those of no shape
	nests    int
	machines []*machine
	trips    int // loops with a known number of trips
}

// findShapes finds the shapes in a graph, of which the policy takes a share.
func (w *writer) findShapes(g *cfg.Graph) {
	preds := g.Preds()
	w.shaped.write = make([]writeFunc, g.Len())
	for b, succs := range g.Succs {
		if b == 0 || len(succs) == 0 {
			continue
		}
		switch {
		case len(succs) > 2:
			if w.p.Machine == 0 || !w.findMachine(g, preds, b) {
				w.findTable(g, preds, b)
			}
		case len(succs) == 2 && !slices.Contains(succs, b):
			w.findDiamond(g, preds, b)
		case len(succs) == 1 && w.p.Loop > 0:
			w.findNest(g, preds, b)
		}
		if w.p.Trips > 0 && w.shaped.write[b] == nil {
			w.findCounted(g, preds, b)
		}
	}
}

// take reports whether a shape of the given blocks is to be written, with a share in
// percent, and if no block is a part of another shape.
func (w *writer) take(share int, blocks ...int) bool {
	for _, b := range blocks {
		if w.shaped.write[b] != nil {
			return false
		}
	}
	return w.roll(share)
}

// findNest finds a loop that begins at block in and contains exactly one other loop: a
// block that branches to itself.
func (w *writer) findNest(g *cfg.Graph, preds [][]int, in int) {
	body := g.Succs[in][0]
	succs := g.Succs[body]
	if body == in || len(succs) != 2 || !slices.Contains(succs, body) || len(preds[body]) != 2 {
		return
	}
	latch := succs[0]
	if latch == body {
		latch = succs[1]
	}
	if len(g.Succs[latch]) != 2 || !slices.Contains(g.Succs[latch], in) || len(preds[latch]) != 1 || !w.take(w.p.Shaped, in, body, latch) {
		return
	}
	n := w.shaped.nests
	w.shaped.nests++
	w.shaped.write[in] = func(w *writer, b *ir.Block) { w.loop.enterNest(b, body) }
	w.shaped.write[body] = func(w *writer, b *ir.Block) { w.loop.nestBody(b, n, succs) }
	w.shaped.write[latch] = func(w *writer, b *ir.Block) { w.loop.nestLatch(b, n, g.Succs[latch], in) }
}

// findTable finds a switch of which most successors meet at once.
func (w *writer) findTable(g *cfg.Graph, preds [][]int, b int) {
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
	w.shaped.write[b] = func(w *writer, b *ir.Block) { w.tableSwitch(b, succs) }
	for _, c := range cases {
		w.shaped.write[c] = func(w *writer, b *ir.Block) {
			for _, v := range targets() {
				b.Stmts = append(b.Stmts, store(v, w.constantFor(v.t)))
			}
			b.Term = &ir.Goto{To: w.f.Blocks[g.Succs[c][0]]}
		}
	}
}

// findDiamond finds a branch of which both ways meet at once, or one of which leads to
// the block after the other.
func (w *writer) findDiamond(g *cfg.Graph, preds [][]int, b int) {
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
	w.shaped.write[b] = func(w *writer, b *ir.Block) {
		b.Stmts = w.statements(nil)
		w.begin()
		if v := target(); len(sides) == 1 {
			b.Stmts = append(b.Stmts, store(v, w.value(v)))
		}
		b.Term = &ir.If{Cond: w.condition(nil), Then: w.f.Blocks[x], Else: w.f.Blocks[y]}
	}
	for _, c := range sides {
		w.shaped.write[c] = func(w *writer, b *ir.Block) {
			w.begin()
			v := target()
			b.Stmts = []ir.Stmt{store(v, w.value(v))}
			b.Term = &ir.Goto{To: w.f.Blocks[g.Succs[c][0]]}
		}
	}
}

// target returns a variable that a shape assigns to, or a part of one. It prefers
// memory: stores become unconditional for members and elements only.
func (sc *scope) target() *leaf {
	var l *leaf
	for range 12 {
		l = choice.Pick(sc.s, sc.dest().writables)
		pointed := slices.ContainsFunc(l.steps, func(s step) bool { return s.kind == toPointee || s.kind == toNeighbour })
		if !pointed && !l.root.Volatile && (len(l.steps) > 0 || sc.s.Chance(1, 4)) {
			return l
		}
	}
	return sc.vars[0].leaves[0] // a parameter
}

// store returns v = e for a leaf; of arrays it is the first element.
func store(l *leaf, e ir.Expr) *ir.Assign {
	first := func(int) ir.Expr { return constant0(ir.I32) }
	return &ir.Assign{Dst: l.place(first), Src: convert(l.t, e)}
}

// constantFor returns a constant for a place of type t, which may be that of a
// bit-field.
func (d *draws) constantFor(t ir.Int) ir.Expr {
	n := t.Wrap(d.number(t.Bits))
	if !t.Standard() {
		t = promote(t)
	}
	return constantOf(t, n)
}

// value returns the value that one side of a diamond assigns to a leaf: a constant,
// another variable, or a simple expression.
func (w *exprWriter) value(l *leaf) ir.Expr {
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
func (w *writer) tableSwitch(b *ir.Block, succs []int) {
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
