package structure

import "slices"

// whole puts one dispatcher before all blocks except the entry.
func (r *reducer) whole() {
	var blocks []int
	for i := 1; i < len(r.nodes); i++ {
		blocks = append(blocks, i)
	}
	r.before(blocks)
}

// before puts a dispatcher before some nodes.
func (r *reducer) before(entries []int) int {
	d := len(r.nodes)
	for i := range r.nodes {
		for j := range r.nodes[i].Succs {
			e := &r.nodes[i].Succs[j]
			if label := slices.Index(entries, e.To); label >= 0 {
				*e = Edge{To: d, Label: label}
			}
		}
	}
	n := Node{Block: Dispatcher}
	for _, to := range entries {
		n.Succs = append(n.Succs, Edge{To: to})
	}
	r.nodes, r.number = append(r.nodes, n), append(r.number, d)
	return d
}

// dispatch puts a dispatcher before each loop of several entries, from the
// outermost to the innermost.
func (r *reducer) dispatch() {
	r.dispatchIn(slices.Clone(r.order))
}

// dispatchIn does so for the loops within some nodes.
func (r *reducer) dispatchIn(nodes []int) {
	for _, loop := range r.loops(nodes) {
		entries := r.entries(loop)
		if len(entries) > 1 {
			// All edges to an entry lead to the dispatcher now, which is not one of the
			// loop's nodes any more; so do its back edges.
			r.before(entries)
			r.dispatchIn(loop)
			continue
		}
		// Without its header, the rest is searched for the loops in it.
		loop = slices.DeleteFunc(loop, func(at int) bool { return len(entries) > 0 && at == entries[0] })
		r.dispatchIn(loop)
	}
}

// entries returns the nodes of a loop with predecessors outside of it, in their order.
func (r *reducer) entries(loop []int) []int {
	within := make([]bool, len(r.nodes))
	for _, at := range loop {
		within[at] = true
	}
	entry := make([]bool, len(r.nodes))
	for i := range r.nodes {
		if within[i] || r.number[i] < 0 && r.nodes[i].Block != Dispatcher {
			continue
		}
		for _, e := range r.nodes[i].Succs {
			entry[e.To] = entry[e.To] || within[e.To]
		}
	}
	var list []int
	for _, at := range loop {
		if entry[at] {
			list = append(list, at)
		}
	}
	return list
}

// loops returns the strongly connected components of some nodes that have an edge
// (Tarjan), each in the order of nodes.
func (r *reducer) loops(nodes []int) [][]int {
	t := tarjan{r: r, in: make([]bool, len(r.nodes)), index: make([]int, len(r.nodes)), low: make([]int, len(r.nodes)), stacked: make([]bool, len(r.nodes)), of: make([]int, len(r.nodes))}
	for _, at := range nodes {
		t.in[at] = true
	}
	for _, at := range nodes {
		if t.index[at] == 0 {
			t.visit(at)
		}
	}
	lists := make([][]int, t.components+1)
	for _, at := range nodes {
		lists[t.of[at]] = append(lists[t.of[at]], at)
	}
	return slices.DeleteFunc(lists, func(list []int) bool {
		if len(list) == 1 {
			return !slices.ContainsFunc(r.nodes[list[0]].Succs, func(e Edge) bool { return e.To == list[0] })
		}
		return len(list) == 0
	})
}

type tarjan struct {
	r          *reducer
	in         []bool
	index, low []int // from 1
	stacked    []bool
	stack      []int
	of         []int // component, from 1
	next       int
	components int
}

func (t *tarjan) visit(at int) {
	t.next++
	t.index[at], t.low[at] = t.next, t.next
	t.stack, t.stacked[at] = append(t.stack, at), true
	for _, e := range t.r.nodes[at].Succs {
		switch {
		case !t.in[e.To]:
		case t.index[e.To] == 0:
			t.visit(e.To)
			t.low[at] = min(t.low[at], t.low[e.To])
		case t.stacked[e.To]:
			t.low[at] = min(t.low[at], t.index[e.To])
		}
	}
	if t.low[at] < t.index[at] {
		return
	}
	t.components++
	for {
		top := t.stack[len(t.stack)-1]
		t.stack, t.stacked[top] = t.stack[:len(t.stack)-1], false
		t.of[top] = t.components
		if top == at {
			return
		}
	}
}

// maxCopies is how many copies a function may have.
const maxCopies = 8

// split copies entries of loops with several entries for the edges from outside, until
// one entry is left, an entry is not small, or the function has too many copies.
func (r *reducer) split(small func(block int) bool) {
	for copies := 0; copies < maxCopies; copies++ {
		if r.sort(); !r.splitOne(slices.Clone(r.order), small) {
			return
		}
	}
}

// splitOne copies one entry.
func (r *reducer) splitOne(nodes []int, small func(block int) bool) bool {
	for _, loop := range r.loops(nodes) {
		entries := r.entries(loop)
		if len(entries) > 1 {
			for _, at := range entries[1:] { // the first one stays
				if small(r.nodes[at].Block) {
					r.copyFor(at, loop)
					return true
				}
			}
			continue
		}
		loop = slices.DeleteFunc(loop, func(at int) bool { return len(entries) > 0 && at == entries[0] })
		if r.splitOne(loop, small) {
			return true
		}
	}
	return false
}

// copyFor makes a copy of a node for all edges to it from outside of a loop.
func (r *reducer) copyFor(at int, loop []int) {
	c := len(r.nodes)
	r.nodes = append(r.nodes, Node{Block: r.nodes[at].Block, Succs: slices.Clone(r.nodes[at].Succs)})
	for i := range r.nodes[:c] {
		if slices.Contains(loop, i) {
			continue
		}
		for j := range r.nodes[i].Succs {
			if e := &r.nodes[i].Succs[j]; e.To == at {
				e.To = c
			}
		}
	}
}
