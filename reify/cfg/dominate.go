package cfg

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
