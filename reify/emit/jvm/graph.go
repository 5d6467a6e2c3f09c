package jvm

import (
	"fmt"
	"slices"
)

// Graphs reads a class and returns the control-flow graphs of its functions as their
// code has them: for each block the blocks that come after it, in ascending order.
// locations has the positions of the blocks of each function, as in Class. Control flow
// into handlers of exceptions is not an edge. The error says what is malformed.
func Graphs(class []byte, locations [][]Location) ([][][]int, error) {
	d, err := read(class)
	if err != nil {
		return nil, err
	}
	var all [][][]int
	i := 0
	for _, m := range d.methods {
		if i == len(locations) {
			break
		}
		if !ofFunction(m.name) {
			continue
		}
		g, err := m.graph(locations[i])
		if err != nil {
			return nil, fmt.Errorf("jvm: %s: %w", m.name, err)
		}
		all = append(all, g)
		i++
	}
	if i < len(locations) {
		return nil, fmt.Errorf("jvm: there is no function %d", i)
	}
	return all, nil
}

// graph follows the code from where each block begins to where others do.
func (m *member) graph(list []Location) ([][]int, error) {
	index := map[int]int{} // of instructions by their place
	for i, in := range m.code {
		index[in.at] = i
	}
	first := map[int]int{} // block that begins at a place, the first one of several
	blocks := 0
	for _, l := range list {
		if _, ok := index[l.Offset]; !ok {
			return nil, fmt.Errorf("no instruction begins at %d", l.Offset)
		}
		if l.Block < 0 {
			return nil, fmt.Errorf("block %d", l.Block)
		}
		if _, ok := first[l.Offset]; !ok {
			first[l.Offset] = l.Block
		}
		blocks = max(blocks, l.Block+1)
	}
	if blocks > len(list) {
		return nil, fmt.Errorf("block %d of %d", blocks-1, len(list))
	}
	graph := make([][]int, blocks)
	for k, l := range list {
		if k+1 < len(list) && list[k+1].Offset == l.Offset { // it has no code of its own
			graph[l.Block] = []int{list[k+1].Block}
			continue
		}
		found := []int{}
		seen := map[int]bool{}
		work := []int{l.Offset}
		for begun := true; len(work) > 0; begun = false {
			at := work[len(work)-1]
			work = work[:len(work)-1]
			if b, ok := first[at]; ok && !begun {
				found = append(found, b)
				continue
			}
			if seen[at] {
				continue
			}
			seen[at] = true
			i, ok := index[at]
			if !ok {
				return nil, fmt.Errorf("no instruction begins at %d", at)
			}
			in := m.code[i]
			falls := true
			switch {
			case in.op == opGoto || in.op == opGotoW:
				work, falls = append(work, in.a), false
			case operations[in.op].operand == jumpOperand:
				work = append(work, in.a)
			case in.table != nil:
				work, falls = append(work, in.table...), false
			case in.op >= opIreturn && in.op <= opReturn:
				falls = false
			}
			// Code behind athrow is the rest of a block that ends there; the block has
			// its edges in the graph all the same.
			if falls && i+1 < len(m.code) {
				work = append(work, m.code[i+1].at)
			}
		}
		slices.Sort(found)
		graph[l.Block] = slices.Compact(found)
	}
	return graph, nil
}
