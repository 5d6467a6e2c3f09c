package nests

import (
	"goreify/reify/choice"
	"goreify/reify/ir"
	"goreify/reify/sketch/core"
)

// recurrence is a[i + 2] = a[i] ⊗ a[i + 1], or b[i] = a[i] ⊗ a[i + 1]: the element that
// is read in one round was read in another (predictive commoning).
func recurrence(l *Loop) ir.Stmt {
	a, b := choice.Pick(l.S, l.Arrays), choice.Pick(l.S, l.Arrays)
	t := l.computedIn(a.Leaves[0].T)
	at := func(off int64) ir.Expr { return core.Convert(t, core.Load(l.Element(a, off))) }
	e := core.Bin(choice.Pick(l.S, []ir.Op{ir.Add, ir.Sub, ir.Xor}), at(0), at(1))
	if l.S.Chance(1, 2) {
		return core.Assign(l.Element(a, 2), core.Convert(a.Leaves[0].T, e))
	}
	if l.S.Chance(1, 2) {
		e = core.Bin(ir.Add, e, at(2))
	}
	return core.Assign(l.Element(b, 0), core.Convert(b.Leaves[0].T, e))
}

// gather is b[i] = a[c[i] & m], or s = s + a[c[i] & m].
func gather(l *Loop) ir.Stmt {
	a, b, c := choice.Pick(l.S, l.Arrays), choice.Pick(l.S, l.Arrays), choice.Pick(l.S, l.Arrays)
	index := core.Convert(ir.U32, core.Load(l.Element(c, 0)))
	p := core.CellAt(a, core.Bin(ir.And, index, core.Const(ir.U32, Len-1)))
	if l.S.Chance(1, 2) {
		return core.Assign(l.Element(b, 0), core.Convert(b.Leaves[0].T, core.Load(p)))
	}
	v, t := l.Accumulator()
	t.Signed = false
	x := core.Scalar(t, v)
	return core.Set(v, core.Bin(ir.Add, x, core.Convert(t, core.Load(p))))
}

// strided is a[i * n] = b[i * n] ⊗ s, with a stride that the compiler does not
// know.
func strided(l *Loop) ir.Stmt {
	if l.stride == nil {
		return transform(l)
	}
	a, b := choice.Pick(l.S, l.Arrays), choice.Pick(l.S, l.Arrays)
	at := func() ir.Expr {
		t := core.Promote(l.Counter.Leaves[0].T)
		return core.Bin(ir.Mul, l.Count(t), core.Convert(t, core.LoadVar(l.stride)))
	}
	t := l.computedIn(a.Leaves[0].T)
	e := l.mapping(t, core.Convert(t, core.Load(core.CellAt(b, at()))))
	return core.Assign(core.CellAt(a, at()), core.Convert(a.Leaves[0].T, e))
}

// difference is s = s + |a[i] - b[i]|.
func difference(l *Loop) ir.Stmt {
	v, t := l.Accumulator()
	t.Signed = false
	d := ir.I32
	x := core.Convert(d, core.Load(l.Element(choice.Pick(l.S, l.Arrays), 0)))
	y := core.Convert(d, core.Load(l.Element(choice.Pick(l.S, l.Arrays), 0)))
	minus := func() ir.Expr { return core.Wrapped(ir.Sub, d, ir.CopyExpr(x), ir.CopyExpr(y)) }
	abs := core.Select(core.Bin(ir.Lt, minus(), core.Zero(d)), core.Wrapped(ir.Sub, d, core.Zero(d), minus()), minus())
	return core.Set(v, core.Bin(ir.Add, core.Scalar(t, v), core.Convert(t, abs)))
}

// lastIndex is k = a[i] < s ? i : k.
func lastIndex(l *Loop) ir.Stmt {
	v, t := l.Accumulator()
	a := choice.Pick(l.S, l.Arrays)
	of := core.Promote(a.Leaves[0].T)
	cond := core.Bin(core.ComparisonOp(l.S), core.Convert(of, core.Load(l.Element(a, 0))), l.Leaf(of))
	return core.Set(v, core.Select(cond, l.Count(t), core.Scalar(t, v)))
}

// compared is b[i] = a[i] < c[i].
func compared(l *Loop) ir.Stmt {
	a, b, c := choice.Pick(l.S, l.Arrays), choice.Pick(l.S, l.Arrays), choice.Pick(l.S, l.Arrays)
	of := core.Promote(a.Leaves[0].T)
	e := core.Bin(core.ComparisonOp(l.S), core.Convert(of, core.Load(l.Element(a, 0))), core.Convert(of, core.Load(l.Element(c, 0))))
	return core.Assign(l.Element(b, 0), core.Convert(b.Leaves[0].T, e))
}

// conditional is s = s + (a[i] < c ? b[i] : 0).
func conditional(l *Loop) ir.Stmt {
	v, t := l.Accumulator()
	t.Signed = false
	a := choice.Pick(l.S, l.Arrays)
	of := core.Promote(a.Leaves[0].T)
	cond := core.Bin(core.ComparisonOp(l.S), core.Convert(of, core.Load(l.Element(a, 0))), l.Leaf(of))
	y := core.Convert(t, core.Load(l.Element(choice.Pick(l.S, l.Arrays), 0)))
	return core.Set(v, core.Bin(ir.Add, core.Scalar(t, v), core.Select(cond, y, core.Zero(t))))
}
