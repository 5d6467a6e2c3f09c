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
	at := func(off int64) ir.Expr { return convert(t, &ir.Load{Place: l.element(a, off)}) }
	e := bin(choice.Pick(l.s, []ir.Op{ir.Add, ir.Sub, ir.Xor}), at(0), at(1))
	if l.s.Chance(1, 2) {
		return &ir.Assign{Dst: l.element(a, 2), Src: convert(a.leaves[0].t, e)}
	}
	if l.s.Chance(1, 2) {
		e = bin(ir.Add, e, at(2))
	}
	return &ir.Assign{Dst: l.element(b, 0), Src: convert(b.leaves[0].t, e)}
}

// gather is b[i] = a[c[i] & m], or s = s + a[c[i] & m].
func gather(l *loop) ir.Stmt {
	a, b, c := choice.Pick(l.s, l.arrays), choice.Pick(l.s, l.arrays), choice.Pick(l.s, l.arrays)
	index := convert(ir.U32, &ir.Load{Place: l.element(c, 0)})
	p := cellAt(a, bin(ir.And, index, constantOf(ir.U32, loopLen-1)))
	if l.s.Chance(1, 2) {
		return &ir.Assign{Dst: l.element(b, 0), Src: convert(b.leaves[0].t, &ir.Load{Place: p})}
	}
	v, t := l.accumulator()
	t.Signed = false
	x := convert(t, &ir.Load{Place: &ir.VarRef{Var: v.v}})
	return reduceInto(v, bin(ir.Add, x, convert(t, &ir.Load{Place: p})))
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
		return bin(ir.Mul, l.count1(t), convert(t, &ir.Load{Place: &ir.VarRef{Var: l.stride}}))
	}
	t := l.computedIn(a.leaves[0].t)
	e := l.mapping(t, convert(t, &ir.Load{Place: cellAt(b, at())}))
	return &ir.Assign{Dst: cellAt(a, at()), Src: convert(a.leaves[0].t, e)}
}

// difference is s = s + |a[i] - b[i]|.
func difference(l *loop) ir.Stmt {
	v, t := l.accumulator()
	t.Signed = false
	d := ir.I32
	x := convert(d, &ir.Load{Place: l.element(choice.Pick(l.s, l.arrays), 0)})
	y := convert(d, &ir.Load{Place: l.element(choice.Pick(l.s, l.arrays), 0)})
	minus := func() ir.Expr { return wrapped(ir.Sub, d, ir.CopyExpr(x), ir.CopyExpr(y)) }
	abs := &ir.Select{If: bin(ir.Lt, minus(), constant0(d)), X: wrapped(ir.Sub, d, constant0(d), minus()), Y: minus()}
	return reduceInto(v, bin(ir.Add, convert(t, &ir.Load{Place: &ir.VarRef{Var: v.v}}), convert(t, abs)))
}

// lastIndex is k = a[i] < s ? i : k.
func lastIndex(l *loop) ir.Stmt {
	v, t := l.accumulator()
	a := choice.Pick(l.s, l.arrays)
	of := promote(a.leaves[0].t)
	cond := bin(comparisonOp(l.s), convert(of, &ir.Load{Place: l.element(a, 0)}), l.leaf(of))
	return reduceInto(v, &ir.Select{If: cond, X: l.count1(t), Y: convert(t, &ir.Load{Place: &ir.VarRef{Var: v.v}})})
}

// compared is b[i] = a[i] < c[i].
func compared(l *loop) ir.Stmt {
	a, b, c := choice.Pick(l.s, l.arrays), choice.Pick(l.s, l.arrays), choice.Pick(l.s, l.arrays)
	of := promote(a.leaves[0].t)
	e := bin(comparisonOp(l.s), convert(of, &ir.Load{Place: l.element(a, 0)}), convert(of, &ir.Load{Place: l.element(c, 0)}))
	return &ir.Assign{Dst: l.element(b, 0), Src: convert(b.leaves[0].t, e)}
}

// conditional is s = s + (a[i] < c ? b[i] : 0).
func conditional(l *loop) ir.Stmt {
	v, t := l.accumulator()
	t.Signed = false
	a := choice.Pick(l.s, l.arrays)
	of := promote(a.leaves[0].t)
	cond := bin(comparisonOp(l.s), convert(of, &ir.Load{Place: l.element(a, 0)}), l.leaf(of))
	y := convert(t, &ir.Load{Place: l.element(choice.Pick(l.s, l.arrays), 0)})
	return reduceInto(v, bin(ir.Add, convert(t, &ir.Load{Place: &ir.VarRef{Var: v.v}}), &ir.Select{If: cond, X: y, Y: constant0(t)}))
}
