package sketch

import (
	"goreify/reify/choice"
	"goreify/reify/ir"
)

// A view is another form of the value x, which is of type t and is read again: of
// fewer bits, rotated, compared.
type view func(w *widths, t ir.Int, x ir.Expr) ir.Expr

// A meet joins two values of type t.
type meet func(w *widths, t ir.Int, x, y ir.Expr) ir.Expr

// views and meets are the tables from which a palette is drawn.
var (
	views = []view{
		extended, extended, extended, shiftPair, masked, rotated, rotated, absolute, atLeast,
		comparedWith, comparedWith, signBit, counted, complement, field, field, withConstant, withConstant,
	}
	meets = []meet{
		added, added, subtracted, mixed, multiplied, chosen, chosen, smaller, shifted, shifted, asNumber,
		inserted, divided, logical, logical,
	}
)

// significant returns how many bits, including the sign bit, the values of x need in a
// signed type.
func significant(x ir.Expr) int {
	t := ir.IntOf(x)
	switch e := x.(type) {
	case *ir.Convert:
		if from := ir.IntOf(e.X); from.Bits < t.Bits || from == t {
			t = from
		}
	case *ir.Binary:
		if e.Op.Yields01() {
			return 2
		}
	}
	if !t.Signed {
		return t.Bits + 1
	}
	return t.Bits
}

// arithmetic returns x op y, in the unsigned type where it might overflow.
func arithmetic(op ir.Op, t ir.Int, x, y ir.Expr) ir.Expr {
	if t.Signed {
		bits := max(significant(x), significant(y)) + 1
		if op == ir.Mul {
			bits = significant(x) + significant(y)
		}
		if bits > t.Bits {
			return modulo(op, t, x, y)
		}
	}
	return bin(op, x, y)
}

func extended(w *widths, t ir.Int, x ir.Expr) ir.Expr { return convert(t, convert(w.cut(), x)) }

// shiftPair is (x << k) >> k.
func shiftPair(w *widths, t ir.Int, x ir.Expr) ir.Expr {
	u := unsigned(t)
	k := int64(w.s.Range(1, t.Bits-1))
	if n := w.cut().Bits; n < t.Bits && w.s.Chance(2, 3) {
		k = int64(t.Bits - n)
	}
	x = convert(t, bin(ir.Shl, convert(u, x), constantOf(u, k)))
	return bin(ir.Shr, x, constantOf(t, k))
}

// masked is x & m.
func masked(w *widths, t ir.Int, x ir.Expr) ir.Expr {
	return bin(ir.And, x, constantOf(t, int64(1)<<w.s.Range(1, t.Bits-1)-1))
}

// rotated is x, cut to some width, rotated in that.
func rotated(w *widths, t ir.Int, x ir.Expr) ir.Expr {
	n := unsigned(choice.Pick(w.s, []ir.Int{t, w.cut()}))
	u := unsigned(promote(n))
	k := int64(w.s.Range(1, n.Bits-1))
	x = convert(u, convert(n, x))
	e := bin(ir.Or, bin(ir.Shl, x, constantOf(u, k)), bin(ir.Shr, w.again(x), constantOf(u, int64(n.Bits)-k)))
	return convert(t, convert(n, e))
}

// absolute is x < 0 ? -x : x.
func absolute(w *widths, t ir.Int, x ir.Expr) ir.Expr {
	s := ir.Int{Bits: t.Bits, Signed: true}
	x = convert(s, x)
	if w.s.Chance(1, 2) {
		n := ir.Int{Bits: min(w.cut().Bits, t.Bits/2), Signed: true}
		return convert(t, &ir.Builtin{Fn: ir.Abs, Args: []ir.Expr{convert(s, convert(n, x))}})
	}
	neg := modulo(ir.Sub, s, constant0(s), w.again(x))
	return convert(t, nodeSelect(bin(ir.Lt, w.again(x), constant0(s)), neg, x))
}

// atLeast is the larger or smaller of x and a constant.
func atLeast(w *widths, t ir.Int, x ir.Expr) ir.Expr { return smaller(w, t, x, w.edge(t)) }

// comparedWith is a comparison of x with a constant, as a number.
func comparedWith(w *widths, t ir.Int, x ir.Expr) ir.Expr { return asNumber(w, t, x, w.edge(t)) }

// signBit is x >> k, such that little is left.
func signBit(w *widths, t ir.Int, x ir.Expr) ir.Expr {
	return bin(ir.Shr, x, constantOf(t, int64(t.Bits-choice.Pick(w.s, []int{1, 1, 1, 8, 2}))))
}

// counted is the number of some bits of x, or its bytes swapped.
func counted(w *widths, t ir.Int, x ir.Expr) ir.Expr {
	fn := choice.Pick(w.s, []ir.Fn{ir.Popcount, ir.Clz, ir.Ctz, ir.Bswap, ir.Bswap})
	u := unsigned(t)
	x = convert(u, x)
	if fn == ir.Clz || fn == ir.Ctz { // undefined for 0
		x = bin(ir.Or, x, constantOf(u, int64(1)<<w.s.Intn(t.Bits)))
	}
	return convert(t, &ir.Builtin{Fn: fn, Args: []ir.Expr{x}})
}

// complement is ~x or -x.
func complement(w *widths, t ir.Int, x ir.Expr) ir.Expr {
	if w.s.Chance(1, 2) {
		return nodeUnary(ir.Not, x)
	}
	return modulo(ir.Sub, t, constant0(t), x)
}

func added(_ *widths, t ir.Int, x, y ir.Expr) ir.Expr      { return arithmetic(ir.Add, t, x, y) }
func subtracted(_ *widths, t ir.Int, x, y ir.Expr) ir.Expr { return arithmetic(ir.Sub, t, x, y) }
func multiplied(_ *widths, t ir.Int, x, y ir.Expr) ir.Expr { return arithmetic(ir.Mul, t, x, y) }
func mixed(w *widths, _ ir.Int, x, y ir.Expr) ir.Expr      { return bin(bitwiseOp(w.s), x, y) }

// field is (x >> k) & m.
func field(w *widths, t ir.Int, x ir.Expr) ir.Expr {
	k, m := w.field(t)
	return bin(ir.And, bin(ir.Shr, x, constantOf(t, k)), constantOf(t, m))
}

// field returns the first of some consecutive bits, and as many ones.
func (w *widths) field(t ir.Int) (first, ones int64) {
	n := choice.Pick(w.s, []int{1, 8, 16, w.s.Range(1, t.Bits-1)})
	k := choice.Pick(w.s, []int{0, 8, 16, t.Bits - n, w.s.Range(0, t.Bits-n)})
	return int64(min(k, t.Bits-n)), int64(1)<<n - 1
}

// inserted is (x & ~(m << k)) | (y & m) << k, or (y << k) & (m << k).
func inserted(w *widths, t ir.Int, x, y ir.Expr) ir.Expr {
	k, m := w.field(t)
	if c, ok := y.(*ir.Const); ok {
		y = constantOf(t, c.V&m<<k)
	} else if w.s.Chance(1, 2) {
		y = bin(ir.And, modulo(ir.Shl, t, y, constantOf(t, k)), constantOf(t, m<<k))
	} else {
		y = modulo(ir.Shl, t, bin(ir.And, y, constantOf(t, m)), constantOf(t, k))
	}
	op := choice.Pick(w.s, []ir.Op{ir.Or, ir.Or, ir.Or, ir.Xor, ir.Add})
	return modulo(op, t, bin(ir.And, x, constantOf(t, ^(m<<k))), y)
}

// withConstant joins x with a constant.
func withConstant(w *widths, t ir.Int, x ir.Expr) ir.Expr {
	y := w.edge(t)
	if op := choice.Pick(w.s, []ir.Op{ir.Add, ir.And, ir.Or, ir.Xor, ir.Mul}); op == ir.Add || op == ir.Mul {
		return modulo(op, t, x, y)
	} else {
		return bin(op, x, y)
	}
}

// divided is x / y or x % y, where y is kept from being 0 or -1.
func divided(w *widths, t ir.Int, x, y ir.Expr) ir.Expr {
	op := choice.Pick(w.s, []ir.Op{ir.Div, ir.Rem})
	if c, ok := y.(*ir.Const); ok {
		v := c.V
		if v == 0 || v == -1 {
			v = 10
		}
		return bin(op, x, constantOf(t, v))
	}
	if t.Signed {
		y = bin(ir.And, y, constantOf(t, t.Max()))
	}
	return bin(op, x, bin(ir.Or, y, constantOf(t, int64(w.s.Range(1, 9)))))
}

// order returns a comparison of the values x and y, which are read again, in the
// type of either or another one.
func (w *widths) order(x, y ir.Expr) ir.Expr {
	t := promote(ir.IntOf(choice.Pick(w.s, []ir.Expr{x, y})))
	switch w.s.Weighted(4, 2, 2) {
	case 1:
		t.Signed = !t.Signed
	case 2:
		t = choice.Pick(w.s, w.palette.types)
	}
	return bin(comparisonOp(w.s), as(t, w.again(x)), as(t, w.again(y)))
}

// chosen is c ? x : y, where c is about these values or others.
func chosen(w *widths, _ ir.Int, x, y ir.Expr) ir.Expr {
	var c ir.Expr
	switch w.s.Weighted(3, 3, 3, 2) {
	case 0:
		c = w.order(x, y)
	case 1:
		c = w.order(w.variable(), choice.Pick(w.s, []ir.Expr{x, y}))
	case 2:
		c = w.order(w.variable(), choice.Pick(w.s, []ir.Expr{w.variable(), w.edge(ir.IntOf(x))}))
	default:
		c = w.variable()
	}
	return nodeSelect(c, x, y)
}

// smaller is the smaller or larger of x and y.
func smaller(w *widths, t ir.Int, x, y ir.Expr) ir.Expr {
	op := choice.Pick(w.s, orders)
	return nodeSelect(bin(op, w.again(x), w.again(y)), x, y)
}

// shifted is x << y or x >> y, where y is kept below the width.
func shifted(w *widths, t ir.Int, x, y ir.Expr) ir.Expr {
	m := int64(t.Bits - 1)
	if w.s.Chance(1, 3) {
		m = int64(choice.Pick(w.s, []int{7, 15, 31}))
	}
	if c, ok := y.(*ir.Const); ok {
		y = constantOf(t, c.V&m)
	} else {
		y = bin(ir.And, y, constantOf(t, m))
	}
	if w.s.Chance(1, 2) {
		return bin(ir.Shr, x, y)
	}
	return modulo(ir.Shl, t, x, y)
}

// asNumber is a comparison of x and y as a number.
func asNumber(w *widths, t ir.Int, x, y ir.Expr) ir.Expr {
	e := convert(t, bin(comparisonOp(w.s), x, y))
	if w.s.Chance(1, 4) {
		return modulo(ir.Sub, t, constant0(t), e)
	}
	return e
}

// logical joins x and y as truth values.
func logical(w *widths, t ir.Int, x, y ir.Expr) ir.Expr {
	return convert(t, choice.Pick(w.s, w.palette.joins)(w, w.isZero(x), w.isZero(y)))
}

// isZero returns !x, or !!x.
func (w *widths) isZero(x ir.Expr) ir.Expr {
	return bin(choice.Pick(w.s, equalities), x, constant0(ir.IntOf(x)))
}
