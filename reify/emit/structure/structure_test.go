package structure

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// walk goes through the tree as writers do, and checks that each edge leads to what
// encloses it. It returns the nodes in their order.
type walk struct {
	t      *testing.T
	nodes  []Node
	scope  []string
	placed []int
}

func (w *walk) node(at int) {
	n := &w.nodes[at]
	depth := len(w.scope)
	if n.Loop {
		w.scope = append(w.scope, fmt.Sprint("loop ", at))
	}
	for _, j := range n.Joins {
		require.True(w.t, w.nodes[j].Join)
		w.scope = append(w.scope, fmt.Sprint("block ", j))
	}
	w.placed = append(w.placed, at)
	for _, e := range n.Succs {
		switch {
		case e.Nested:
			w.node(e.To)
		case e.Back:
			require.Contains(w.t, w.scope, fmt.Sprint("loop ", e.To))
		default:
			require.Contains(w.t, w.scope, fmt.Sprint("block ", e.To))
		}
	}
	for i := len(n.Joins) - 1; i >= 0; i-- {
		w.scope = w.scope[:len(w.scope)-1]
		w.node(n.Joins[i])
	}
	w.scope = w.scope[:depth]
}

// contracted returns the successors of a node without dispatchers, as blocks.
func contracted(nodes []Node, at int) []int {
	var list []int
	for _, e := range nodes[at].Succs {
		for nodes[e.To].Block == Dispatcher {
			e = nodes[e.To].Succs[e.Label]
		}
		list = append(list, nodes[e.To].Block)
	}
	return list
}

// random returns a graph of n blocks whose last one is the exit.
func random(rng *rand.Rand, n int) [][]int {
	g := make([][]int, n)
	for i := range n - 1 {
		for range 1 + rng.IntN(3) {
			to := 1 + rng.IntN(n-1)
			if rng.IntN(2) == 0 {
				to = min(n-1, i+1+rng.IntN(2))
			}
			if !slices.Contains(g[i], to) {
				g[i] = append(g[i], to)
			}
		}
	}
	return g
}

// For all graphs and forms each block that can be reached stands in one place, from
// which it leads where the graph says.
func TestRandomGraphs(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	dispatchers, copies, irreducible := 0, 0, 0
	for range 20_000 {
		g := random(rng, 2+rng.IntN(14))
		for form := range NumForms {
			nodes := Of(g, form, func(block int) bool { return block%2 == 0 })
			w := &walk{t: t, nodes: nodes}
			w.node(0)
			reached := map[int]bool{}
			for _, at := range w.placed {
				if b := nodes[at].Block; b != Dispatcher {
					require.Equal(t, g[b], nonNil(contracted(nodes, at)), "%v", g)
					reached[b] = true
				}
			}
			if form != Whole { // whose dispatcher could go anywhere
				require.Equal(t, reachable(g), reached, "%v", g)
			}
			slices.Sort(w.placed)
			require.Len(t, slices.Compact(w.placed), len(w.placed), "each node stands once")
			if form == Dispatch {
				require.Len(t, nodes, len(g)+Dispatchers(nodes))
				dispatchers += Dispatchers(nodes)
				irreducible += min(1, Dispatchers(nodes))
			}
			if form == Split {
				copies += len(nodes) - len(g) - Dispatchers(nodes)
			}
			if form == Whole && len(g) > 1 {
				require.Equal(t, 1, Dispatchers(nodes))
			}
		}
	}
	assert.Greater(t, irreducible, 5_000)
	assert.Greater(t, dispatchers, irreducible, "loops of several entries in others")
	assert.Positive(t, copies)
}

func nonNil(list []int) []int {
	if list == nil {
		return []int(nil)
	}
	return list
}

func reachable(g [][]int) map[int]bool {
	seen := map[int]bool{}
	var visit func(at int)
	visit = func(at int) {
		if !seen[at] {
			seen[at] = true
			for _, to := range g[at] {
				visit(to)
			}
		}
	}
	visit(0)
	return seen
}

// What is reducible stays as it is.
func TestReducible(t *testing.T) {
	for name, g := range map[string][][]int{
		"diamond":      {{1, 2}, {3}, {3}, nil},
		"loop":         {{1}, {1, 2}, nil},
		"nested loops": {{1}, {2, 4}, {2, 3}, {1, 2}, nil},
		"switch":       {{1, 2, 3}, {4}, {4}, {4}, nil},
		"two exits":    {{1}, {2, 3}, {1, 3}, nil},
	} {
		for _, form := range []Form{Dispatch, Split} {
			assert.Len(t, Of(g, form, func(int) bool { return true }), len(g), name)
		}
	}
	// Two entries into one loop: one dispatcher, or a copy of one of them.
	g := [][]int{{1, 2}, {2}, {1, 3}, nil}
	assert.Equal(t, 1, Dispatchers(Of(g, Dispatch, nil)))
	nodes := Of(g, Split, func(int) bool { return true })
	assert.Equal(t, 0, Dispatchers(nodes))
	assert.Len(t, nodes, 5)
}
