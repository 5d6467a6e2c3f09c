package trips

import (
	"slices"
	"sync"

	"goreify/reify/cfg"
	"goreify/reify/ir"
	"goreify/reify/sketch/core"
)

// Shares are the shares of loops with a known number of trips.
type Shares struct {
	// share of the loops of one to three blocks after a block of their own: with a known number of trips
	Trips int `feature:"trips" typical:"100" scalars:"260" about:"loops that go round a known number of times"`
}

// A tripPart is the loops of a function that have a known number of trips.
type tripPart struct {
	core.Base
	shares *Shares
	found  bool
	trips  *trips
}

// New returns the loops of a function that have a known number of trips.
func (s *Shares) New(w *core.Writer) core.Part {
	if s.Trips == 0 {
		return nil
	}
	return &tripPart{Base: core.Base{Writer: w}, shares: s}
}

// Declare adds the arrays and scalars of the loops, if the graph has any.
func (w *tripPart) Declare() {
	if w.found {
		w.trips = newTrips(w.Writer)
	}
}

// Hide adds counters and bounds.
func (w *tripPart) Hide() {
	if w.found {
		w.trips.addCounters()
	}
}

// A countedLoop is the blocks of a loop. head and latch are equal in a loop of one
// block; then is -1 if no block is between them.
type countedLoop struct{ in, head, then, latch int }

// Find finds a loop of one to three blocks that is entered from block in, or passed by.
func (w *tripPart) Find(in int) {
	g, preds := w.Graph, w.Preds
	if len(g.Succs[in]) > 2 {
		return
	}
	for _, head := range g.Succs[in] {
		if c, ok := countedAt(g, preds, in, head); ok {
			if w.Take(w.shares.Trips, c.blocks()...) {
				w.writeCounted(g, c)
			}
			return
		}
	}
}

// blocks returns those of the loop and the one before it.
func (c *countedLoop) blocks() []int {
	list := []int{c.in, c.head}
	if c.latch != c.head {
		list = append(list, c.latch)
	}
	if c.then >= 0 {
		list = append(list, c.then)
	}
	return list
}

func countedAt(g *cfg.Graph, preds [][]int, in, head int) (c countedLoop, ok bool) {
	if head == in || len(preds[head]) != 2 {
		return c, false
	}
	latch := preds[head][0]
	if latch == in {
		latch = preds[head][1]
	}
	if len(g.Succs[latch]) != 2 || latch == in {
		return c, false
	}
	if len(g.Succs[in]) == 2 && !slices.Contains(g.Succs[in], other(g.Succs[latch], head)) {
		return c, false
	}
	c = countedLoop{in, head, -1, latch}
	switch {
	case latch == head:
		return c, true
	case len(g.Succs[head]) != 2 || !slices.Contains(g.Succs[head], latch):
		return c, false
	case len(preds[latch]) == 1:
		return c, true
	}
	c.then = other(g.Succs[head], latch)
	return c, c.then != head && len(preds[c.then]) == 1 && len(preds[latch]) == 2 &&
		len(g.Succs[c.then]) == 1 && g.Succs[c.then][0] == latch
}

// other returns the one of two that is not x.
func other(two []int, x int) int {
	if two[0] == x {
		return two[1]
	}
	return two[0]
}

// writeCounted sets the functions that write the blocks of a loop.
func (w *tripPart) writeCounted(g *cfg.Graph, c countedLoop) {
	w.found = true
	// The first block that is written draws it.
	plan := sync.OnceValue(func() *trip { return w.trips.plan(len(g.Succs[c.in]) == 2) })
	branch := func(b int, cond ir.Expr, to int) *ir.If {
		succs := g.Succs[b]
		if succs[0] != to {
			cond = negate(cond)
		}
		return &ir.If{Cond: cond, Then: w.Func.Blocks[succs[0]], Else: w.Func.Blocks[succs[1]]}
	}
	w.Write[c.in] = func(b *ir.Block) {
		w.trips.resume(plan())
		b.Stmts = w.trips.enter()
		b.Term = &ir.Goto{To: w.Func.Blocks[c.head]}
		if len(g.Succs[c.in]) == 2 {
			b.Term = branch(c.in, w.trips.trip.more(), c.head)
		}
	}
	w.Write[c.latch] = func(b *ir.Block) {
		t := w.trips
		t.resume(plan())
		if c.head == c.latch || t.S.Chance(1, 2) {
			b.Stmts = t.body()
		}
		b.Stmts = append(b.Stmts, t.advance()...)
		b.Term = branch(c.latch, t.trip.more(), c.head)
	}
	if c.head != c.latch {
		w.Write[c.head] = func(b *ir.Block) {
			t := w.trips
			t.resume(plan())
			if t.S.Chance(1, 3) {
				b.Stmts = t.body()
			}
			if c.then >= 0 {
				b.Term = branch(c.head, t.test(), c.then)
				return
			}
			b.Term = branch(c.head, t.leaves(), other(g.Succs[c.head], c.latch))
		}
	}
	if c.then >= 0 {
		w.Write[c.then] = func(b *ir.Block) {
			w.trips.resume(plan())
			b.Stmts = w.trips.body()
			b.Term = &ir.Goto{To: w.Func.Blocks[c.latch]}
		}
	}
}

// negate returns the comparison that holds where another does not.
func negate(e ir.Expr) ir.Expr {
	b := e.(*ir.Binary)
	return core.Bin(b.Op.Negated(), b.X, b.Y)
}
