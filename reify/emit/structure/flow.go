package structure

import "slices"

// A Flow is the analysis of a graph for writers of structured statements with jumps.
// Blocks are numbered as in the function, and the entry is 0.
type Flow struct {
	Order       []int    // the reachable blocks in reverse postorder
	Unreachable []int    // the others
	Idom        []int    // by block: its immediate dominator; of no meaning if unreachable
	Forward     []int    // by block: the number of edges to it that are not back edges
	Body        [][]bool // by block: which blocks are in the natural loop that it heads, or nil
	Inner       []int    // by block: the header of the innermost loop it is in, or -1
	Outer       []int    // by header: the header of the loop next around its own, or -1
}

// Analyse returns the analysis of a graph: the successors of each block.
func Analyse(succs [][]int) *Flow {
	n := len(succs)
	room := make([]int, 4*n)
	part := func(i int) []int { return room[i*n : (i+1)*n : (i+1)*n] }
	f := &Flow{
		Order:   part(0)[:0],
		Forward: part(1),
		Body:    make([][]bool, n),
		Inner:   part(2),
		Outer:   part(3),
	}
	f.number(succs)
	t := dominators(n, f.Order, func(at int, edge func(int)) {
		for _, to := range succs[at] {
			edge(to)
		}
	})
	f.Idom = t.idom
	f.loops(&t, f.predecessors(succs))
	return f
}

// number finds the order.
func (f *Flow) number(succs [][]int) {
	n := len(succs)
	seen := make([]bool, n)
	var visit func(b int)
	visit = func(b int) {
		seen[b] = true
		for _, s := range succs[b] {
			if !seen[s] {
				visit(s)
			}
		}
		f.Order = append(f.Order, b)
	}
	visit(0)
	slices.Reverse(f.Order)
	for b := range seen {
		if !seen[b] {
			f.Unreachable = append(f.Unreachable, b)
		}
	}
}

// predecessors returns, by block, the reachable blocks with an edge to it.
func (f *Flow) predecessors(succs [][]int) [][]int {
	count, edges := make([]int, len(succs)), 0
	for _, b := range f.Order {
		for _, s := range succs[b] {
			count[s]++
			edges++
		}
	}
	preds, room := make([][]int, len(succs)), make([]int, edges)
	for b, n := range count {
		preds[b], room = room[:0:n], room[n:]
	}
	for _, b := range f.Order {
		for _, s := range succs[b] {
			preds[s] = append(preds[s], b)
		}
	}
	return preds
}

// loops finds the natural loops. Those of different headers are nested or
// disjoint, and the outer header comes first in reverse postorder.
func (f *Flow) loops(t *tree, preds [][]int) {
	for b := range f.Inner {
		f.Inner[b], f.Outer[b] = -1, -1
	}
	var latches []int // of one loop at a time
	for _, h := range f.Order {
		for _, p := range preds[h] {
			if t.dominates(h, p) {
				latches = append(latches, p)
			} else {
				f.Forward[h]++
			}
		}
		if len(latches) == 0 {
			continue
		}
		body := make([]bool, len(f.Idom))
		body[h] = true
		f.Body[h] = body
		f.Outer[h], f.Inner[h] = f.Inner[h], h
		for len(latches) > 0 {
			b := latches[len(latches)-1]
			latches = latches[:len(latches)-1]
			if !body[b] {
				body[b] = true
				f.Inner[b] = h
				latches = append(latches, preds[b]...)
			}
		}
	}
}
