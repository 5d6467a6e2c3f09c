package vectors

import (
	"goreify/reify/choice"
	"goreify/reify/ir"
	"goreify/reify/sketch/core"
)

// expr draws an expression of type t, with some parts in functions of their own.
func (v *simd) expr(t ir.Vector, depth int) maker {
	if depth <= 0 {
		return v.leaf(t)
	}
	e := v.operation(t, depth)
	if !v.S.Chance(1, 8) {
		return e
	}
	switch x := e(); x.(type) {
	case *ir.Load, *ir.VecOf, *ir.VecCall:
		return e
	default:
		if !ir.Callable(x) {
			return e
		}
	}
	return func() ir.Expr { return &ir.VecCall{X: e()} }
}

func (v *simd) operation(t ir.Vector, depth int) maker {
	operand := func(t ir.Vector) maker { return v.expr(t, v.S.Intn(depth)) }
	switch v.S.Weighted(4, 3, 6, 3, 3, 4, 4, 2, 1) {
	case 0:
		x, y := operand(t), operand(t)
		op := choice.Pick(v.S, []ir.Op{ir.Add, ir.Add, ir.Sub, ir.Mul, ir.And, ir.Or, ir.Xor})
		return func() ir.Expr { return v.arith(op, t, x(), y()) }
	case 1:
		return v.shift(t, operand(t))
	case 2:
		return v.shuffle(t, operand)
	case 3: // lanes of another width
		of := ir.Vector{Elem: v.laneType(), Lanes: t.Lanes}
		x := operand(of)
		return func() ir.Expr { return core.To(t, x()) }
	case 4:
		of, ok := v.other(t)
		if !ok {
			return v.leaf(t)
		}
		x := operand(of)
		return func() ir.Expr { return core.Cast(t, x()) }
	case 5:
		return v.blend(t, v.mask(t), operand(t), operand(t))
	case 6:
		return v.idiom(t, operand(t))
	case 7:
		return v.widened(t, operand(t), operand(t))
	default:
		return v.divided(t, operand(t))
	}
}

// leaf returns a variable, or one that is converted to type t; hardly ever other
// values.
func (v *simd) leaf(t ir.Vector) maker {
	var fits []maker
	for _, x := range v.vecs {
		of := x.Type.(ir.Vector)
		if e := v.adapted(t, of, func() ir.Expr { return core.LoadVector(x) }); e != nil {
			fits = append(fits, e)
			if of == t {
				fits = append(fits, e, e, e)
			}
		}
	}
	if len(fits) == 0 || v.S.Chance(1, 8) {
		return v.ofScalars(t)
	}
	return choice.Pick(v.S, fits)
}

// adapted returns x, which is of another type, as one of type t, or nil if no single
// conversion does so.
func (v *simd) adapted(t, of ir.Vector, x maker) maker {
	switch {
	case of == t:
		return x
	case castable(t, of):
		return func() ir.Expr { return core.Cast(t, x()) }
	case of.Lanes == t.Lanes:
		return func() ir.Expr { return core.To(t, x()) }
	case of.Elem == t.Elem:
		index := v.indices(t.Lanes, of.Lanes)
		return func() ir.Expr { return &ir.Shuffle{X: x(), Y: x(), Index: index} }
	}
	return nil
}

// castable reports whether a Cast may convert an of to a t.
func castable(t, of ir.Vector) bool {
	if t.Lanes == of.Lanes {
		return t.Elem.Bits == of.Elem.Bits
	}
	return t.Lanes*t.Elem.Bits == of.Lanes*of.Elem.Bits && t.Padded() == t.Lanes && of.Padded() == of.Lanes
}

// other returns another type of as many bytes, if there is one.
func (v *simd) other(t ir.Vector) (ir.Vector, bool) {
	of := ir.Vector{Elem: v.laneType(), Lanes: t.Lanes}
	of.Lanes = t.Lanes * t.Elem.Bits / of.Elem.Bits
	if of.Lanes < 2 || of.Lanes > 64 || !castable(t, of) {
		return t, false
	}
	return of, true
}

// ofScalars returns lanes that are computed from variables, and constants.
func (v *simd) ofScalars(t ir.Vector) maker {
	var makers []func() ir.Expr
	share := choice.Pick(v.S, []int{1, 1, 4, 8})
	c := core.Unsigned(core.Promote(t.Elem))
	one := choice.Pick(v.S, v.Counts)
	for i := range t.Lanes {
		x := choice.Pick(v.S, v.Counts)
		if v.S.Chance(1, 2) {
			x = one
		}
		n := v.edge(t.Elem)
		constant := i > 0 && !v.S.Chance(share, 8)
		makers = append(makers, func() ir.Expr {
			if constant {
				return core.Const(t.Elem, n)
			}
			return core.Convert(t.Elem, core.Bin(ir.Add, core.Scalar(c, x), core.Const(c, n)))
		})
	}
	return func() ir.Expr {
		e := &ir.VecOf{T: t}
		for _, lane := range makers {
			e.Lanes = append(e.Lanes, lane())
		}
		return e
	}
}

// edge draws a constant of type t: small, at an edge, or any bits.
func (v *simd) edge(t ir.Int) int64 {
	switch v.S.Intn(3) {
	case 0:
		return t.Wrap(int64(v.S.Range(-3, 9)))
	case 1:
		return t.Wrap(v.S.Edge(1))
	}
	return t.Wrap(int64(v.S.Uint64()))
}

// constants returns a vector of constants, all the same or each another.
func (v *simd) constants(t ir.Vector, lane func() int64) maker {
	e := v.VectorOf(t, lane)
	return func() ir.Expr {
		c := &ir.VecOf{T: t}
		for _, lane := range e.Lanes {
			c.Lanes = append(c.Lanes, core.Const(t.Elem, lane.(*ir.Const).V))
		}
		return c
	}
}

func (v *simd) splat(t ir.Vector, n int64) maker {
	return func() ir.Expr {
		c := &ir.VecOf{T: t}
		for range t.Lanes {
			c.Lanes = append(c.Lanes, core.Const(t.Elem, n))
		}
		return c
	}
}

// arith returns x ⊗ y, which wraps.
func (v *simd) arith(op ir.Op, t ir.Vector, x, y ir.Expr) ir.Expr {
	if !t.Elem.Signed || !op.Overflows() && op != ir.Shl {
		return core.Bin(op, x, y)
	}
	u := ir.Vector{Elem: core.Unsigned(t.Elem), Lanes: t.Lanes}
	return core.Cast(t, core.Bin(op, castTo(u, x), castTo(u, y)))
}

// castTo returns x as one of type t, which is as wide.
func castTo(t ir.Vector, x ir.Expr) ir.Expr {
	if ir.TypeOf[ir.Vector](x) == t {
		return x
	}
	if c, ok := x.(*ir.Cast); ok && ir.TypeOf[ir.Vector](c.X) == t {
		return c.X
	}
	return core.Cast(t, x)
}

// shift returns x shifted by constants, or by the masked lanes of other vectors.
func (v *simd) shift(t ir.Vector, x maker) maker {
	op := choice.Pick(v.S, []ir.Op{ir.Shl, ir.Shr, ir.Shr})
	by := v.constants(t, func() int64 { return int64(v.S.Intn(t.Elem.Bits)) })
	if v.S.Chance(1, 3) {
		y, low := v.leaf(t), v.splat(t, int64(t.Elem.Bits-1))
		by = func() ir.Expr { return core.Bin(ir.And, y(), low()) }
	}
	return func() ir.Expr { return v.arith(op, t, x(), by()) }
}

// shuffle returns lanes of one or two vectors, mostly of type t. One in six goes
// through a vector with arbitrary values in some lanes, which are not used.
func (v *simd) shuffle(t ir.Vector, operand func(ir.Vector) maker) maker {
	of := t
	switch v.S.Weighted(6, 1, 1) {
	case 1:
		of.Lanes = min(2*t.Padded(), 32)
	case 2:
		of.Lanes = max(t.Padded()/2, 2)
	}
	x, y := operand(of), operand(of)
	switch v.S.Intn(5) {
	case 0:
		y = v.splat(of, 0)
	case 1:
		y = x
	}
	index := v.indices(t.Lanes, of.Lanes)
	if !v.S.Chance(1, 6) {
		return func() ir.Expr { return &ir.Shuffle{X: x(), Y: y(), Index: index} }
	}
	z := v.leaf(of)
	op := choice.Pick(v.S, []ir.Op{ir.And, ir.Or, ir.Xor, ir.Add, ir.Mul})
	if of.Elem.Signed && op.Overflows() {
		op = ir.Xor
	}
	some := v.indices(of.Lanes, of.Lanes)
	for i := range some {
		used := false
		for _, k := range index {
			used = used || k == i
		}
		if !used {
			some[i] = -1
		}
	}
	return func() ir.Expr {
		inner := &ir.Shuffle{X: x(), Y: y(), Index: some}
		return &ir.Shuffle{X: core.Bin(op, inner, z()), Y: z(), Index: index}
	}
}

// indices draws n lanes of two vectors of m: such as processors have an instruction
// for, or any.
func (v *simd) indices(n, m int) []int {
	k := v.S.Intn(m)
	form := v.S.Intn(12)
	index := make([]int, n)
	for i := range index {
		at := 0
		switch form {
		case 0: // backwards
			at = 2*m - 1 - i%m
		case 1, 2: // from k on
			at = i + k
		case 3: // one
			at = k
		case 4: // the first halves in turn
			at = i/2 + i%2*m
		case 5: // the last halves
			at = i/2 + m/2 + i%2*m
		case 6: // even ones
			at = 2 * i
		case 7: // odd ones
			at = 2*i + 1
		case 8: // of both, each in its place
			at = i%m + v.S.Intn(2)*m
		case 9: // neighbours
			at = (i ^ (1 << (k % 3))) % m
		case 10:
			at = v.S.Intn(m)
		case 11:
			at = v.S.Intn(2 * m)
		}
		index[i] = at % (2 * m)
	}
	return index
}
