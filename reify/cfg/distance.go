package cfg

// Distances returns for each block the number of edges from it to block to, or -1.
func (g *Graph) Distances(to int) []int { return breadthFirst(g.Preds(), to) }

// DistancesFrom returns for each block the number of edges from block from to it, or
// -1.
func (g *Graph) DistancesFrom(from int) []int { return breadthFirst(g.Succs, from) }

// ShortestCycle returns the number of blocks of the shortest cycle through b, or 0 if b
// is on no cycle.
func (g *Graph) ShortestCycle(b int) int {
	seen := make([]bool, len(g.Succs))
	queue := append(make([]int32, 0, len(g.Succs)), int32(b))
	for length, level := 1, 0; level < len(queue); length++ {
		end := len(queue)
		for ; level < end; level++ {
			for _, t := range g.Succs[queue[level]] {
				if t == b {
					return length
				}
				if !seen[t] {
					seen[t] = true
					queue = append(queue, int32(t))
				}
			}
		}
	}
	return 0
}

// breadthFirst returns the number of edges from a block to each block, or -1 if the
// block is not reachable.
func breadthFirst(next [][]int, from int) []int {
	dist := make([]int, len(next))
	for b := range dist {
		dist[b] = -1
	}
	dist[from] = 0
	queue := append(make([]int, 0, len(next)), from)
	for head := 0; head < len(queue); head++ {
		b := queue[head]
		for _, t := range next[b] {
			if dist[t] < 0 {
				dist[t] = dist[b] + 1
				queue = append(queue, t)
			}
		}
	}
	return dist
}
