package search

import (
	"fmt"

	"goreify/reify/ir"
)

// position is the place of a block of the function in the graph.
type position struct {
	exit  int32 // steps to the exit of the function, -1 if it is out of reach
	loop  int32 // number of the strongly connected component
	round int32 // steps to the block to go round, -1 if it is out of reach
	loops bool  // whether a path can lead from the block back to it
	stays bool  // whether a path that reaches the exit can lead to a loop
}

// locateBlocks finds the position of each block. It returns the number of blocks of the
// shortest cycle through the block that the walk is to go round.
func locateBlocks(f *ir.Function, blocks []block, g guide) (cycle int) {
	n := len(blocks)
	out, in := edgesOf(f)
	queue := make([]int32, 0, n)
	distances := func(to int) []int32 {
		dist := make([]int32, n)
		for b := range dist {
			dist[b] = -1
		}
		dist[to] = 0
		queue = append(queue[:0], int32(to))
		for head := 0; head < len(queue); head++ {
			b := queue[head]
			for _, p := range in.of(b) {
				if dist[p] < 0 {
					dist[p] = dist[b] + 1
					queue = append(queue, p)
				}
			}
		}
		return dist
	}
	for b, d := range distances(n - 1) {
		blocks[b].exit = d
	}
	if g.Rounds > 0 {
		for b, d := range distances(g.Loop) {
			blocks[b].round = d
		}
		cycle = n
		for _, succ := range out.of(int32(g.Loop)) {
			if blocks[succ].round >= 0 {
				cycle = min(cycle, int(blocks[succ].round)+1)
			}
		}
	}
	t := tarjan{blocks: blocks, out: out, num: make([]int32, n), low: make([]int32, n)}
	t.visit(0)
	// Backwards from the loops.
	queue = queue[:0]
	for b := range blocks {
		if blocks[b].loops {
			blocks[b].stays = true
			queue = append(queue, int32(b))
		}
	}
	for head := 0; head < len(queue); head++ {
		for _, p := range in.of(queue[head]) {
			if !blocks[p].stays {
				blocks[p].stays = true
				queue = append(queue, p)
			}
		}
	}
	return cycle
}

// edges holds the successors, or the predecessors, of each block: those of
// block b are list[start[b]:start[b+1]].
type edges struct{ start, list []int32 }

func (e *edges) of(b int32) []int32 { return e.list[e.start[b]:e.start[b+1]] }

func edgesOf(f *ir.Function) (out, in *edges) {
	n := len(f.Blocks)
	out = &edges{start: make([]int32, n+1), list: make([]int32, 0, 2*n)}
	for i, b := range f.Blocks {
		switch t := b.Term.(type) {
		case *ir.Goto:
			out.list = append(out.list, int32(t.To.Index))
		case *ir.If:
			out.list = append(out.list, int32(t.Then.Index), int32(t.Else.Index))
		case *ir.Switch:
			for _, to := range t.Targets() {
				out.list = append(out.list, int32(to.Index))
			}
		case *ir.Return:
		default:
			panic(fmt.Sprintf("search: unknown terminator %T", t))
		}
		out.start[i+1] = int32(len(out.list))
	}
	in = &edges{start: make([]int32, n+2), list: make([]int32, len(out.list))}
	// Counted two places on, so that filling moves each start to its place.
	for _, to := range out.list {
		in.start[to+2]++
	}
	for i := range n {
		in.start[i+2] += in.start[i+1]
	}
	for b := range int32(n) {
		for _, to := range out.of(b) {
			in.list[in.start[to+1]] = b
			in.start[to+1]++
		}
	}
	return out, in
}

// tarjan marks the blocks on cycles that reach the exit: those in a strongly
// connected component of more than one block, or that jump to themselves
// (Tarjan's algorithm).
type tarjan struct {
	blocks   []block
	out      *edges
	num, low []int32 // 0: not visited yet; low is -1 once a component is known
	next     int32
	stack    []int32
}

func (t *tarjan) visit(b int) {
	t.next++
	t.num[b], t.low[b] = t.next, t.next
	t.stack = append(t.stack, int32(b))
	for _, s := range t.out.of(int32(b)) {
		switch {
		case t.blocks[s].exit < 0:
		case t.num[s] == 0:
			t.visit(int(s))
			if t.low[s] >= 0 {
				t.low[b] = min(t.low[b], t.low[s])
			}
		case t.low[s] >= 0:
			t.low[b] = min(t.low[b], t.num[s])
		}
		if int(s) == b {
			t.blocks[b].loops = true
		}
	}
	if t.low[b] != t.num[b] {
		return
	}
	top := len(t.stack) - 1
	many := t.stack[top] != int32(b)
	for ; ; top-- {
		c := t.stack[top]
		t.low[c] = -1
		t.blocks[c].loop = int32(b)
		t.blocks[c].loops = t.blocks[c].loops || many
		if c == int32(b) {
			break
		}
	}
	t.stack = t.stack[:top]
}
