package cfg_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"goreify/reify/cfg"
)

func TestNewRejects(t *testing.T) {
	tests := []struct {
		name  string
		succs [][]int
		want  string
	}{
		{"empty", nil, "cfg: 0 blocks, want at least entry and exit"},
		{"one block", [][]int{{}}, "cfg: 1 blocks, want at least entry and exit"},
		{"entry without successor", [][]int{{}, {2}, {}}, "cfg: block 0 (entry): 0 successors, want 1"},
		{"entry branches", [][]int{{1, 2}, {2}, {}}, "cfg: block 0 (entry): 2 successors, want 1"},
		{"jump to entry", [][]int{{1}, {2, 0}, {}}, "cfg: block 1 (b1): jumps to the entry"},
		{"exit goes on", [][]int{{1}, {2}, {1}}, "cfg: block 2 (exit): 1 successors, want none"},
		{"dead end", [][]int{{1}, {2, 3}, {}, {}}, "cfg: block 2 (b2): 0 successors, want 1 or more"},
		{"twice among three", [][]int{{1}, {1, 2, 1}, {}}, "cfg: block 1 (b1): successor 1 twice"},
		{"twice", [][]int{{1}, {2, 2}, {}}, "cfg: block 1 (b1): successor 2 twice"},
		{"out of range", [][]int{{1}, {2, 3}, {}}, "cfg: block 1 (b1): successor 3 is not a block"},
		{"negative", [][]int{{1}, {-1, 2}, {}}, "cfg: block 1 (b1): successor -1 is not a block"},
		{"unreachable block", [][]int{{1}, {3}, {3}, {}}, "cfg: block 2 (b2): not reachable from the entry"},
		{"unreachable exit", [][]int{{1}, {1}, {}}, "cfg: block 2 (exit): not reachable from the entry"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			g, err := cfg.New(tt.succs)
			assert.Nil(t, g)
			assert.EqualError(t, err, tt.want)
		})
	}
}

func TestGraph(t *testing.T) {
	// b3 is an endless loop of its own.
	g := mustNew(t, [][]int{{1}, {2, 3}, {1, 4}, {3}, {}})
	assert.Equal(t, 5, g.Len())
	assert.Equal(t, 4, g.Exit())
	assert.Equal(t, "entry -> b1\nb1 -> b2 b3\nb2 -> b1 exit\nb3 -> b3\nexit\n", g.String())
	assert.Equal(t, [][]int{{}, {0, 2}, {1}, {1, 3}, {2}}, g.Preds())
	assert.Equal(t, []int{0, 1, 2, 4}, g.ShortestToExit(0))
	assert.Equal(t, []int{4}, g.ShortestToExit(4))
	assert.Nil(t, g.ShortestToExit(3))
}

func TestShortestToExitIsShortest(t *testing.T) {
	for _, g := range smallGraphs(200) {
		// Relax the edges until nothing changes.
		const far = 1 << 20
		dist := make([]int, g.Len())
		for b := range dist {
			dist[b] = far
		}
		dist[g.Exit()] = 0
		for range dist {
			for b, list := range g.Succs {
				for _, to := range list {
					dist[b] = min(dist[b], dist[to]+1)
				}
			}
		}
		for b, d := range dist {
			path := g.ShortestToExit(b)
			if d >= far {
				require.Nil(t, path, "%s\nfrom %d", g, b)
				continue
			}
			require.Len(t, path, d+1, "%s\nfrom %d", g, b)
			for i := range path[1:] {
				require.True(t, g.HasEdge(path[i], path[i+1]))
			}
		}
	}
}

const wantDOT = `digraph cfg {
	node [shape=box, fontname=monospace];
	edge [fontname=monospace, fontsize=10];
	0 [label="a \"quoted\" \\ name", style=filled, fillcolor=lightblue];
	1 [label="b1 ×9", style=filled, fillcolor=lightblue];
	2 [label="b2 ×8", style=filled, fillcolor=lightblue];
	3 [label="b3", color=grey, fontcolor=grey];
	4 [label="exit", style=filled, fillcolor=lightblue];
	0 -> 1 [color=blue, penwidth=2, label="1"];
	1 -> 2 [color=blue, penwidth=2, label="2 4 6 8 10 12 … ×8"];
	1 -> 4 [color=blue, penwidth=2, label="18", style=dashed];
	2 -> 3 [color=grey];
	2 -> 1 [color=blue, penwidth=2, label="3 5 7 9 11 13 … ×8", style=dashed];
	3 -> 1 [color=grey];
}
`

func TestDOT(t *testing.T) {
	g := mustNew(t, [][]int{{1}, {2, 4}, {3, 1}, {1}, {}})
	path := []int{0, 1}
	for range 8 {
		path = append(path, 2, 1)
	}
	path = append(path, 4)
	require.NoError(t, cfg.CheckPath(g, path))
	names := []string{`a "quoted" \ name`, "b1", "b2", "b3", "exit"}
	assert.Equal(t, wantDOT, g.DOT(names, path))
	assert.NotContains(t, g.DOT(nil, nil), "blue", "no path, nothing highlighted")
	assert.Contains(t, g.DOT(nil, nil), `0 [label="entry", color=grey`)
}

func TestDOTOfASwitch(t *testing.T) {
	g := mustNew(t, [][]int{{1}, {1, 3, 2}, {3}, {}})
	assert.Equal(t, "entry -> b1\nb1 -> b1 exit b2\nb2 -> exit\nexit\n", g.String())
	dot := g.DOT(nil, []int{0, 1, 1, 3})
	assert.Contains(t, dot, "1 -> 3 [color=blue, penwidth=2, label=\"3\"];")
	assert.Contains(t, dot, "1 -> 2 [color=grey, style=dashed];", "the default")
}

func mustNew(t *testing.T, succs [][]int) *cfg.Graph {
	t.Helper()
	g, err := cfg.New(succs)
	require.NoError(t, err)
	return g
}

// smallGraphs returns n graphs of up to about 20 blocks, some with loops, some
// with switches.
func smallGraphs(n int) []*cfg.Graph {
	graphs := make([]*cfg.Graph, n)
	for i := range graphs {
		o := cfg.Options{Blocks: 1 + i%9, LocalMin: 0, LocalMax: 100}
		if i%3 == 0 {
			o.Loops, o.LoopBlocks, o.Depth = 2, 4, 2
		}
		if i%4 == 3 {
			o.Switches = 60
		}
		graphs[i] = cfg.Generate(o, stream(i))
	}
	return graphs
}

func TestLoops(t *testing.T) {
	for _, test := range []struct {
		succs [][]int
		want  bool
	}{
		{[][]int{{1}, {2}, {}}, false},
		{[][]int{{1}, {2, 3}, {3}, {}}, false},
		{[][]int{{1}, {1, 2}, {}}, true},
		{[][]int{{1}, {2, 4}, {3}, {2}, {}}, false}, // round and round without a way out
		{[][]int{{1}, {2, 4}, {3}, {1, 2}, {}}, true},
	} {
		g, err := cfg.New(test.succs)
		require.NoError(t, err)
		assert.Equal(t, test.want, g.Loops(), "%v", test.succs)
	}
}
