package reduce

import (
	"slices"

	"goreify/reify/ir"
)

// oneWay lists to make a jump of each branch that always goes the same way.
func oneWay(p *ir.Program, r *run) []edit {
	return eachBlock(p, func(_ *ir.Function, b *ir.Block) []edit {
		if r.ways[b] != 1 || isGoto(b) {
			return nil
		}
		return []edit{func() { b.Term = &ir.Goto{To: r.exits[b]} }}
	})
}

// lastWay lists to make a jump of each branch, to where it went last. A branch that
// is not reached jumps to its last successor.
func lastWay(p *ir.Program, r *run) []edit {
	return eachBlock(p, func(_ *ir.Function, b *ir.Block) []edit {
		if isGoto(b) || b.Term == nil || len(b.Succs()) < 2 {
			return nil
		}
		return []edit{func() { b.Term = &ir.Goto{To: usual(b, r)} }}
	})
}

// otherWays lists to make a jump of each branch, one of the ways that lastWay
// does not take.
func otherWays(p *ir.Program, r *run) []edit {
	return eachBlock(p, func(_ *ir.Function, b *ir.Block) []edit {
		if isGoto(b) {
			return nil
		}
		var edits []edit
		for _, to := range b.Succs() {
			if to != usual(b, r) {
				edits = append(edits, func() { b.Term = &ir.Goto{To: to} })
			}
		}
		return edits
	})
}

// offPath lists to redirect each edge from a block of the run to one that the run does
// not visit to the exit. All of them together cut off the blocks that are not visited.
func offPath(p *ir.Program, r *run) []edit {
	return eachBlock(p, func(f *ir.Function, b *ir.Block) []edit {
		var edits []edit
		exit := f.Blocks[len(f.Blocks)-1]
		for _, to := range b.Succs() {
			if r.visits[b] > 0 && r.visits[to] == 0 && to != exit {
				edits = append(edits, func() { redirect(b, to, exit) })
			}
		}
		return edits
	})
}

// edges lists to lead each edge to the exit, or to the successor of the block that
// it leads to.
func edges(p *ir.Program, r *run) []edit {
	return eachBlock(p, func(f *ir.Function, b *ir.Block) []edit {
		var edits []edit
		exit := f.Blocks[len(f.Blocks)-1]
		for _, to := range b.Succs() {
			if to == exit {
				continue
			}
			edits = append(edits, func() { redirect(b, to, exit) })
			for _, next := range to.Succs() {
				if next != to && next != exit {
					edits = append(edits, func() { redirect(b, to, next) })
				}
			}
		}
		return edits
	})
}

// labels lists to drop each label of a switch, to reduce a range to its first value,
// and to drop the default of the switch, which then goes to the label's block.
func labels(p *ir.Program, _ *run) []edit {
	return eachBlock(p, func(_ *ir.Function, b *ir.Block) []edit {
		t, ok := b.Term.(*ir.Switch)
		if !ok {
			return nil
		}
		var edits []edit
		// Edits before this one may have dropped labels: find it by its value.
		change := func(lo ir.Expr, change func(i int)) {
			edits = append(edits, func() {
				i := slices.IndexFunc(t.Cases, func(k ir.SwitchCase) bool { return k.Lo == lo })
				if i >= 0 {
					change(i)
				}
			})
		}
		drop := func(i int) { t.Cases = slices.Delete(slices.Clone(t.Cases), i, i+1) }
		for _, k := range t.Cases {
			change(k.Lo, drop)
		}
		for _, k := range t.Cases {
			if k.Hi != nil {
				change(k.Lo, func(i int) { t.Cases[i].Hi = nil })
			}
			if k.To != t.Default {
				change(k.Lo, func(i int) {
					t.Default = t.Cases[i].To
					drop(i)
				})
			}
		}
		return edits
	})
}

// switches lists to make a comparison of each switch that has one label left.
func switches(p *ir.Program, _ *run) []edit {
	return eachBlock(p, func(_ *ir.Function, b *ir.Block) []edit {
		t, ok := b.Term.(*ir.Switch)
		if !ok || len(t.Cases) != 1 || t.Cases[0].Hi != nil {
			return nil
		}
		return []edit{func() {
			k := t.Cases[0]
			b.Term = &ir.If{Cond: &ir.Binary{Op: ir.Eq, X: t.X, Y: k.Lo}, Then: k.To, Else: t.Default}
		}}
	})
}

// eachBlock lists the edits that list returns for each block of p.
func eachBlock(p *ir.Program, list func(*ir.Function, *ir.Block) []edit) []edit {
	var edits []edit
	for _, f := range ours(p) {
		for _, b := range f.Blocks {
			edits = append(edits, list(f, b)...)
		}
	}
	return edits
}

func isGoto(b *ir.Block) bool {
	_, ok := b.Term.(*ir.Goto)
	return ok
}

// usual returns the block that the run went to when it left b for the last time, or the
// last successor of b if the run did not visit b.
func usual(b *ir.Block, r *run) *ir.Block {
	if to := r.exits[b]; to != nil {
		return to
	}
	list := b.Succs()
	return list[len(list)-1]
}

// redirect leads the edges from b to one block to another one.
func redirect(b, from, to *ir.Block) {
	change := func(at **ir.Block) {
		if *at == from {
			*at = to
		}
	}
	switch t := b.Term.(type) {
	case *ir.Goto:
		change(&t.To)
	case *ir.If:
		change(&t.Then)
		change(&t.Else)
	case *ir.Switch:
		for i := range t.Cases {
			change(&t.Cases[i].To)
		}
		change(&t.Default)
	}
}
