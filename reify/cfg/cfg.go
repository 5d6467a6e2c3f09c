// Package cfg holds control-flow graphs and paths through them: steps S1 and
// S2 of the paper (section 4.2).
//
// Generate draws a graph, and Sample draws a path through it:
//
//	graph                 a path
//	entry -> b1           entry b1 b2 b1 b2 b1 exit
//	b1 -> b2 exit
//	b2 -> b1
//	exit
//
// A graph made with New or Generate has one entry and one exit. The entry is block 0,
// which has one successor and is the target of no edge. The exit is the last block,
// which has no successor. Blocks with two successors end in a branch, those with more
// in a switch. All blocks are reachable from the entry. The exit is reachable from the
// entry but not from every block: a path avoids the blocks from which the exit cannot
// be reached.
package cfg

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// A Graph is a control-flow graph. It must not be changed once it is made.
type Graph struct {
	// Succs lists the successors of each block without repetition. Of two successors,
	// the first is that of a true condition. Of more, the last is the default of a
	// switch.
	Succs [][]int
}

// New returns the graph with the given successors, or an error that names the
// block that breaks one of the rules in the package comment. It keeps succs.
func New(succs [][]int) (*Graph, error) {
	g := &Graph{Succs: succs}
	if len(succs) < 2 {
		return nil, fmt.Errorf("cfg: %d blocks, want at least entry and exit", len(succs))
	}
	for b, list := range succs {
		if err := g.checkSuccs(b, list); err != nil {
			return nil, fmt.Errorf("cfg: block %d (%s): %w", b, g.Name(b), err)
		}
	}
	if b := slices.Index(g.DistancesFrom(0), -1); b >= 0 {
		return nil, fmt.Errorf("cfg: block %d (%s): not reachable from the entry", b, g.Name(b))
	}
	return g, nil
}

func (g *Graph) checkSuccs(b int, list []int) error {
	want, ok := "1 or more", len(list) > 0
	switch b {
	case g.Exit():
		want, ok = "none", len(list) == 0
	case 0:
		want, ok = "1", len(list) == 1
	}
	if !ok {
		return fmt.Errorf("%d successors, want %s", len(list), want)
	}
	for i, t := range list {
		switch {
		case t < 0 || t >= len(g.Succs):
			return fmt.Errorf("successor %d is not a block", t)
		case t == 0:
			return fmt.Errorf("jumps to the entry")
		case slices.Contains(list[:i], t):
			return fmt.Errorf("successor %d twice", t)
		}
	}
	return nil
}

// Len returns the number of blocks, entry and exit included.
func (g *Graph) Len() int { return len(g.Succs) }

// Exit returns the exit block.
func (g *Graph) Exit() int { return len(g.Succs) - 1 }

// Name returns the customary name of block b: entry, b1, b2, ..., exit.
func (g *Graph) Name(b int) string {
	switch b {
	case 0:
		return "entry"
	case g.Exit():
		return "exit"
	}
	return "b" + strconv.Itoa(b)
}

// String returns a line for each block, such as "b1 -> b2 exit".
func (g *Graph) String() string {
	var sb strings.Builder
	for b, list := range g.Succs {
		sb.WriteString(g.Name(b))
		for i, t := range list {
			if i == 0 {
				sb.WriteString(" ->")
			}
			sb.WriteByte(' ')
			sb.WriteString(g.Name(t))
		}
		sb.WriteByte('\n')
	}
	return sb.String()
}

// HasEdge reports whether to is a successor of from, both being blocks.
func (g *Graph) HasEdge(from, to int) bool { return slices.Contains(g.Succs[from], to) }

// Preds returns the predecessors of each block in ascending order.
func (g *Graph) Preds() [][]int {
	edges := 0
	count := make([]int, len(g.Succs))
	for _, list := range g.Succs {
		for _, t := range list {
			count[t]++
			edges++
		}
	}
	preds := make([][]int, len(g.Succs))
	backing := make([]int, edges)
	at := 0
	for b, n := range count {
		preds[b] = backing[at : at : at+n]
		at += n
	}
	for b, list := range g.Succs {
		for _, t := range list {
			preds[t] = append(preds[t], b)
		}
	}
	return preds
}

// Loops reports whether some path from the entry to the exit goes round a
// loop.
func (g *Graph) Loops() bool {
	dist := g.distances()
	const open, done = 1, 2
	state := make([]uint8, len(g.Succs))
	// The walk is depth-first among the blocks that reach the exit; an edge to an open
	// block closes a loop.
	var closes func(b int) bool
	closes = func(b int) bool {
		state[b] = open
		for _, t := range g.Succs[b] {
			if dist[t] >= 0 && (state[t] == open || state[t] == 0 && closes(t)) {
				return true
			}
		}
		state[b] = done
		return false
	}
	return closes(0)
}

// distances returns for each block the number of edges from it to the exit, or -1.
func (g *Graph) distances() []int { return g.Distances(g.Exit()) }

// nearer returns the first successor of b that is one edge nearer to the exit.
func (g *Graph) nearer(b int, dist []int) int {
	for _, t := range g.Succs[b] {
		if dist[t] >= 0 && dist[t] == dist[b]-1 {
			return t
		}
	}
	panic(fmt.Sprintf("cfg: block %d has no successor nearer to the exit", b))
}
