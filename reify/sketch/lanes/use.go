package lanes

import (
	"goreify/reify/choice"
	"goreify/reify/ir"
	"goreify/reify/sketch/core"
)

// use adds uses of lanes that are kept: it stores them, in their order or another,
// computes others from them, or folds them.
func (l *lanes) use(kept lane, t ir.Int, n int) []ir.Stmt {
	form := l.S.Weighted(3, 1, 1, 2, 2, 4)
	if form == 5 {
		return l.fold(kept, t, n)
	}
	r := l.row()
	to := l.spread(r, n)
	by := 1 + l.S.Intn(n-1)
	other := func(k int, c ir.Int) ir.Expr { return kept((k+by)%n, c) }
	c := core.Promote(t)
	switch form {
	case 0:
		return l.store(to, r.t, kept, c, n)
	case 1:
		return l.store(to, r.t, other, c, n)
	case 3: // and lanes that are not of the group
		other = l.lanesOf(l.row(), n)
	case 4: // each with itself
		other = kept
	}
	m := l.mixture(t)
	return l.store(to, r.t, l.values(m, kept, other, n), m.c, n)
}

// fold is x = x ⊗ lane 0 ⊗ lane 1 ..., or the same as a tree, or statement by
// statement.
func (l *lanes) fold(kept lane, t ir.Int, n int) []ir.Stmt {
	acc := l.ScalarDest()
	c := core.Promote(t)
	ops := []ir.Op{ir.And, ir.Or, ir.Xor, ir.Xor, ir.Add, ir.Add}
	if l.Policy.Select > 0 {
		ops = append(ops, ir.Lt, ir.Gt)
	}
	op := choice.Pick(l.S, ops)
	if own := l.ops[1]; own == ir.Add || own.Bitwise() {
		op = choice.Pick(l.S, []ir.Op{op, own})
	}
	if op == ir.Add || l.S.Chance(1, 2) {
		c.Signed = false
	}
	if op.Compares() || l.S.Chance(1, 4) {
		var list []ir.Stmt
		for k := range n {
			x := core.Scalar(c, acc)
			e := ir.Expr(core.Bin(op, x, kept(k, c)))
			if op.Compares() {
				e = core.Select(e, core.Scalar(c, acc), kept(k, c))
			}
			list = append(list, core.Set(acc, e))
		}
		return list
	}
	var tree func(from, to int) ir.Expr
	tree = func(from, to int) ir.Expr {
		if to-from == 1 {
			return kept(from, c)
		}
		mid := (from + to) / 2
		return core.Bin(op, tree(from, mid), tree(mid, to))
	}
	e := ir.Expr(nil)
	if l.S.Chance(1, 3) {
		e = core.Bin(choice.Pick(l.S, []ir.Op{ir.Xor, op}), core.Scalar(c, acc), tree(0, n))
	} else {
		e = core.Scalar(c, acc)
		if l.S.Chance(1, 3) { // the lanes alone
			e = kept(n-1, c)
			n--
		}
		for k := range n {
			e = core.Bin(op, e, kept(k, c))
		}
	}
	return []ir.Stmt{core.Set(acc, e)}
}
