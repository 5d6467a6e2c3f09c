package sketch

import (
	"goreify/reify/choice"
	"goreify/reify/ir"
)

// maxLabels bounds the labels of a switch beyond one for each successor.
const maxLabels = 6

// switchTo returns a switch between the given blocks, of which the last is the default.
// Each other block has at least one label. Labels are symbols, and so are both ends of
// those that are ranges: the values on the path decide them.
func (w *writer) switchTo(pilot *source, succs []int) *ir.Switch {
	w.begin()
	x := w.switched(pilot)
	last := len(succs) - 1
	sw := &ir.Switch{X: x, Default: w.f.Blocks[succs[last]]}
	add := func(i int) {
		c := ir.SwitchCase{Lo: w.symbol(ir.IntOf(x)), To: w.f.Blocks[succs[i]]}
		if w.roll(w.p.Ranges) {
			c.Hi = w.symbol(ir.IntOf(x))
		}
		sw.Cases = append(sw.Cases, c)
	}
	for i := range last {
		add(i)
	}
	for range maxLabels {
		if !w.roll(w.p.Labels) {
			break
		}
		add(w.s.Intn(len(succs)))
	}
	return sw
}

// switched returns the operand of a switch: any value, or one of few.
func (w *exprWriter) switched(pilot *source) ir.Expr {
	first := pilot
	if first == nil {
		first = choice.Pick(w.s, w.vars)
	}
	t := promote(first.leaves[0].t)
	if !w.roll(w.p.Few) {
		return w.terms(t, first, w.o.CondTerms, false)
	}
	x := w.load(t, first)
	if w.s.Chance(1, 3) {
		x = wrapped(ir.Add, t, x, w.any(t))
	}
	if w.s.Chance(1, 2) {
		return bin(ir.And, x, constantOf(t, choice.Pick(w.s, []int64{3, 7, 15, 31})))
	}
	return bin(ir.Rem, x, constantOf(t, int64(w.s.Range(3, 12))))
}

// condition returns ε ⋚ 0, ε beginning with the pilot if there is one. The comparison
// is nearly always signed, with a symbol that is added at the end: a solver can then
// make it go either way.
func (w *exprWriter) condition(pilot *source) ir.Expr {
	if pilot == nil {
		for _, p := range w.parts {
			if e := p.Condition(); e != nil {
				return e
			}
		}
	}
	w.begin()
	first := pilot
	if first == nil {
		first = choice.Pick(w.s, w.vars)
	}
	t := ir.I32
	if first.leaves[0].t.Bits > 32 || w.roll(w.p.Wide/4) {
		t = ir.I64
	}
	op := choice.Pick(w.s, conditions[:])
	e := w.terms(t, first, w.o.CondTerms, false)
	e = bin(additiveOp(w.s), e, w.symbol(t))
	var cond ir.Expr = bin(op, e, constant0(t))
	switch {
	case w.roll(w.p.Builtin / 4):
		hint := constantOf(ir.I32, int64(w.s.Intn(2)))
		cond = &ir.Builtin{Fn: ir.Expect, Args: []ir.Expr{cond, hint}}
	case w.roll(w.p.Unary / 4):
		cond = nodeUnary(ir.LNot, cond)
	}
	return cond
}

// rounds returns the branch at the end of a counted loop. It repeats the block as long
// as the counter has not reached a bound, which is a symbol, or a parameter and a
// symbol.
func (w *stmtWriter) rounds(i *ir.Var, b *ir.Block, succs []int, again int) *ir.If {
	t := ir.I32
	if i.Type.(ir.Int).Bits > 32 {
		t = ir.I64
	}
	x := convert(t, nodeLoadVar(i))
	op := ir.Ne
	if w.s.Chance(2, 3) {
		x = wrapped(ir.Add, t, x, convert(t, nodeLoadVar(choice.Pick(w.s, w.f.Params()))))
	} else if w.s.Chance(1, 2) {
		op = ir.Lt
	}
	if succs[0] != again {
		op = opposite(op)
	}
	cond := bin(op, bin(ir.Sub, x, w.symbol(t)), constant0(t))
	return &ir.If{Cond: cond, Then: w.f.Blocks[succs[0]], Else: w.f.Blocks[succs[1]]}
}

func opposite(op ir.Op) ir.Op {
	if op == ir.Lt {
		return ir.Ge
	}
	return ir.Eq
}
