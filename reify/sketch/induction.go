package sketch

import (
	"goreify/reify/choice"
	"goreify/reify/ir"
)

// inductions is the table of what induction draws from. Each returns some
// statements, or nil if the function has no variables for it.
var inductions = []func(w *stmtWriter, i *source) []ir.Stmt{
	counter, counter, reduction, reduction, stride, popcountStep, group, group, quotientAndRest,
}

// induction returns statements for passes on loops: a counter that is advanced by a
// constant, and values that are computed from it.
func (w *stmtWriter) induction() []ir.Stmt {
	i := choice.Pick(w.s, w.counts)
	if !i.writable() || i.leaves[0].t == ir.Bool {
		return nil
	}
	return choice.Pick(w.s, inductions)(w, i)
}

// advance returns i = i + c.
func advance(i *source, c ir.Expr) *ir.Assign {
	t := ir.IntOf(c)
	x := scalar(t, i)
	return nodeAssign(nodeRef(i.v), convert(i.leaves[0].t, bin(ir.Add, x, c)))
}

// counter is i = i + c, and now and then a second counter that follows it.
func counter(w *stmtWriter, i *source) []ir.Stmt {
	t := promote(i.leaves[0].t)
	list := []ir.Stmt{advance(i, w.symbol(t))}
	if d := w.dest(); w.s.Chance(1, 2) {
		// j = i * c + s
		l := choice.Pick(w.s, d.writables)
		t := promote(l.t)
		e := bin(ir.Add, bin(ir.Mul, w.load(t, i), w.factorOf(t)), w.symbol(t))
		list = append(list, nodeAssign(w.place(l), convert(l.t, e)))
	}
	return list
}

// arrayOf returns a leaf that is an element of an array of integers, or nil.
func (sc *scope) arrayOf(writable bool) *leaf {
	var found []*leaf
	for _, v := range sc.vars {
		list := v.leaves
		if writable {
			list = v.writables
		}
		for _, l := range list {
			if n := len(l.steps); n > 0 && l.steps[n-1].kind == toElem && !l.root.Volatile {
				found = append(found, l)
			}
		}
	}
	if found == nil {
		return nil
	}
	return choice.Pick(sc.s, found)
}

// at returns the element of an array at i + off, folded into its bounds. Outer
// dimensions stay at 0.
func (w *stmtWriter) at(l *leaf, i *source, off int64) ir.Place {
	outer := -1
	for _, s := range l.steps {
		if s.kind == toElem || s.kind == toNeighbour {
			outer++
		}
	}
	return l.place(func(length int) ir.Expr {
		if outer--; outer >= 0 {
			return constant0(ir.I32)
		}
		u := unsigned(promote(i.leaves[0].t))
		x := scalar(u, i)
		if off != 0 {
			x = bin(ir.Add, x, constantOf(u, off))
		}
		if m := mask(length); m+1 == int64(length) || w.s.Chance(1, 2) {
			return bin(ir.And, x, constantOf(u, m))
		}
		return bin(ir.Rem, x, constantOf(u, int64(length)))
	})
}

// reduction is x = x ⊗ a[i], i = i + 1.
func reduction(w *stmtWriter, i *source) []ir.Stmt {
	a := w.arrayOf(false)
	acc := choice.Pick(w.s, w.counts)
	if a == nil || acc == i || !acc.writable() {
		return nil
	}
	to := acc.leaves[0].t
	t := promote(to)
	x := scalar(t, acc)
	y := convert(t, nodeLoad(w.at(a, i, 0)))
	var e ir.Expr
	switch op := choice.Pick(w.s, []ir.Op{ir.Add, ir.Add, ir.Sub, ir.Xor, ir.Or, ir.And, ir.Mul, ir.Lt}); {
	case op == ir.Lt:
		e = nodeSelect(bin(op, x, y), ir.CopyExpr(x), ir.CopyExpr(y))
	case t.Signed && (op == ir.Mul || op.Additive() && w.s.Chance(1, 2)):
		e = wrapped(op, t, x, y)
	default:
		e = bin(op, x, y)
	}
	one := constantOf(promote(i.leaves[0].t), choice.Pick(w.s, []int64{1, 1, 1, -1, 2}))
	return []ir.Stmt{
		nodeAssign(nodeRef(acc.v), convert(to, e)),
		advance(i, one),
	}
}

// stride is a[i + k] = a[i] ⊗ s, i = i + c.
func stride(w *stmtWriter, i *source) []ir.Stmt {
	a := w.arrayOf(true)
	if a == nil {
		return nil
	}
	t := promote(a.t)
	k := int64(w.s.Range(0, 4))
	e := bin(w.opOf(&everything), convert(t, nodeLoad(w.at(a, i, 0))), w.symbol(t))
	c := constantOf(promote(i.leaves[0].t), int64(w.s.Range(1, 4)))
	return []ir.Stmt{
		nodeAssign(w.at(a, i, k), convert(a.t, e)),
		advance(i, c),
	}
}

// popcountStep is n = n + 1, x = x & (x - 1), or n = n + (x & 1), x = x >> 1.
func popcountStep(w *stmtWriter, x *source) []ir.Stmt {
	n := choice.Pick(w.s, w.counts)
	if n == x || !n.writable() || n.leaves[0].t == ir.Bool {
		return nil
	}
	t := x.leaves[0].t
	u := unsigned(promote(t))
	load := func() ir.Expr { return scalar(u, x) }
	var e, bit ir.Expr
	c := promote(n.leaves[0].t)
	if w.s.Chance(1, 2) {
		bit = constantOf(c, 1)
		e = bin(ir.And, load(), bin(ir.Sub, load(), constantOf(u, 1)))
	} else {
		bit = convert(c, bin(ir.And, load(), constantOf(u, 1)))
		e = bin(ir.Shr, load(), constantOf(u, 1))
	}
	return []ir.Stmt{advance(n, bit), nodeAssign(nodeRef(x.v), convert(t, e))}
}

// quotientAndRest is q = x / y, r = x % y.
func quotientAndRest(w *stmtWriter, q *source) []ir.Stmt {
	r := choice.Pick(w.s, w.counts)
	if r == q || !r.writable() {
		return nil
	}
	t := unsigned(promote(q.leaves[0].t))
	x, x2 := w.twice(t, choice.Pick(w.s, w.vars))
	y, _ := w.twice(t, choice.Pick(w.s, w.counts))
	y = bin(ir.Or, y, constantOf(t, int64(w.s.Range(1, 9))))
	quotient := convert(q.leaves[0].t, bin(ir.Div, x, y))
	rest := convert(r.leaves[0].t, bin(ir.Rem, x2, ir.CopyExpr(y)))
	return []ir.Stmt{
		nodeAssign(nodeRef(q.v), quotient),
		nodeAssign(nodeRef(r.v), rest),
	}
}

// group is a[k] = b[k] ⊗ s, and so on for k + 1 and others, which can become one vector
// operation.
func group(w *stmtWriter, _ *source) []ir.Stmt {
	l := w.arrayOf(true)
	if l == nil || len(l.steps) != 1 || l.root.Volatile {
		return nil
	}
	from := l
	if other := w.arrayOf(false); len(other.steps) == 1 && other.steps[0].len >= l.steps[0].len {
		from = other
	}
	n := min(l.steps[0].len, choice.Pick(w.s, []int{2, 4, 4, 8}))
	at := w.s.Intn(l.steps[0].len - n + 1)
	t := unsigned(promote(l.t))
	op := choice.Pick(w.s, []ir.Op{ir.Add, ir.Add, ir.Sub, ir.Xor, ir.And, ir.Mul})
	constants := w.s.Chance(1, 4) // stores to be merged
	var list []ir.Stmt
	for k := range n {
		fixed := func(int) ir.Expr { return constantOf(ir.I32, int64(at+k)) }
		if constants {
			list = append(list, nodeAssign(l.place(fixed), convert(l.t, w.constant(t))))
			continue
		}
		e := bin(op, convert(t, nodeLoad(from.place(fixed))), w.leaf(t))
		list = append(list, nodeAssign(l.place(fixed), convert(l.t, e)))
	}
	return list
}

// reduceInto returns v = e for a scalar.
func reduceInto(v *source, e ir.Expr) ir.Stmt {
	return nodeAssign(nodeRef(v.v), convert(v.leaves[0].t, e))
}
