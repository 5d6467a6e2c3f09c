package c

import (
	"slices"

	"goreify/reify/ir"
)

// simplify turns fn into the graph that a person would write: it leaves out unreachable
// blocks, skips empty ones, merges those that only follow one another, and orders the
// rest such that few jumps are left. The function still computes the same, and may not
// pass Check any more: the exit may be anywhere.
func simplify(fn *ir.Function) {
	for skipEmpty(fn) {
	}
	dropUnreachable(fn)
	merge(fn)
	dropUnreachable(fn)
	arrange(fn)
}

// skipEmpty redirects jumps to blocks that only jump on, and reports whether there were
// any.
func skipEmpty(fn *ir.Function) bool {
	changed := false
	for _, b := range fn.Blocks {
		g, ok := b.Term.(*ir.Goto)
		if !ok || len(b.Stmts) > 0 || g.To == b {
			continue
		}
		for _, p := range fn.Blocks {
			if p != b && slices.Contains(p.Succs(), b) && redirect(p.Term, b, g.To) {
				changed = true
			}
		}
	}
	return changed
}

// redirect changes the target of jumps, unless an If would have one target
// only.
func redirect(t ir.Term, from, to *ir.Block) bool {
	move := func(at **ir.Block) {
		if *at == from {
			*at = to
		}
	}
	switch t := t.(type) {
	case *ir.Goto:
		move(&t.To)
	case *ir.If:
		if t.Then == to || t.Else == to {
			return false
		}
		move(&t.Then)
		move(&t.Else)
	case *ir.Switch:
		for i := range t.Cases {
			move(&t.Cases[i].To)
		}
		move(&t.Default)
	}
	return true
}

func dropUnreachable(fn *ir.Function) {
	reached := map[*ir.Block]bool{}
	var visit func(b *ir.Block)
	visit = func(b *ir.Block) {
		reached[b] = true
		for _, s := range b.Succs() {
			if !reached[s] {
				visit(s)
			}
		}
	}
	visit(fn.Blocks[0])
	fn.Blocks = slices.DeleteFunc(fn.Blocks, func(b *ir.Block) bool { return !reached[b] })
	renumber(fn)
}

func renumber(fn *ir.Function) {
	for i, b := range fn.Blocks {
		b.Index = i
	}
}

// merge appends a block to its predecessor if it has one only, and that has no
// other successor. The block stays where it is, unreachable.
func merge(fn *ir.Function) {
	preds := make(map[*ir.Block]int, len(fn.Blocks))
	for _, b := range fn.Blocks {
		for _, s := range b.Succs() {
			preds[s]++
		}
	}
	gone := map[*ir.Block]bool{}
	for _, b := range fn.Blocks {
		for !gone[b] {
			g, ok := b.Term.(*ir.Goto)
			if !ok || g.To == b || preds[g.To] != 1 || g.To == fn.Blocks[0] {
				break
			}
			gone[g.To] = true
			b.Stmts, b.Term = slices.Concat(b.Stmts, g.To.Stmts), g.To.Term
		}
	}
}

// arrange orders the blocks such that control falls through where possible.
func arrange(fn *ir.Function) {
	placed := make([]bool, len(fn.Blocks))
	var order []*ir.Block
	for b := fn.Blocks[0]; b != nil; {
		placed[b.Index] = true
		order = append(order, b)
		b = next(fn, b, placed)
	}
	fn.Blocks = order
	renumber(fn)
}

// next returns the block to write after b: a successor of b, preferably the one that
// follows already, and the exit only as the last resort. Without a successor, it is the
// first block that has no place yet, or nil.
func next(fn *ir.Function, b *ir.Block, placed []bool) *ir.Block {
	var best *ir.Block
	for _, s := range slices.Backward(b.Succs()) {
		if placed[s.Index] {
			continue
		}
		if best == nil || leaves(best) || s.Index == b.Index+1 && !leaves(s) {
			best = s
		}
	}
	for _, other := range fn.Blocks {
		if best == nil && !placed[other.Index] && !leaves(other) {
			return other
		}
	}
	if best != nil {
		return best
	}
	if i := slices.Index(placed, false); i >= 0 {
		return fn.Blocks[i]
	}
	return nil
}

func leaves(b *ir.Block) bool {
	_, ok := b.Term.(*ir.Return)
	return ok
}
