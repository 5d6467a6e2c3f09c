package c

import (
	"slices"

	"goreify/reify/ir"
)

// loop writes the loop whose header is b.
func (s *structurer) loop(b int, joins []int, at setting, depth int) {
	block := s.blocks[b]
	if t, ok := block.Term.(*ir.If); ok {
		out, in, leaveIf := s.wayOut(b, t)
		switch {
		case s.flow.Body[b][out]: // the loop cannot be left here
		case in == b && s.short != nil && len(block.Stmts) == 0:
			s.blockLabel(b, depth)
			s.head("while (", t.Cond, leaveIf, depth)
			s.str(");\n")
			s.jump(out, at, depth)
			return
		case in == b:
			s.line(depth, "do {")
			s.stmts(block, depth+1)
			s.while(t.Cond, leaveIf, depth)
			s.jump(out, at, depth)
			return
		case len(block.Stmts) == 0 && s.inlined(b, in):
			s.stmts(block, depth)
			inside := setting{next: b, brk: out, cont: b}
			latch, parent := s.latch(b, in)
			step := s.step(latch)
			if step == nil {
				s.head("while (", t.Cond, leaveIf, depth)
			} else {
				s.head("for (; ", t.Cond, leaveIf, depth)
				s.str("; ")
				s.buf = s.appendAssign(s.buf, step)
				s.detach(latch, parent)
				joins = s.Joins[b]
				inside.next, inside.cont = latch, latch
			}
			s.str(")")
			start := s.openBody()
			s.run(append([]int{in}, joins...), inside, depth+1)
			if step != nil { // the label of the latch is where continue leads
				s.blockLabel(latch, depth+1)
			}
			s.closeLoop(start, depth)
			s.str("\n")
			s.jump(out, at, depth)
			return
		}
	}
	if latch, parent := s.latch(b, b); latch >= 0 {
		if t, ok := s.blocks[latch].Term.(*ir.If); ok {
			if out, _, leaveIf := s.wayOut(b, t); !s.flow.Body[b][out] {
				s.detach(latch, parent)
				s.line(depth, "do {")
				s.series(b, s.Joins[b], setting{next: latch, brk: out, cont: -1}, depth+1)
				s.stmts(s.blocks[latch], depth+1)
				s.while(t.Cond, leaveIf, depth)
				s.jump(out, at, depth)
				return
			}
		}
	}
	head := len(s.buf)
	s.begin(depth)
	s.str("for (;;)")
	start := s.openBody()
	s.series(b, joins, setting{next: b, brk: at.next, cont: b}, depth+1)
	if s.short != nil && len(s.buf) == start {
		s.buf = s.buf[:head]
		s.line(depth, "while (1);")
		return
	}
	s.closeLoop(start, depth)
	s.str("\n")
}

// wayOut returns the successors of a block in the loop of header b, beginning with one
// that leaves the loop if there is one, and whether the condition of t holds then.
func (s *structurer) wayOut(b int, t *ir.If) (out, in int, leaveIf bool) {
	out, in = t.Then.Index, t.Else.Index
	if s.flow.Body[b][out] {
		return in, out, false
	}
	return out, in, true
}

// while writes the end of a do loop that goes on if the condition is not
// leaveIf.
func (s *structurer) while(cond ir.Expr, leaveIf bool, depth int) {
	s.end(depth)
	s.str(" while (")
	s.cond(cond, leaveIf)
	s.str(");\n")
}

// latch returns the only block with an edge back to header b, if it is the last one of
// the loop's text, and the block under which it is placed; else -1. The text of the
// loop begins with block first.
func (s *structurer) latch(b, first int) (latch, parent int) {
	l, parent := first, b
	if n := len(s.Joins[b]); n > 0 {
		l = s.Joins[b][n-1]
	}
	for {
		if l != b && (s.flow.Body[l] != nil || len(s.Exits[l]) > 0) {
			return -1, -1
		}
		if n := len(s.Joins[l]); n > 0 {
			parent, l = l, s.Joins[l][n-1]
			continue
		}
		t, ok := s.blocks[l].Term.(*ir.Goto)
		if !ok || !s.inlined(l, t.To.Index) {
			break
		}
		parent, l = l, t.To.Index
	}
	if l == first || !s.back(l, b) {
		return -1, -1
	}
	for _, to := range s.succs[l] {
		if s.inlined(l, to) {
			return -1, -1
		}
	}
	for p, in := range s.flow.Body[b] {
		if in && p != l && s.back(p, b) {
			return -1, -1
		}
	}
	return l, parent
}

// back reports whether there is an edge from p to b.
func (s *structurer) back(p, b int) bool { return slices.Contains(s.succs[p], b) }

// detach takes a latch out of its place, for the loop to write it.
func (s *structurer) detach(latch, parent int) {
	if joins := s.Joins[parent]; len(joins) > 0 {
		s.Joins[parent] = joins[:len(joins)-1]
	} else {
		s.Inline[latch] = false
	}
}

// step returns the statement of a latch that can stand in the head of a for
// loop, or nil.
func (s *structurer) step(latch int) *ir.Assign {
	if latch < 0 || len(s.blocks[latch].Stmts) != 1 {
		return nil
	}
	if _, ok := s.blocks[latch].Term.(*ir.Goto); !ok {
		return nil
	}
	step, ok := s.blocks[latch].Stmts[0].(*ir.Assign)
	if !ok || !ir.IsInt(step.Src) {
		return nil
	}
	if _, sum := step.Src.(*ir.Checksum); sum {
		return nil
	}
	return step
}
