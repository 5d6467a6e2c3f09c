package c

import (
	"fmt"

	"goreify/reify/choice"
	"goreify/reify/emit/structure"
	"goreify/reify/ir"
)

// maxDepth is how deeply a structured function nests its statements: deeper code is
// written at the end of the function and reached by goto.
const maxDepth = 8

// A structurer writes one function with if, else and loops. Each block is written once; edges that do not fit become gotos.
type structurer struct {
	*function
	*structure.Placement
	blocks   []*ir.Block
	succs    [][]int
	flow     *structure.Flow
	position []int  // by block: its position in reverse postorder
	roots    []int  // blocks to write at the end of the function
	aside    []bool // by block: it is taken out of its place, to become a root
}

func (f *function) structured() {
	blocks := f.unit.Claim.Func.Blocks
	n := len(blocks)
	succs := f.unit.Claim.Func.Graph()
	s := &structurer{
		function: f,
		blocks:   blocks,
		succs:    succs,
		flow:     structure.Analyse(succs),
		position: make([]int, n),
		aside:    make([]bool, n),
	}
	if seed := f.unit.Style.Order; seed != 0 {
		draw := choice.New(choice.Derive(uint64(seed), "C blocks aside"))
		for b := range s.aside {
			s.aside[b] = draw.Chance(1, 6)
		}
	}
	for i, b := range s.flow.Order {
		s.position[b] = i
	}
	s.roots = append(s.roots, s.flow.Unreachable...)
	s.Placement = s.flow.Place(
		func(b int) bool {
			if s.aside[b] {
				s.roots = append(s.roots, b)
			}
			return s.aside[b]
		},
		func(int, int) bool { return true },
	)
	s.placeCases()
	s.sequence(0, outside(), 1)
	for len(s.roots) > 0 {
		b := s.roots[0]
		s.roots = s.roots[1:]
		if !s.gone(b) {
			s.sequence(b, outside(), 1)
		}
	}
}

// sequence writes block b and all blocks that are placed under it.
func (s *structurer) sequence(b int, at setting, depth int) {
	joins, exits := s.Joins[b], s.Exits[b]
	if s.flow.Body[b] == nil || depth >= maxDepth {
		s.series(b, append(joins[:len(joins):len(joins)], exits...), at, depth)
		return
	}
	after := at
	if len(exits) > 0 {
		after = at.then(exits[0])
	}
	s.loop(b, joins, after, depth)
	if len(exits) > 0 {
		s.run(exits, at, depth)
	}
}

// series writes block b with its branches, and then the others.
func (s *structurer) series(b int, others []int, at setting, depth int) {
	if len(others) == 0 {
		s.block(b, at, depth)
		return
	}
	s.block(b, at.then(others[0]), depth)
	s.run(others, at, depth)
}

// run writes several blocks one after the other.
func (s *structurer) run(blocks []int, at setting, depth int) {
	for i, b := range blocks {
		if s.gone(b) {
			continue
		}
		if i+1 < len(blocks) {
			s.sequence(b, at.then(blocks[i+1]), depth)
		} else {
			s.sequence(b, at, depth)
		}
	}
}

// block writes the statements of b and its jump, with the blocks that are inline there.
func (s *structurer) block(b int, at setting, depth int) {
	s.stmts(s.blocks[b], depth)
	switch t := s.blocks[b].Term.(type) {
	case *ir.Goto:
		if to := t.To.Index; s.inlined(b, to) {
			s.sequence(to, at, depth)
		} else {
			s.jump(to, at, depth)
		}
	case *ir.If:
		s.choose(b, t, at, depth)
	case *ir.Switch:
		s.cases(b, t, at, depth)
	case *ir.Return:
		s.result(t, depth)
	default:
		panic(fmt.Sprintf("emit/c: unknown terminator %T", t))
	}
}

// inlined reports whether block to is written in place of the jump to it that
// block from makes.
func (s *structurer) inlined(from, to int) bool {
	return s.Inline[to] && s.flow.Idom[to] == from
}

// choose writes the conditional jump of block from and the blocks that are inline in
// its branches.
func (s *structurer) choose(from int, t *ir.If, at setting, depth int) {
	a, b, negate := t.Then.Index, t.Else.Index, false
	if !s.inlined(from, a) {
		a, b, negate = b, a, true
	}
	aIn, bIn := s.inlined(from, a), s.inlined(from, b) // bIn implies aIn
	switch {
	case !aIn:
		s.branch(t, at, depth)
	case depth >= maxDepth && bIn:
		s.roots = append(s.roots, a)
		s.guard(t.Cond, negate, a, at, depth)
		s.sequence(b, at, depth)
	case !bIn && (depth >= maxDepth || b != at.next):
		s.guard(t.Cond, !negate, b, at, depth)
		s.sequence(a, at, depth)
	default:
		s.head("if (", t.Cond, negate, depth)
		s.str(")")
		start := s.openBody()
		s.sequence(a, at, depth+1)
		s.closeBody(start, depth)
		if bIn {
			start = s.elseBody(depth)
			s.sequence(b, at, depth+1)
			s.closeElse(start, depth)
		}
		s.str("\n")
	}
}
