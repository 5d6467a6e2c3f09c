package sketch

import (
	"goreify/reify/choice"
	"goreify/reify/ir"
)

// A loop is the material for loop passes in a block that branches to itself: a counter
// that has no other assignments, and arrays that it indexes directly.
//
//	b1:
//	  %s = %s + u32(@a[%i])
//	  @b[%i] = @a[%i] & ?3
//	  %i = %i + 1
//	  if %i - ?4 < 0 goto b1 else b2
//
// All arrays have loopLen elements. There is one loop in a function, whose
// variables all its blocks share.
type loop struct {
	*writer
	counter *source
	arrays  []*source
	stride  *ir.Var             // an integer without other assignments; nil for none
	via     map[*source]*ir.Var // pointers to the first elements of arrays, that lead to them

	// Of nests.
	outer  []*ir.Var // the counters of their outer loops
	matrix *ir.Var
	i      *ir.Var // the outer counter of the nest that is being written
}

// loopLen is the length of the arrays: more than the rounds of most paths. The solver
// repairs indices that leave it.
const loopLen = 64

// newLoop adds the variables of a loop, and of some nests of loops.
func newLoop(w *writer, nests int) *loop {
	t := choice.Pick(w.s, []ir.Int{ir.I32, ir.I32, ir.U32, ir.I64, ir.U64, ir.U8, ir.I16})
	if !w.manyTypes() || nests > 0 && w.s.Chance(1, 2) {
		t = ir.I32
	}
	i := w.newVar(ir.Local, t)
	i.Init = []ir.Expr{constantOf(t, int64(w.s.Range(0, 2)))}
	w.summed = append(w.summed, i)
	l := &loop{writer: w, counter: newSource(i)}
	w.vars = append(w.vars, l.counter)
	for range w.s.Range(1, 2) {
		elem := w.scalarType()
		if w.p.Narrow > 0 && w.s.Chance(1, 6) {
			elem = ir.U8
		}
		v := w.newVar(w.kind(), ir.Array{Elem: elem, Len: loopLen})
		for k := range loopLen {
			v.Init = append(v.Init, constantOf(elem, w.number(elem.Bits)+int64(k)))
		}
		s := newSource(v)
		w.register(s)
		w.summed = append(w.summed, v)
		l.arrays = append(l.arrays, s)
	}
	if w.s.Chance(1, 2) {
		v := w.newVar(ir.Global, ir.I32)
		v.Init = []ir.Expr{constantOf(ir.I32, int64(w.s.Range(1, 2)))}
		w.summed = append(w.summed, v)
		l.stride = v
	}
	if nests > 0 {
		l.addNests(nests)
	}
	return l
}

// loopBody returns the statements of a block that branches to itself.
func (l *loop) loopBody() []ir.Stmt {
	var list []ir.Stmt
	for range max(1, l.o.Assigns) {
		l.begin()
		list = append(list, choice.Pick(l.s, loopStatements)(l))
	}
	i := l.counter
	return append(list, advance(i, constantOf(promote(i.leaves[0].t), 1)))
}

// loopCondition returns the comparison of the counter with a symbol.
func (l *loop) loopCondition() ir.Expr {
	t := ir.I32
	if l.counter.leaves[0].t.Bits > 32 {
		t = ir.I64
	}
	op := choice.Pick(l.s, []ir.Op{ir.Lt, ir.Lt, ir.Le, ir.Gt, ir.Ge, ir.Ne})
	return bin(op, bin(ir.Sub, l.count1(t), l.symbol(t)), constant0(t))
}

// count1 returns the counter as a value of type t.
func (l *loop) count1(t ir.Int) ir.Expr {
	return scalar(t, l.counter)
}

// element returns the element of an array of the loop at the counter plus off.
func (l *loop) element(a *source, off int64) ir.Place {
	t := promote(l.counter.leaves[0].t)
	x := l.count1(t)
	if off != 0 {
		x = bin(ir.Add, x, constantOf(t, off))
	}
	return l.elementAt(a, x)
}

// elementAt returns element x of an array of the loop.
func (l *loop) elementAt(a *source, x ir.Expr) ir.Place {
	if p := l.via[a]; p != nil {
		return derefAt(p, x)
	}
	return cellAt(a, x)
}

// derefAt returns element x from where p points to.
func derefAt(p *ir.Var, x ir.Expr) ir.Place {
	return nodeDeref(nodePtrAdd(nodeLoadPtr(nodeRef(p)), x))
}

// loopStatements is the table of what loopBody draws from.
var loopStatements = []func(l *loop) ir.Stmt{
	accumulate, accumulate, accumulate, transform, transform, fillArray, stencil, choose, dotProduct, reverse, copyArray, copyArray, zero,
	recurrence, recurrence, recurrence, gather, gather, strided, strided, strided, difference, lastIndex, compared, conditional,
}

// accumulator returns a variable to reduce into, and the type to compute in:
// one without a sign, where sums wrap, three times in four.
func (l *loop) accumulator() (v *source, t ir.Int) {
	v = l.scalarDest()
	t = promote(v.leaves[0].t)
	t.Signed = t.Signed && l.s.Chance(1, 4)
	return v, t
}

// accumulate is s = s ⊗ a[i].
func accumulate(l *loop) ir.Stmt {
	v, t := l.accumulator()
	x := scalar(t, v)
	y := convert(t, nodeLoad(l.element(choice.Pick(l.s, l.arrays), 0)))
	op := choice.Pick(l.s, []ir.Op{ir.Add, ir.Add, ir.Sub, ir.Xor, ir.Or, ir.And, ir.Mul, ir.Lt, ir.Gt})
	if op.Compares() {
		return reduceInto(v, nodeSelect(bin(op, x, y), ir.CopyExpr(x), ir.CopyExpr(y)))
	}
	return reduceInto(v, bin(op, x, y))
}

// dotProduct is s = s + a[i] * b[i].
func dotProduct(l *loop) ir.Stmt {
	v, t := l.accumulator()
	t.Signed = false
	x := convert(t, nodeLoad(l.element(choice.Pick(l.s, l.arrays), 0)))
	y := convert(t, nodeLoad(l.element(choice.Pick(l.s, l.arrays), 0)))
	return reduceInto(v, bin(ir.Add, scalar(t, v), bin(ir.Mul, x, y)))
}

// mapped returns b[i + off] = f(a[i]).
func (l *loop) mapped(off int64, f func(t ir.Int, x ir.Expr) ir.Expr) ir.Stmt {
	a, b := choice.Pick(l.s, l.arrays), choice.Pick(l.s, l.arrays)
	to := b.leaves[0].t
	t := promote(to)
	t.Signed = t.Signed && l.s.Chance(1, 2)
	x := convert(t, nodeLoad(l.element(a, 0)))
	return nodeAssign(l.element(b, off), convert(to, f(t, x)))
}

// transform is b[i] = a[i] ⊗ s.
func transform(l *loop) ir.Stmt {
	return l.mapped(0, l.mapping)
}

// mapping returns x ⊗ s, or one with a variable, defined for nearly any x.
func (l *loop) mapping(t ir.Int, x ir.Expr) ir.Expr {
	op := choice.Pick(l.s, []ir.Op{ir.Add, ir.Sub, ir.Mul, ir.And, ir.Or, ir.Xor, ir.Shr, ir.Shl, ir.Div})
	var y ir.Expr
	switch {
	case op.Shifts():
		y = constantOf(t, int64(l.s.Range(1, t.Bits/2)))
	case op == ir.Div:
		y = constantOf(t, int64(l.s.Range(2, 99)))
	case l.s.Chance(1, 2):
		y = l.any(t)
	default:
		y = l.leaf(t)
	}
	if t.Signed && (op.Overflows() || op == ir.Shl) && l.s.Chance(3, 4) {
		return wrapped(op, t, x, y)
	}
	return bin(op, x, y)
}

// stencil is a[i + k] = a[i] ⊗ s.
func stencil(l *loop) ir.Stmt {
	return l.mapped(int64(l.s.Range(1, 4)), l.mapping)
}

// fillArray is a[i] = ε, where the counter is a part of ε now and then.
func fillArray(l *loop) ir.Stmt {
	return l.mapped(0, func(t ir.Int, _ ir.Expr) ir.Expr {
		if l.s.Chance(1, 2) {
			u := unsigned(t)
			return convert(t, bin(ir.Add, bin(ir.Mul, l.count1(u), l.leaf(u)), l.leaf(u)))
		}
		return l.leaf(t)
	})
}

// copyArray is b[i] = a[i].
func copyArray(l *loop) ir.Stmt {
	return l.mapped(0, func(_ ir.Int, x ir.Expr) ir.Expr { return x })
}

// zero is a[i] = 0, or another constant.
func zero(l *loop) ir.Stmt {
	return l.mapped(0, func(t ir.Int, _ ir.Expr) ir.Expr {
		return constantOf(t, choice.Pick(l.s, []int64{0, 0, 0, -1, 1}))
	})
}

// choose is b[i] = a[i] < s ? a[i] : v.
func choose(l *loop) ir.Stmt {
	return l.mapped(0, func(t ir.Int, x ir.Expr) ir.Expr {
		op := comparisonOp(l.s)
		return nodeSelect(bin(op, x, l.leaf(t)), ir.CopyExpr(x), l.any(t))
	})
}

// reverse is b[n - i] = a[i].
func reverse(l *loop) ir.Stmt {
	a, b := choice.Pick(l.s, l.arrays), choice.Pick(l.s, l.arrays)
	t := promote(l.counter.leaves[0].t)
	p := nodeElem(nodeRef(b.v), bin(ir.Sub, constantOf(t, loopLen-1), l.count1(t)))
	return nodeAssign(p, convert(b.leaves[0].t, nodeLoad(l.element(a, 0))))
}
