package cfg

import (
	"slices"

	"goreify/reify/choice"
)

// GenerateAcyclic draws a graph without loops: every edge leads to a later block.
// Of o, which must be valid, it uses Blocks and Switches.
func GenerateAcyclic(o Options, s *choice.Stream) *Graph {
	exit := o.Blocks + 1
	succs := make([][]int, exit+1)
	succs[exit] = []int{}
	room := make([]int, exit) // successors that a block may yet get
	for b := range room {
		room[b] = 2
		if b > 0 && o.Switches > 0 && s.Chance(o.Switches, 100) {
			room[b] = s.Range(3, 8)
		}
	}
	room[0] = 1
	link := func(from, to int) {
		if room[from] > 0 && !slices.Contains(succs[from], to) {
			succs[from] = append(succs[from], to)
			room[from]--
		}
	}
	// Each block is reached from one before it: the last one always has room for a
	// successor.
	for to := 1; to < exit; to++ {
		from := to - 1
		if at := s.Intn(to); room[at] > 0 {
			from = at
		}
		link(from, to)
	}
	for from := range exit {
		if len(succs[from]) == 0 {
			link(from, s.Range(from+1, exit))
		}
		for n := room[from]; n > 0; n-- {
			if s.Chance(2, 3) {
				link(from, s.Range(from+1, exit))
			}
		}
	}
	return &Graph{Succs: succs}
}
