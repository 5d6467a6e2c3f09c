package widths

import (
	"goreify/reify/choice"
	"goreify/reify/ir"
	"goreify/reify/sketch/core"
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
		if !ir.IsInt(e.X) {
			break
		}
		if from := ir.IntOf(e.X); from.Bits < t.Bits || from == t {
			t = from
		}
	case *ir.Binary:
		if e.Op.Yields01() && e.Of() == ir.Integers {
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
			return core.Modulo(op, t, x, y)
		}
	}
	return core.Bin(op, x, y)
}

func extended(w *widths, t ir.Int, x ir.Expr) ir.Expr {
	return core.Convert(t, core.Convert(w.cut(), x))
}

// shiftPair is (x << k) >> k.
func shiftPair(w *widths, t ir.Int, x ir.Expr) ir.Expr {
	u := core.Unsigned(t)
	k := int64(w.S.Range(1, t.Bits-1))
	if n := w.cut().Bits; n < t.Bits && w.S.Chance(2, 3) {
		k = int64(t.Bits - n)
	}
	x = core.Convert(t, core.Bin(ir.Shl, core.Convert(u, x), core.Const(u, k)))
	return core.Bin(ir.Shr, x, core.Const(t, k))
}

// masked is x & m.
func masked(w *widths, t ir.Int, x ir.Expr) ir.Expr {
	return core.Bin(ir.And, x, core.Const(t, int64(1)<<w.S.Range(1, t.Bits-1)-1))
}

// rotated is x, cut to some width, rotated in that.
func rotated(w *widths, t ir.Int, x ir.Expr) ir.Expr {
	n := core.Unsigned(choice.Pick(w.S, []ir.Int{t, w.cut()}))
	u := core.Unsigned(core.Promote(n))
	k := int64(w.S.Range(1, n.Bits-1))
	x = core.Convert(u, core.Convert(n, x))
	e := core.Bin(ir.Or, core.Bin(ir.Shl, x, core.Const(u, k)), core.Bin(ir.Shr, w.again(x), core.Const(u, int64(n.Bits)-k)))
	return core.Convert(t, core.Convert(n, e))
}

// absolute is x < 0 ? -x : x.
func absolute(w *widths, t ir.Int, x ir.Expr) ir.Expr {
	s := ir.Int{Bits: t.Bits, Signed: true}
	x = core.Convert(s, x)
	if w.S.Chance(1, 2) {
		n := ir.Int{Bits: min(w.cut().Bits, t.Bits/2), Signed: true}
		return core.Convert(t, &ir.Builtin{Fn: ir.Abs, Args: []ir.Expr{core.Convert(s, core.Convert(n, x))}})
	}
	neg := core.Modulo(ir.Sub, s, core.Zero(s), w.again(x))
	return core.Convert(t, core.Select(core.Bin(ir.Lt, w.again(x), core.Zero(s)), neg, x))
}

// atLeast is the larger or smaller of x and a constant.
func atLeast(w *widths, t ir.Int, x ir.Expr) ir.Expr { return smaller(w, t, x, w.Edge(t)) }

// comparedWith is a comparison of x with a constant, as a number.
func comparedWith(w *widths, t ir.Int, x ir.Expr) ir.Expr { return asNumber(w, t, x, w.Edge(t)) }

// signBit is x >> k, such that little is left.
func signBit(w *widths, t ir.Int, x ir.Expr) ir.Expr {
	return core.Bin(ir.Shr, x, core.Const(t, int64(t.Bits-choice.Pick(w.S, []int{1, 1, 1, 8, 2}))))
}

// counted is the number of some bits of x, or its bytes swapped.
func counted(w *widths, t ir.Int, x ir.Expr) ir.Expr {
	fn := choice.Pick(w.S, []ir.Fn{ir.Popcount, ir.Clz, ir.Ctz, ir.Bswap, ir.Bswap})
	u := core.Unsigned(t)
	x = core.Convert(u, x)
	if fn == ir.Clz || fn == ir.Ctz { // undefined for 0
		x = core.Bin(ir.Or, x, core.Const(u, int64(1)<<w.S.Intn(t.Bits)))
	}
	return core.Convert(t, &ir.Builtin{Fn: fn, Args: []ir.Expr{x}})
}

// complement is ~x or -x.
func complement(w *widths, t ir.Int, x ir.Expr) ir.Expr {
	if w.S.Chance(1, 2) {
		return core.Unary(ir.Not, x)
	}
	return core.Modulo(ir.Sub, t, core.Zero(t), x)
}

func added(_ *widths, t ir.Int, x, y ir.Expr) ir.Expr      { return arithmetic(ir.Add, t, x, y) }
func subtracted(_ *widths, t ir.Int, x, y ir.Expr) ir.Expr { return arithmetic(ir.Sub, t, x, y) }
func multiplied(_ *widths, t ir.Int, x, y ir.Expr) ir.Expr { return arithmetic(ir.Mul, t, x, y) }
func mixed(w *widths, _ ir.Int, x, y ir.Expr) ir.Expr      { return core.Bin(core.BitwiseOp(w.S), x, y) }

// field is (x >> k) & m.
func field(w *widths, t ir.Int, x ir.Expr) ir.Expr {
	k, m := w.field(t)
	return core.Bin(ir.And, core.Bin(ir.Shr, x, core.Const(t, k)), core.Const(t, m))
}

// field returns the first of some consecutive bits, and as many ones.
func (w *widths) field(t ir.Int) (first, ones int64) {
	n := choice.Pick(w.S, []int{1, 8, 16, w.S.Range(1, t.Bits-1)})
	k := choice.Pick(w.S, []int{0, 8, 16, t.Bits - n, w.S.Range(0, t.Bits-n)})
	return int64(min(k, t.Bits-n)), int64(1)<<n - 1
}

// inserted is (x & ~(m << k)) | (y & m) << k, or (y << k) & (m << k).
func inserted(w *widths, t ir.Int, x, y ir.Expr) ir.Expr {
	k, m := w.field(t)
	if c, ok := y.(*ir.Const); ok {
		y = core.Const(t, c.V&m<<k)
	} else if w.S.Chance(1, 2) {
		y = core.Bin(ir.And, core.Modulo(ir.Shl, t, y, core.Const(t, k)), core.Const(t, m<<k))
	} else {
		y = core.Modulo(ir.Shl, t, core.Bin(ir.And, y, core.Const(t, m)), core.Const(t, k))
	}
	op := choice.Pick(w.S, []ir.Op{ir.Or, ir.Or, ir.Or, ir.Xor, ir.Add})
	return core.Modulo(op, t, core.Bin(ir.And, x, core.Const(t, ^(m<<k))), y)
}

// withConstant joins x with a constant.
func withConstant(w *widths, t ir.Int, x ir.Expr) ir.Expr {
	y := w.Edge(t)
	if op := choice.Pick(w.S, []ir.Op{ir.Add, ir.And, ir.Or, ir.Xor, ir.Mul}); op == ir.Add || op == ir.Mul {
		return core.Modulo(op, t, x, y)
	} else {
		return core.Bin(op, x, y)
	}
}

// divided is x / y or x % y, where y is kept from being 0 or -1.
func divided(w *widths, t ir.Int, x, y ir.Expr) ir.Expr {
	op := choice.Pick(w.S, []ir.Op{ir.Div, ir.Rem})
	if c, ok := y.(*ir.Const); ok {
		v := c.V
		if v == 0 || v == -1 {
			v = 10
		}
		return core.Bin(op, x, core.Const(t, v))
	}
	if t.Signed {
		y = core.Bin(ir.And, y, core.Const(t, t.Max()))
	}
	return core.Bin(op, x, core.Bin(ir.Or, y, core.Const(t, int64(w.S.Range(1, 9)))))
}

// order returns a comparison of the values x and y, which are read again, in the
// type of either or another one.
func (w *widths) order(x, y ir.Expr) ir.Expr {
	t := core.Promote(ir.IntOf(choice.Pick(w.S, []ir.Expr{x, y})))
	switch w.S.Weighted(4, 2, 2) {
	case 1:
		t.Signed = !t.Signed
	case 2:
		t = choice.Pick(w.S, w.palette.types)
	}
	return core.Bin(core.ComparisonOp(w.S), core.As(t, w.again(x)), core.As(t, w.again(y)))
}

// chosen is c ? x : y, where c is about these values or others.
func chosen(w *widths, _ ir.Int, x, y ir.Expr) ir.Expr {
	var c ir.Expr
	switch w.S.Weighted(3, 3, 3, 2) {
	case 0:
		c = w.order(x, y)
	case 1:
		c = w.order(w.variable(), choice.Pick(w.S, []ir.Expr{x, y}))
	case 2:
		c = w.order(w.variable(), choice.Pick(w.S, []ir.Expr{w.variable(), w.Edge(ir.IntOf(x))}))
	default:
		c = w.variable()
	}
	return core.Select(c, x, y)
}

// smaller is the smaller or larger of x and y.
func smaller(w *widths, t ir.Int, x, y ir.Expr) ir.Expr {
	op := choice.Pick(w.S, core.Orders)
	return core.Select(core.Bin(op, w.again(x), w.again(y)), x, y)
}

// shifted is x << y or x >> y, where y is kept below the width.
func shifted(w *widths, t ir.Int, x, y ir.Expr) ir.Expr {
	m := int64(t.Bits - 1)
	if w.S.Chance(1, 3) {
		m = int64(choice.Pick(w.S, []int{7, 15, 31}))
	}
	if c, ok := y.(*ir.Const); ok {
		y = core.Const(t, c.V&m)
	} else {
		y = core.Bin(ir.And, y, core.Const(t, m))
	}
	if w.S.Chance(1, 2) {
		return core.Bin(ir.Shr, x, y)
	}
	return core.Modulo(ir.Shl, t, x, y)
}

// asNumber is a comparison of x and y as a number.
func asNumber(w *widths, t ir.Int, x, y ir.Expr) ir.Expr {
	e := core.Convert(t, core.Bin(core.ComparisonOp(w.S), x, y))
	if w.S.Chance(1, 4) {
		return core.Modulo(ir.Sub, t, core.Zero(t), e)
	}
	return e
}

// logical joins x and y as truth values.
func logical(w *widths, t ir.Int, x, y ir.Expr) ir.Expr {
	return core.Convert(t, choice.Pick(w.S, w.palette.joins)(w, w.isZero(x), w.isZero(y)))
}

// isZero returns !x, or !!x.
func (w *widths) isZero(x ir.Expr) ir.Expr {
	return core.Bin(choice.Pick(w.S, core.Equalities), x, core.Zero(ir.IntOf(x)))
}
