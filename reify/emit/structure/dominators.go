package structure

// A tree is the dominator tree of a graph, as far as that can be reached from node 0.
type tree struct {
	number []int // by node: its position in reverse postorder, or -1
	idom   []int // by node: its immediate dominator, or -1; that of node 0 is itself
}

// dominators returns the tree of a graph of n nodes with their reverse postorder (Cooper,
// Harvey, Kennedy: A Simple, Fast Dominance Algorithm, 2001). succs calls its argument for
// the end of each edge of a node.
func dominators(n int, order []int, succs func(at int, edge func(to int))) tree {
	room := make([]int, 2*n)
	t := tree{number: room[:n:n], idom: room[n:]}
	for i := range room {
		room[i] = -1
	}
	for i, at := range order {
		t.number[at] = i
	}
	t.idom[0] = 0
	at, changed := 0, true
	// A node's dominator is the common one of its predecessors, of which each informs it.
	inform := func(to int) {
		idom := at
		if t.idom[to] >= 0 {
			idom = t.common(t.idom[to], at)
		}
		if idom != t.idom[to] {
			t.idom[to], changed = idom, true
		}
	}
	for changed {
		changed = false
		for _, at = range order {
			succs(at, inform)
		}
	}
	return t
}

// common returns the nearest node that dominates two.
func (t *tree) common(a, b int) int {
	for a != b {
		for t.number[a] > t.number[b] {
			a = t.idom[a]
		}
		for t.number[b] > t.number[a] {
			b = t.idom[b]
		}
	}
	return a
}

// dominates reports whether each way from node 0 to b leads through a.
func (t *tree) dominates(a, b int) bool { return t.common(a, b) == a }
