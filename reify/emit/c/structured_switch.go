package c

import "goreify/reify/ir"

// placeCases moves blocks that several branches of a switch lead to from after the
// switch into it, where control falls into them. The last of them is where the branches
// meet, and stays.
func (s *structurer) placeCases() {
	for _, b := range s.flow.Order {
		t, ok := s.blocks[b].Term.(*ir.Switch)
		if !ok || len(s.Joins[b]) < 2 || s.computed(t) {
			continue
		}
		targets := t.Targets()
		var rest []int
		for i, j := range s.Joins[b] {
			if i+1 < len(s.Joins[b]) && isTarget(targets, j) {
				s.Inline[j] = true
			} else {
				rest = append(rest, j)
			}
		}
		s.Joins[b] = rest
	}
}

func isTarget(targets []*ir.Block, b int) bool {
	for _, t := range targets {
		if t.Index == b {
			return true
		}
	}
	return false
}

// cases writes the switch of block from and the blocks that are inline in its branches.
func (s *structurer) cases(from int, t *ir.Switch, at setting, depth int) {
	computed := s.computed(t)
	list := byTarget(t, s.position)
	bodies := make([]bool, len(s.blocks))
	for _, g := range list {
		if !s.inlined(from, g.to) {
			continue
		}
		if computed || depth >= maxDepth {
			s.roots = append(s.roots, g.to)
		} else {
			bodies[g.to] = true
		}
	}
	if computed {
		s.computedGoto(t, depth)
		return
	}
	if !bodies[max(at.next, 0)] {
		list = without(list, at.next)
	}
	s.switchHead(t, depth)
	inside := setting{brk: at.next, cont: at.cont}
	for i, g := range list {
		s.caseLabels(g, depth)
		if !bodies[g.to] {
			s.jumpAway(g.to, inside, depth+1)
			continue
		}
		inside.next = at.next
		if i+1 < len(list) {
			inside.next = list[i+1].to
		}
		s.sequence(g.to, inside, depth+1)
	}
	s.end(depth)
	s.str("\n")
}
