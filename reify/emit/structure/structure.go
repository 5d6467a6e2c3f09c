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
	order []int // nodes that can be reached, in reverse postorder
	tree
}

// sort orders the nodes and finds their dominators.
func (r *reducer) sort() {
	r.order = slices.Grow(r.order[:0], len(r.nodes))
	r.visit(0, make([]bool, len(r.nodes)))
	slices.Reverse(r.order)
	r.tree = dominators(len(r.nodes), r.order, func(at int, edge func(int)) {
		for _, e := range r.nodes[at].Succs {
			edge(e.To)
		}
	})
}

// visit appends the nodes that can be reached from one in postorder.
func (r *reducer) visit(at int, seen []bool) {
	seen[at] = true
	// The last successor first, so that the first one comes first in reverse.
	for _, e := range slices.Backward(r.nodes[at].Succs) {
		if !seen[e.To] {
			r.visit(e.To, seen)
		}
	}
	r.order = append(r.order, at)
}

// reducible reports whether each header dominates the nodes with back edges to it.
func (r *reducer) reducible() bool {
	for _, at := range r.order {
		for _, e := range r.nodes[at].Succs {
			if r.number[e.To] <= r.number[at] && !r.dominates(e.To, at) {
				return false
			}
		}
	}
	return true
}

// place finds loops, joins, and the place of each node.
func (r *reducer) place() {
	ahead := make([]int, len(r.nodes)) // forward edges
	for _, at := range r.order {
		n := &r.nodes[at]
		// If a node has more than two successors, none is nested: languages have a
		// statement for that, whose targets are blocks.
		many := len(n.Succs) > 2 || n.Block == Dispatcher
		for i := range n.Succs {
			e := &n.Succs[i]
			to := &r.nodes[e.To]
			if e.Back = r.number[e.To] <= r.number[at]; e.Back {
				to.Loop = true
				continue
			}
			if ahead[e.To]++; many {
				ahead[e.To]++
			}
		}
	}
	for _, at := range slices.Backward(r.order) {
		if ahead[at] > 1 {
			n := &r.nodes[at]
			n.Join = true
			dom := &r.nodes[r.idom[at]]
			dom.Joins = append(dom.Joins, at)
		}
	}
	for _, at := range r.order {
		for i := range r.nodes[at].Succs {
			e := &r.nodes[at].Succs[i]
			e.Nested = !e.Back && !r.nodes[e.To].Join
		}
	}
}
