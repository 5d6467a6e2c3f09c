package nests

import (
	"goreify/reify/choice"
	"goreify/reify/ir"
	"goreify/reify/sketch/core"
)

// A Loop is the material for loop passes in a block that branches to itself: a counter
// that has no other assignments, and arrays that it indexes directly.
//
//	b1:
//	  %s = %s + u32(@a[%i])
//	  @b[%i] = @a[%i] & ?3
//	  %i = %i + 1
//	  if %i - ?4 < 0 goto b1 else b2
//
// All arrays have Len elements. There is one loop in a function, whose
// variables all its blocks share.
type Loop struct {
	*core.Writer
	Counter *core.Source
	Arrays  []*core.Source
	stride  *ir.Var                  // an integer without other assignments; nil for none
	Via     map[*core.Source]*ir.Var // pointers to the first elements of arrays, that lead to them

	// Of nests.
	outer  []*ir.Var // the counters of their outer loops
	matrix *ir.Var
	i      *ir.Var // the outer counter of the nest that is being written
}

// Len is the length of the arrays: more than the rounds of most paths. The solver
// repairs indices that leave it.
const Len = 64

// newLoop adds the variables of a loop, and of some nests of loops.
func newLoop(w *core.Writer, nests int) *Loop {
	t := choice.Pick(w.S, []ir.Int{ir.I32, ir.I32, ir.U32, ir.I64, ir.U64, ir.U8, ir.I16})
	if !w.ManyTypes() || nests > 0 && w.S.Chance(1, 2) {
		t = ir.I32
	}
	i := w.NewVar(ir.Local, t)
	i.Init = []ir.Expr{core.Const(t, int64(w.S.Range(0, 2)))}
	w.Summed = append(w.Summed, i)
	l := &Loop{Writer: w, Counter: core.NewSource(i)}
	w.Vars = append(w.Vars, l.Counter)
	for range w.S.Range(1, 2) {
		elem := w.ScalarType()
		if w.Policy.Narrow > 0 && w.S.Chance(1, 6) {
			elem = ir.U8
		}
		v := w.NewVar(w.Kind(), ir.Array{Elem: elem, Len: Len})
		for k := range Len {
			v.Init = append(v.Init, core.Const(elem, w.Number(elem.Bits)+int64(k)))
		}
		s := core.NewSource(v)
		w.Register(s)
		w.Summed = append(w.Summed, v)
		l.Arrays = append(l.Arrays, s)
	}
	if w.S.Chance(1, 2) {
		v := w.NewVar(ir.Global, ir.I32)
		v.Init = []ir.Expr{core.Const(ir.I32, int64(w.S.Range(1, 2)))}
		w.Summed = append(w.Summed, v)
		l.stride = v
	}
	if nests > 0 {
		l.addNests(nests)
	}
	return l
}

// loopBody returns the statements of a block that branches to itself.
func (l *Loop) loopBody() []ir.Stmt {
	var list []ir.Stmt
	for range max(1, l.Options.Assigns) {
		l.Begin()
		list = append(list, choice.Pick(l.S, Statements)(l))
	}
	i := l.Counter
	return append(list, core.Advance(i, core.Const(core.Promote(i.Leaves[0].T), 1)))
}

// loopCondition returns the comparison of the counter with a symbol.
func (l *Loop) loopCondition() ir.Expr {
	t := ir.I32
	if l.Counter.Leaves[0].T.Bits > 32 {
		t = ir.I64
	}
	op := choice.Pick(l.S, []ir.Op{ir.Lt, ir.Lt, ir.Le, ir.Gt, ir.Ge, ir.Ne})
	return core.Bin(op, core.Bin(ir.Sub, l.Count(t), l.Symbol(t)), core.Zero(t))
}

// Count returns the counter as a value of type t.
func (l *Loop) Count(t ir.Int) ir.Expr {
	return core.Scalar(t, l.Counter)
}

// Element returns the element of an array of the loop at the counter plus off.
func (l *Loop) Element(a *core.Source, off int64) ir.Place {
	t := core.Promote(l.Counter.Leaves[0].T)
	x := l.Count(t)
	if off != 0 {
		x = core.Bin(ir.Add, x, core.Const(t, off))
	}
	return l.ElementAt(a, x)
}

// ElementAt returns element x of an array of the loop.
func (l *Loop) ElementAt(a *core.Source, x ir.Expr) ir.Place {
	if p := l.Via[a]; p != nil {
		return core.DerefAt(p, x)
	}
	return core.CellAt(a, x)
}

// Statements is the table of what loopBody draws from.
var Statements = []func(l *Loop) ir.Stmt{
	accumulate, accumulate, accumulate, transform, transform, fillArray, stencil, choose, dotProduct, reverse, copyArray, copyArray, zero,
	recurrence, recurrence, recurrence, gather, gather, strided, strided, strided, difference, lastIndex, compared, conditional,
}

// Accumulator returns a variable to reduce into, and the type to compute in:
// one without a sign, where sums wrap, three times in four.
func (l *Loop) Accumulator() (v *core.Source, t ir.Int) {
	v = l.ScalarDest()
	t = core.Promote(v.Leaves[0].T)
	t.Signed = t.Signed && l.S.Chance(1, 4)
	return v, t
}

// accumulate is s = s ⊗ a[i].
func accumulate(l *Loop) ir.Stmt {
	v, t := l.Accumulator()
	x := core.Scalar(t, v)
	y := core.Convert(t, core.Load(l.Element(choice.Pick(l.S, l.Arrays), 0)))
	op := choice.Pick(l.S, []ir.Op{ir.Add, ir.Add, ir.Sub, ir.Xor, ir.Or, ir.And, ir.Mul, ir.Lt, ir.Gt})
	if op.Compares() {
		return core.Set(v, core.Select(core.Bin(op, x, y), ir.CopyExpr(x), ir.CopyExpr(y)))
	}
	return core.Set(v, core.Bin(op, x, y))
}

// dotProduct is s = s + a[i] * b[i].
func dotProduct(l *Loop) ir.Stmt {
	v, t := l.Accumulator()
	t.Signed = false
	x := core.Convert(t, core.Load(l.Element(choice.Pick(l.S, l.Arrays), 0)))
	y := core.Convert(t, core.Load(l.Element(choice.Pick(l.S, l.Arrays), 0)))
	return core.Set(v, core.Bin(ir.Add, core.Scalar(t, v), core.Bin(ir.Mul, x, y)))
}

// mapped returns b[i + off] = f(a[i]).
func (l *Loop) mapped(off int64, f func(t ir.Int, x ir.Expr) ir.Expr) ir.Stmt {
	a, b := choice.Pick(l.S, l.Arrays), choice.Pick(l.S, l.Arrays)
	to := b.Leaves[0].T
	t := core.Promote(to)
	t.Signed = t.Signed && l.S.Chance(1, 2)
	x := core.Convert(t, core.Load(l.Element(a, 0)))
	return core.Assign(l.Element(b, off), core.Convert(to, f(t, x)))
}

// transform is b[i] = a[i] ⊗ s.
func transform(l *Loop) ir.Stmt {
	return l.mapped(0, l.mapping)
}

// mapping returns x ⊗ s, or one with a variable, defined for nearly any x.
func (l *Loop) mapping(t ir.Int, x ir.Expr) ir.Expr {
	op := choice.Pick(l.S, []ir.Op{ir.Add, ir.Sub, ir.Mul, ir.And, ir.Or, ir.Xor, ir.Shr, ir.Shl, ir.Div})
	var y ir.Expr
	switch {
	case op.Shifts():
		y = core.Const(t, int64(l.S.Range(1, t.Bits/2)))
	case op == ir.Div:
		y = core.Const(t, int64(l.S.Range(2, 99)))
	case l.S.Chance(1, 2):
		y = l.Any(t)
	default:
		y = l.Leaf(t)
	}
	if t.Signed && (op.Overflows() || op == ir.Shl) && l.S.Chance(3, 4) {
		return core.Wrapped(op, t, x, y)
	}
	return core.Bin(op, x, y)
}

// stencil is a[i + k] = a[i] ⊗ s.
func stencil(l *Loop) ir.Stmt {
	return l.mapped(int64(l.S.Range(1, 4)), l.mapping)
}

// fillArray is a[i] = ε, where the counter is a part of ε now and then.
func fillArray(l *Loop) ir.Stmt {
	return l.mapped(0, func(t ir.Int, _ ir.Expr) ir.Expr {
		if l.S.Chance(1, 2) {
			u := core.Unsigned(t)
			return core.Convert(t, core.Bin(ir.Add, core.Bin(ir.Mul, l.Count(u), l.Leaf(u)), l.Leaf(u)))
		}
		return l.Leaf(t)
	})
}

// copyArray is b[i] = a[i].
func copyArray(l *Loop) ir.Stmt {
	return l.mapped(0, func(_ ir.Int, x ir.Expr) ir.Expr { return x })
}

// zero is a[i] = 0, or another constant.
func zero(l *Loop) ir.Stmt {
	return l.mapped(0, func(t ir.Int, _ ir.Expr) ir.Expr {
		return core.Const(t, choice.Pick(l.S, []int64{0, 0, 0, -1, 1}))
	})
}

// choose is b[i] = a[i] < s ? a[i] : v.
func choose(l *Loop) ir.Stmt {
	return l.mapped(0, func(t ir.Int, x ir.Expr) ir.Expr {
		op := core.ComparisonOp(l.S)
		return core.Select(core.Bin(op, x, l.Leaf(t)), ir.CopyExpr(x), l.Any(t))
	})
}

// reverse is b[n - i] = a[i].
func reverse(l *Loop) ir.Stmt {
	a, b := choice.Pick(l.S, l.Arrays), choice.Pick(l.S, l.Arrays)
	t := core.Promote(l.Counter.Leaves[0].T)
	p := core.Elem(core.Ref(b.V), core.Bin(ir.Sub, core.Const(t, Len-1), l.Count(t)))
	return core.Assign(p, core.Convert(b.Leaves[0].T, core.Load(l.Element(a, 0))))
}
