package search

import "goreify/reify/ir"

// survey finds for each block how far it is to the exit and to the block that
// the walk is to go round, and whether it lies on a cycle.
func (r *run) survey() {
	n := len(r.blocks)
	out, in := r.edges()
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
		r.blocks[b].exit = d
	}
	if r.guide.Rounds > 0 {
		for b, d := range distances(r.guide.Loop) {
			r.blocks[b].round = d
		}
		r.cycle = n
		for _, succ := range out.of(int32(r.guide.Loop)) {
			if r.blocks[succ].round >= 0 {
				r.cycle = min(r.cycle, int(r.blocks[succ].round)+1)
			}
		}
	}
	r.cycles(out)
	// Backwards from the loops.
	queue = queue[:0]
	for b := range r.blocks {
		if r.blocks[b].loops {
			r.blocks[b].stays = true
			queue = append(queue, int32(b))
		}
	}
	for head := 0; head < len(queue); head++ {
		for _, p := range in.of(queue[head]) {
			if !r.blocks[p].stays {
				r.blocks[p].stays = true
				queue = append(queue, p)
			}
		}
	}
}

// edges holds the successors, or the predecessors, of each block: those of
// block b are list[start[b]:start[b+1]].
type edges struct{ start, list []int32 }

func (e *edges) of(b int32) []int32 { return e.list[e.start[b]:e.start[b+1]] }

func (r *run) edges() (out, in *edges) {
	n := len(r.blocks)
	out = &edges{start: make([]int32, n+1), list: make([]int32, 0, 2*n)}
	for i, b := range r.f.Blocks {
		switch t := b.Term.(type) {
		case *ir.Goto:
			out.list = append(out.list, int32(t.To.Index))
		case *ir.If:
			out.list = append(out.list, int32(t.Then.Index), int32(t.Else.Index))
		case *ir.Switch:
			for _, to := range t.Targets() {
				out.list = append(out.list, int32(to.Index))
			}
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

// cycles marks the blocks on cycles that reach the exit: those in a strongly
// connected component of more than one block, or that jump to themselves
// (Tarjan's algorithm).
func (r *run) cycles(out *edges) {
	t := tarjan{r: r, out: out, num: make([]int32, len(r.blocks)), low: make([]int32, len(r.blocks))}
	t.visit(0)
}

type tarjan struct {
	r        *run
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
		case t.r.blocks[s].exit < 0:
		case t.num[s] == 0:
			t.visit(int(s))
			if t.low[s] >= 0 {
				t.low[b] = min(t.low[b], t.low[s])
			}
		case t.low[s] >= 0:
			t.low[b] = min(t.low[b], t.num[s])
		}
		if int(s) == b {
			t.r.blocks[b].loops = true
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
		t.r.blocks[c].loop = int32(b)
		t.r.blocks[c].loops = t.r.blocks[c].loops || many
		if c == int32(b) {
			break
		}
	}
	t.stack = t.stack[:top]
}
