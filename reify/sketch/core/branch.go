package core

import (
	"goreify/reify/choice"
	"goreify/reify/ir"
)

// maxLabels bounds the labels of a switch beyond one for each successor.
const maxLabels = 6

// switchTo returns a switch between the given blocks, of which the last is the default.
// Each other block has at least one label. Labels are symbols, and so are both ends of
// those that are ranges: the values on the path decide them.
func (w *Writer) switchTo(pilot *Source, succs []int) *ir.Switch {
	w.Begin()
	x := w.switched(pilot)
	last := len(succs) - 1
	sw := &ir.Switch{X: x, Default: w.Func.Blocks[succs[last]]}
	add := func(i int) {
		c := ir.SwitchCase{Lo: w.Symbol(ir.IntOf(x)), To: w.Func.Blocks[succs[i]]}
		if w.Roll(w.Policy.Ranges) {
			c.Hi = w.Symbol(ir.IntOf(x))
		}
		sw.Cases = append(sw.Cases, c)
	}
	for i := range last {
		add(i)
	}
	for range maxLabels {
		if !w.Roll(w.Policy.Labels) {
			break
		}
		add(w.S.Intn(len(succs)))
	}
	return sw
}

// switched returns the operand of a switch: any value, or one of few.
func (w *Exprs) switched(pilot *Source) ir.Expr {
	first := pilot
	if first == nil {
		first = choice.Pick(w.S, w.Vars)
	}
	t := Promote(first.Leaves[0].T)
	if !w.Roll(w.Policy.Few) {
		return w.terms(t, first, w.Options.CondTerms, false)
	}
	x := w.Load(t, first)
	if w.S.Chance(1, 3) {
		x = Wrapped(ir.Add, t, x, w.Any(t))
	}
	if w.S.Chance(1, 2) {
		return w.Bin(ir.And, x, Const(t, choice.Pick(w.S, []int64{3, 7, 15, 31})))
	}
	return w.Bin(ir.Rem, x, Const(t, int64(w.S.Range(3, 12))))
}

// ConditionOf returns ε ⋚ 0, ε beginning with the pilot if there is one. The comparison
// is nearly always signed, with a symbol that is added at the end: a solver can then
// make it go either way.
func (w *Exprs) ConditionOf(pilot *Source) ir.Expr {
	if pilot == nil {
		for _, p := range w.parts {
			if e := p.Condition(); e != nil {
				return e
			}
		}
	}
	w.Begin()
	first := pilot
	if first == nil {
		first = choice.Pick(w.S, w.Vars)
	}
	t := ir.I32
	if first.Leaves[0].T.Bits > 32 || w.Roll(w.Policy.Wide/4) {
		t = ir.I64
	}
	op := choice.Pick(w.S, Conditions[:])
	e := w.terms(t, first, w.Options.CondTerms, false)
	e = w.Bin(AdditiveOp(w.S), e, w.Symbol(t))
	var cond ir.Expr = w.Bin(op, e, w.Const(t, 0))
	switch {
	case w.Roll(w.Policy.Builtin / 4):
		hint := Const(ir.I32, int64(w.S.Intn(2)))
		cond = &ir.Builtin{Fn: ir.Expect, Args: []ir.Expr{cond, hint}}
	case w.Roll(w.Policy.Unary / 4):
		cond = Unary(ir.LNot, cond)
	}
	return cond
}

// Rounds returns the branch at the end of a counted loop. It repeats the block as long
// as the counter has not reached a bound, which is a symbol, or a parameter and a
// symbol.
func (w *stmtWriter) Rounds(i *ir.Var, b *ir.Block, succs []int, again int) *ir.If {
	t := ir.I32
	if i.Type.(ir.Int).Bits > 32 {
		t = ir.I64
	}
	x := Convert(t, LoadVar(i))
	op := ir.Ne
	if w.S.Chance(2, 3) {
		x = Wrapped(ir.Add, t, x, Convert(t, LoadVar(choice.Pick(w.S, w.Func.Params()))))
	} else if w.S.Chance(1, 2) {
		op = ir.Lt
	}
	if succs[0] != again {
		op = opposite(op)
	}
	cond := w.Bin(op, w.Bin(ir.Sub, x, w.Symbol(t)), w.Const(t, 0))
	return &ir.If{Cond: cond, Then: w.Func.Blocks[succs[0]], Else: w.Func.Blocks[succs[1]]}
}

func opposite(op ir.Op) ir.Op {
	if op == ir.Lt {
		return ir.Ge
	}
	return ir.Eq
}
