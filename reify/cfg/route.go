package cfg

import (
	"fmt"
	"slices"

	"goreify/reify/choice"
)

// A Visit asks of a path that it visits a block at least N times.
type Visit struct {
	Block int
	N     int // 1 to 10000
}

const maxVisits = 10000

// CheckVisits returns an error unless some path from the entry of g to its exit makes
// all the visits. The error names the block, or the two blocks, that no path can visit
// as often.
func CheckVisits(g *Graph, visits []Visit) error {
	_, err := goals(g, visits)
	return err
}

// RouteOptions says what paths Route draws.
type RouteOptions struct {
	Visits []Visit
	// Wander is the chance in percent that a block takes any successor from
	// which the next visit can be made, and not one that is nearest to it. 0 to
	// 100.
	Wander int
	// Visit is as in PathOptions, and may be nil.
	Visit func(b int) int
}

// Route draws a path from the entry of g to its exit that makes all visits. The path
// goes to the first of the blocks, repeats the same cycle through it as often as asked
// for, goes on to the next block, and at the end to the exit. For three visits to b2 of
//
//	entry -> b1    b1 -> b2 exit    b2 -> b1 b3    b3 -> b1
//
// the path is entry b1 b2 b1 b2 b1 b2 b1 exit, and less often entry b1 b2 b3 b1 b2 b3
// b1 b2 b1 exit. Route fails, with ok false, only on account of Visit: when it leads
// away from a block that is yet to be visited, or never reaches one.
//
// It panics if CheckVisits returns an error, or if Visit names a block that is
// not a successor.
func Route(g *Graph, o RouteOptions, s *choice.Stream) (path []int, ok bool) {
	todo, err := goals(g, o.Visits)
	if err != nil {
		panic(err)
	}
	r := router{g: g, o: o, s: s, last: make([]int, g.Len()), met: make([]int, g.Len())}
	// A walk without cycles needs at most twice as many steps as there are blocks.
	patience := 2*g.Len() + 16
	stuck := 0
	for b := 0; ; {
		path = append(path, b)
		want := -1
		if o.Visit != nil {
			want = o.Visit(b)
		}
		if b == g.Exit() {
			return path, true
		}
		for i := range todo {
			if todo[i].block == b {
				todo[i].n--
			}
		}
		if todo[0].block == b {
			r.round++
			stuck = 0
		}
		for todo[0].n <= 0 {
			todo = todo[1:]
			clear(r.last)
		}
		switch {
		case want >= 0:
			if !g.HasEdge(b, want) {
				panic(fmt.Sprintf("cfg: Visit wants the edge %s -> %d, which does not exist", g.Name(b), want))
			}
			if todo[0].dist[want] < 0 {
				return nil, false
			}
		default:
			want = r.choose(b, todo[0].dist)
		}
		if stuck++; stuck > patience || len(path) == maxPathLen {
			return nil, false
		}
		r.met[b], r.last[b] = r.round, want
		b = want
	}
}

// A goal is a block that is to be visited n more times.
type goal struct {
	block, n int
	dist     []int // how many edges each block is from it, or -1
}

// goals returns the visits in an order in which they can be made, and the exit
// at the end.
func goals(g *Graph, visits []Visit) ([]goal, error) {
	exit := goal{g.Exit(), 1, g.distances()}
	var list []goal
	for _, v := range visits {
		if v.Block < 0 || v.Block >= g.Len() {
			return nil, fmt.Errorf("cfg: visits to %d, which is not a block", v.Block)
		}
		if v.N < 1 || v.N > maxVisits {
			return nil, fmt.Errorf("cfg: %d visits to %s, want 1 to %d", v.N, g.Name(v.Block), maxVisits)
		}
		dist := g.Distances(v.Block)
		switch {
		case dist[0] < 0:
			return nil, fmt.Errorf("cfg: %s is not reachable from the entry", g.Name(v.Block))
		case exit.dist[v.Block] < 0:
			return nil, fmt.Errorf("cfg: %s does not reach the exit", g.Name(v.Block))
		case v.N > 1 && !slices.ContainsFunc(g.Succs[v.Block], func(t int) bool { return dist[t] >= 0 }):
			return nil, fmt.Errorf("cfg: %d visits to %s, which is on no cycle", v.N, g.Name(v.Block))
		}
		list = append(list, goal{v.Block, v.N, dist})
	}
	for i, a := range list {
		for _, b := range list[:i] {
			if a.dist[b.block] < 0 && b.dist[a.block] < 0 {
				return nil, fmt.Errorf("cfg: no path visits both %s and %s", g.Name(b.block), g.Name(a.block))
			}
		}
	}
	slices.SortStableFunc(list, func(a, b goal) int {
		switch {
		case a.dist[b.block] < 0:
			return -1
		case b.dist[a.block] < 0:
			return 1
		}
		return 0
	})
	return append(list, exit), nil
}

// A router is the state of Route.
type router struct {
	g     *Graph
	o     RouteOptions
	s     *choice.Stream
	last  []int // by block: the successor taken last on the way to this goal, or 0
	met   []int // by block: the round in which it was last visited
	round int   // visits made so far to the goal that was the first then
}

// choose draws a successor of b from which a goal can be reached.
func (r *router) choose(b int, dist []int) int {
	list := reaching(r.g.Succs[b], dist)
	if len(list) == 1 {
		return list[0]
	}
	again := r.met[b] == r.round && r.last[b] != 0 // without a visit in between
	switch {
	case r.last[b] != 0 && !again:
		return r.last[b]
	case !again && r.s.Chance(r.o.Wander, 100):
		return choice.Pick(r.s, list)
	}
	near := nearest(list, dist)
	if len(near) == 1 {
		return near[0]
	}
	return choice.Pick(r.s, near)
}

// nearest returns the blocks of list, in their order, that are nearest to the block
// whose distances dist holds.
func nearest(list []int, dist []int) []int {
	least := dist[list[0]]
	for _, t := range list[1:] {
		least = min(least, dist[t])
	}
	farther := func(t int) bool { return dist[t] > least }
	if !slices.ContainsFunc(list, farther) {
		return list
	}
	return slices.DeleteFunc(slices.Clone(list), farther)
}
