package cfg

import (
	"cmp"
	"slices"
)

// A Loop is a natural loop or an irreducible region.
//
// The natural loop of a header is made of the header and of the blocks that
// reach one of its back edges without passing it; a back edge leads to a block
// that dominates its source.
//
// An irreducible region is a cycle that can be entered at several blocks: a
// strongly connected component of the graph without its back edges. Those
// inside it are found by cutting the edges to its entries and looking again. A
// region takes in the natural loops whose headers lie in it, so that loops and
// regions nest.
type Loop struct {
	// Entries lists the blocks that are jumped to from outside, ascending: one
	// for a natural loop, its header, and at least two for a region.
	Entries []int
	// Blocks lists all blocks, ascending.
	Blocks []int
	// BackEdges lists the edges from a latch to the header, by latch. A region
	// has none.
	BackEdges [][2]int
	// Parent is the index in Analysis.Loops of the smallest loop or region
	// around this one, or -1.
	Parent int
	// Depth counts this loop and those around it.
	Depth int
}

// Reducible reports whether l is a natural loop.
func (l *Loop) Reducible() bool { return len(l.Entries) == 1 }

// Has reports whether b is a block of l.
func (l *Loop) Has(b int) bool {
	_, ok := slices.BinarySearch(l.Blocks, b)
	return ok
}

// An Analysis is what Analyze finds out about a graph.
type Analysis struct {
	// IDom holds the immediate dominator of each block, -1 for the entry.
	IDom []int
	// Loops is the loop nesting forest, the largest loops first, so that
	// parents precede their children.
	Loops []*Loop
	// Innermost holds for each block the index in Loops of the smallest loop
	// that it is in, or -1.
	Innermost []int
}

// Analyze finds the dominators, the natural loops and the irreducible regions.
func (g *Graph) Analyze() *Analysis {
	a := &Analysis{IDom: Dominators(g), Innermost: make([]int, g.Len())}
	preds := g.Preds()
	loops, forward := naturalLoops(g, a, preds)
	regions := irreducible(forward, make([]bool, g.Len()), preds, nil)
	for _, r := range regions {
		r.absorb(loops, preds)
	}
	a.nest(append(loops, regions...))
	return a
}

// Dominates reports whether every path from the entry to b passes a. A block
// dominates itself.
func (a *Analysis) Dominates(x, b int) bool {
	for b >= 0 && b != x {
		b = a.IDom[b]
	}
	return b == x
}

// Reducible reports whether the graph has no irreducible region.
func (a *Analysis) Reducible() bool {
	return !slices.ContainsFunc(a.Loops, func(l *Loop) bool { return !l.Reducible() })
}

// Depth returns how many loops and regions b is in.
func (a *Analysis) Depth(b int) int {
	if a.Innermost[b] < 0 {
		return 0
	}
	return a.Loops[a.Innermost[b]].Depth
}

// naturalLoops returns the natural loops in the order of their headers, and the
// successors of each block without the back edges.
func naturalLoops(g *Graph, a *Analysis, preds [][]int) (loops []*Loop, forward [][]int) {
	forward = make([][]int, g.Len())
	for h := range g.Len() {
		var back [][2]int
		for _, p := range preds[h] {
			if a.Dominates(h, p) {
				back = append(back, [2]int{p, h})
			} else {
				forward[p] = append(forward[p], h)
			}
		}
		if back != nil {
			loops = append(loops, &Loop{Entries: []int{h}, Blocks: naturalBody(h, back, preds), BackEdges: back})
		}
	}
	return loops, forward
}

func naturalBody(h int, back [][2]int, preds [][]int) []int {
	in := map[int]bool{h: true}
	body := []int{h}
	var work []int
	for _, e := range back {
		work = append(work, e[0])
	}
	for len(work) > 0 {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		if !in[b] {
			in[b] = true
			body = append(body, b)
			work = append(work, preds[b]...)
		}
	}
	slices.Sort(body)
	return body
}

// irreducible appends to found the regions among the blocks that are not cut,
// and those inside them. Every component has several entries: a block that all
// ways into one lead through would dominate it, and the edges back to it would
// not be in succs.
func irreducible(succs [][]int, cut []bool, preds [][]int, found []*Loop) []*Loop {
	for _, blocks := range components(succs, cut) {
		r := &Loop{Blocks: blocks}
		r.findEntries(preds)
		found = append(found, r)

		// Without the edges to its entries they are on no cycle: leave them
		// out, and everything that is not in the component.
		inner := make([]bool, len(succs))
		for b := range inner {
			inner[b] = true
		}
		for _, b := range blocks {
			inner[b] = slices.Contains(r.Entries, b)
		}
		found = irreducible(succs, inner, preds, found)
	}
	return found
}

func (l *Loop) findEntries(preds [][]int) {
	l.Entries = nil
	for _, b := range l.Blocks {
		if slices.ContainsFunc(preds[b], func(p int) bool { return !l.Has(p) }) {
			l.Entries = append(l.Entries, b)
		}
	}
}

// absorb adds the bodies of the natural loops whose headers are in region l.
func (l *Loop) absorb(loops []*Loop, preds [][]int) {
	core := *l
	for _, n := range loops {
		if core.Has(n.Entries[0]) {
			l.Blocks = append(l.Blocks[:len(l.Blocks):len(l.Blocks)], n.Blocks...)
		}
	}
	slices.Sort(l.Blocks)
	l.Blocks = slices.Compact(l.Blocks)
	l.findEntries(preds)
}

// nest sorts the loops into the forest.
func (a *Analysis) nest(loops []*Loop) {
	slices.SortFunc(loops, func(x, y *Loop) int {
		return cmp.Or(cmp.Compare(len(y.Blocks), len(x.Blocks)), slices.Compare(x.Blocks, y.Blocks))
	})
	a.Loops = loops
	for b := range a.Innermost {
		a.Innermost[b] = -1
	}
	for i, l := range loops {
		l.Parent = a.Innermost[l.Blocks[0]]
		l.Depth = 1
		if l.Parent >= 0 {
			l.Depth += loops[l.Parent].Depth
		}
		for _, b := range l.Blocks {
			a.Innermost[b] = i
		}
	}
}

// components returns the strongly connected components with a cycle of the
// graph without the blocks that are cut, by Tarjan's algorithm. The blocks of a
// component are in ascending order.
func components(succs [][]int, cut []bool) [][]int {
	var (
		found [][]int
		stack []int
		index = make([]int, len(succs)) // from 1 in the order visited
		low   = make([]int, len(succs))
		on    = make([]bool, len(succs)) // on the stack
		next  = 1
		visit func(b int)
	)
	visit = func(b int) {
		index[b], low[b] = next, next
		next++
		stack = append(stack, b)
		on[b] = true
		for _, t := range succs[b] {
			switch {
			case cut[t]:
			case index[t] == 0:
				visit(t)
				low[b] = min(low[b], low[t])
			case on[t]:
				low[b] = min(low[b], index[t])
			}
		}
		if low[b] < index[b] {
			return
		}
		at := slices.Index(stack, b)
		blocks := slices.Clone(stack[at:])
		stack = stack[:at]
		for _, x := range blocks {
			on[x] = false
		}
		if len(blocks) > 1 || slices.Contains(succs[b], b) {
			slices.Sort(blocks)
			found = append(found, blocks)
		}
	}
	for b := range succs {
		if !cut[b] && index[b] == 0 {
			visit(b)
		}
	}
	return found
}

// Dominators returns the immediate dominator of each block, -1 for the entry.
// It is the iterative algorithm of Cooper, Harvey and Kennedy.
func Dominators(g *Graph) []int {
	order := reversePostorder(g)
	rank := make([]int, g.Len()) // position in order
	for i, b := range order {
		rank[b] = i
	}
	preds := g.Preds()
	idom := make([]int, g.Len())
	for b := range idom {
		idom[b] = -1
	}
	for changed := true; changed; {
		changed = false
		for _, b := range order[1:] {
			dom := -1
			for _, p := range preds[b] {
				switch {
				case p != 0 && idom[p] < 0: // not seen yet
				case dom < 0:
					dom = p
				default:
					dom = meet(dom, p, idom, rank)
				}
			}
			if idom[b] != dom {
				idom[b] = dom
				changed = true
			}
		}
	}
	return idom
}

// meet returns the nearest common dominator of a and b.
func meet(a, b int, idom, rank []int) int {
	for a != b {
		if rank[a] > rank[b] {
			a = idom[a]
		} else {
			b = idom[b]
		}
	}
	return a
}

// reversePostorder returns the blocks in reverse postorder, the entry first.
func reversePostorder(g *Graph) []int {
	type frame struct{ b, next int }
	order := make([]int, g.Len())
	at := len(order)
	seen := make([]bool, g.Len())
	seen[0] = true
	stack := []frame{{0, 0}}
	for len(stack) > 0 {
		top := &stack[len(stack)-1]
		if top.next == len(g.Succs[top.b]) {
			at--
			order[at] = top.b
			stack = stack[:len(stack)-1]
			continue
		}
		t := g.Succs[top.b][top.next]
		top.next++
		if !seen[t] {
			seen[t] = true
			stack = append(stack, frame{t, 0})
		}
	}
	return order
}

// ShortestToExit returns a path with the fewest blocks from b to the exit, both
// included, or nil if there is none. Of equally short ways it takes the
// first.
func (g *Graph) ShortestToExit(b int) []int {
	dist := g.distances()
	if dist[b] < 0 {
		return nil
	}
	path := []int{b}
	for b != g.Exit() {
		b = g.nearer(b, dist)
		path = append(path, b)
	}
	return path
}
