package cfg_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"goreify/reify/cfg"
	"goreify/reify/choice"
)

func TestOptionsValidate(t *testing.T) {
	assert.NoError(t, cfg.DefaultOptions().Validate())
	assert.NoError(t, cfg.Options{Blocks: 1}.Validate(), "LoopBlocks and Depth are not used without Loops")
	tests := []struct {
		change func(o *cfg.Options)
		want   string
	}{
		{func(o *cfg.Options) { o.Blocks = 0 }, "cfg: option Blocks (#BBL) is 0, want 1 to 10000"},
		{func(o *cfg.Options) { o.Blocks = 10001 }, "cfg: option Blocks (#BBL) is 10001, want 1 to 10000"},
		{func(o *cfg.Options) { o.Loops = -1 }, "cfg: option Loops is -1, want 0 to 100"},
		{func(o *cfg.Options) { o.LoopBlocks = 0 }, "cfg: option LoopBlocks is 0, want 1 to 100"},
		{func(o *cfg.Options) { o.Depth = 6 }, "cfg: option Depth is 6, want 1 to 5"},
		{func(o *cfg.Options) { o.LocalMax = 101 }, "cfg: option LocalMax is 101, want 0 to 100"},
		{func(o *cfg.Options) { o.LocalMin, o.LocalMax = 60, 50 }, "cfg: option LocalMin is 60, want 0 to 50"},
		{func(o *cfg.Options) { o.Switches = 101 }, "cfg: option Switches is 101, want 0 to 100"},
		{func(o *cfg.Options) { o.Counted = 101 }, "cfg: option Counted is 101, want 0 to 100"},
		{func(o *cfg.Options) { o.Shapes = -1 }, "cfg: option Shapes is -1, want 0 to 100"},
	}
	for _, tt := range tests {
		o := cfg.DefaultOptions()
		tt.change(&o)
		assert.EqualError(t, o.Validate(), tt.want)
		assert.Panics(t, func() { cfg.Generate(o, stream(0)) })
	}
}

func TestGeneratedGraphsAreValid(t *testing.T) {
	options := []cfg.Options{
		cfg.DefaultOptions(),
		{Blocks: 15, LocalMin: 0, LocalMax: 0},
		{Blocks: 15, LocalMin: 100, LocalMax: 100},
		{Blocks: 1, Loops: 3, LoopBlocks: 1, Depth: 5},
		{Blocks: 40, Loops: 100, LoopBlocks: 4, Depth: 2, LocalMax: 50},
		{Blocks: 15, Loops: 4, LoopBlocks: 14, Depth: 3, LocalMax: 100, Switches: 40},
		{Blocks: 1, Loops: 3, LoopBlocks: 1, Depth: 5, Switches: 100},
		{Blocks: 30, Loops: 3, LoopBlocks: 5, Depth: 2, Switches: 100},
		{Blocks: 12, Loops: 2, LoopBlocks: 4, Depth: 2, LocalMax: 100, Switches: 30, Shapes: 100},
		{Blocks: 12, Loops: 2, LoopBlocks: 4, Depth: 2, LocalMax: 100, Shapes: 30, Counted: 60},
	}
	for n := 1; n <= 6; n++ {
		options = append(options, cfg.Options{Blocks: n, LocalMax: 100, Shapes: 100}, cfg.Options{Blocks: n, LocalMax: 100}, cfg.Options{Blocks: n, LocalMax: 100, Switches: 100})
	}
	for _, o := range options {
		for i := range 300 {
			g := cfg.Generate(o, stream(i))
			_, err := cfg.New(g.Succs)
			require.NoError(t, err, "%+v\n%s", o, g)
			if o.Shapes > 0 && o.Loops == 0 {
				require.LessOrEqual(t, g.Len(), o.Blocks*cfg.MaxShape+2)
			} else if o.Loops == 0 {
				require.LessOrEqual(t, g.Len(), o.Blocks+2)
			}
		}
	}
}

func TestLargestGraphsAreValid(t *testing.T) {
	g := cfg.Generate(cfg.Options{Blocks: 10000, Loops: 100, LoopBlocks: 100, Depth: 2, LocalMax: 100}, stream(1))
	_, err := cfg.New(g.Succs)
	require.NoError(t, err)
	assert.Greater(t, g.Len(), 5000)
	path, ok := cfg.Sample(g, cfg.PathOptions{MaxLen: 100}, stream(2))
	require.True(t, ok)
	assert.NoError(t, cfg.CheckPath(g, path))
}

// Switches widen blocks and leave the rest of what was drawn as it is, up to the
// first that is made.
func TestSwitches(t *testing.T) {
	o := cfg.DefaultOptions()
	o.Loops, o.LocalMin = 0, 60
	reducible := map[int]int{}
	for _, o.Switches = range []int{0, 10, 100} {
		branches, switches, widest := 0, 0, 0
		for i := range 500 {
			plain := o
			plain.Switches = 0
			before, g := cfg.Generate(plain, stream(i)), cfg.Generate(o, stream(i))
			require.Equal(t, before.Len(), g.Len())
			for b, list := range g.Succs {
				for _, to := range before.Succs[b] {
					require.Contains(t, list, to)
				}
				switch {
				case len(list) > 2:
					require.Len(t, before.Succs[b], 2)
					switches++
				case len(list) == 2:
					branches++
				}
				widest = max(widest, len(list))
			}
			if g.Analyze().Reducible() {
				reducible[o.Switches]++
			}
		}
		assert.InDelta(t, o.Switches, 100*switches/(switches+branches), 7)
		if o.Switches > 0 {
			assert.Equal(t, 8, widest)
		}
	}
	t.Logf("reducible of 500, by share of switches: %v", reducible)
	assert.Greater(t, reducible[10], reducible[0]/2)
	assert.Greater(t, reducible[100], 10)
}

// With one block these are all the graphs there are, and all must come up.
func TestSmallestGraphs(t *testing.T) {
	seen := map[string]bool{}
	for i := range 100 {
		g := cfg.Generate(cfg.Options{Blocks: 1, LocalMax: 100}, stream(i))
		seen[fmt.Sprint(g.Succs)] = true
	}
	want := map[string]bool{"[[1] [2] []]": true, "[[1] [1 2] []]": true, "[[1] [2 1] []]": true}
	assert.Equal(t, want, seen)
}

func TestDefaultSizeIsThePapers(t *testing.T) {
	const n = 3000
	sum := 0
	sizes := make([]int, n)
	for i := range sizes {
		sizes[i] = cfg.Generate(cfg.DefaultOptions(), stream(i)).Len()
		sum += sizes[i]
	}
	slices.Sort(sizes)
	t.Logf("blocks: mean %.1f, 10th percentile %d, median %d, 90th %d, largest %d",
		float64(sum)/n, sizes[n/10], sizes[n/2], sizes[n*9/10], sizes[n-1])
	assert.InDelta(t, 45, float64(sum)/n, 2, "mean number of blocks")
	assert.Less(t, sizes[n/10], 20, "small graphs come up")
	assert.Greater(t, sizes[n*9/10], 70, "large graphs come up")
}

// Local edges are there so that reducible and irreducible graphs both come up.
// At Blocks 15 and no injected loops a good part is either.
func TestReducibleMix(t *testing.T) {
	const n = 1000
	o := cfg.DefaultOptions()
	o.Loops = 0
	reducible, far := 0, 0
	for i := range n {
		g := cfg.Generate(o, stream(i))
		a := g.Analyze()
		if a.Reducible() {
			reducible++
		}
		for _, l := range a.Loops {
			if !l.Reducible() && 2*len(l.Blocks) > g.Len() {
				far++
				break
			}
		}
	}
	t.Logf("%d of %d reducible, %d with more than half the blocks in one irreducible region", reducible, n, far)
	assert.Greater(t, reducible, n*3/10)
	assert.Less(t, reducible, n*7/10)
	assert.Less(t, far, n*4/10)
}

// Same bytes, same graph, same path, and the same number of decisions.
func TestDeterminism(t *testing.T) {
	run := func(data []byte) (string, []int, int, int) {
		s := choice.New(data)
		g := cfg.Generate(cfg.DefaultOptions(), s)
		drawsOfGraph := s.Draws()
		path, ok := cfg.Sample(g, cfg.PathOptions{MaxLen: 60, Sticky: 80}, s)
		require.True(t, ok)
		return g.String(), path, drawsOfGraph, s.Draws()
	}
	for i := range 100 {
		data := choice.Derive(uint64(i), "determinism")
		if i%2 == 0 {
			data = append(data, make([]byte, 10*i)...)
		}
		g1, p1, d1, e1 := run(data)
		g2, p2, d2, e2 := run(data)
		require.Equal(t, g1, g2)
		require.Equal(t, p1, p2)
		require.Equal(t, d1, d2)
		require.Equal(t, e1, e2)
	}
}

// Bytes must go on meaning the same graph: if this changes, every recipe and
// every seed of the fuzzer means another program.
func TestGraphIsPinned(t *testing.T) {
	s := choice.New([]byte("goreify"))
	g := cfg.Generate(cfg.Options{Blocks: 6, Loops: 1, LoopBlocks: 2, Depth: 1, LocalMax: 100}, s)
	assert.Equal(t, pinnedGraph, g.String())
	path, ok := cfg.Sample(g, cfg.PathOptions{MaxLen: 20, Sticky: 50}, s)
	assert.True(t, ok)
	assert.Equal(t, pinnedPath, path)
	assert.Equal(t, pinnedDraws, s.Draws())
}

const (
	pinnedGraph = `entry -> b3
b1 -> b1 exit
b2 -> b1 b3
b3 -> b2 b4
b4 -> b5
b5 -> b5 b6
b6 -> b4
exit
`
	pinnedDraws = 57
)

var pinnedPath = []int{0, 3, 2, 3, 2, 3, 2, 3, 2, 3, 2, 3, 2, 1, 7}

// Of each shape there are some where blocks are replaced by them.
func TestShapes(t *testing.T) {
	nests, tables, diamonds := 0, 0, 0
	for i := range 200 {
		g := cfg.Generate(cfg.Options{Blocks: 6, LocalMin: 80, LocalMax: 100, Switches: 1, Shapes: 100}, stream(i))
		for b, succs := range g.Succs {
			next := func(c int) int { // where a block leads that leads to one only
				if len(g.Succs[c]) == 1 {
					return g.Succs[c][0]
				}
				return -1
			}
			if len(succs) > 2 && next(succs[0]) > 0 && next(succs[0]) == next(succs[1]) {
				tables++
			}
			if len(succs) == 2 && next(succs[0]) > 0 && next(succs[0]) == next(succs[1]) {
				diamonds++
			}
			if body := next(b); body > 0 && len(g.Succs[body]) == 2 && slices.Contains(g.Succs[body], body) {
				for _, latch := range g.Succs[body] {
					if latch != body && slices.Contains(g.Succs[latch], b) {
						nests++
					}
				}
			}
		}
	}
	assert.Greater(t, nests, 50)
	assert.Greater(t, tables, 25)
	assert.Greater(t, diamonds, 25)
}
