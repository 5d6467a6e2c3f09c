package cfg

import "slices"

// draw is S1, in the steps of the paper.
func (b *builder) draw(lv *level) {
	n := len(lv.draft) - 1
	local := b.s.Range(b.o.LocalMin, b.o.LocalMax)

	// (1), (2): blocks and edges.
	for i := range n {
		d := &lv.draft[i]
		d.addNew(b.target(i, n, local, &aheadSteps), n)
		if b.s.Chance(5, 8) {
			d.addNew(b.target(i, n, local, &branchSteps), n)
			if d.n == 2 && b.s.Chance(1, 2) {
				d.swap()
			}
		}
	}
	// (4): the exit, and the reachable blocks.
	lv.first = int32(min(b.target(-1, n, local, &aheadSteps), n-1))
	// (4): the exit, and what is reachable.
	b.keep(lv)
	// (5): edges to the exit.
	b.joinExit(lv)
	if b.o.Switches > 0 {
		b.widen(lv, local)
	}
}

// addNew adds t unless it is there already or is not below n.
func (l *succs) addNew(t, n int) {
	if t < n && !slices.Contains(l.list(), int32(t)) {
		l.add(int32(t))
	}
}

// How far local edges lead. The first edge of a block mostly falls through to
// the next; the second skips some blocks, or leads back and makes a loop.
var (
	aheadSteps  = [16]int{1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 3, 3}
	branchSteps = [16]int{1, 2, 2, 2, 3, 3, 4, 5, 7, 0, -1, -1, -2, -3, -4, -6}
)

// target draws the end of an edge from block i. A local edge past the last block gives
// n.
func (b *builder) target(i, n, local int, steps *[16]int) int {
	if b.s.Chance(local, 100) {
		return min(max(i+steps[b.s.Intn(len(steps))], 0), n)
	}
	return b.s.Intn(n)
}

// keep marks the exit and the blocks that are reachable from the entry.
func (b *builder) keep(lv *level) {
	work := append(b.scratch[:0], lv.first)
	lv.draft[lv.first].kept = true
	lv.draft[lv.first].tree = -1
	for len(work) > 0 {
		i := work[len(work)-1]
		work = work[:len(work)-1]
		for _, t := range lv.draft[i].list() {
			if to := &lv.draft[t]; !to.kept {
				to.kept, to.tree = true, i
				work = append(work, t)
			}
		}
	}
	b.scratch = work
	lv.draft[len(lv.draft)-1].kept = true
}

// joinExit joins to the exit one or more kept blocks with less than two successors, and
// all kept blocks without a successor.
func (b *builder) joinExit(lv *level) {
	exit := len(lv.draft) - 1
	open := b.scratch[:0]
	for i := range exit {
		if lv.draft[i].kept && lv.draft[i].n < 2 {
			open = append(open, int32(i))
		}
	}
	b.scratch = open
	if len(open) == 0 {
		b.redirectToExit(lv)
		return
	}
	n := 1
	for n < len(open) && b.s.Chance(1, 3) {
		n++
	}
	for _, i := range b.some(open, n) {
		d := &lv.draft[i]
		d.add(int32(exit))
		if d.n == 2 && b.s.Chance(1, 2) {
			d.swap()
		}
	}
	for _, i := range open {
		if lv.draft[i].n == 0 {
			lv.draft[i].add(int32(exit))
		}
	}
}

// redirectToExit is for a graph whose kept blocks have two successors each, of which
// the paper's step (5) can choose none. It redirects an edge that no block needs in
// order to be reachable. Such an edge exists: k blocks have 2k edges, and k-1 of them
// form the tree.
func (b *builder) redirectToExit(lv *level) {
	exit := len(lv.draft) - 1
	start := b.s.Intn(exit)
	for k := range exit {
		i := (start + k) % exit
		if !lv.draft[i].kept {
			continue
		}
		for at, t := range lv.draft[i].list() {
			if lv.draft[t].tree != int32(i) {
				lv.draft[i].to[at] = int32(exit)
				return
			}
		}
	}
	panic("cfg: every edge is a tree edge")
}
