package core

import (
	"goreify/reify/cfg"
	"goreify/reify/ir"
)

// A Shape is one kind of code beyond assignments and branches: its shares.
type Shape interface {
	// New returns the part that writes the code of the shape in the function of w, or
	// nil if the shares ask for none.
	New(w *Writer) Part
}

// A Part is a shape in one function. All parts have the same calls, in this order, and
// each call goes through the parts in one order. A call that draws nothing changes
// nothing.
type Part interface {
	// Find looks for blocks to take, the first of which is b, an inner block.
	Find(b int)
	// Declare adds variables, before there are pointers.
	Declare()
	// Hide adds variables that no pointer leads to.
	Hide()
	// Enter returns statements at the start of the function.
	Enter() []ir.Stmt
	// Leave returns statements at its end.
	Leave() []ir.Stmt
	// Block adds statements to an inner block that is not taken, before all that are
	// there. It reports whether the block is complete, its terminator included.
	Block(b *ir.Block) (done bool)
	// Statement returns a statement in place of an assignment, or statements that belong
	// together; nil for none.
	Statement() []ir.Stmt
	// Term returns a term of type t in place of one over the variable v; nil for none.
	Term(t ir.Int, v *Source) ir.Expr
	// Condition returns the condition of a branch; nil for none.
	Condition() ir.Expr
}

// A Base is what parts are made of: what they write with, and calls that do nothing.
type Base struct{ *Writer }

// Find and the other methods do nothing.
func (Base) Find(int)                     {}
func (Base) Declare()                     {}
func (Base) Hide()                        {}
func (Base) Enter() []ir.Stmt             { return nil }
func (Base) Leave() []ir.Stmt             { return nil }
func (Base) Block(*ir.Block) bool         { return false }
func (Base) Statement() []ir.Stmt         { return nil }
func (Base) Term(ir.Int, *Source) ir.Expr { return nil }
func (Base) Condition() ir.Expr           { return nil }

// A plan is the graph of a function, and the blocks of it that shapes have taken; see
// cfg.Options.Shapes.
type plan struct {
	Graph *cfg.Graph
	Preds [][]int
	Write []func(b *ir.Block) // by block, nil for those of no shape
}

// Take reports whether a shape of the given blocks is to be written, with a share in
// percent, and if no block is a part of another shape.
func (w *Writer) Take(share int, blocks ...int) bool {
	for _, b := range blocks {
		if w.Write[b] != nil {
			return false
		}
	}
	return w.Roll(share)
}

// find has the parts take the blocks of their shapes.
func (w *Writer) find(g *cfg.Graph) {
	w.plan = plan{g, g.Preds(), make([]func(*ir.Block), g.Len())}
	for b, succs := range g.Succs {
		if b == 0 || len(succs) == 0 {
			continue
		}
		for _, p := range w.parts {
			p.Find(b)
		}
	}
}
