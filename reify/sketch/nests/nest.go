package nests

import (
	"goreify/reify/choice"
	"goreify/reify/ir"
	"goreify/reify/sketch/core"
)

// Two loops, one in the other, are written over the counters and arrays that a
// loop comes with:
//
//	b1:
//	  %j = 0
//	  goto b2
//	b2:
//	  @a[%j] = @a[%j] + @b[%i + %j] * %i
//	  %j = %j + 1
//	  if %j + %n - ?3 != 0 goto b2 else b3
//	b3:
//	  %i = %i + 1
//	  if %i - ?4 < 0 goto b1 else b4

// maxOuter bounds the counters of outer loops; further nests share the last.
const maxOuter = 4

// matrixLen is the length of the rows and columns of the matrix of a loop.
const matrixLen = 8

// addNests adds the variables of nests beside those of a loop.
func (l *Loop) addNests(nests int) {
	for range min(nests, maxOuter) {
		t := l.Counter.Leaves[0].T
		i := l.NewVar(ir.Local, t)
		i.Init = []ir.Expr{core.Zero(t)}
		l.Summed = append(l.Summed, i)
		l.outer = append(l.outer, i)
	}
	elem := l.ScalarType()
	m := l.NewVar(l.Kind(), ir.Array{Elem: ir.Array{Elem: elem, Len: matrixLen}, Len: matrixLen})
	for k := range matrixLen * matrixLen {
		m.Init = append(m.Init, core.Const(elem, l.Number(elem.Bits)+int64(k)))
	}
	l.Register(core.NewSource(m))
	l.Summed = append(l.Summed, m)
	l.matrix = m
}

// enterNest makes b the block before the inner loop.
func (l *Loop) enterNest(b *ir.Block, body int) {
	j := l.Counter
	b.Stmts = []ir.Stmt{core.Store(j.Leaves[0], core.Zero(j.Leaves[0].T))}
	b.Term = &ir.Goto{To: l.Func.Blocks[body]}
}

// nestBody makes b the inner loop of nest n.
func (l *Loop) nestBody(b *ir.Block, n int, succs []int) {
	l.i = l.outer[min(n, len(l.outer)-1)]
	for range l.S.Range(1, 2) {
		l.Begin()
		b.Stmts = append(b.Stmts, choice.Pick(l.S, nestStatements)(l))
	}
	j := l.Counter
	b.Stmts = append(b.Stmts, core.Advance(j, core.Const(core.Promote(j.Leaves[0].T), 1)))
	b.Term = l.Rounds(j.V, b, succs, b.Index)
}

// nestLatch makes b the end of nest n, whose outer loop begins at block in.
func (l *Loop) nestLatch(b *ir.Block, n int, succs []int, in int) {
	i := l.outer[min(n, len(l.outer)-1)]
	b.Stmts = []ir.Stmt{core.Advance(core.NewSource(i), core.Const(core.Promote(l.Counter.Leaves[0].T), 1))}
	b.Term = l.Rounds(i, b, succs, in)
}

// nestStatements is the table of what nestBody draws from.
var nestStatements = []func(l *Loop) ir.Stmt{
	outerProduct, outerProduct, outerProduct, column, column, sumMatrix, scaleMatrix, wavefront, accumulate, transform,
}

// both returns the sum of the counters as an index, or one of them.
func (l *Loop) both(i, j int64) ir.Expr {
	t := core.Promote(l.Counter.Leaves[0].T)
	x := core.Convert(t, core.LoadVar(l.i))
	y := l.Count(t)
	switch {
	case j == 0:
		y = x
	case i != 0:
		y = core.Bin(ir.Add, x, y)
	}
	return y
}

// matrixAt returns element i, j of the matrix, or j, i.
func (l *Loop) matrixAt(off int64) ir.Place {
	t := core.Promote(l.Counter.Leaves[0].T)
	x, y := l.both(1, 0), l.both(0, 1)
	if l.S.Chance(1, 2) {
		x, y = y, x
	}
	if off != 0 {
		x = core.Bin(ir.Add, x, core.Const(t, off))
	}
	return core.Elem(core.Elem(core.Ref(l.matrix), x), y)
}

// computedIn returns the type to compute in for a result of type to: mostly an unsigned
// one.
func (l *Loop) computedIn(to ir.Int) ir.Int {
	t := core.Promote(to)
	t.Signed = t.Signed && l.S.Chance(1, 6)
	return t
}

// outerProduct is a[j] = a[j] ⊗ b[i + j] * i.
func outerProduct(l *Loop) ir.Stmt {
	a, b := choice.Pick(l.S, l.Arrays), choice.Pick(l.S, l.Arrays)
	to := a.Leaves[0].T
	t := l.computedIn(to)
	y := core.Convert(t, core.Load(core.CellAt(b, l.both(int64(l.S.Intn(2)), 1))))
	if l.S.Chance(1, 2) {
		y = core.Bin(ir.Mul, y, core.Convert(t, l.both(1, 0)))
	}
	op := choice.Pick(l.S, []ir.Op{ir.Add, ir.Add, ir.Sub, ir.Xor})
	e := core.Bin(op, core.Convert(t, core.Load(core.CellAt(a, l.both(0, 1)))), y)
	return core.Assign(core.CellAt(a, l.both(0, 1)), core.Convert(to, e))
}

// column is a[i] = a[i] + m[j][i] * b[j].
func column(l *Loop) ir.Stmt {
	a, b := choice.Pick(l.S, l.Arrays), choice.Pick(l.S, l.Arrays)
	to := a.Leaves[0].T
	t := l.computedIn(to)
	y := core.Convert(t, core.Load(l.matrixAt(0)))
	if l.S.Chance(1, 2) {
		y = core.Bin(ir.Mul, y, core.Convert(t, core.Load(core.CellAt(b, l.both(0, 1)))))
	}
	e := core.Bin(ir.Add, core.Convert(t, core.Load(core.CellAt(a, l.both(1, 0)))), y)
	return core.Assign(core.CellAt(a, l.both(1, 0)), core.Convert(to, e))
}

// sumMatrix is s = s ⊗ m[i][j].
func sumMatrix(l *Loop) ir.Stmt {
	v, t := l.Accumulator()
	x := core.Scalar(t, v)
	y := core.Convert(t, core.Load(l.matrixAt(0)))
	return core.Set(v, core.Bin(choice.Pick(l.S, []ir.Op{ir.Add, ir.Add, ir.Xor}), x, y))
}

// scaleMatrix is m[i][j] = a[j] ⊗ s, or m[i][j] ⊗ s.
func scaleMatrix(l *Loop) ir.Stmt {
	p := l.matrixAt(0)
	to := p.Type().(ir.Int)
	t := l.computedIn(to)
	x := ir.Place(core.CellAt(choice.Pick(l.S, l.Arrays), l.both(0, 1)))
	if l.S.Chance(1, 2) {
		x = l.matrixAt(0)
	}
	return core.Assign(p, core.Convert(to, l.mapping(t, core.Convert(t, core.Load(x)))))
}

// wavefront is m[i + 1][j] = m[i][j] + a[j].
func wavefront(l *Loop) ir.Stmt {
	p := l.matrixAt(1)
	to := p.Type().(ir.Int)
	t := l.computedIn(to)
	x := core.Convert(t, core.Load(l.matrixAt(0)))
	y := core.Convert(t, core.Load(core.CellAt(choice.Pick(l.S, l.Arrays), l.both(0, 1))))
	return core.Assign(p, core.Convert(to, core.Bin(ir.Add, x, y)))
}
