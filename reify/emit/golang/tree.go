package golang

// A tree is what the structured style needs to know of a graph: dominators and natural
// loops. Blocks are numbered as in the function, and the entry is 0.
type tree struct {
	order   []int    // the reachable blocks in reverse postorder
	idom    []int    // by block: its immediate dominator
	forward []int    // by block: the number of edges to it that are not back edges
	body    [][]bool // by block: which blocks are in the natural loop that it heads, or nil
	inner   []int    // by block: the header of the innermost loop it is in, or -1
	outer   []int    // by header: the header of the loop next around its own, or -1
}

func analyse(succs [][]int) *tree {
	n := len(succs)
	t := &tree{idom: make([]int, n), forward: make([]int, n), body: make([][]bool, n), inner: make([]int, n), outer: make([]int, n)}
	seen, number := make([]bool, n), make([]int, n)
	preds := make([][]int, n)
	var visit func(b int)
	visit = func(b int) {
		seen[b] = true
		for _, to := range succs[b] {
			preds[to] = append(preds[to], b)
			if !seen[to] {
				visit(to)
			}
		}
		t.order = append(t.order, b)
	}
	visit(0)
	for i, j := 0, len(t.order)-1; i < j; i, j = i+1, j-1 {
		t.order[i], t.order[j] = t.order[j], t.order[i]
	}
	for i, b := range t.order {
		number[b] = i
	}
	t.dominators(number, preds)
	t.loops(number, preds)
	return t
}

// dominators is the algorithm of Cooper, Harvey and Kennedy (A Simple, Fast
// Dominance Algorithm, 2001).
func (t *tree) dominators(number []int, preds [][]int) {
	for b := range t.idom {
		t.idom[b] = -1
	}
	t.idom[0] = 0
	for changed := true; changed; {
		changed = false
		for _, b := range t.order[1:] {
			dom := -1
			for _, p := range preds[b] {
				if t.idom[p] < 0 {
					continue
				}
				if dom < 0 {
					dom = p
				}
				for q := p; q != dom; {
					for number[q] > number[dom] {
						q = t.idom[q]
					}
					for number[dom] > number[q] {
						dom = t.idom[dom]
					}
				}
			}
			changed = changed || t.idom[b] != dom
			t.idom[b] = dom
		}
	}
}

// loops finds the natural loops. Those of different headers are nested or disjoint,
// and the outer header comes first in reverse postorder.
func (t *tree) loops(number []int, preds [][]int) {
	for b := range t.inner {
		t.inner[b], t.outer[b] = -1, -1
	}
	for _, h := range t.order {
		var latches []int
		for _, p := range preds[h] {
			if t.dominates(h, p, number) {
				latches = append(latches, p)
			} else {
				t.forward[h]++
			}
		}
		if latches == nil {
			continue
		}
		body := make([]bool, len(t.idom))
		body[h] = true
		t.body[h] = body
		t.outer[h], t.inner[h] = t.inner[h], h
		for len(latches) > 0 {
			b := latches[len(latches)-1]
			latches = latches[:len(latches)-1]
			if !body[b] {
				body[b] = true
				t.inner[b] = h
				latches = append(latches, preds[b]...)
			}
		}
	}
}

func (t *tree) dominates(a, b int, number []int) bool {
	for number[b] > number[a] {
		b = t.idom[b]
	}
	return a == b
}
