package cfg_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"goreify/reify/cfg"
)

func TestDistances(t *testing.T) {
	// 0 → 1 → 2 ⇄ 3, 2 → 4; 5 is reached by nothing and 3 loops to itself.
	g := &cfg.Graph{Succs: [][]int{{1}, {2}, {3, 4}, {2, 3}, {}, {4}}}
	assert.Equal(t, []int{3, 2, 1, 2, 0, 1}, g.Distances(4))
	assert.Equal(t, []int{0, 1, 2, 3, 3, -1}, g.DistancesFrom(0))
	cycles := []int{}
	for b := range g.Succs {
		cycles = append(cycles, g.ShortestCycle(b))
	}
	assert.Equal(t, []int{0, 0, 2, 1, 0, 0}, cycles)
}
