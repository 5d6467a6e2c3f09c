package cfg_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"goreify/reify/cfg"
)

func TestCheckVisits(t *testing.T) {
	// b1 branches to a loop of b2 and b3, to b4, and to b5, which hangs.
	g := mustNew(t, [][]int{{1}, {2, 6}, {3, 7}, {2}, {7}, {5}, {4, 5}, {}})
	visit := func(list ...int) (visits []cfg.Visit) {
		for i := 0; i < len(list); i += 2 {
			visits = append(visits, cfg.Visit{Block: list[i], N: list[i+1]})
		}
		return visits
	}
	tests := []struct {
		visits []cfg.Visit
		want   string
	}{
		{visit(), ""},
		{visit(0, 1, 7, 1, 1, 1), ""},
		{visit(2, 50, 3, 20, 2, 3), ""},
		{visit(4, 1, 6, 1), ""},
		{visit(8, 1), "cfg: visits to 8, which is not a block"},
		{visit(-1, 1), "cfg: visits to -1, which is not a block"},
		{visit(2, 0), "cfg: 0 visits to b2, want 1 to 10000"},
		{visit(2, 10001), "cfg: 10001 visits to b2, want 1 to 10000"},
		{visit(5, 1), "cfg: b5 does not reach the exit"},
		{visit(4, 2), "cfg: 2 visits to b4, which is on no cycle"},
		{visit(0, 2), "cfg: 2 visits to entry, which is on no cycle"},
		{visit(7, 2), "cfg: 2 visits to exit, which is on no cycle"},
		{visit(1, 1, 3, 5, 4, 1), "cfg: no path visits both b3 and b4"},
	}
	for _, tt := range tests {
		err := cfg.CheckVisits(g, tt.visits)
		if tt.want == "" {
			assert.NoError(t, err)
			continue
		}
		assert.EqualError(t, err, tt.want)
		assert.Panics(t, func() { cfg.Route(g, cfg.RouteOptions{Visits: tt.visits}, stream(0)) })
	}
	unreachable := &cfg.Graph{Succs: [][]int{{2}, {2}, {}}}
	assert.EqualError(t, cfg.CheckVisits(unreachable, visit(1, 1)), "cfg: b1 is not reachable from the entry")
}

func TestRouteGoesRoundTheSameCycle(t *testing.T) {
	g := mustNew(t, [][]int{{1}, {2, 4}, {1, 3}, {1}, {}})
	three := []cfg.Visit{{Block: 2, N: 3}}
	path, ok := cfg.Route(g, cfg.RouteOptions{Visits: three}, stream(0))
	require.True(t, ok)
	assert.Equal(t, []int{0, 1, 2, 1, 2, 1, 2, 1, 4}, path)
	longer := 0
	for i := range 100 {
		path, ok := cfg.Route(g, cfg.RouteOptions{Visits: three, Wander: 50}, stream(i))
		require.True(t, ok)
		if mostVisits(g, path) >= 3 && path[3] == 3 {
			assert.Equal(t, []int{0, 1, 2, 3, 1, 2, 3, 1, 2}, path[:9])
			longer++
		}
	}
	assert.Greater(t, longer, 10)
}

// Whatever CheckVisits lets pass is met, and in few steps.
func TestRoutesMeetTheirVisits(t *testing.T) {
	met, several := 0, 0
	for i, g := range append(smallGraphs(400), defaultGraphs(200)...) {
		s := stream(i)
		for range 10 {
			o := cfg.RouteOptions{Wander: s.Intn(4) * 20}
			visits := 0
			for range s.Range(1, 3) {
				v := cfg.Visit{Block: s.Intn(g.Len()), N: s.Range(1, 50)}
				o.Visits = append(o.Visits, v)
				visits += v.N
			}
			if cfg.CheckVisits(g, o.Visits) != nil {
				continue
			}
			path, ok := cfg.Route(g, o, s)
			require.True(t, ok, "%+v\n%s", o, g)
			require.NoError(t, cfg.CheckPath(g, path))
			count := make([]int, g.Len())
			for _, b := range path {
				count[b]++
			}
			for _, v := range o.Visits {
				require.GreaterOrEqual(t, count[v.Block], v.N, "%+v %v\n%s", o, path, g)
			}
			if o.Wander == 0 {
				require.LessOrEqual(t, len(path), (visits+2)*g.Len())
			}
			met++
			if len(o.Visits) > 1 {
				several++
			}
		}
	}
	assert.Greater(t, met, 1000)
	assert.Greater(t, several, 300)
}

// The hook decides that b1 stays in the loop until its fifth visit, and in
// another run that it always does.
func TestRouteObeysTheHook(t *testing.T) {
	g := mustNew(t, [][]int{{1}, {2, 3}, {1}, {}})
	for _, leave := range []int{5, 0} {
		n := 0
		stay := func(b int) int {
			if b != 1 {
				return -1
			}
			if n++; n == leave {
				return 3
			}
			return 2
		}
		path, ok := cfg.Route(g, cfg.RouteOptions{Visits: []cfg.Visit{{Block: 2, N: 2}}, Visit: stay}, stream(0))
		require.Equal(t, leave > 0, ok)
		if ok {
			assert.Equal(t, []int{0, 1, 2, 1, 2, 1, 2, 1, 2, 1, 3}, path)
		}
	}
	away := func(b int) int { return map[int]int{0: 1, 1: 3, 2: 1}[b] }
	_, ok := cfg.Route(g, cfg.RouteOptions{Visits: []cfg.Visit{{Block: 2, N: 2}}, Visit: away}, stream(0))
	assert.False(t, ok, "it leads away from b2")
	assert.Panics(t, func() { cfg.Route(g, cfg.RouteOptions{Visit: func(int) int { return 2 }}, stream(0)) })
}
