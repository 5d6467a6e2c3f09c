package cfg_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"goreify/reify/cfg"
	"goreify/reify/choice"
)

func TestPathOptionsValidate(t *testing.T) {
	assert.NoError(t, cfg.PathOptions{MaxLen: 1}.Validate())
	assert.EqualError(t, cfg.PathOptions{}.Validate(), "cfg: option MaxLen is 0, want 1 to 1000000")
	assert.EqualError(t, cfg.PathOptions{MaxLen: 9, Sticky: 101}.Validate(), "cfg: option Sticky is 101, want 0 to 100")
	assert.Panics(t, func() { cfg.Sample(defaultGraphs(1)[0], cfg.PathOptions{}, stream(0)) })
}

func TestSampledPathsAreValid(t *testing.T) {
	graphs := append(smallGraphs(300), defaultGraphs(300)...)
	for i, g := range graphs {
		for _, o := range []cfg.PathOptions{{MaxLen: 1}, {MaxLen: 10}, {MaxLen: 40, Sticky: 90}, {MaxLen: 200, Sticky: 100}} {
			path, ok := cfg.Sample(g, o, stream(i))
			require.True(t, ok)
			require.NoError(t, cfg.CheckPath(g, path), "%+v\n%s", o, g)
			if len(path) > o.MaxLen {
				tail := path[o.MaxLen-1:]
				require.Equal(t, g.ShortestToExit(tail[0]), tail, "past the threshold")
			}
		}
	}
}

func TestCheckPath(t *testing.T) {
	g := mustNew(t, [][]int{{1}, {2, 3}, {1}, {}})
	assert.NoError(t, cfg.CheckPath(g, []int{0, 1, 2, 1, 3}))
	tests := []struct {
		path []int
		want string
	}{
		{nil, "cfg: empty path"},
		{[]int{1, 3}, "cfg: path position 0: starts at b1, not at the entry"},
		{[]int{0, 1, 2, 3}, "cfg: path position 3: no edge b2 -> exit"},
		{[]int{0, 1, 4}, "cfg: path position 2: 4 is not a block"},
		{[]int{0, 1, -1}, "cfg: path position 2: -1 is not a block"},
		{[]int{0, 1, 2}, "cfg: path position 2: ends at b2, not at the exit"},
		{[]int{0, 1, 3, 1}, "cfg: path position 3: no edge exit -> b1"},
	}
	for _, tt := range tests {
		assert.EqualError(t, cfg.CheckPath(g, tt.path), tt.want)
	}
}

// The walk is uniform at Sticky 0: a loop that is left with even chance is
// gone round once on average.
func TestUniformWalk(t *testing.T) {
	g := mustNew(t, [][]int{{1}, {1, 2}, {}})
	mean := func(sticky int) float64 {
		s := choice.New(nil)
		sum := 0
		for range 4000 {
			path, _ := cfg.Sample(g, cfg.PathOptions{MaxLen: 1000, Sticky: sticky}, s)
			sum += len(path) - 3
		}
		return float64(sum) / 4000
	}
	assert.InDelta(t, 1, mean(0), 0.1)
	// Gone round at first with chance 1/2, then on with 0.9 + 0.1/2.
	assert.InDelta(t, 0.5/0.05, mean(90), 1)
}

// Paths with many iterations must be common. Measured are the share of paths in
// which some block is visited at least five times, which nested and injected
// loops bring about by themselves, and the share in which some sequence of
// blocks is gone through at least five times in a row: the same way round a
// loop in every iteration, as loop optimisations see it.
func TestStickyWalksIterate(t *testing.T) {
	graphs := defaultGraphs(1000)
	share := func(sticky int) (visited, repeated float64) {
		for i, g := range graphs {
			path, _ := cfg.Sample(g, cfg.PathOptions{MaxLen: 100, Sticky: sticky}, stream(i))
			if mostVisits(g, path) >= 5 {
				visited++
			}
			if repeats(path, 5) {
				repeated++
			}
		}
		return visited / float64(len(graphs)), repeated / float64(len(graphs))
	}
	visited, repeated := map[int]float64{}, map[int]float64{}
	for _, sticky := range []int{0, 50, 70, 90, 100} {
		visited[sticky], repeated[sticky] = share(sticky)
		t.Logf("Sticky %3d: %.3f of the paths visit a block 5 times, %.3f repeat a sequence 5 times",
			sticky, visited[sticky], repeated[sticky])
	}
	assert.Greater(t, visited[90], 0.65)
	assert.Greater(t, visited[90], visited[0]+0.1)
	assert.Greater(t, repeated[90], 0.6)
	assert.Less(t, repeated[0], 0.3)
}

// A switch is left along each edge that reaches the exit, equally often, and
// no other.
func TestWalkThroughASwitch(t *testing.T) {
	g := mustNew(t, [][]int{{1}, {2, 3, 4, 5}, {5}, {3}, {5}, {}})
	taken := make([]int, g.Len())
	for i := range 3000 {
		path, ok := cfg.Sample(g, cfg.PathOptions{MaxLen: 10}, stream(i))
		require.True(t, ok)
		taken[path[2]]++
	}
	assert.Zero(t, taken[3], "it has no way out")
	for _, b := range []int{2, 4, 5} {
		assert.InDelta(t, 1000, taken[b], 120)
	}
}

func mostVisits(g *cfg.Graph, path []int) int {
	visits := make([]int, g.Len())
	for _, b := range path {
		visits[b]++
	}
	return slices.Max(visits)
}

// repeats reports whether path holds some sequence of blocks n times in a row.
func repeats(path []int, n int) bool {
	for period := 1; period*n <= len(path); period++ {
		run := 0
		for i := period; i < len(path); i++ {
			if path[i] != path[i-period] {
				run = 0
			} else if run++; run == period*(n-1) {
				return true
			}
		}
	}
	return false
}

func TestVisitIsObeyed(t *testing.T) {
	// b1 and b2 alternate until b2 leaves; b3 has no way out.
	g := mustNew(t, [][]int{{1}, {2, 4}, {1, 3}, {3}, {}})
	at := map[int]int{}
	var seen []int
	visit := func(b int) int {
		at[b]++
		seen = append(seen, b)
		switch {
		case b == 1 && at[1] <= 7:
			return 2
		case b == 1:
			return 4
		}
		return -1
	}
	// Forced directions are obeyed past the threshold too.
	path, ok := cfg.Sample(g, cfg.PathOptions{MaxLen: 6, Visit: visit}, stream(0))
	require.True(t, ok)
	assert.Equal(t, []int{0, 1, 2, 1, 2, 1, 2, 1, 2, 1, 2, 1, 2, 1, 2, 1, 4}, path)
	assert.Equal(t, path, seen, "called once for each arrival, the entry and the exit included")
}

func TestVisitFails(t *testing.T) {
	g := mustNew(t, [][]int{{1}, {2, 4}, {1, 3}, {3}, {}})
	force := func(from, to int) func(int) int {
		return func(b int) int {
			if b == from {
				return to
			}
			return -1
		}
	}
	t.Run("into a block without a way out", func(t *testing.T) {
		for i := range 20 {
			path, ok := cfg.Sample(g, cfg.PathOptions{MaxLen: 20, Visit: force(2, 3)}, stream(i))
			if ok {
				assert.NotContains(t, path, 2)
			} else {
				assert.Nil(t, path)
			}
		}
	})
	t.Run("round for ever", func(t *testing.T) {
		calls := 0
		visit := func(b int) int {
			calls++
			return force(1, 2)(b)
		}
		_, ok := cfg.Sample(g, cfg.PathOptions{MaxLen: 20, Visit: visit}, stream(0))
		assert.False(t, ok)
		assert.Equal(t, 2*20+g.Len(), calls)
	})
	t.Run("along no edge", func(t *testing.T) {
		assert.Panics(t, func() {
			cfg.Sample(g, cfg.PathOptions{MaxLen: 20, Visit: force(1, 3)}, stream(0))
		})
	})
}
