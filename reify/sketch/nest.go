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

// newNest adds the variables that nests need beside those of a loop.
func (w *writer) newNest() {
	l := w.loop
	for range min(w.shaped.nests, maxOuter) {
		t := l.counter.leaves[0].t
		i := w.newVar(ir.Local, t)
		i.Init = []ir.Expr{constant0(t)}
		w.summed = append(w.summed, i)
		l.outer = append(l.outer, i)
	}
	elem := w.scalarType()
	m := w.newVar(w.kind(), ir.Array{Elem: ir.Array{Elem: elem, Len: matrixLen}, Len: matrixLen})
	for k := range matrixLen * matrixLen {
		m.Init = append(m.Init, constantOf(elem, w.number(elem.Bits)+int64(k)))
	}
	w.register(newSource(m))
	w.summed = append(w.summed, m)
	l.matrix = m
}

// enterNest makes b the block before the inner loop.
func (w *writer) enterNest(b *ir.Block, body int) {
	j := w.loop.counter
	b.Stmts = []ir.Stmt{w.set(j, constant0(j.leaves[0].t))}
	b.Term = &ir.Goto{To: w.f.Blocks[body]}
}

// nestBody makes b the inner loop of nest n.
func (w *writer) nestBody(b *ir.Block, n int, succs []int) {
	w.loop.i = w.loop.outer[min(n, len(w.loop.outer)-1)]
	for range w.s.Range(1, 2) {
		w.read = w.read[:0]
		b.Stmts = append(b.Stmts, choice.Pick(w.s, nestStatements)(w, w.loop))
	}
	j := w.loop.counter
	b.Stmts = append(b.Stmts, w.advance(j, constantOf(promote(j.leaves[0].t), 1)))
	b.Term = w.rounds(j.v, b, succs, b.Index)
}

// nestLatch makes b the end of nest n, whose outer loop begins at block in.
func (w *writer) nestLatch(b *ir.Block, n int, succs []int, in int) {
	i := w.loop.outer[min(n, len(w.loop.outer)-1)]
	b.Stmts = []ir.Stmt{w.advance(newSource(i), constantOf(promote(w.loop.counter.leaves[0].t), 1))}
	b.Term = w.rounds(i, b, succs, in)
}

// rounds returns the branch at the end of a counted loop: to the block again
// as long as the counter has not come to a number, which is a symbol or a
// parameter and a symbol.
func (w *writer) rounds(i *ir.Var, b *ir.Block, succs []int, again int) *ir.If {
	t := ir.I32
	if i.Type.(ir.Int).Bits > 32 {
		t = ir.I64
	}
	x := convert(t, &ir.Load{Place: &ir.VarRef{Var: i}})
	op := ir.Ne
	if w.s.Chance(2, 3) {
		x = wrapped(ir.Add, t, x, convert(t, &ir.Load{Place: &ir.VarRef{Var: choice.Pick(w.s, w.f.Params())}}))
	} else if w.s.Chance(1, 2) {
		op = ir.Lt
	}
	if succs[0] != again {
		op = opposite(op)
	}
	cond := bin(op, bin(ir.Sub, x, w.symbol(t)), constant0(t))
	return &ir.If{Cond: cond, Then: w.f.Blocks[succs[0]], Else: w.f.Blocks[succs[1]]}
}

func opposite(op ir.Op) ir.Op {
	if op == ir.Lt {
		return ir.Ge
	}
	return ir.Eq
}

// nestStatements is the table of what nestBody draws from.
var nestStatements = []func(w *writer, l *loop) ir.Stmt{
	outerProduct, outerProduct, outerProduct, column, column, sumMatrix, scaleMatrix, wavefront, accumulate, transform,
}

// both returns the sum of the counters as an index, or one of them.
func (w *writer) both(l *loop, i, j int64) ir.Expr {
	t := promote(l.counter.leaves[0].t)
	x := convert(t, &ir.Load{Place: &ir.VarRef{Var: l.i}})
	y := w.count1(t)
	switch {
	case j == 0:
		y = x
	case i != 0:
		y = bin(ir.Add, x, y)
	}
	return y
}

// cellAt returns element x of an array of the loop.
func cellAt(a *source, x ir.Expr) ir.Place { return &ir.Elem{Base: &ir.VarRef{Var: a.v}, Index: x} }

// matrixAt returns element i, j of the matrix, or j, i.
func (w *writer) matrixAt(l *loop, off int64) ir.Place {
	t := promote(l.counter.leaves[0].t)
	x, y := w.both(l, 1, 0), w.both(l, 0, 1)
	if w.s.Chance(1, 2) {
		x, y = y, x
	}
	if off != 0 {
		x = bin(ir.Add, x, constantOf(t, off))
	}
	return &ir.Elem{Base: &ir.Elem{Base: &ir.VarRef{Var: l.matrix}, Index: x}, Index: y}
}

// computedIn returns the type to compute in for a result of type to: mostly one
// without a sign.
func (w *writer) computedIn(to ir.Int) ir.Int {
	t := promote(to)
	t.Signed = t.Signed && w.s.Chance(1, 6)
	return t
}

// outerProduct is a[j] = a[j] ⊗ b[i + j] * i.
func outerProduct(w *writer, l *loop) ir.Stmt {
	a, b := choice.Pick(w.s, l.arrays), choice.Pick(w.s, l.arrays)
	to := a.leaves[0].t
	t := w.computedIn(to)
	y := convert(t, &ir.Load{Place: cellAt(b, w.both(l, int64(w.s.Intn(2)), 1))})
	if w.s.Chance(1, 2) {
		y = bin(ir.Mul, y, convert(t, w.both(l, 1, 0)))
	}
	op := choice.Pick(w.s, []ir.Op{ir.Add, ir.Add, ir.Sub, ir.Xor})
	e := bin(op, convert(t, &ir.Load{Place: cellAt(a, w.both(l, 0, 1))}), y)
	return &ir.Assign{Dst: cellAt(a, w.both(l, 0, 1)), Src: convert(to, e)}
}

// column is a[i] = a[i] + m[j][i] * b[j].
func column(w *writer, l *loop) ir.Stmt {
	a, b := choice.Pick(w.s, l.arrays), choice.Pick(w.s, l.arrays)
	to := a.leaves[0].t
	t := w.computedIn(to)
	y := convert(t, &ir.Load{Place: w.matrixAt(l, 0)})
	if w.s.Chance(1, 2) {
		y = bin(ir.Mul, y, convert(t, &ir.Load{Place: cellAt(b, w.both(l, 0, 1))}))
	}
	e := bin(ir.Add, convert(t, &ir.Load{Place: cellAt(a, w.both(l, 1, 0))}), y)
	return &ir.Assign{Dst: cellAt(a, w.both(l, 1, 0)), Src: convert(to, e)}
}

// sumMatrix is s = s ⊗ m[i][j].
func sumMatrix(w *writer, l *loop) ir.Stmt {
	v, t := w.accumulator()
	x := convert(t, &ir.Load{Place: &ir.VarRef{Var: v.v}})
	y := convert(t, &ir.Load{Place: w.matrixAt(l, 0)})
	return w.reduceInto(v, bin(choice.Pick(w.s, []ir.Op{ir.Add, ir.Add, ir.Xor}), x, y))
}

// scaleMatrix is m[i][j] = a[j] ⊗ s, or m[i][j] ⊗ s.
func scaleMatrix(w *writer, l *loop) ir.Stmt {
	p := w.matrixAt(l, 0)
	to := p.Type().(ir.Int)
	t := w.computedIn(to)
	x := ir.Place(cellAt(choice.Pick(w.s, l.arrays), w.both(l, 0, 1)))
	if w.s.Chance(1, 2) {
		x = w.matrixAt(l, 0)
	}
	return &ir.Assign{Dst: p, Src: convert(to, w.mapping(t, convert(t, &ir.Load{Place: x})))}
}

// wavefront is m[i + 1][j] = m[i][j] + a[j].
func wavefront(w *writer, l *loop) ir.Stmt {
	p := w.matrixAt(l, 1)
	to := p.Type().(ir.Int)
	t := w.computedIn(to)
	x := convert(t, &ir.Load{Place: w.matrixAt(l, 0)})
	y := convert(t, &ir.Load{Place: cellAt(choice.Pick(w.s, l.arrays), w.both(l, 0, 1))})
	return &ir.Assign{Dst: p, Src: convert(to, bin(ir.Add, x, y))}
}
