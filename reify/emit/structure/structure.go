// Package structure turns control-flow graphs into nested blocks and loops, for
// languages without goto, by dominators (Ramsey, Beyond Relooper, ICFP 2022). Each
// block is placed inside of its immediate dominator, after the statements of the
// dominator:
//
//	0 → 1 2        block 3            a join is behind a block that ends before it,
//	1 → 3            0                and a jump to it leaves that block
//	2 → 1 3          block 1
//	3 →                … 2 → leave 1 | leave 3
//	                 end
//	                 1 → leave 3
//	               end
//	               3
//
// A header is in a loop, which back edges to it continue. A graph is a list of
// successors for each block; block 0 is the entry, which has no predecessors.
//
// Dominators cannot structure a loop with several entries. A Form says how such a loop
// is made reducible:
//
//	Dispatch   a dispatcher takes the place of all its entries: jumps to one of
//	           them set a label and go to the dispatcher, which goes on by the label
//	Split      an entry that is small is copied for those who come from outside,
//	           as long as there are not too many copies; then as Dispatch
//	Whole      one dispatcher for all blocks of the function
package structure

import "slices"

// A Form is a way to make a graph reducible.
type Form int

// The forms.
const (
	Dispatch Form = iota
	Split
	Whole
	NumForms
)

// Dispatcher is the block that a Node of a dispatcher stands for.
const Dispatcher = -1

// A Node is a block of a graph that is reducible. Nodes 0 to n-1 are the n blocks
// of the graph that was given, copies and dispatchers follow.
type Node struct {
	Block int    // that it is, or is a copy of; or Dispatcher
	Succs []Edge // in the order of the block's successors; those of a dispatcher by label

	Loop  bool  // a header: it has back edges
	Join  bool  // it is placed behind a block that ends before it
	Joins []int // the joins that it dominates immediately, the one that comes last first

	order int // in reverse postorder; those that cannot be reached have -1
	idom  int
}

// An Edge leads to a node. If that is a dispatcher, Label selects one of its
// successors.
type Edge struct {
	To    int
	Label int
	// Nested says that the node is placed at the beginning of the edge: it is neither a
	// join nor a header.
	Nested bool
	Back   bool // a back edge to a loop that contains the beginning of the edge
}

// Of returns the nodes of a graph in a form. Nodes that cannot be reached have no place
// in the tree, which is that of node 0: a node's joins, itself, and the nodes that are
// nested in its edges. For Split alone, small tells which blocks are small.
func Of(graph [][]int, form Form, small func(block int) bool) []Node {
	r := &reducer{nodes: make([]Node, len(graph), len(graph)+2)}
	edges := 0
	for _, succs := range graph {
		edges += len(succs)
	}
	room := make([]Edge, 0, edges)
	for i, succs := range graph {
		start := len(room)
		for _, to := range succs {
			room = append(room, Edge{To: to})
		}
		r.nodes[i] = Node{Block: i, Succs: room[start:len(room):len(room)]}
	}
	if form == Whole && len(graph) > 1 {
		r.whole()
	}
	// Most graphs are reducible as they are.
	if r.sort(); !r.reducible() {
		if form == Split {
			r.split(small)
			r.sort()
		}
		if form != Split || !r.reducible() {
			r.dispatch()
			r.sort()
		}
		if !r.reducible() {
			panic("structure: a graph is irreducible with its dispatchers")
		}
	}
	r.place()
	return r.nodes
}

// Dispatchers returns how many dispatchers are among the nodes.
func Dispatchers(nodes []Node) int {
	n := 0
	for i := range nodes {
		if nodes[i].Block == Dispatcher {
			n++
		}
	}
	return n
}

type reducer struct {
	nodes []Node
	post  []int // nodes in postorder
}

// sort numbers the nodes in reverse postorder and finds their dominators (Cooper,
// Harvey, Kennedy: A Simple, Fast Dominance Algorithm).
func (r *reducer) sort() {
	for i := range r.nodes {
		r.nodes[i].order, r.nodes[i].idom = -1, -1
	}
	r.post = slices.Grow(r.post[:0], len(r.nodes))
	r.visit(0)
	for i, at := range r.post {
		r.nodes[at].order = len(r.post) - 1 - i
	}
	r.nodes[0].idom = 0
	for changed := true; changed; {
		changed = false
		// Each node informs its successors: a node's dominator is the common one of its
		// predecessors.
		for i := len(r.post) - 1; i >= 0; i-- {
			at := r.post[i]
			for _, e := range r.nodes[at].Succs {
				if e.To == 0 {
					continue
				}
				to := &r.nodes[e.To]
				idom := at
				if to.idom >= 0 {
					idom = r.common(to.idom, at)
				}
				if idom != to.idom {
					to.idom, changed = idom, true
				}
			}
		}
	}
}

func (r *reducer) visit(at int) {
	r.nodes[at].order = 0 // seen
	// The last successor first, so that the first one comes first in reverse.
	for i := len(r.nodes[at].Succs) - 1; i >= 0; i-- {
		if to := r.nodes[at].Succs[i].To; r.nodes[to].order < 0 {
			r.visit(to)
		}
	}
	r.post = append(r.post, at)
}

// common returns the nearest node that dominates two.
func (r *reducer) common(a, b int) int {
	for a != b {
		for r.nodes[a].order > r.nodes[b].order {
			a = r.nodes[a].idom
		}
		for r.nodes[b].order > r.nodes[a].order {
			b = r.nodes[b].idom
		}
	}
	return a
}

// reducible reports whether each header dominates the nodes with back edges to it.
func (r *reducer) reducible() bool {
	for _, at := range r.post {
		for _, e := range r.nodes[at].Succs {
			if r.nodes[e.To].order <= r.nodes[at].order && r.common(e.To, at) != e.To {
				return false
			}
		}
	}
	return true
}

// place finds loops, joins, and the place of each node.
func (r *reducer) place() {
	ahead := make([]int, len(r.nodes)) // forward edges
	for _, at := range r.post {
		n := &r.nodes[at]
		// If a node has more than two successors, none is nested: languages have a
		// statement for that, whose targets are blocks.
		many := len(n.Succs) > 2 || n.Block == Dispatcher
		for i := range n.Succs {
			e := &n.Succs[i]
			to := &r.nodes[e.To]
			if e.Back = to.order <= n.order; e.Back {
				to.Loop = true
				continue
			}
			if ahead[e.To]++; many {
				ahead[e.To]++
			}
		}
	}
	for _, at := range r.post { // the last one first
		if ahead[at] > 1 {
			n := &r.nodes[at]
			n.Join = true
			dom := &r.nodes[n.idom]
			dom.Joins = append(dom.Joins, at)
		}
	}
	for _, at := range r.post {
		for i := range r.nodes[at].Succs {
			e := &r.nodes[at].Succs[i]
			e.Nested = !e.Back && !r.nodes[e.To].Join
		}
	}
}
