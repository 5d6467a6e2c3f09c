package reify

import (
	"fmt"

	"goreify/reify/cfg"
	"goreify/reify/choice"
	"goreify/reify/solve"
)

// Rounds of the loop on a path of MakeHot.
const (
	minHot = 200
	maxHot = 2000
)

// MakeHot is Make for a path that visits a block of a loop 200 to 2,000 times, so that
// a compiler that counts iterations takes the loop for hot within a single call. The
// error also wraps solve.ErrUnknown if the graph has no loop.
func MakeHot(name string, r Recipe, c Config, solver solve.Solver) (*Case, error) {
	if err := c.Validate(); err != nil {
		return nil, err
	}
	s := choice.Named("graph", r.Graph)
	g := graph(c, s)
	entry, exit := g.DistancesFrom(0), g.Distances(g.Exit())
	// The block in the shortest loop of several is chosen: all visits cost as many
	// steps.
	const tries = 5
	block, shortest := 0, 0
	for range tries {
		b := s.Intn(g.Len())
		cycle := g.ShortestCycle(b)
		if cycle > 0 && entry[b] >= 0 && exit[b] >= 0 && (shortest == 0 || cycle < shortest) {
			block, shortest = b, cycle
		}
	}
	n := min(s.Range(minHot, maxHot), maxStates/mostScalars(&c.Sketch))
	if n < minHot {
		return nil, fmt.Errorf("too many values along a path that is hot: %w", solve.ErrUnknown)
	}
	if shortest == 0 {
		return nil, fmt.Errorf("a graph without a loop: %w", solve.ErrUnknown)
	}
	return Meet(Outline{Name: name, Graph: g}, Demand{Visits: []cfg.Visit{{Block: block, N: n}}}, r, c, solver)
}
