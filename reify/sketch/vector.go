package sketch

import (
	"goreify/reify/choice"
	"goreify/reify/ir"
)

// newVector adds a vector of 8 to 32 bytes. Its lanes are sources like the
// elements of an array.
func (sc *scope) newVector() {
	t := sc.scalarType()
	for t == ir.Bool {
		t = ir.U8
	}
	// Lanes without a sign wrap: arithmetic needs them.
	t.Signed = t.Signed && sc.s.Chance(1, 3)
	v := sc.newVar(sc.kind(), ir.Vector{Elem: t, Lanes: choice.Pick(sc.s, []int{8, 16, 16, 32}) / t.Bytes()})
	if v.Type.(ir.Vector).Lanes < 2 {
		v.Type = ir.Vector{Elem: t, Lanes: 2}
	}
	sc.initialise(v)
	sc.register(newSource(v))
	sc.vectors = append(sc.vectors, v)
	sc.summed = append(sc.summed, v)
}

// vectorStatement returns v = v ⊗ w.
func (w *stmtWriter) vectorStatement() []ir.Stmt {
	v := choice.Pick(w.s, w.vectors)
	e := w.vectorBinary(v)
	if w.s.Chance(1, 4) {
		e = w.vectorBy(e)
	}
	return []ir.Stmt{nodeAssignVec(nodeRef(v), e)}
}

func loadVector(v *ir.Var) *ir.VecLoad { return &ir.VecLoad{Place: nodeRef(v)} }

// vectorBinary returns v ⊗ y, defined for all values of v.
func (w *exprWriter) vectorBinary(v *ir.Var) ir.Expr {
	t := v.Type.(ir.Vector)
	x := ir.Expr(loadVector(v))
	if w.s.Chance(1, 8) {
		x = nodeVecUnary(ir.Not, x)
	}
	ops := []ir.Op{ir.And, ir.Or, ir.Xor, ir.Shr, ir.Lt, ir.Eq}
	if !t.Elem.Signed {
		ops = append(ops, ir.Add, ir.Add, ir.Sub, ir.Mul, ir.Div, ir.Rem, ir.Shl)
	}
	op := choice.Pick(w.s, ops)
	switch {
	case op.Shifts():
		return nodeVecBin(op, x, w.vectorOf(t, func() int64 { return int64(w.s.Intn(t.Elem.Bits)) }))
	case op.Divides():
		return nodeVecBin(op, x, w.vectorOf(t, func() int64 { return int64(w.s.Range(1, 100)) }))
	}
	y := w.vectorOperand(t)
	if !op.Compares() {
		return nodeVecBin(op, x, y)
	}
	// The lanes of a comparison are masks.
	e := ir.Expr(nodeVecBin(op, x, y))
	if ir.TypeOf[ir.Vector](e) != t {
		e = nodeVecConvert(t, e)
	}
	return nodeVecBin(bitwiseOp(w.s), e, w.vectorOperand(t))
}

// vectorOperand returns a vector of type t: a variable, converted if need be,
// or one made of integers.
func (w *exprWriter) vectorOperand(t ir.Vector) ir.Expr {
	v := choice.Pick(w.s, w.vectors)
	from := v.Type.(ir.Vector)
	switch {
	case from.Lanes != t.Lanes || w.s.Chance(1, 3):
		if w.s.Chance(1, 2) {
			return w.vectorOf(t, func() int64 { return w.number(t.Elem.Bits) })
		}
		x := convert(t.Elem, w.any(promote(t.Elem)))
		return w.splat(t, x)
	case from != t:
		return nodeVecConvert(t, loadVector(v))
	}
	return loadVector(v)
}

// splat returns the vector whose first lane is x and whose others are
// constants.
func (w *exprWriter) splat(t ir.Vector, x ir.Expr) ir.Expr {
	e := w.vectorOf(t, func() int64 { return int64(w.s.Range(-9, 9)) })
	e.Lanes[w.s.Intn(t.Lanes)] = x
	return e
}

// vectorOf returns a vector of constants.
func (w *exprWriter) vectorOf(t ir.Vector, lane func() int64) *ir.VecOf {
	e := &ir.VecOf{T: t}
	same := w.s.Chance(1, 2)
	v := lane()
	for range t.Lanes {
		e.Lanes = append(e.Lanes, constantOf(t.Elem, v))
		if !same {
			v = lane()
		}
	}
	return e
}

// vectorBy returns the lanes of e and of another vector in another order.
func (w *exprWriter) vectorBy(e ir.Expr) ir.Expr {
	t := ir.TypeOf[ir.Vector](e)
	x := &ir.VecShuffle{X: e, Y: w.vectorOperand(t)}
	for range t.Lanes {
		x.Index = append(x.Index, w.s.Intn(2*t.Lanes))
	}
	return x
}
