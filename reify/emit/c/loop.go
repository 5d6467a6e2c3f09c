package c

import "goreify/reify/ir"

// loop writes the loop whose header is b.
func (s *structurer) loop(b int, joins []int, at setting, depth int) {
	block := s.blocks[b]
	latch := s.latch(b, joins)
	if t, ok := block.Term.(*ir.If); ok {
		out, in, leaveIf := s.wayOut(b, t)
		switch {
		case s.flow.body[b][out]: // no way out from here
		case in == b:
			s.line(depth, "do {")
			s.stmts(block, depth+1)
			s.while(t.Cond, leaveIf, depth)
			s.jump(out, at, depth)
			return
		case len(block.Stmts) == 0 && s.inlined(b, in):
			s.stmts(block, depth)
			inside := setting{next: b, brk: out, cont: b}
			if step := s.step(latch); step != nil {
				s.head("for (; ", t.Cond, leaveIf, depth)
				s.str("; ")
				s.buf = s.appendAssign(s.buf, step)
				s.str(") {\n")
				inside.next, inside.cont = latch, latch
				joins = joins[:len(joins)-1]
			} else {
				latch = -1
				s.head("while (", t.Cond, leaveIf, depth)
				s.str(") {\n")
			}
			s.run(append([]int{in}, joins...), inside, depth+1)
			if latch >= 0 {
				s.label(depth+1, s.names.labels[latch])
			}
			s.end(depth)
			s.str("\n")
			s.jump(out, at, depth)
			return
		}
	}
	if latch >= 0 {
		if t, ok := s.blocks[latch].Term.(*ir.If); ok {
			if out, _, leaveIf := s.wayOut(b, t); !s.flow.body[b][out] {
				s.line(depth, "do {")
				s.series(b, joins[:len(joins)-1], setting{next: latch, brk: out, cont: -1}, depth+1)
				s.stmts(s.blocks[latch], depth+1)
				s.while(t.Cond, leaveIf, depth)
				s.jump(out, at, depth)
				return
			}
		}
	}
	s.line(depth, "for (;;) {")
	s.series(b, joins, setting{next: b, brk: at.next, cont: b}, depth+1)
	s.end(depth)
	s.str("\n")
}

// wayOut returns the successors of a block in the loop of header b, that which
// leaves it first if one does, and whether the condition of t holds then.
func (s *structurer) wayOut(b int, t *ir.If) (out, in int, leaveIf bool) {
	out, in = t.Then.Index, t.Else.Index
	if s.flow.body[b][out] {
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

// latch returns the only block with an edge back to header b if it is the last
// one to write in the loop, and nothing has its place under it; else -1.
func (s *structurer) latch(b int, joins []int) int {
	if len(joins) == 0 {
		return -1
	}
	l := joins[len(joins)-1]
	if s.flow.body[l] != nil || len(s.joins[l]) > 0 || len(s.exits[l]) > 0 {
		return -1
	}
	for p, in := range s.flow.body[b] {
		if !in {
			continue
		}
		for _, to := range s.succs[p] {
			if to == b && p != l || p == l && s.inlined(l, to) {
				return -1
			}
		}
	}
	for _, to := range s.succs[l] {
		if to == b {
			return l
		}
	}
	return -1
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
	if !ok {
		return nil
	}
	if _, sum := step.Src.(*ir.Checksum); sum {
		return nil
	}
	return step
}
