package sketch

import (
	"goreify/reify/choice"
	"goreify/reify/ir"
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
func (l *loop) addNests(nests int) {
	for range min(nests, maxOuter) {
		t := l.counter.leaves[0].t
		i := l.newVar(ir.Local, t)
		i.Init = []ir.Expr{constant0(t)}
		l.summed = append(l.summed, i)
		l.outer = append(l.outer, i)
	}
	elem := l.scalarType()
	m := l.newVar(l.kind(), ir.Array{Elem: ir.Array{Elem: elem, Len: matrixLen}, Len: matrixLen})
	for k := range matrixLen * matrixLen {
		m.Init = append(m.Init, constantOf(elem, l.number(elem.Bits)+int64(k)))
	}
	l.register(newSource(m))
	l.summed = append(l.summed, m)
	l.matrix = m
}

// enterNest makes b the block before the inner loop.
func (l *loop) enterNest(b *ir.Block, body int) {
	j := l.counter
	b.Stmts = []ir.Stmt{store(j.leaves[0], constant0(j.leaves[0].t))}
	b.Term = &ir.Goto{To: l.f.Blocks[body]}
}

// nestBody makes b the inner loop of nest n.
func (l *loop) nestBody(b *ir.Block, n int, succs []int) {
	l.i = l.outer[min(n, len(l.outer)-1)]
	for range l.s.Range(1, 2) {
		l.begin()
		b.Stmts = append(b.Stmts, choice.Pick(l.s, nestStatements)(l))
	}
	j := l.counter
	b.Stmts = append(b.Stmts, advance(j, constantOf(promote(j.leaves[0].t), 1)))
	b.Term = l.rounds(j.v, b, succs, b.Index)
}

// nestLatch makes b the end of nest n, whose outer loop begins at block in.
func (l *loop) nestLatch(b *ir.Block, n int, succs []int, in int) {
	i := l.outer[min(n, len(l.outer)-1)]
	b.Stmts = []ir.Stmt{advance(newSource(i), constantOf(promote(l.counter.leaves[0].t), 1))}
	b.Term = l.rounds(i, b, succs, in)
}

// nestStatements is the table of what nestBody draws from.
var nestStatements = []func(l *loop) ir.Stmt{
	outerProduct, outerProduct, outerProduct, column, column, sumMatrix, scaleMatrix, wavefront, accumulate, transform,
}

// both returns the sum of the counters as an index, or one of them.
func (l *loop) both(i, j int64) ir.Expr {
	t := promote(l.counter.leaves[0].t)
	x := convert(t, nodeLoadVar(l.i))
	y := l.count1(t)
	switch {
	case j == 0:
		y = x
	case i != 0:
		y = bin(ir.Add, x, y)
	}
	return y
}

// cellAt returns element x of an array of the loop.
func cellAt(a *source, x ir.Expr) ir.Place { return nodeElem(nodeRef(a.v), x) }

// matrixAt returns element i, j of the matrix, or j, i.
func (l *loop) matrixAt(off int64) ir.Place {
	t := promote(l.counter.leaves[0].t)
	x, y := l.both(1, 0), l.both(0, 1)
	if l.s.Chance(1, 2) {
		x, y = y, x
	}
	if off != 0 {
		x = bin(ir.Add, x, constantOf(t, off))
	}
	return nodeElem(nodeElem(nodeRef(l.matrix), x), y)
}

// computedIn returns the type to compute in for a result of type to: mostly an unsigned
// one.
func (l *loop) computedIn(to ir.Int) ir.Int {
	t := promote(to)
	t.Signed = t.Signed && l.s.Chance(1, 6)
	return t
}

// outerProduct is a[j] = a[j] ⊗ b[i + j] * i.
func outerProduct(l *loop) ir.Stmt {
	a, b := choice.Pick(l.s, l.arrays), choice.Pick(l.s, l.arrays)
	to := a.leaves[0].t
	t := l.computedIn(to)
	y := convert(t, nodeLoad(cellAt(b, l.both(int64(l.s.Intn(2)), 1))))
	if l.s.Chance(1, 2) {
		y = bin(ir.Mul, y, convert(t, l.both(1, 0)))
	}
	op := choice.Pick(l.s, []ir.Op{ir.Add, ir.Add, ir.Sub, ir.Xor})
	e := bin(op, convert(t, nodeLoad(cellAt(a, l.both(0, 1)))), y)
	return nodeAssign(cellAt(a, l.both(0, 1)), convert(to, e))
}

// column is a[i] = a[i] + m[j][i] * b[j].
func column(l *loop) ir.Stmt {
	a, b := choice.Pick(l.s, l.arrays), choice.Pick(l.s, l.arrays)
	to := a.leaves[0].t
	t := l.computedIn(to)
	y := convert(t, nodeLoad(l.matrixAt(0)))
	if l.s.Chance(1, 2) {
		y = bin(ir.Mul, y, convert(t, nodeLoad(cellAt(b, l.both(0, 1)))))
	}
	e := bin(ir.Add, convert(t, nodeLoad(cellAt(a, l.both(1, 0)))), y)
	return nodeAssign(cellAt(a, l.both(1, 0)), convert(to, e))
}

// sumMatrix is s = s ⊗ m[i][j].
func sumMatrix(l *loop) ir.Stmt {
	v, t := l.accumulator()
	x := scalar(t, v)
	y := convert(t, nodeLoad(l.matrixAt(0)))
	return reduceInto(v, bin(choice.Pick(l.s, []ir.Op{ir.Add, ir.Add, ir.Xor}), x, y))
}

// scaleMatrix is m[i][j] = a[j] ⊗ s, or m[i][j] ⊗ s.
func scaleMatrix(l *loop) ir.Stmt {
	p := l.matrixAt(0)
	to := p.Type().(ir.Int)
	t := l.computedIn(to)
	x := ir.Place(cellAt(choice.Pick(l.s, l.arrays), l.both(0, 1)))
	if l.s.Chance(1, 2) {
		x = l.matrixAt(0)
	}
	return nodeAssign(p, convert(to, l.mapping(t, convert(t, nodeLoad(x)))))
}

// wavefront is m[i + 1][j] = m[i][j] + a[j].
func wavefront(l *loop) ir.Stmt {
	p := l.matrixAt(1)
	to := p.Type().(ir.Int)
	t := l.computedIn(to)
	x := convert(t, nodeLoad(l.matrixAt(0)))
	y := convert(t, nodeLoad(cellAt(choice.Pick(l.s, l.arrays), l.both(0, 1))))
	return nodeAssign(p, convert(to, bin(ir.Add, x, y)))
}
