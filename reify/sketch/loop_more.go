package sketch

import (
	"goreify/reify/choice"
	"goreify/reify/ir"
)

// recurrence is a[i + 2] = a[i] ⊗ a[i + 1], or b[i] = a[i] ⊗ a[i + 1]: the element that
// is read in one round was read in another (predictive commoning).
func recurrence(l *loop) ir.Stmt {
	a, b := choice.Pick(l.s, l.arrays), choice.Pick(l.s, l.arrays)
	t := l.computedIn(a.leaves[0].t)
	at := func(off int64) ir.Expr { return convert(t, nodeLoad(l.element(a, off))) }
	e := bin(choice.Pick(l.s, []ir.Op{ir.Add, ir.Sub, ir.Xor}), at(0), at(1))
	if l.s.Chance(1, 2) {
		return nodeAssign(l.element(a, 2), convert(a.leaves[0].t, e))
	}
	if l.s.Chance(1, 2) {
		e = bin(ir.Add, e, at(2))
	}
	return nodeAssign(l.element(b, 0), convert(b.leaves[0].t, e))
}

// gather is b[i] = a[c[i] & m], or s = s + a[c[i] & m].
func gather(l *loop) ir.Stmt {
	a, b, c := choice.Pick(l.s, l.arrays), choice.Pick(l.s, l.arrays), choice.Pick(l.s, l.arrays)
	index := convert(ir.U32, nodeLoad(l.element(c, 0)))
	p := cellAt(a, bin(ir.And, index, constantOf(ir.U32, loopLen-1)))
	if l.s.Chance(1, 2) {
		return nodeAssign(l.element(b, 0), convert(b.leaves[0].t, nodeLoad(p)))
	}
	v, t := l.accumulator()
	t.Signed = false
	x := scalar(t, v)
	return reduceInto(v, bin(ir.Add, x, convert(t, nodeLoad(p))))
}

// strided is a[i * n] = b[i * n] ⊗ s, with a stride that the compiler does not
// know.
func strided(l *loop) ir.Stmt {
	if l.stride == nil {
		return transform(l)
	}
	a, b := choice.Pick(l.s, l.arrays), choice.Pick(l.s, l.arrays)
	at := func() ir.Expr {
		t := promote(l.counter.leaves[0].t)
		return bin(ir.Mul, l.count1(t), convert(t, nodeLoadVar(l.stride)))
	}
	t := l.computedIn(a.leaves[0].t)
	e := l.mapping(t, convert(t, nodeLoad(cellAt(b, at()))))
	return nodeAssign(cellAt(a, at()), convert(a.leaves[0].t, e))
}

// difference is s = s + |a[i] - b[i]|.
func difference(l *loop) ir.Stmt {
	v, t := l.accumulator()
	t.Signed = false
	d := ir.I32
	x := convert(d, nodeLoad(l.element(choice.Pick(l.s, l.arrays), 0)))
	y := convert(d, nodeLoad(l.element(choice.Pick(l.s, l.arrays), 0)))
	minus := func() ir.Expr { return wrapped(ir.Sub, d, ir.CopyExpr(x), ir.CopyExpr(y)) }
	abs := nodeSelect(bin(ir.Lt, minus(), constant0(d)), wrapped(ir.Sub, d, constant0(d), minus()), minus())
	return reduceInto(v, bin(ir.Add, scalar(t, v), convert(t, abs)))
}

// lastIndex is k = a[i] < s ? i : k.
func lastIndex(l *loop) ir.Stmt {
	v, t := l.accumulator()
	a := choice.Pick(l.s, l.arrays)
	of := promote(a.leaves[0].t)
	cond := bin(comparisonOp(l.s), convert(of, nodeLoad(l.element(a, 0))), l.leaf(of))
	return reduceInto(v, nodeSelect(cond, l.count1(t), scalar(t, v)))
}

// compared is b[i] = a[i] < c[i].
func compared(l *loop) ir.Stmt {
	a, b, c := choice.Pick(l.s, l.arrays), choice.Pick(l.s, l.arrays), choice.Pick(l.s, l.arrays)
	of := promote(a.leaves[0].t)
	e := bin(comparisonOp(l.s), convert(of, nodeLoad(l.element(a, 0))), convert(of, nodeLoad(l.element(c, 0))))
	return nodeAssign(l.element(b, 0), convert(b.leaves[0].t, e))
}

// conditional is s = s + (a[i] < c ? b[i] : 0).
func conditional(l *loop) ir.Stmt {
	v, t := l.accumulator()
	t.Signed = false
	a := choice.Pick(l.s, l.arrays)
	of := promote(a.leaves[0].t)
	cond := bin(comparisonOp(l.s), convert(of, nodeLoad(l.element(a, 0))), l.leaf(of))
	y := convert(t, nodeLoad(l.element(choice.Pick(l.s, l.arrays), 0)))
	return reduceInto(v, bin(ir.Add, scalar(t, v), nodeSelect(cond, y, constant0(t))))
}
