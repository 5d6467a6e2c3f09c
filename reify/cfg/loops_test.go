package cfg_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"goreify/reify/cfg"
)

func TestAnalyzeKnownGraphs(t *testing.T) {
	type loop = cfg.Loop
	tests := []struct {
		name  string
		succs [][]int
		idom  []int
		loops []*cfg.Loop
	}{
		{
			"diamond",
			[][]int{{1}, {2, 3}, {4}, {4}, {}},
			[]int{-1, 0, 1, 1, 1},
			nil,
		}, {
			"block that jumps to itself",
			[][]int{{1}, {1, 2}, {}},
			[]int{-1, 0, 1},
			[]*loop{{Entries: []int{1}, Blocks: []int{1}, BackEdges: [][2]int{{1, 1}}, Parent: -1, Depth: 1}},
		}, {
			"two latches, one header",
			[][]int{{1}, {2, 3}, {1}, {1, 4}, {}},
			[]int{-1, 0, 1, 1, 3},
			[]*loop{{Entries: []int{1}, Blocks: []int{1, 2, 3}, BackEdges: [][2]int{{2, 1}, {3, 1}}, Parent: -1, Depth: 1}},
		}, {
			"nested",
			[][]int{{1}, {2}, {3}, {2, 4}, {1, 5}, {}},
			[]int{-1, 0, 1, 2, 3, 4},
			[]*loop{
				{Entries: []int{1}, Blocks: []int{1, 2, 3, 4}, BackEdges: [][2]int{{4, 1}}, Parent: -1, Depth: 1},
				{Entries: []int{2}, Blocks: []int{2, 3}, BackEdges: [][2]int{{3, 2}}, Parent: 0, Depth: 2},
			},
		}, {
			"the smallest irreducible graph",
			[][]int{{1}, {2, 3}, {3, 4}, {2}, {}},
			[]int{-1, 0, 1, 1, 2},
			[]*loop{{Entries: []int{2, 3}, Blocks: []int{2, 3}, Parent: -1, Depth: 1}},
		}, {
			"irreducible region in a natural loop",
			[][]int{{1}, {2, 3}, {3}, {2, 4}, {1, 5}, {}},
			[]int{-1, 0, 1, 1, 3, 4},
			[]*loop{
				{Entries: []int{1}, Blocks: []int{1, 2, 3, 4}, BackEdges: [][2]int{{4, 1}}, Parent: -1, Depth: 1},
				{Entries: []int{2, 3}, Blocks: []int{2, 3}, Parent: 0, Depth: 2},
			},
		}, {
			"natural loop hanging off an irreducible region", // block 4 is only on the cycle 2 4
			[][]int{{1}, {2, 3}, {3, 4}, {2, 5}, {2}, {}},
			[]int{-1, 0, 1, 1, 2, 3},
			[]*loop{
				{Entries: []int{2, 3}, Blocks: []int{2, 3, 4}, Parent: -1, Depth: 1},
				{Entries: []int{2}, Blocks: []int{2, 4}, BackEdges: [][2]int{{4, 2}}, Parent: 0, Depth: 2},
			},
		}, {
			"irreducible region in an irreducible region", // 4 5 in 2 3 4 5
			[][]int{{1}, {2, 3}, {4}, {5}, {5, 3}, {4, 6}, {2, 7}, {}},
			[]int{-1, 0, 1, 1, 1, 1, 5, 6},
			[]*loop{
				{Entries: []int{2, 3}, Blocks: []int{2, 3, 4, 5, 6}, Parent: -1, Depth: 1},
				{Entries: []int{4, 5}, Blocks: []int{4, 5}, Parent: 0, Depth: 2},
			},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			a := mustNew(t, tt.succs).Analyze()
			assert.Equal(t, tt.idom, a.IDom)
			assert.Equal(t, tt.loops, a.Loops)
		})
	}
}

// A block dominates those that cannot be reached without it.
func TestDominatorsAgainstRemoval(t *testing.T) {
	for _, g := range smallGraphs(300) {
		a := g.Analyze()
		for x := range g.Len() {
			reached := reachWithout(g, x)
			for b := range g.Len() {
				require.Equal(t, !reached[b], a.Dominates(x, b), "%d dominates %d in\n%s", x, b, g)
			}
		}
		for b := 1; b < g.Len(); b++ {
			require.True(t, a.IDom[b] != b && a.Dominates(a.IDom[b], b))
		}
	}
}

// T1 removes an edge from a block to itself, T2 merges a block into its only
// predecessor. A graph is reducible if they leave one block.
func TestReducibleAgainstT1T2(t *testing.T) {
	seen := map[bool]int{}
	for _, g := range smallGraphs(1500) {
		want := t1t2(g)
		seen[want]++
		require.Equal(t, want, g.Analyze().Reducible(), "\n%s", g)
	}
	assert.Greater(t, seen[false], 100)
	assert.Greater(t, seen[true], 100)
}

func TestLoopsAreWhatTheySay(t *testing.T) {
	graphs := append(smallGraphs(400), defaultGraphs(50)...)
	for _, g := range graphs {
		a := g.Analyze()
		preds := g.Preds()
		backEdges := 0
		for i, l := range a.Loops {
			// Entered at the entries and nowhere else, and strongly connected.
			for _, b := range l.Blocks {
				outside := slices.ContainsFunc(preds[b], func(p int) bool { return !l.Has(p) })
				require.Equal(t, slices.Contains(l.Entries, b), outside, "entry %d of %+v in\n%s", b, l, g)
				require.Len(t, reachWithin(g, l, b), len(l.Blocks), "%+v in\n%s", l, g)
			}
			if l.Reducible() {
				backEdges += len(l.BackEdges)
				for _, b := range l.Blocks {
					require.True(t, a.Dominates(l.Entries[0], b))
				}
			} else {
				require.Empty(t, l.BackEdges)
				for _, e := range l.Entries {
					require.False(t, a.Dominates(e, l.Entries[0]) && a.Dominates(e, l.Entries[1]), "%+v in\n%s", l, g)
				}
			}
			// Nested or disjoint, and the parent is the smallest around.
			parent := -1
			for j, m := range a.Loops {
				if i == j {
					continue
				}
				common := 0
				for _, b := range l.Blocks {
					if m.Has(b) {
						common++
					}
				}
				switch common {
				case 0, len(m.Blocks):
				case len(l.Blocks):
					if parent < 0 || len(m.Blocks) < len(a.Loops[parent].Blocks) {
						parent = j
					}
				default:
					t.Fatalf("%+v and %+v overlap in\n%s", l, m, g)
				}
			}
			require.Equal(t, parent, l.Parent)
			depth := 1
			if parent >= 0 {
				require.Less(t, parent, i, "parents first")
				depth += a.Loops[parent].Depth
			}
			require.Equal(t, depth, l.Depth)
		}
		// Every edge to a dominator belongs to one loop, and every cycle to a
		// loop or a region.
		dominated := 0
		for b, list := range g.Succs {
			for _, to := range list {
				if a.Dominates(to, b) {
					dominated++
				}
			}
			require.Equal(t, onCycle(g, b), a.Innermost[b] >= 0, "block %d of\n%s", b, g)
			if a.Innermost[b] >= 0 {
				require.True(t, a.Loops[a.Innermost[b]].Has(b))
				require.Equal(t, a.Loops[a.Innermost[b]].Depth, a.Depth(b))
			} else {
				require.Zero(t, a.Depth(b))
			}
		}
		require.Equal(t, dominated, backEdges)
	}
}

// reachWithout marks what the entry reaches when block x is removed.
func reachWithout(g *cfg.Graph, x int) []bool {
	reached := make([]bool, g.Len())
	var visit func(b int)
	visit = func(b int) {
		if b == x || reached[b] {
			return
		}
		reached[b] = true
		for _, t := range g.Succs[b] {
			visit(t)
		}
	}
	visit(0)
	return reached
}

// reachWithin returns the blocks of l that b reaches over at least one edge
// without leaving l.
func reachWithin(g *cfg.Graph, l *cfg.Loop, b int) map[int]bool {
	reached := map[int]bool{}
	work := []int{b}
	for len(work) > 0 {
		x := work[0]
		work = work[1:]
		for _, t := range g.Succs[x] {
			if l.Has(t) && !reached[t] {
				reached[t] = true
				work = append(work, t)
			}
		}
	}
	return reached
}

func onCycle(g *cfg.Graph, b int) bool {
	all := &cfg.Loop{}
	for x := range g.Len() {
		all.Blocks = append(all.Blocks, x)
	}
	return reachWithin(g, all, b)[b]
}

func t1t2(g *cfg.Graph) bool {
	succs := map[int]map[int]bool{}
	for b, list := range g.Succs {
		succs[b] = map[int]bool{}
		for _, t := range list {
			succs[b][t] = true
		}
	}
	for changed := true; changed; {
		changed = false
		for b := range g.Len() {
			if succs[b] == nil {
				continue
			}
			delete(succs[b], b) // T1
			var preds []int
			for p := range succs {
				if succs[p][b] && p != b {
					preds = append(preds, p)
				}
			}
			if b == 0 || len(preds) != 1 {
				continue
			}
			p := preds[0] // T2
			delete(succs[p], b)
			for t := range succs[b] {
				succs[p][t] = true
			}
			delete(succs, b)
			changed = true
		}
	}
	return len(succs) == 1
}
