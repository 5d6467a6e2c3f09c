package vectors

import (
	"goreify/reify/choice"
	"goreify/reify/ir"
	"goreify/reify/sketch/core"
)

// mask returns lanes of type t that are all ones or zero, by a comparison of lanes of
// that width or, one in four times, of another.
func (v *simd) mask(t ir.Vector) maker {
	of := t
	of.Elem.Signed = v.S.Chance(1, 2)
	if v.S.Chance(1, 4) {
		of.Elem = v.laneType()
	}
	x, y := v.leaf(of), v.leaf(of)
	if v.S.Chance(1, 3) {
		y = v.constants(of, func() int64 { return v.edge(of.Elem) })
	}
	op := choice.Pick(v.S, []ir.Op{ir.Lt, ir.Le, ir.Gt, ir.Ge, ir.Eq, ir.Ne})
	return func() ir.Expr { return toMask(t, core.Bin(op, x(), y())) }
}

// toMask returns a comparison as one of type t.
func toMask(t ir.Vector, e ir.Expr) ir.Expr {
	switch is := ir.TypeOf[ir.Vector](e); {
	case is == t:
		return e
	case castable(t, is):
		return core.Cast(t, e)
	}
	return core.To(t, e)
}

// blend returns m ? x : y, lane by lane.
func (v *simd) blend(t ir.Vector, m, x, y maker) maker {
	switch v.S.Intn(5) {
	case 0:
		return func() ir.Expr {
			return core.Bin(ir.Xor, core.Bin(ir.And, core.Bin(ir.Xor, x(), y()), m()), y())
		}
	case 1: // or zero
		return func() ir.Expr { return core.Bin(ir.And, m(), x()) }
	case 2: // counts
		return func() ir.Expr { return v.arith(ir.Sub, t, x(), m()) }
	}
	return func() ir.Expr {
		other := core.Bin(ir.And, core.Unary(ir.Not, m()), y())
		return core.Bin(ir.Or, core.Bin(ir.And, m(), x()), other)
	}
}

// idiom returns an expression for which processors have one instruction: the least and
// greatest, absolute values and differences, saturating sums, rotates, bytes backwards.
func (v *simd) idiom(t ir.Vector, y maker) maker {
	x := v.leaf(t) // some of them have it three times
	if v.S.Chance(1, 2) {
		y = v.leaf(t)
	}
	signed, plain := t, t
	signed.Elem.Signed, plain.Elem.Signed = true, false
	compare := func(op ir.Op, x, y maker) maker {
		return func() ir.Expr { return toMask(t, core.Bin(op, x(), y())) }
	}
	pick := func(m, x, y maker) maker {
		return func() ir.Expr {
			other := core.Bin(ir.And, core.Unary(ir.Not, m()), y())
			return core.Bin(ir.Or, core.Bin(ir.And, m(), x()), other)
		}
	}
	form := v.S.Intn(7)
	switch form {
	case 0:
		return pick(compare(choice.Pick(v.S, []ir.Op{ir.Lt, ir.Gt, ir.Le, ir.Ge}), x, y), x, y)
	case 1: // |x|
		shift := v.splat(signed, int64(t.Elem.Bits-1))
		sign := func() ir.Expr { return castTo(plain, core.Bin(ir.Shr, castTo(signed, x()), shift())) }
		return func() ir.Expr {
			return castTo(t, core.Bin(ir.Sub, core.Bin(ir.Xor, castTo(plain, x()), sign()), sign()))
		}
	case 2: // |x - y|
		less := func(x, y maker) maker { return func() ir.Expr { return v.arith(ir.Sub, t, x(), y()) } }
		return pick(compare(ir.Gt, x, y), less(x, y), less(y, x))
	case 3: // at most the largest
		sum := func() ir.Expr { return core.Bin(ir.Add, castTo(plain, x()), castTo(plain, y())) }
		return func() ir.Expr {
			carry := toMask(plain, core.Bin(ir.Lt, sum(), castTo(plain, x())))
			return castTo(t, core.Bin(ir.Or, sum(), carry))
		}
	case 4: // at least 0
		return func() ir.Expr {
			no := toMask(t, core.Bin(ir.Ge, x(), y()))
			return core.Bin(ir.And, v.arith(ir.Sub, t, x(), y()), no)
		}
	case 5: // bytes backwards
		bytes := ir.Vector{Elem: ir.U8, Lanes: t.Lanes * t.Elem.Bytes()}
		if bytes.Lanes > 64 || t.Padded() != t.Lanes || t.Elem.Bits == 8 {
			break
		}
		by := choice.Pick(v.S, []int{1, t.Elem.Bytes() - 1, t.Elem.Bytes() - 1})
		var index []int
		for i := range bytes.Lanes {
			index = append(index, i^by)
		}
		return func() ir.Expr {
			b := core.Cast(bytes, x())
			return core.Cast(t, &ir.Shuffle{X: b, Y: v.splat(bytes, 0)(), Index: index})
		}
	}
	n := v.S.Range(1, t.Elem.Bits-1)
	left, right := v.splat(plain, int64(n)), v.splat(plain, int64(t.Elem.Bits-n))
	low := x
	if form == 6 && v.S.Chance(1, 2) { // of two vectors
		low = y
	}
	return func() ir.Expr {
		high := core.Bin(ir.Shl, castTo(plain, x()), left())
		return castTo(t, core.Bin(ir.Or, high, core.Bin(ir.Shr, castTo(plain, low()), right())))
	}
}

// widened computes in lanes twice as wide: the high half of a product, an average, or a
// product of halves.
func (v *simd) widened(t ir.Vector, x, y maker) maker {
	if t.Elem.Bits == 64 || t.Lanes*t.Elem.Bytes() > 32 {
		return v.shift(t, x)
	}
	wide := ir.Vector{Elem: ir.Int{Bits: 2 * t.Elem.Bits, Signed: t.Elem.Signed}, Lanes: t.Lanes}
	if v.S.Chance(1, 4) {
		wide.Elem.Signed = !wide.Elem.Signed
	}
	op, by := ir.Mul, t.Elem.Bits
	switch v.S.Intn(4) {
	case 0:
		op, by = ir.Add, 1
	case 1:
		by = v.S.Intn(wide.Elem.Bits)
	}
	shift := v.splat(wide, int64(by))
	round := v.splat(wide, 1<<by>>1)
	rounds := v.S.Chance(1, 2)
	return func() ir.Expr {
		e := v.arith(op, wide, core.To(wide, x()), core.To(wide, y()))
		if rounds {
			e = v.arith(ir.Add, wide, e, round())
		}
		return core.To(t, core.Bin(ir.Shr, e, shift()))
	}
}

// divided returns x divided by constants, which are neither 0 nor -1.
func (v *simd) divided(t ir.Vector, x maker) maker {
	if t.Padded() != t.Lanes {
		return v.shift(t, x)
	}
	op := choice.Pick(v.S, []ir.Op{ir.Div, ir.Rem})
	by := v.constants(t, func() int64 {
		if n := v.edge(t.Elem); n != 0 && n != -1 {
			return n
		}
		return int64(v.S.Range(1, 100))
	})
	return func() ir.Expr { return core.Bin(op, x(), by()) }
}
