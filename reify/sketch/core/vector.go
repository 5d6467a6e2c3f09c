package core

import (
	"goreify/reify/choice"
	"goreify/reify/ir"
)

// newVector adds a vector of 8 to 32 bytes. Its lanes are sources like the
// elements of an array.
func (sc *scope) newVector() {
	t := sc.ScalarType()
	for t == ir.Bool {
		t = ir.U8
	}
	// Lanes without a sign wrap: arithmetic needs them.
	t.Signed = t.Signed && sc.S.Chance(1, 3)
	v := sc.NewVar(sc.Kind(), ir.Vector{Elem: t, Lanes: choice.Pick(sc.S, []int{8, 16, 16, 32}) / t.Bytes()})
	if v.Type.(ir.Vector).Lanes < 2 {
		v.Type = ir.Vector{Elem: t, Lanes: 2}
	}
	sc.Initialise(v)
	sc.Register(NewSource(v))
	sc.vectors = append(sc.vectors, v)
	sc.Summed = append(sc.Summed, v)
}

// vectorStatement returns v = v ⊗ w.
func (w *stmtWriter) vectorStatement() []ir.Stmt {
	v := choice.Pick(w.S, w.vectors)
	e := w.vectorBinary(v)
	if w.S.Chance(1, 4) {
		e = w.vectorBy(e)
	}
	return []ir.Stmt{Assign(Ref(v), e)}
}

// LoadVector returns the value of a vector.
func LoadVector(v *ir.Var) *ir.Load { return &ir.Load{Place: Ref(v)} }

// vectorBinary returns v ⊗ y, defined for all values of v.
func (w *Exprs) vectorBinary(v *ir.Var) ir.Expr {
	t := v.Type.(ir.Vector)
	x := ir.Expr(LoadVector(v))
	if w.S.Chance(1, 8) {
		x = Unary(ir.Not, x)
	}
	ops := []ir.Op{ir.And, ir.Or, ir.Xor, ir.Shr, ir.Lt, ir.Eq}
	if !t.Elem.Signed {
		ops = append(ops, ir.Add, ir.Add, ir.Sub, ir.Mul, ir.Div, ir.Rem, ir.Shl)
	}
	op := choice.Pick(w.S, ops)
	switch {
	case op.Shifts():
		return Bin(op, x, w.VectorOf(t, func() int64 { return int64(w.S.Intn(t.Elem.Bits)) }))
	case op.Divides():
		return Bin(op, x, w.VectorOf(t, func() int64 { return int64(w.S.Range(1, 100)) }))
	}
	y := w.vectorOperand(t)
	if !op.Compares() {
		return Bin(op, x, y)
	}
	// The lanes of a comparison are masks.
	e := ir.Expr(Bin(op, x, y))
	if ir.TypeOf[ir.Vector](e) != t {
		e = To(t, e)
	}
	return Bin(BitwiseOp(w.S), e, w.vectorOperand(t))
}

// vectorOperand returns a vector of type t: a variable, converted if need be,
// or one made of integers.
func (w *Exprs) vectorOperand(t ir.Vector) ir.Expr {
	v := choice.Pick(w.S, w.vectors)
	from := v.Type.(ir.Vector)
	switch {
	case from.Lanes != t.Lanes || w.S.Chance(1, 3):
		if w.S.Chance(1, 2) {
			return w.VectorOf(t, func() int64 { return w.Number(t.Elem.Bits) })
		}
		x := Convert(t.Elem, w.Any(Promote(t.Elem)))
		return w.splat(t, x)
	case from != t:
		return To(t, LoadVector(v))
	}
	return LoadVector(v)
}

// splat returns the vector whose first lane is x and whose others are
// constants.
func (w *Exprs) splat(t ir.Vector, x ir.Expr) ir.Expr {
	e := w.VectorOf(t, func() int64 { return int64(w.S.Range(-9, 9)) })
	e.Lanes[w.S.Intn(t.Lanes)] = x
	return e
}

// VectorOf returns a vector of constants.
func (w *Exprs) VectorOf(t ir.Vector, lane func() int64) *ir.VecOf {
	e := &ir.VecOf{T: t}
	same := w.S.Chance(1, 2)
	v := lane()
	for range t.Lanes {
		e.Lanes = append(e.Lanes, Const(t.Elem, v))
		if !same {
			v = lane()
		}
	}
	return e
}

// vectorBy returns the lanes of e and of another vector in another order.
func (w *Exprs) vectorBy(e ir.Expr) ir.Expr {
	t := ir.TypeOf[ir.Vector](e)
	x := &ir.Shuffle{X: e, Y: w.vectorOperand(t)}
	for range t.Lanes {
		x.Index = append(x.Index, w.S.Intn(2*t.Lanes))
	}
	return x
}
