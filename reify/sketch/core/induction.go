package core

import (
	"goreify/reify/choice"
	"goreify/reify/ir"
)

// inductions is the table of what induction draws from. Each returns some
// statements, or nil if the function has no variables for it.
var inductions = []func(w *stmtWriter, i *Source) []ir.Stmt{
	counter, counter, reduction, reduction, stride, popcountStep, group, group, quotientAndRest,
}

// induction returns statements for passes on loops: a counter that is advanced by a
// constant, and values that are computed from it.
func (w *stmtWriter) induction() []ir.Stmt {
	i := choice.Pick(w.S, w.Counts)
	if !i.Writable() || i.Leaves[0].T == ir.Bool {
		return nil
	}
	return choice.Pick(w.S, inductions)(w, i)
}

// Advance returns i = i + c.
func Advance(i *Source, c ir.Expr) *ir.Assign {
	t := ir.IntOf(c)
	x := Scalar(t, i)
	return Assign(Ref(i.V), Convert(i.Leaves[0].T, Bin(ir.Add, x, c)))
}

// counter is i = i + c, and now and then a second counter that follows it.
func counter(w *stmtWriter, i *Source) []ir.Stmt {
	t := Promote(i.Leaves[0].T)
	list := []ir.Stmt{Advance(i, w.Symbol(t))}
	if d := w.Dest(); w.S.Chance(1, 2) {
		// j = i * c + s
		l := choice.Pick(w.S, d.Writables)
		t := Promote(l.T)
		e := Bin(ir.Add, Bin(ir.Mul, w.Load(t, i), w.factorOf(t)), w.Symbol(t))
		list = append(list, Assign(w.Place(l), Convert(l.T, e)))
	}
	return list
}

// arrayOf returns a leaf that is an element of an array of integers, or nil.
func (sc *scope) arrayOf(writable bool) *Leaf {
	var found []*Leaf
	for _, v := range sc.Vars {
		list := v.Leaves
		if writable {
			list = v.Writables
		}
		for _, l := range list {
			if n := len(l.Steps); n > 0 && l.Steps[n-1].Kind == ToElem && !l.Root.Volatile {
				found = append(found, l)
			}
		}
	}
	if found == nil {
		return nil
	}
	return choice.Pick(sc.S, found)
}

// at returns the element of an array at i + off, folded into its bounds. Outer
// dimensions stay at 0.
func (w *stmtWriter) at(l *Leaf, i *Source, off int64) ir.Place {
	outer := -1
	for _, s := range l.Steps {
		if s.Kind == ToElem || s.Kind == toNeighbour {
			outer++
		}
	}
	return l.Place(func(length int) ir.Expr {
		if outer--; outer >= 0 {
			return Zero(ir.I32)
		}
		u := Unsigned(Promote(i.Leaves[0].T))
		x := Scalar(u, i)
		if off != 0 {
			x = Bin(ir.Add, x, Const(u, off))
		}
		if m := Mask(length); m+1 == int64(length) || w.S.Chance(1, 2) {
			return Bin(ir.And, x, Const(u, m))
		}
		return Bin(ir.Rem, x, Const(u, int64(length)))
	})
}

// reduction is x = x ⊗ a[i], i = i + 1.
func reduction(w *stmtWriter, i *Source) []ir.Stmt {
	a := w.arrayOf(false)
	acc := choice.Pick(w.S, w.Counts)
	if a == nil || acc == i || !acc.Writable() {
		return nil
	}
	to := acc.Leaves[0].T
	t := Promote(to)
	x := Scalar(t, acc)
	y := Convert(t, Load(w.at(a, i, 0)))
	var e ir.Expr
	switch op := choice.Pick(w.S, []ir.Op{ir.Add, ir.Add, ir.Sub, ir.Xor, ir.Or, ir.And, ir.Mul, ir.Lt}); {
	case op == ir.Lt:
		e = Select(Bin(op, x, y), ir.CopyExpr(x), ir.CopyExpr(y))
	case t.Signed && (op == ir.Mul || op.Additive() && w.S.Chance(1, 2)):
		e = Wrapped(op, t, x, y)
	default:
		e = Bin(op, x, y)
	}
	one := Const(Promote(i.Leaves[0].T), choice.Pick(w.S, []int64{1, 1, 1, -1, 2}))
	return []ir.Stmt{
		Assign(Ref(acc.V), Convert(to, e)),
		Advance(i, one),
	}
}

// stride is a[i + k] = a[i] ⊗ s, i = i + c.
func stride(w *stmtWriter, i *Source) []ir.Stmt {
	a := w.arrayOf(true)
	if a == nil {
		return nil
	}
	t := Promote(a.T)
	k := int64(w.S.Range(0, 4))
	e := Bin(w.opOf(&everything), Convert(t, Load(w.at(a, i, 0))), w.Symbol(t))
	c := Const(Promote(i.Leaves[0].T), int64(w.S.Range(1, 4)))
	return []ir.Stmt{
		Assign(w.at(a, i, k), Convert(a.T, e)),
		Advance(i, c),
	}
}

// popcountStep is n = n + 1, x = x & (x - 1), or n = n + (x & 1), x = x >> 1.
func popcountStep(w *stmtWriter, x *Source) []ir.Stmt {
	n := choice.Pick(w.S, w.Counts)
	if n == x || !n.Writable() || n.Leaves[0].T == ir.Bool {
		return nil
	}
	t := x.Leaves[0].T
	u := Unsigned(Promote(t))
	load := func() ir.Expr { return Scalar(u, x) }
	var e, bit ir.Expr
	c := Promote(n.Leaves[0].T)
	if w.S.Chance(1, 2) {
		bit = Const(c, 1)
		e = Bin(ir.And, load(), Bin(ir.Sub, load(), Const(u, 1)))
	} else {
		bit = Convert(c, Bin(ir.And, load(), Const(u, 1)))
		e = Bin(ir.Shr, load(), Const(u, 1))
	}
	return []ir.Stmt{Advance(n, bit), Assign(Ref(x.V), Convert(t, e))}
}

// quotientAndRest is q = x / y, r = x % y.
func quotientAndRest(w *stmtWriter, q *Source) []ir.Stmt {
	r := choice.Pick(w.S, w.Counts)
	if r == q || !r.Writable() {
		return nil
	}
	t := Unsigned(Promote(q.Leaves[0].T))
	x, x2 := w.Twice(t, choice.Pick(w.S, w.Vars))
	y, _ := w.Twice(t, choice.Pick(w.S, w.Counts))
	y = Bin(ir.Or, y, Const(t, int64(w.S.Range(1, 9))))
	quotient := Convert(q.Leaves[0].T, Bin(ir.Div, x, y))
	rest := Convert(r.Leaves[0].T, Bin(ir.Rem, x2, ir.CopyExpr(y)))
	return []ir.Stmt{
		Assign(Ref(q.V), quotient),
		Assign(Ref(r.V), rest),
	}
}

// group is a[k] = b[k] ⊗ s, and so on for k + 1 and others, which can become one vector
// operation.
func group(w *stmtWriter, _ *Source) []ir.Stmt {
	l := w.arrayOf(true)
	if l == nil || len(l.Steps) != 1 || l.Root.Volatile {
		return nil
	}
	from := l
	if other := w.arrayOf(false); len(other.Steps) == 1 && other.Steps[0].Len >= l.Steps[0].Len {
		from = other
	}
	n := min(l.Steps[0].Len, choice.Pick(w.S, []int{2, 4, 4, 8}))
	at := w.S.Intn(l.Steps[0].Len - n + 1)
	t := Unsigned(Promote(l.T))
	op := choice.Pick(w.S, []ir.Op{ir.Add, ir.Add, ir.Sub, ir.Xor, ir.And, ir.Mul})
	constants := w.S.Chance(1, 4) // stores to be merged
	var list []ir.Stmt
	for k := range n {
		fixed := func(int) ir.Expr { return Const(ir.I32, int64(at+k)) }
		if constants {
			list = append(list, Assign(l.Place(fixed), Convert(l.T, w.Constant(t))))
			continue
		}
		e := Bin(op, Convert(t, Load(from.Place(fixed))), w.Leaf(t))
		list = append(list, Assign(l.Place(fixed), Convert(l.T, e)))
	}
	return list
}

// Set returns v = e for a scalar.
func Set(v *Source, e ir.Expr) ir.Stmt {
	return Assign(Ref(v.V), Convert(v.Leaves[0].T, e))
}
