package search

import "goreify/reify/ir"

// survey finds for each block how far it is to the exit and whether it lies on
// a cycle.
func (r *run) survey() {
	n := len(r.blocks)
	preds := make([][2]int32, 0, 2*n) // edges, by target once sorted
	for i, b := range r.f.Blocks {
		first, second := successors(b)
		if first >= 0 {
			preds = append(preds, [2]int32{int32(first), int32(i)})
		}
		if second >= 0 {
			preds = append(preds, [2]int32{int32(second), int32(i)})
		}
		r.blocks[i].exit = -1
	}
	start := make([]int32, n+1)
	for _, e := range preds {
		start[e[0]+1]++
	}
	for i := range n {
		start[i+1] += start[i]
	}
	from := make([]int32, len(preds))
	fill := make([]int32, n)
	for _, e := range preds {
		from[start[e[0]]+fill[e[0]]] = e[1]
		fill[e[0]]++
	}
	// Breadth first, backwards from the exit.
	queue := make([]int32, 1, n)
	queue[0] = int32(n - 1)
	r.blocks[n-1].exit = 0
	for head := 0; head < len(queue); head++ {
		b := queue[head]
		for _, p := range from[start[b]:start[b+1]] {
			if r.blocks[p].exit < 0 {
				r.blocks[p].exit = r.blocks[b].exit + 1
				queue = append(queue, p)
			}
		}
	}
	r.cycles()
	// Again from the loops.
	queue = queue[:0]
	for b := range r.blocks {
		if r.blocks[b].loops {
			r.blocks[b].stays = true
			queue = append(queue, int32(b))
		}
	}
	for head := 0; head < len(queue); head++ {
		b := queue[head]
		for _, p := range from[start[b]:start[b+1]] {
			if !r.blocks[p].stays {
				r.blocks[p].stays = true
				queue = append(queue, p)
			}
		}
	}
}

// successors returns the indices of the successors of b, -1 for none.
func successors(b *ir.Block) (first, second int) {
	switch t := b.Term.(type) {
	case *ir.Goto:
		return t.To.Index, -1
	case *ir.If:
		return t.Then.Index, t.Else.Index
	}
	return -1, -1
}

// cycles marks the blocks on cycles that reach the exit: those in a strongly
// connected component of more than one block, or that jump to themselves
// (Tarjan's algorithm).
func (r *run) cycles() {
	t := tarjan{r: r, num: make([]int32, len(r.blocks)), low: make([]int32, len(r.blocks))}
	t.visit(0)
}

type tarjan struct {
	r        *run
	num, low []int32 // 0: not visited yet; low is -1 once a component is known
	next     int32
	stack    []int32
}

func (t *tarjan) visit(b int) {
	t.next++
	t.num[b], t.low[b] = t.next, t.next
	t.stack = append(t.stack, int32(b))
	first, second := successors(t.r.f.Blocks[b])
	for _, s := range [2]int{first, second} {
		switch {
		case s < 0 || t.r.blocks[s].exit < 0:
		case t.num[s] == 0:
			t.visit(s)
			if t.low[s] >= 0 {
				t.low[b] = min(t.low[b], t.low[s])
			}
		case t.low[s] >= 0:
			t.low[b] = min(t.low[b], t.num[s])
		}
		if s == b {
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
