package cfg

import (
	"fmt"
	"slices"

	"goreify/reify/choice"
)

// PathOptions says what paths Sample draws.
type PathOptions struct {
	// MaxLen is the number of blocks, entry and exit included, after which a path takes
	// the shortest way to the exit. A path may thus be longer than MaxLen, but, unless
	// Visit interferes, by less than the number of blocks in the graph. 1 to 1000000.
	MaxLen int
	// Sticky is the chance in percent that a block that is met again takes the same
	// successor as last time; otherwise it draws one, as at the first visit. High
	// values repeat the same loop many times; 0 is the paper's uniform walk. 0 to 100.
	Sticky int
	// Visit, if not nil, is called when the walk arrives at block b, the entry
	// and the exit included. It returns the successor that the walk must take,
	// or -1 if the walk is free. Its answer for the exit is ignored.
	Visit func(b int) int
}

const maxPathLen = 1000000

// Validate returns an error that names the first option out of bounds, and the
// bounds.
func (o PathOptions) Validate() error {
	if o.MaxLen < 1 || o.MaxLen > maxPathLen {
		return fmt.Errorf("cfg: option MaxLen is %d, want 1 to %d", o.MaxLen, maxPathLen)
	}
	if o.Sticky < 0 || o.Sticky > 100 {
		return fmt.Errorf("cfg: option Sticky is %d, want 0 to 100", o.Sticky)
	}
	return nil
}

// Sample draws a path from the entry of g to its exit: step S2 of the paper, a random
// walk among the successors that reach the exit. It fails, with ok false, only on
// account of Visit: when a successor that the walk must take does not reach the exit,
// or when the path would grow longer than 2*MaxLen plus the number of blocks in the
// graph.
//
// It panics if the options are not valid, if Visit names a block that is not a
// successor, or if the exit of g is out of reach, which New rules out.
func Sample(g *Graph, o PathOptions, s *choice.Stream) (path []int, ok bool) {
	if err := o.Validate(); err != nil {
		panic(err)
	}
	w := walk{g: g, o: o, s: s, dist: g.distances(), last: make([]int, g.Len())}
	if w.dist[0] < 0 {
		panic("cfg: the exit is not reachable from the entry")
	}
	limit := 2*o.MaxLen + g.Len()
	path = make([]int, 0, min(o.MaxLen, 64))
	for b := 0; ; {
		path = append(path, b)
		want := -1
		if o.Visit != nil {
			want = o.Visit(b)
		}
		if b == g.Exit() {
			return path, true
		}
		if len(path) == limit {
			return nil, false
		}
		switch {
		case want >= 0:
			if !g.HasEdge(b, want) {
				panic(fmt.Sprintf("cfg: Visit wants the edge %s -> %d, which does not exist", g.Name(b), want))
			}
			if w.dist[want] < 0 {
				return nil, false
			}
		case len(path) >= o.MaxLen:
			want = g.nearer(b, w.dist)
		default:
			want = w.choose(b)
		}
		w.last[b] = want
		b = want
	}
}

// A walk is the state of Sample.
type walk struct {
	g    *Graph
	o    PathOptions
	s    *choice.Stream
	dist []int // to the exit
	last []int // the successor that the block took last time, or 0
}

// choose draws a successor of b that reaches the exit.
func (w *walk) choose(b int) int {
	list := reaching(w.g.Succs[b], w.dist)
	if len(list) == 1 {
		return list[0]
	}
	if w.last[b] != 0 && w.o.Sticky > 0 && w.s.Chance(w.o.Sticky, 100) {
		return w.last[b]
	}
	return choice.Pick(w.s, list)
}

// reaching returns the blocks of list, in their order, that reach the block whose
// distances dist holds; there is at least one. The list is copied only if blocks in its
// middle are dropped.
func reaching(list []int, dist []int) []int {
	for dist[list[0]] < 0 {
		list = list[1:]
	}
	for dist[list[len(list)-1]] < 0 {
		list = list[:len(list)-1]
	}
	lost := func(t int) bool { return dist[t] < 0 }
	if !slices.ContainsFunc(list, lost) {
		return list
	}
	return slices.DeleteFunc(slices.Clone(list), lost)
}

// CheckPath returns an error unless path leads from the entry of g to its exit
// along edges of g. The error names the position in the path and the edge.
func CheckPath(g *Graph, path []int) error {
	if len(path) == 0 {
		return fmt.Errorf("cfg: empty path")
	}
	for i, b := range path {
		switch {
		case b < 0 || b >= g.Len():
			return fmt.Errorf("cfg: path position %d: %d is not a block", i, b)
		case i == 0 && b != 0:
			return fmt.Errorf("cfg: path position 0: starts at %s, not at the entry", g.Name(b))
		case i > 0 && !g.HasEdge(path[i-1], b):
			return fmt.Errorf("cfg: path position %d: no edge %s -> %s", i, g.Name(path[i-1]), g.Name(b))
		}
	}
	if b := path[len(path)-1]; b != g.Exit() {
		return fmt.Errorf("cfg: path position %d: ends at %s, not at the exit", len(path)-1, g.Name(b))
	}
	return nil
}
