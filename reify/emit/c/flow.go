package c

// A flow is what the structured style needs to know of a graph. Blocks are
// numbered as in the function, and the entry is 0.
type flow struct {
	rpo         []int    // the reachable blocks in reverse postorder
	unreachable []int    // the others
	idom        []int    // by block: its immediate dominator; of no meaning if unreachable
	forward     []int    // by block: the number of edges to it that are not back edges
	body        [][]bool // by block: which blocks are in the natural loop that it heads, or nil
	inner       []int    // by block: the header of the innermost loop it is in, or -1
	outer       []int    // by header: the header of the loop next around its own, or -1
}

func analyse(succs [][]int) *flow {
	n := len(succs)
	room := make([]int, 5*n)
	part := func(i int) []int { return room[i*n : (i+1)*n : (i+1)*n] }
	f := &flow{
		rpo:     part(0)[:0],
		idom:    part(1),
		forward: part(2),
		body:    make([][]bool, n),
		inner:   part(3),
		outer:   part(4),
	}
	number := f.number(succs) // by block: its position in rpo, or -1
	preds := f.predecessors(succs)
	f.dominators(number, preds)
	f.loops(number, preds)
	return f
}

func (f *flow) number(succs [][]int) []int {
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
		f.rpo = append(f.rpo, b)
	}
	visit(0)
	for i, j := 0, len(f.rpo)-1; i < j; i, j = i+1, j-1 {
		f.rpo[i], f.rpo[j] = f.rpo[j], f.rpo[i]
	}
	number := make([]int, n)
	for b := range number {
		number[b] = -1
		if !seen[b] {
			f.unreachable = append(f.unreachable, b)
		}
	}
	for i, b := range f.rpo {
		number[b] = i
	}
	return number
}

// predecessors returns, by block, the reachable blocks with an edge to it.
func (f *flow) predecessors(succs [][]int) [][]int {
	count, edges := make([]int, len(succs)), 0
	for _, b := range f.rpo {
		for _, s := range succs[b] {
			count[s]++
			edges++
		}
	}
	preds, room := make([][]int, len(succs)), make([]int, edges)
	for b, n := range count {
		preds[b], room = room[:0:n], room[n:]
	}
	for _, b := range f.rpo {
		for _, s := range succs[b] {
			preds[s] = append(preds[s], b)
		}
	}
	return preds
}

// dominators is the algorithm of Cooper, Harvey and Kennedy (A Simple, Fast
// Dominance Algorithm, 2001).
func (f *flow) dominators(number []int, preds [][]int) {
	for b := range f.idom {
		f.idom[b] = -1
	}
	f.idom[0] = 0
	for changed := true; changed; {
		changed = false
		for _, b := range f.rpo[1:] {
			dom := -1
			for _, p := range preds[b] {
				switch {
				case f.idom[p] < 0:
				case dom < 0:
					dom = p
				default:
					for q := p; q != dom; {
						for number[q] > number[dom] {
							q = f.idom[q]
						}
						for number[dom] > number[q] {
							dom = f.idom[dom]
						}
					}
				}
			}
			if f.idom[b] != dom {
				f.idom[b] = dom
				changed = true
			}
		}
	}
}

// loops finds the natural loops. Those of different headers are nested or
// disjoint, and the outer header comes first in reverse postorder.
func (f *flow) loops(number []int, preds [][]int) {
	for b := range f.inner {
		f.inner[b], f.outer[b] = -1, -1
	}
	var latches []int // of one loop at a time
	for _, h := range f.rpo {
		for _, p := range preds[h] {
			if f.dominates(h, p, number) {
				latches = append(latches, p)
			} else {
				f.forward[h]++
			}
		}
		if len(latches) == 0 {
			continue
		}
		body := make([]bool, len(f.idom))
		body[h] = true
		f.body[h] = body
		f.outer[h], f.inner[h] = f.inner[h], h
		for len(latches) > 0 {
			b := latches[len(latches)-1]
			latches = latches[:len(latches)-1]
			if !body[b] {
				body[b] = true
				f.inner[b] = h
				latches = append(latches, preds[b]...)
			}
		}
	}
}

func (f *flow) dominates(a, b int, number []int) bool {
	for number[b] > number[a] {
		b = f.idom[b]
	}
	return a == b
}
