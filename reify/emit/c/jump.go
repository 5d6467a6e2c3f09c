package c

import "goreify/reify/ir"

// A setting says where control goes from a place in the text without a goto. The
// targets are indices of blocks, or -1.
type setting struct {
	next int // the target of the end of the text at hand
	brk  int // the target of break
	cont int // the target of continue
}

func outside() setting { return setting{next: -1, brk: -1, cont: -1} }

// then returns the setting of a text before block next.
func (s setting) then(next int) setting {
	s.next = next
	return s
}

// jump writes the transfer of control to a block at the end of the text at hand.
func (f *function) jump(to int, at setting, depth int) {
	if to != at.next {
		f.jumpAway(to, at, depth)
	}
}

// jumpAway writes the transfer of control to a block from anywhere in the text.
func (f *function) jumpAway(to int, at setting, depth int) {
	if f.returns(to, depth) {
		return
	}
	f.begin(depth)
	switch to {
	case at.brk:
		f.str("break;\n")
	case at.cont:
		f.str("continue;\n")
	default:
		f.jumpsTo(to)
		f.str("goto ")
		f.str(f.names.labels[to])
		f.str(";\n")
	}
}

// guard writes a jump that is taken if the condition holds, or does not.
func (f *function) guard(cond ir.Expr, negate bool, to int, at setting, depth int) {
	f.head("if (", cond, negate, depth)
	f.str(")\n")
	f.jumpAway(to, at, depth+1)
}

// head writes the beginning of a statement with a condition.
func (f *function) head(keyword string, cond ir.Expr, negate bool, depth int) {
	f.begin(depth)
	f.str(keyword)
	f.cond(cond, negate)
}

// branch writes a conditional jump to two blocks that are written elsewhere.
func (f *function) branch(t *ir.If, at setting, depth int) {
	a, b := t.Then.Index, t.Else.Index
	switch {
	case b == at.next:
		f.guard(t.Cond, false, a, at, depth)
	case a == at.next:
		f.guard(t.Cond, true, b, at, depth)
	case f.unit.Style.Cond == Inverted:
		f.guard(t.Cond, true, b, at, depth)
		f.jumpAway(a, at, depth)
	case f.unit.Style.Cond == IfElse:
		f.guard(t.Cond, false, a, at, depth)
		f.line(depth, "else")
		f.jumpAway(b, at, depth+1)
	default:
		f.guard(t.Cond, false, a, at, depth)
		f.jumpAway(b, at, depth)
	}
}
