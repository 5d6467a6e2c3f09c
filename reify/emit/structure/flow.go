package structure

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
	room := make([]int, 5*n)
	part := func(i int) []int { return room[i*n : (i+1)*n : (i+1)*n] }
	f := &Flow{
		Order:   part(0)[:0],
		Idom:    part(1),
		Forward: part(2),
		Body:    make([][]bool, n),
		Inner:   part(3),
		Outer:   part(4),
	}
	number := f.number(succs) // by block: its position in Order, or -1
	preds := f.predecessors(succs)
	f.dominators(number, preds)
	f.loops(number, preds)
	return f
}

func (f *Flow) number(succs [][]int) []int {
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
	for i, j := 0, len(f.Order)-1; i < j; i, j = i+1, j-1 {
		f.Order[i], f.Order[j] = f.Order[j], f.Order[i]
	}
	number := make([]int, n)
	for b := range number {
		number[b] = -1
		if !seen[b] {
			f.Unreachable = append(f.Unreachable, b)
		}
	}
	for i, b := range f.Order {
		number[b] = i
	}
	return number
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

// dominators is the algorithm of Cooper, Harvey and Kennedy (A Simple, Fast
// Dominance Algorithm, 2001).
func (f *Flow) dominators(number []int, preds [][]int) {
	for b := range f.Idom {
		f.Idom[b] = -1
	}
	f.Idom[0] = 0
	for changed := true; changed; {
		changed = false
		for _, b := range f.Order[1:] {
			dom := -1
			for _, p := range preds[b] {
				switch {
				case f.Idom[p] < 0:
				case dom < 0:
					dom = p
				default:
					for q := p; q != dom; {
						for number[q] > number[dom] {
							q = f.Idom[q]
						}
						for number[dom] > number[q] {
							dom = f.Idom[dom]
						}
					}
				}
			}
			if f.Idom[b] != dom {
				f.Idom[b] = dom
				changed = true
			}
		}
	}
}

// loops finds the natural loops. Those of different headers are nested or
// disjoint, and the outer header comes first in reverse postorder.
func (f *Flow) loops(number []int, preds [][]int) {
	for b := range f.Inner {
		f.Inner[b], f.Outer[b] = -1, -1
	}
	var latches []int // of one loop at a time
	for _, h := range f.Order {
		for _, p := range preds[h] {
			if f.dominates(h, p, number) {
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

func (f *Flow) dominates(a, b int, number []int) bool {
	for number[b] > number[a] {
		b = f.Idom[b]
	}
	return a == b
}
