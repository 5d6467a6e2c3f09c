package sketch

import (
	"goreify/reify/choice"
	"goreify/reify/ir"
)

// recurrence is a[i + 2] = a[i] ⊗ a[i + 1], or b[i] = a[i] ⊗ a[i + 1]: what
// is read in one round was in another (predictive commoning).
func recurrence(w *writer, l *loop) ir.Stmt {
	a, b := choice.Pick(w.s, l.arrays), choice.Pick(w.s, l.arrays)
	t := w.computedIn(a.leaves[0].t)
	at := func(off int64) ir.Expr { return convert(t, &ir.Load{Place: w.element(a, off)}) }
	e := bin(choice.Pick(w.s, []ir.Op{ir.Add, ir.Sub, ir.Xor}), at(0), at(1))
	if w.s.Chance(1, 2) {
		return &ir.Assign{Dst: w.element(a, 2), Src: convert(a.leaves[0].t, e)}
	}
	if w.s.Chance(1, 2) {
		e = bin(ir.Add, e, at(2))
	}
	return &ir.Assign{Dst: w.element(b, 0), Src: convert(b.leaves[0].t, e)}
}

// gather is b[i] = a[c[i] & m], or s = s + a[c[i] & m].
func gather(w *writer, l *loop) ir.Stmt {
	a, b, c := choice.Pick(w.s, l.arrays), choice.Pick(w.s, l.arrays), choice.Pick(w.s, l.arrays)
	index := convert(ir.U32, &ir.Load{Place: w.element(c, 0)})
	p := cellAt(a, bin(ir.And, index, constantOf(ir.U32, loopLen-1)))
	if w.s.Chance(1, 2) {
		return &ir.Assign{Dst: w.element(b, 0), Src: convert(b.leaves[0].t, &ir.Load{Place: p})}
	}
	v, t := w.accumulator()
	t.Signed = false
	x := convert(t, &ir.Load{Place: &ir.VarRef{Var: v.v}})
	return w.reduceInto(v, bin(ir.Add, x, convert(t, &ir.Load{Place: p})))
}

// strided is a[i * n] = b[i * n] ⊗ s, with a stride that the compiler does not
// know.
func strided(w *writer, l *loop) ir.Stmt {
	if l.stride == nil {
		return transform(w, l)
	}
	a, b := choice.Pick(w.s, l.arrays), choice.Pick(w.s, l.arrays)
	at := func() ir.Expr {
		t := promote(l.counter.leaves[0].t)
		return bin(ir.Mul, w.count1(t), convert(t, &ir.Load{Place: &ir.VarRef{Var: l.stride}}))
	}
	t := w.computedIn(a.leaves[0].t)
	e := w.mapping(t, convert(t, &ir.Load{Place: cellAt(b, at())}))
	return &ir.Assign{Dst: cellAt(a, at()), Src: convert(a.leaves[0].t, e)}
}

// difference is s = s + |a[i] - b[i]|.
func difference(w *writer, l *loop) ir.Stmt {
	v, t := w.accumulator()
	t.Signed = false
	d := ir.I32
	x := convert(d, &ir.Load{Place: w.element(choice.Pick(w.s, l.arrays), 0)})
	y := convert(d, &ir.Load{Place: w.element(choice.Pick(w.s, l.arrays), 0)})
	minus := func() ir.Expr { return wrapped(ir.Sub, d, duplicate(x), duplicate(y)) }
	abs := &ir.Select{If: bin(ir.Lt, minus(), constant0(d)), X: wrapped(ir.Sub, d, constant0(d), minus()), Y: minus()}
	return w.reduceInto(v, bin(ir.Add, convert(t, &ir.Load{Place: &ir.VarRef{Var: v.v}}), convert(t, abs)))
}

// lastIndex is k = a[i] < s ? i : k.
func lastIndex(w *writer, l *loop) ir.Stmt {
	v, t := w.accumulator()
	a := choice.Pick(w.s, l.arrays)
	of := promote(a.leaves[0].t)
	cond := bin(comparisonOp(w.s), convert(of, &ir.Load{Place: w.element(a, 0)}), w.leaf(of))
	return w.reduceInto(v, &ir.Select{If: cond, X: w.count1(t), Y: convert(t, &ir.Load{Place: &ir.VarRef{Var: v.v}})})
}

// compared is b[i] = a[i] < c[i].
func compared(w *writer, l *loop) ir.Stmt {
	a, b, c := choice.Pick(w.s, l.arrays), choice.Pick(w.s, l.arrays), choice.Pick(w.s, l.arrays)
	of := promote(a.leaves[0].t)
	e := bin(comparisonOp(w.s), convert(of, &ir.Load{Place: w.element(a, 0)}), convert(of, &ir.Load{Place: w.element(c, 0)}))
	return &ir.Assign{Dst: w.element(b, 0), Src: convert(b.leaves[0].t, e)}
}

// conditional is s = s + (a[i] < c ? b[i] : 0).
func conditional(w *writer, l *loop) ir.Stmt {
	v, t := w.accumulator()
	t.Signed = false
	a := choice.Pick(w.s, l.arrays)
	of := promote(a.leaves[0].t)
	cond := bin(comparisonOp(w.s), convert(of, &ir.Load{Place: w.element(a, 0)}), w.leaf(of))
	y := convert(t, &ir.Load{Place: w.element(choice.Pick(w.s, l.arrays), 0)})
	return w.reduceInto(v, bin(ir.Add, convert(t, &ir.Load{Place: &ir.VarRef{Var: v.v}}), &ir.Select{If: cond, X: y, Y: constant0(t)}))
}
