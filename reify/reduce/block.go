package reduce

import (
	"slices"

	"goreify/reify/ir"
)

// skipBlocks lists to leave out each block: edges to it lead to the block after it,
// which is where the run went last.
func skipBlocks(p *ir.Program, r *run) []edit {
	return eachBlock(p, func(f *ir.Function, b *ir.Block) []edit {
		if b == f.Blocks[0] || b == f.Blocks[len(f.Blocks)-1] {
			return nil
		}
		return []edit{func() {
			to := r.exits[b]
			if to == nil || to == b || !slices.Contains(b.Succs(), to) {
				to = after(f, b)
			}
			skip(f, b, to)
		}}
	})
}

// skipOtherWays lists to leave out each block that branches, going on the ways
// that the run did not take last.
func skipOtherWays(p *ir.Program, r *run) []edit {
	return eachBlock(p, func(f *ir.Function, b *ir.Block) []edit {
		if b == f.Blocks[0] || isGoto(b) {
			return nil
		}
		var edits []edit
		for _, to := range b.Succs() {
			if to != b && to != r.exits[b] {
				edits = append(edits, func() { skip(f, b, to) })
			}
		}
		return edits
	})
}

// after returns the last successor of b that is not b, or the exit.
func after(f *ir.Function, b *ir.Block) *ir.Block {
	for _, to := range slices.Backward(b.Succs()) {
		if to != b {
			return to
		}
	}
	return f.Blocks[len(f.Blocks)-1]
}

func skip(f *ir.Function, b, to *ir.Block) {
	for _, from := range f.Blocks {
		if from != b {
			redirect(from, b, to)
		}
	}
}

// mergeBlocks lists to append each block to the one before it, if that has no other
// successor.
func mergeBlocks(p *ir.Program, _ *run) []edit {
	return eachBlock(p, func(f *ir.Function, b *ir.Block) []edit {
		if !mergeable(f, b) {
			return nil
		}
		return []edit{func() {
			if mergeable(f, b) {
				join(f, b)
			}
		}}
	})
}

// mergeable reports whether b ends with a jump to a block without other predecessors.
func mergeable(f *ir.Function, b *ir.Block) bool {
	t, ok := b.Term.(*ir.Goto)
	if !ok || t.To == b {
		return false
	}
	for _, from := range f.Blocks {
		if from != b && slices.Contains(from.Succs(), t.To) {
			return false
		}
	}
	// The exit stays the last block, and the entry the first.
	exit := f.Blocks[len(f.Blocks)-1]
	return t.To != exit || b != f.Blocks[0] || len(f.Blocks) == 2
}

// join appends to b the block that it jumps to.
func join(f *ir.Function, b *ir.Block) {
	to := b.Term.(*ir.Goto).To
	exit := f.Blocks[len(f.Blocks)-1]
	b.Stmts = append(b.Stmts[:len(b.Stmts):len(b.Stmts)], to.Stmts...)
	b.Term = to.Term
	gone := func(other *ir.Block) bool { return other == to || to == exit && other == b }
	f.Blocks = slices.DeleteFunc(f.Blocks, gone)
	if to == exit {
		f.Blocks = append(f.Blocks, b)
	}
}
