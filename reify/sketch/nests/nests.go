// Package nests is the shapes of loops over arrays, by themselves and in others, and of
// branches whose ways soon meet again: tables and diamonds.
package nests

import (
	"slices"

	"goreify/reify/ir"
	"goreify/reify/sketch/core"
)

// Shares are the shares of loops over arrays, by themselves and in others.
type Shares struct {
	// share of functions: with a counter and arrays for the blocks that branch to themselves
	Loop int `feature:"loop" typical:"50" about:"blocks that loop with a counter over arrays"`
}

// A nests is the loops of a function over arrays.
type nests struct {
	core.Base
	shares *Shares
	found  int // nests
	loop   *Loop
}

// New returns the loops of a function. Nests are found only if the share of loops is
// not 0, blocks that branch to themselves become loops in that share of functions.
func (s *Shares) New(w *core.Writer) core.Part {
	if s.Loop == 0 {
		return nil
	}
	return &nests{Base: core.Base{Writer: w}, shares: s}
}

// Declare adds the variables of the loops.
func (w *nests) Declare() {
	if w.Roll(w.shares.Loop) || w.found > 0 {
		w.loop = newLoop(w.Writer, w.found)
	}
}

// Block makes most blocks that branch to themselves loops.
func (w *nests) Block(b *ir.Block) bool {
	succs := w.Graph.Succs[b.Index]
	if w.loop == nil || len(succs) != 2 || !slices.Contains(succs, b.Index) || !w.S.Chance(3, 4) {
		return false
	}
	b.Stmts = w.loop.loopBody()
	b.Term = &ir.If{Cond: w.loop.loopCondition(), Then: w.Func.Blocks[succs[0]], Else: w.Func.Blocks[succs[1]]}
	return true
}

// Find finds a loop that begins at block in and contains exactly one other loop: a
// block that branches to itself.
func (w *nests) Find(in int) {
	g, preds := w.Graph, w.Preds
	if len(g.Succs[in]) != 1 {
		return
	}
	body := g.Succs[in][0]
	succs := g.Succs[body]
	if body == in || len(succs) != 2 || !slices.Contains(succs, body) || len(preds[body]) != 2 {
		return
	}
	latch := succs[0]
	if latch == body {
		latch = succs[1]
	}
	if len(g.Succs[latch]) != 2 || !slices.Contains(g.Succs[latch], in) || len(preds[latch]) != 1 || !w.Take(w.Policy.Shaped, in, body, latch) {
		return
	}
	n := w.found
	w.found++
	w.Write[in] = func(b *ir.Block) { w.loop.enterNest(b, body) }
	w.Write[body] = func(b *ir.Block) { w.loop.nestBody(b, n, succs) }
	w.Write[latch] = func(b *ir.Block) { w.loop.nestLatch(b, n, g.Succs[latch], in) }
}
