package c

import "goreify/reify/ir"

// A shortForm is the knowledge about the jumps of a function in the short form, which
// is the test form without Labels.
type shortForm struct {
	jumped   []bool // by block: a goto leads to it
	labels   []bool // by block: its label is written
	returned []int  // by block: the jumps to it that are written as returns
	preds    []int  // by block: its incoming edges
	gone     []bool // by block: all jumps to it are written as returns, and it is left out
}

func newShortForm(fn *ir.Function) *shortForm {
	n := len(fn.Blocks)
	l := &shortForm{jumped: make([]bool, n), labels: make([]bool, n), gone: make([]bool, n), returned: make([]int, n), preds: make([]int, n)}
	for _, succs := range fn.Graph() {
		for _, to := range succs {
			l.preds[to]++
		}
	}
	return l
}

// settle keeps the knowledge from the first time that the function was written.
func (l *shortForm) settle() {
	l.labels = l.jumped
	for b, n := range l.returned {
		l.gone[b] = n > 0 && n == l.preds[b]
	}
	l.jumped, l.returned = make([]bool, len(l.jumped)), make([]int, len(l.returned))
}

// body writes the blocks. In the short form it writes them twice: the first time shows
// which labels are needed.
func (f *function) body() {
	write := f.flat
	if f.unit.Style.Structured {
		write = f.structured
	}
	start := len(f.buf)
	write()
	if f.short != nil {
		f.buf = f.buf[:start]
		f.short.settle()
		write()
	}
}

// blockLabel writes the label of block b. The short form leaves out a label without
// jumps to it.
func (f *function) blockLabel(b, depth int) {
	switch {
	case f.short == nil:
		f.label(depth, f.names.labels[b])
	case f.short.labels[b]:
		f.begin(depth - 1)
		f.str(f.names.labels[b] + ":\n")
		f.labelled = true
	}
}

// jumpsTo notes that block b needs a label.
func (f *function) jumpsTo(b int) {
	if f.short != nil {
		f.short.jumped[b] = true
	}
}

// returns writes a return in place of a jump to block b, if b only returns a short
// expression. It reports whether it did.
func (f *function) returns(b, depth int) bool {
	if f.short == nil || !f.unit.Style.Structured {
		return false
	}
	block := f.unit.Claim.Func.Blocks[b]
	r, ok := block.Term.(*ir.Return)
	if !ok || len(block.Stmts) > 0 || !pure(r.Val) {
		return false
	}
	const most = 5
	nodes := 0
	visitNode(r.Val, func(n ir.Node) {
		nodes++
		if _, sum := n.(*ir.Checksum); sum {
			nodes = most + 1
		}
	})
	if nodes > most {
		return false
	}
	f.short.returned[b]++
	f.result(r, depth)
	return true
}

// gone reports whether all jumps to block b were written as returns.
func (f *function) gone(b int) bool {
	return f.short != nil && f.short.gone[b]
}

// turned returns x - 5 for x + -5 and x + 5 for x - -5, as the operator and the right
// operand. All other operands are returned unchanged.
func turned(op ir.Op, y ir.Expr) (ir.Op, ir.Expr) {
	c, ok := y.(*ir.Const)
	if !ok || !c.T.Signed || c.V >= 0 || c.V == c.T.Min() || op != ir.Add && op != ir.Sub {
		return op, y
	}
	if op == ir.Add {
		op = ir.Sub
	} else {
		op = ir.Add
	}
	return op, &ir.Const{T: c.T, V: -c.V}
}

// nests reports whether sum is written as one expression.
func (f *function) nests(sum *ir.Checksum) bool {
	const most = 2
	return len(f.summands(sum)) <= most
}

// nestedSum returns sum as one expression.
func (f *function) nestedSum(sum *ir.Checksum) string {
	text := "0"
	for _, one := range f.summands(sum) {
		text = crcFunc + "(" + text + ", " + one + ")"
	}
	return text
}

// summands returns, for each scalar that counts in sum, the arguments of the
// call that adds it.
func (f *function) summands(sum *ir.Checksum) []string {
	var all []string
	for _, v := range sum.Of {
		f.cells(v, func(c *cell) {
			if c.hidden {
				return
			}
			switch t := c.typ.(type) {
			case ir.Int:
				all = append(all, string(c.name)+", "+itoa(t.Bytes()))
			case ir.Float:
				all = append(all, floatBits(t)+"("+string(c.name)+"), "+itoa(t.Bits/8))
			}
		})
	}
	return all
}
