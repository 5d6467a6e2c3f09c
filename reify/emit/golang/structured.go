package golang

import (
	"slices"
	"strconv"
	"strings"

	"goreify/reify/emit/structure"
	"goreify/reify/ir"
)

// A structurer writes one function with if, else, for and switch, by the dominator
// tree. Each block is in the text of its immediate dominator: in a branch if no other
// edge leads to it, after the branches if they meet in it, and after the loop if it is
// not part of it. Thus all jumps to a block are in the text of that dominator, and
// never enter a block of Go, which is not allowed.
type structurer struct {
	*function
	*structure.Placement
	flow *structure.Flow
}

// A setting says where control goes from a place in the text without a goto. The
// targets are indices of blocks, or -1.
type setting struct {
	next  int   // the target of the end of the text at hand
	brk   int   // the target of break, if plain allows it
	plain bool  // no other statement that takes a break is between here and the innermost loop
	loops []int // the headers of loops around, the innermost last
}

// mostNested is how deeply a structured function nests its statements. Deeper code is
// written flat.
const mostNested = 24

// structured writes the function, or returns false if it has to be flat: blocks that
// cannot be reached may jump anywhere.
func (f *function) structured() bool {
	succs := f.fn.Graph()
	t := structure.Analyse(succs)
	if len(t.Order) < len(succs) {
		return false
	}
	if slices.ContainsFunc(t.Order, func(b int) bool { return t.Depth(b) > 3*mostNested }) {
		return false
	}
	s := &structurer{function: f, flow: t, Placement: t.Place(
		func(int) bool { return false },
		func(dom, b int) bool { return f.ways(f.fn.Blocks[dom].Term, b) == 1 },
	)}
	s.sequence(0, setting{next: -1, brk: -1})
	var lines []string
	for _, line := range f.lines {
		if rest, ok := strings.CutPrefix(line, labelMark); ok {
			if b, _ := strconv.Atoi(rest); f.jumps[b] { // our own
				lines = append(lines, f.names.labels[b]+":")
			}
			continue
		}
		lines = append(lines, line)
	}
	if lines[len(lines)-1] == "\t}" {
		lines = append(lines, "\tpanic(\"unreachable\")") // or Go may miss a return
	}
	f.lines = lines
	return true
}

// labelMark begins a line that becomes a label if a jump leads to it.
const labelMark = "\x00"

func (s *structurer) mark(b int) {
	s.lines = append(s.lines, labelMark+strconv.Itoa(b))
}

// ways returns how many labels of a switch lead to a block, or 1 for other terminators:
// a jump into one of several cases is not allowed. It is 0 for a switch that is a
// chain, which goes on behind each of its labels.
func (f *function) ways(t ir.Term, to int) int {
	s, ok := t.(*ir.Switch)
	if !ok {
		return 1
	}
	if f.chained(s) {
		return 0
	}
	n := 0
	for _, c := range s.Cases {
		if c.To.Index == to {
			n++
		}
	}
	if s.Default.Index == to {
		n++
	}
	return n
}

// indented writes the text between braces.
func (s *structurer) indented(write func()) {
	before := s.indent
	s.indent += "\t"
	write()
	s.indent = before
}

// sequence writes block b and all blocks that are placed under it.
func (s *structurer) sequence(b int, at setting) {
	joins, exits := s.Joins[b], s.Exits[b]
	if s.flow.Body[b] == nil {
		s.series(b, slices.Concat(joins, exits), at)
		return
	}
	after := at
	if len(exits) > 0 {
		after.next = exits[0]
	}
	s.mark(b)
	s.loop(b, joins, after)
	if len(exits) > 0 {
		s.run(exits, at)
	}
}

// loop writes the loop whose header is b, behind its label.
func (s *structurer) loop(b int, joins []int, at setting) {
	inside := setting{next: b, brk: at.next, plain: true, loops: append(slices.Clone(at.loops), b)}
	if t, ok := s.fn.Blocks[b].Term.(*ir.If); ok && len(s.fn.Blocks[b].Stmts) == 0 && !s.precedes(t.Cond) {
		then, other, leave := t.Then.Index, t.Else.Index, false
		if s.flow.Body[b][other] {
			then, other, leave = other, then, true
		}
		// for cond { then }, if that leaves where other is what comes next.
		if !s.flow.Body[b][other] && other == at.next && s.inlined(b, then) {
			s.begin(t.Cond)
			s.line("for " + string(s.appendCond(nil, t.Cond, anyPrec, leave)) + " {")
			s.indented(func() { s.run(append([]int{then}, joins...), inside) })
			s.line("}")
			return
		}
	}
	s.line("for {")
	s.indented(func() { s.series(b, joins, inside) })
	s.line("}")
}

// precedes tells whether an expression may need statements before it.
func (f *function) precedes(n ir.Node) bool {
	whole := n
	if b, ok := n.(*ir.Binary); ok && b.Op.Logical() {
		return f.precedes(b.X) || f.precedes(b.Y)
	}
	return ir.Any(n, func(part ir.Node) bool {
		switch n := part.(type) {
		case *ir.Binary:
			return f.hoistsBits() && part != whole && truth(n)
		case *ir.Convert:
			return f.hoistsBits() && n.T == ir.Type(ir.Bool)
		case *ir.Select:
			return f.unit.Style.Select == If && ir.IsInt(n)
		case *ir.Call:
			return f.unit.Style.Calls == Before
		}
		return false
	})
}

// series writes block b with its branches, and then the others.
func (s *structurer) series(b int, others []int, at setting) {
	first := at
	if len(others) > 0 {
		first.next = others[0]
	}
	if s.flow.Body[b] == nil {
		s.mark(b)
	}
	s.block(b, first)
	s.run(others, at)
}

// run writes several blocks one after the other.
func (s *structurer) run(blocks []int, at setting) {
	for i, b := range blocks {
		one := at
		if i+1 < len(blocks) {
			one.next = blocks[i+1]
		}
		s.sequence(b, one)
	}
}

// inlined reports whether block to is written in place of the jump from a block.
func (s *structurer) inlined(from, to int) bool { return s.Inline[to] && s.flow.Idom[to] == from }

// goTo writes the transfer of control to a block at the end of the text at hand.
func (s *structurer) goTo(from, to int, at setting) {
	if s.inlined(from, to) {
		s.sequence(to, at)
		return
	}
	if to != at.next {
		s.leave(to, at)
	}
}

// leave writes a jump.
func (s *structurer) leave(to int, at setting) {
	n := len(at.loops)
	switch {
	case to == at.brk && at.plain && at.brk >= 0:
		s.line("break")
	case n > 0 && to == at.loops[n-1]:
		s.line("continue")
	case slices.Contains(at.loops, to):
		s.jumps[to] = true
		s.line("continue " + s.names.labels[to])
	default:
		s.line(s.jump(s.fn.Blocks[to]))
	}
}

// block writes the statements of b and its jump, with the blocks that are inline there.
func (s *structurer) block(b int, at setting) {
	block := s.fn.Blocks[b]
	s.stmts(block)
	switch t := block.Term.(type) {
	case *ir.Goto:
		s.goTo(b, t.To.Index, at)
	case *ir.If:
		s.choose(b, t, at)
	case *ir.Switch:
		s.choices(b, t, at)
	case *ir.Return:
		s.result(t)
	}
}

// choose writes the conditional jump of block from and the blocks that are inline in
// its branches.
func (s *structurer) choose(from int, t *ir.If, at setting) {
	a, b, negate := t.Then.Index, t.Else.Index, false
	if !s.inlined(from, a) && (s.inlined(from, b) || a == at.next) {
		a, b, negate = b, a, true
	}
	inA, inB := s.inlined(from, a), s.inlined(from, b) // inB implies inA
	away := inA && !inB && b != at.next                // the inline block comes after the jump to the other one
	s.begin(t.Cond)
	cond := string(s.appendCond(nil, t.Cond, anyPrec, negate != away))
	s.flush()
	s.line("if " + cond + " {")
	switch {
	case away:
		s.indented(func() { s.leave(b, at) })
		s.line("}")
		s.sequence(a, at)
	case inA:
		s.indented(func() { s.sequence(a, at) })
		if inB {
			s.line("} else {")
			s.indented(func() { s.sequence(b, at) })
		}
		s.line("}")
	default:
		s.indented(func() { s.leave(a, at) })
		s.line("}")
		if b != at.next {
			s.leave(b, at)
		}
	}
}

// choices writes a switch with the blocks that are inline in its cases.
func (s *structurer) choices(from int, t *ir.Switch, at setting) {
	inside := at
	inside.plain = false
	if s.chained(t) {
		inside.next = -1
	}
	s.choice(t, func(to *ir.Block) {
		s.indented(func() { s.goTo(from, to.Index, inside) })
	})
}
