package crosscheck

import (
	"goreify/reify/choice"
	"goreify/reify/ir"
)

// lanes are the types of the lanes of vectors.
var lanes = []ir.Int{ir.I8, ir.I16, ir.I32, ir.I64, ir.U8, ir.U16, ir.U32, ir.U64}

// addVectors declares two vectors of each of some types.
func (r *room) addVectors() {
	for i := range 4 {
		t := ir.Vector{Elem: choice.Pick(r.s, lanes), Lanes: 1 << r.s.Range(1, 4)}
		if i == 3 {
			t.Lanes = choice.Pick(r.s, []int{3, 3, 5, 6, 7})
		}
		r.variable(t)
		r.variable(t)
	}
}

// vector draws a computation with vectors.
func (r *room) vector(depth int) made {
	return r.storeVec(r.vec(choice.Pick(r.s, r.vecs).Type().(ir.Vector), depth))
}

func (r *room) storeVec(e ir.Expr) made {
	out := &ir.Var{Kind: ir.Static, Type: ir.TypeOf[ir.Vector](e)}
	return made{stmts: []ir.Stmt{&ir.Assign{Dst: &ir.VarRef{Var: out}, Src: e}}, out: []*ir.Var{out}}
}

// vec draws an expression of type t that is defined.
func (r *room) vec(t ir.Vector, depth int) ir.Expr {
	if depth <= 0 {
		return r.vecLeaf(t)
	}
	if r.s.Chance(1, 5) {
		switch e := r.vec(t, depth-1).(type) {
		case *ir.Load, *ir.VecOf, *ir.VecCall:
			return e
		default:
			if !ir.Callable(e) {
				return e
			}
			return &ir.VecCall{X: e}
		}
	}
	for range retries {
		e := r.vecOperation(t, depth)
		if t.Padded() != t.Lanes && unsafeVec(e) {
			continue
		}
		if r.defined(r.storeVec(e)) {
			return e
		}
	}
	return r.vecLeaf(t)
}

// unsafeVec reports whether e is an operator that could be undefined in lanes which C
// has beyond those of a vector.
func unsafeVec(e ir.Expr) bool {
	switch e := e.(type) {
	case *ir.Binary:
		return ir.TypeOf[ir.Vector](e.X).Elem.Unsafe(e.Op)
	case *ir.Unary:
		return e.Op == ir.Neg && ir.TypeOf[ir.Vector](e).Elem.Signed
	}
	return false
}

// tame makes an operation likely to be defined in all lanes, which it would
// hardly ever be by itself.
func (r *room) tame(e *ir.Binary) {
	t := ir.TypeOf[ir.Vector](e)
	masked := func(op ir.Op, x ir.Expr, mask int64) ir.Expr {
		m := &ir.VecOf{T: t}
		for range t.Lanes {
			m.Lanes = append(m.Lanes, &ir.Const{T: t.Elem, V: mask})
		}
		return &ir.Binary{Op: op, X: x, Y: m}
	}
	half := t.Elem.Bits / 2
	switch {
	case r.s.Chance(1, 4):
	case e.Op == ir.Div || e.Op == ir.Rem:
		e.Y = masked(ir.Or, e.Y, 2) // neither 0 nor -1, if it was not -1
	case e.Op == ir.Shl && t.Elem.Signed:
		e.X = masked(ir.And, e.X, 1<<half-1)
		e.Y = masked(ir.And, e.Y, int64(half-1))
	case e.Op.Shifts():
		e.Y = masked(ir.And, e.Y, int64(t.Elem.Bits-1))
	case e.Op.Overflows() && t.Elem.Signed:
		e.X = masked(ir.Rem, e.X, 1<<(half-1))
		e.Y = masked(ir.Rem, e.Y, 1<<(half-1))
	}
}

func (r *room) vecLeaf(t ir.Vector) ir.Expr {
	for range 4 {
		if p := choice.Pick(r.s, r.vecs); p.Type() == t {
			return &ir.Load{Place: ir.CopyPlace(p)}
		}
	}
	e := &ir.VecOf{T: t}
	for range t.Lanes {
		e.Lanes = append(e.Lanes, r.leaf(t.Elem))
	}
	return e
}

func (r *room) vecOperation(t ir.Vector, depth int) ir.Expr {
	operand := func(t ir.Vector) ir.Expr { return r.vec(t, r.s.Intn(depth)) }
	switch r.s.Weighted(8, 8, 1, 3, 2, 1, 2) {
	case 0:
		e := &ir.Binary{Op: ir.Op(r.s.Range(int(ir.Add), int(ir.Shr))), X: operand(t), Y: operand(t)}
		r.tame(e)
		return e
	case 1:
		if t.Elem.Signed {
			of := t
			of.Elem.Signed = r.s.Chance(1, 2)
			return &ir.Binary{Op: ir.Op(r.s.Range(int(ir.Lt), int(ir.Ne))), X: operand(of), Y: operand(of)}
		}
		fallthrough
	case 2:
		return &ir.Unary{Op: choice.Pick(r.s, []ir.UnOp{ir.Neg, ir.Not}), X: operand(t)}
	case 3:
		return r.shuffle(t, operand)
	case 4:
		return &ir.Convert{T: t, X: operand(ir.Vector{Elem: choice.Pick(r.s, lanes), Lanes: t.Lanes})}
	case 5:
		e := &ir.VecOf{T: t}
		for range t.Lanes {
			e.Lanes = append(e.Lanes, r.integer(t.Elem, r.s.Intn(depth)))
		}
		return e
	default:
		if bits := t.Lanes * t.Elem.Bits; r.wideLanes && t.Padded() == t.Lanes && bits%128 == 0 && r.s.Chance(1, 3) {
			return r.lanesOf128(t, bits/128, operand)
		}
		of := ir.Vector{Elem: choice.Pick(r.s, lanes), Lanes: t.Lanes}
		of.Lanes = t.Lanes * t.Elem.Bits / of.Elem.Bits
		if t.Padded() != t.Lanes || of.Lanes < 2 || of.Lanes > 64 {
			of = ir.Vector{Elem: ir.Int{Bits: t.Elem.Bits, Signed: r.s.Chance(1, 2)}, Lanes: t.Lanes}
		}
		return &ir.Cast{T: t, X: operand(of)}
	}
}

// lanesOf128 draws an operation on so many lanes of 128 bits, whose bits those of t are.
func (r *room) lanesOf128(t ir.Vector, n int, operand func(ir.Vector) ir.Expr) ir.Expr {
	of := ir.Vector{Elem: ir.Int{Bits: 128}, Lanes: n}
	in := func(x ir.Expr) ir.Expr { return &ir.Cast{T: of, X: x} }
	e := &ir.Binary{Op: ir.Op(r.s.Range(int(ir.Add), int(ir.Ne))), X: in(operand(t)), Y: in(operand(t))}
	var low int64
	switch {
	case e.Op.Logical():
		e.Op = ir.Mul
	case e.Op.Divides():
		low = 1
	case e.Op.Shifts():
		low = 127
	}
	if low != 0 {
		k := &ir.VecOf{T: ir.Vector{Elem: ir.U64, Lanes: 2 * n}}
		for i := range k.T.Lanes {
			k.Lanes = append(k.Lanes, &ir.Const{T: ir.U64, V: low * int64(1-i%2)})
		}
		op := ir.And
		if e.Op.Divides() {
			op = ir.Or
		}
		e.Y = &ir.Binary{Op: op, X: e.Y, Y: in(k)}
	}
	return &ir.Cast{T: t, X: e}
}

// shuffle draws lanes of two vectors, which may have more or fewer than t. One in
// four shuffles is of what lanes are made of in which anything may be.
func (r *room) shuffle(t ir.Vector, operand func(ir.Vector) ir.Expr) ir.Expr {
	of := t
	if r.s.Chance(1, 2) {
		of.Lanes = choice.Pick(r.s, []int{2, 4, 8, 16, 3, 5, 7})
	}
	e := &ir.Shuffle{X: operand(of), Y: operand(of)}
	for range t.Lanes {
		e.Index = append(e.Index, r.s.Intn(2*of.Lanes))
	}
	if !r.s.Chance(1, 4) {
		return e
	}
	some := &ir.Shuffle{X: e.X, Y: operand(of)}
	for range of.Lanes {
		some.Index = append(some.Index, r.s.Intn(2*of.Lanes))
	}
	at := r.s.Intn(of.Lanes)
	some.Index[at] = -1
	for i, k := range e.Index {
		if k == at {
			e.Index[i] = (at + 1) % of.Lanes
		}
	}
	e.X = &ir.Binary{Op: choice.Pick(r.s, []ir.Op{ir.And, ir.Or, ir.Xor}), X: some, Y: operand(of)}
	return e
}
