package widths

import (
	"math"
	"math/bits"
	"slices"

	"goreify/reify/choice"
	"goreify/reify/ir"
	"goreify/reify/sketch/core"
)

// A wideForm joins two values of type t, or makes another one of the first.
type wideForm func(w *widths, t ir.Wide, x, y wideValue) wideValue

// wideForms is the table of what wides are drawn from.
var wideForms = []wideForm{
	wideAdd, wideAdd, wideSubtract, wideMultiply, wideMultiply, wideMultiply, wideBits, wideBits, wideShiftBy, wideShiftBy,
	wideRotate, wideDivide, wideDivide, wideMagnitude, wideSign, wideFlag, wideJoin, wideComplement, wideNarrowed,
	wideSelect, wideSelect, wideExtreme, wideAbsolute, wideOverflow, wideOverflow, wideByHalves,
}

// wideModulo returns x op y: in t if t holds the result for all values, or is unsigned,
// else in the unsigned type.
func (w *widths) wideModulo(op ir.Op, t ir.Wide, x, y wideValue) wideValue {
	need := max(x.bits, y.bits) + 1
	if op == ir.Mul {
		need = x.bits + y.bits
	}
	if op.Bitwise() {
		need = max(x.bits, y.bits)
	}
	if t.Signed && (op.Bitwise() || need <= t.Bits) {
		return wideValue{core.Bin(op, x.e, y.e), min(need, t.Bits)}
	}
	u := t
	u.Signed = false
	e := core.Bin(op, w.wideAs(u, x).e, w.wideAs(u, y).e)
	return w.wideAs(t, wideValue{e, u.Bits + 1})
}

func wideAdd(w *widths, t ir.Wide, x, y wideValue) wideValue {
	return w.wideModulo(ir.Add, t, x, y)
}

func wideSubtract(w *widths, t ir.Wide, x, y wideValue) wideValue {
	return w.wideModulo(ir.Sub, t, x, y)
}

func wideMultiply(w *widths, t ir.Wide, x, y wideValue) wideValue {
	return w.wideModulo(ir.Mul, t, x, y)
}

func wideBits(w *widths, t ir.Wide, x, y wideValue) wideValue {
	return w.wideModulo(core.BitwiseOp(w.S), t, x, y)
}

// anyWide returns e as a value that may need all bits of its type.
func anyWide(e ir.Expr) wideValue {
	return wideValue{e, fewest(ir.TypeOf[ir.Wide](e), math.MaxInt, false)}
}

// wideCount returns a count that is less than the width of t: a constant, or a
// variable with some bits masked, or a remainder.
func (w *widths) wideCount(t ir.Wide) ir.Expr {
	switch w.S.Weighted(3, 2, 1) {
	case 0:
		n := choice.Pick(w.S, []int{1, t.Bits - 1, t.Bits / 2, 63, 64, w.S.Range(0, t.Bits-1)})
		return wideConstant(t, int64(min(n, t.Bits-1)))
	case 1:
		mask := int64(1)<<(bits.Len(uint(t.Bits))-1) - 1
		return core.To(t, core.Bin(ir.And, core.As(ir.U32, w.variable()), core.Const(ir.U32, mask)))
	}
	return core.To(t, core.Bin(ir.Rem, core.As(ir.U32, w.variable()), core.Const(ir.U32, int64(t.Bits))))
}

// wideShiftBy is x << n or x >> n.
func wideShiftBy(w *widths, t ir.Wide, x, _ wideValue) wideValue {
	if w.S.Chance(1, 2) {
		return wideValue{core.Bin(ir.Shr, x.e, w.wideCount(t)), x.bits}
	}
	u := t
	u.Signed = false
	return w.wideAs(t, anyWide(core.Bin(ir.Shl, w.wideAs(u, x).e, w.wideCount(u))))
}

// wideRotate is x rotated in the width of t.
func wideRotate(w *widths, t ir.Wide, x, _ wideValue) wideValue {
	u := t
	u.Signed = false
	k := int64(w.S.Range(1, t.Bits-1))
	x = w.wideAs(u, x)
	e := core.Bin(ir.Or, core.Bin(ir.Shl, x.e, wideConstant(u, k)), core.Bin(ir.Shr, w.wideAgain(x).e, wideConstant(u, int64(t.Bits)-k)))
	return w.wideAs(t, anyWide(e))
}

// wideDivide is x / y or x % y, where y is kept from being 0 or -1.
func wideDivide(w *widths, t ir.Wide, x, y wideValue) wideValue {
	op := choice.Pick(w.S, []ir.Op{ir.Div, ir.Rem})
	if w.S.Chance(1, 2) {
		return anyWide(core.Bin(op, x.e, w.wideDivisor(t)))
	}
	if t.Signed {
		u := t
		u.Signed = false
		y = w.wideAs(t, wideValue{core.Bin(ir.Shr, w.wideAs(u, y).e, wideConstant(u, 1)), t.Bits})
	}
	return anyWide(core.Bin(op, x.e, core.Bin(ir.Or, y.e, wideConstant(t, 1))))
}

// wideDivisor returns a constant of type t that is neither 0 nor -1.
func (w *widths) wideDivisor(t ir.Wide) ir.Expr {
	c := w.Edge(choice.Pick(w.S, core.Computed[:])).(*ir.Const)
	if w.S.Chance(1, 2) {
		c = core.Const(ir.I32, choice.Pick(w.S, []int64{3, 5, 7, 10, 100, 1000, 641, 65537, 1e9}))
	}
	in := ir.Int{Bits: min(t.Bits, 64), Signed: t.Signed}
	if v := in.Wrap(c.V); v == 0 || t.Signed && v == -1 {
		c = core.Const(ir.I32, 1)
	}
	return core.To(t, c)
}

// wideMagnitude is (x ^ s) - s, where s is the sign of x in all bits, without a sign.
func wideMagnitude(w *widths, t ir.Wide, x, _ wideValue) wideValue {
	s, u := t, t
	s.Signed, u.Signed = true, false
	x = w.wideAs(s, x)
	sign := func() ir.Expr {
		return w.wideAs(u, wideValue{core.Bin(ir.Shr, w.wideAgain(x).e, wideConstant(s, int64(t.Bits-1))), 1}).e
	}
	e := core.Bin(ir.Sub, core.Bin(ir.Xor, w.wideAs(u, x).e, sign()), sign())
	return w.wideAs(t, anyWide(e))
}

// wideSign is the sign of x: 0 or -1, or 1 without a sign.
func wideSign(_ *widths, t ir.Wide, x, _ wideValue) wideValue {
	return wideValue{core.Bin(ir.Shr, x.e, wideConstant(t, int64(t.Bits-1))), 2}
}

// wideFlag is a comparison as a number, or its negative.
func wideFlag(w *widths, t ir.Wide, x, y wideValue) wideValue {
	var e ir.Expr = core.To(t, &ir.Binary{Op: core.ComparisonOp(w.S), X: x.e, Y: y.e})
	flag := wideValue{e, 2}
	switch {
	case !t.Signed && w.S.Chance(1, 3):
		return anyWide(core.Unary(ir.Neg, e))
	case w.S.Chance(1, 3):
		flag.e = core.Unary(ir.Neg, e)
	}
	return flag
}

// wideJoin is x << n | y, where y has at most n bits.
func wideJoin(w *widths, t ir.Wide, x, y wideValue) wideValue {
	u := t
	u.Signed = false
	n := min(t.Bits-1, choice.Pick(w.S, []int{8, 16, 32, 64, 64, t.Bits / 2}))
	v := core.Convert(ir.Int{Bits: choice.Pick(w.S, []int{32, 64})}, w.variable())
	e := core.Bin(ir.Shl, w.wideAs(u, x).e, wideConstant(u, int64(n)))
	return w.wideAs(t, anyWide(core.Bin(choice.Pick(w.S, []ir.Op{ir.Or, ir.Or, ir.Xor, ir.Add}), e, core.To(u, v))))
}

// wideComplement is ~x, or -x where t has no sign.
func wideComplement(w *widths, t ir.Wide, x, _ wideValue) wideValue {
	op := ir.Not
	if !t.Signed && w.S.Chance(1, 2) {
		op = ir.Neg
	}
	if op == ir.Neg || !t.Signed {
		return anyWide(core.Unary(op, x.e))
	}
	return wideValue{core.Unary(op, x.e), x.bits}
}

// wideNarrowed is x, cut to another type and extended again.
func wideNarrowed(w *widths, t ir.Wide, x, _ wideValue) wideValue {
	if w.S.Chance(1, 2) {
		return w.wideAs(t, w.wideAs(w.drawWide(), x))
	}
	return w.wideLeafOf(t, &ir.Convert{T: choice.Pick(w.S, core.Computed[:]), X: x.e})
}

// wideSelect is one of x and y, or of their sum and one of them, as a condition says.
func wideSelect(w *widths, t ir.Wide, x, y wideValue) wideValue {
	var cond ir.Expr = &ir.Binary{Op: core.ComparisonOp(w.S), X: w.wideAgain(x).e, Y: w.wideLeaf(t).e}
	if w.S.Chance(1, 2) {
		v := w.variable()
		cond = core.Bin(core.ComparisonOp(w.S), core.As(core.Promote(ir.IntOf(v)), v), w.Edge(core.Promote(ir.IntOf(v))))
	}
	if w.S.Chance(1, 3) {
		x = w.wideModulo(ir.Add, t, x, w.wideAgain(y))
	}
	return w.wideChoice(cond, x, y)
}

func (w *widths) wideChoice(cond ir.Expr, x, y wideValue) wideValue {
	return wideValue{core.Select(cond, x.e, y.e), max(x.bits, y.bits)}
}

// wideExtreme is the smaller or larger one of x and y, or x between two bounds.
func wideExtreme(w *widths, t ir.Wide, x, y wideValue) wideValue {
	op := choice.Pick(w.S, []ir.Op{ir.Lt, ir.Gt, ir.Le, ir.Ge})
	min := w.wideChoice(&ir.Binary{Op: op, X: w.wideAgain(x).e, Y: w.wideAgain(y).e}, x, y)
	if w.S.Chance(2, 3) {
		return min
	}
	z := w.wideLeaf(t)
	if n := 0; !tally(min.e, &n) {
		return min
	}
	return w.wideChoice(&ir.Binary{Op: op, X: w.wideAgain(z).e, Y: w.wideAgain(min).e}, z, min)
}

// wideAbsolute is x, or 0 - x where that is negative.
func wideAbsolute(w *widths, t ir.Wide, x, _ wideValue) wideValue {
	s, u := t, t
	s.Signed, u.Signed = true, false
	if t.Bits < 2 {
		return x
	}
	x = w.wideAs(s, x)
	y := w.wideAs(u, w.wideAgain(x)).e
	cond := &ir.Binary{Op: ir.Lt, X: w.wideAgain(x).e, Y: wideConstant(s, 0)}
	e := core.Select(cond, core.Unary(ir.Neg, y), w.wideAs(u, w.wideAgain(x)).e)
	return w.wideAs(t, anyWide(e))
}

// wideOverflow is whether an operator overflows, or its result unless it does, in
// __int128.
func wideOverflow(w *widths, t ir.Wide, x, y wideValue) wideValue {
	if !slices.Contains(w.wide.types, ir.I128) {
		return wideExtreme(w, t, x, y)
	}
	in := choice.Pick(w.S, []ir.Wide{ir.I128, ir.U128})
	op := choice.Pick(w.S, []ir.Op{ir.Add, ir.Sub, ir.Mul, ir.Mul})
	if w.S.Chance(1, 2) { // so that it is open whether it does
		x = anyWide(core.Bin(ir.Shl, w.wideAs(ir.U128, x).e, w.wideCount(ir.U128)))
	}
	x, y = w.wideAs(in, x), w.wideAs(in, y)
	flag := &ir.Builtin{Fn: op.OverflowFn(), Args: []ir.Expr{w.wideAgain(x).e, w.wideAgain(y).e}}
	if w.S.Chance(1, 3) {
		return wideValue{core.To(t, flag), 2}
	}
	u := ir.U128
	whole := core.Bin(op, w.wideAs(u, x).e, w.wideAs(u, y).e)
	return w.wideAs(t, w.wideChoice(flag, w.wideAs(u, w.wideLeaf(in)), anyWide(whole)))
}

// wideByHalves counts the bits of x, or swaps its bytes, by builtins for 64 bits.
func wideByHalves(w *widths, t ir.Wide, x, y wideValue) wideValue {
	if !slices.Contains(w.wide.types, ir.I128) {
		return wideExtreme(w, t, x, y)
	}
	x = w.wideAs(ir.U128, x)
	half := func(n int64) ir.Expr {
		e := w.wideAgain(x).e
		if n > 0 {
			e = core.Bin(ir.Shr, e, wideConstant(ir.U128, n))
		}
		return &ir.Convert{T: ir.U64, X: e}
	}
	call := func(fn ir.Fn, e ir.Expr) ir.Expr { return &ir.Builtin{Fn: fn, Args: []ir.Expr{e}} }
	switch w.S.Intn(4) {
	case 0:
		return wideValue{core.To(t, core.Bin(ir.Add, call(ir.Popcount, half(0)), call(ir.Popcount, half(64)))), 9}
	case 1: // leading zeros
		one := core.Bin(ir.Or, half(0), core.Const(ir.U64, 1))
		low := core.Bin(ir.Add, call(ir.Clz, one), core.Const(ir.I32, 64))
		high := call(ir.Clz, core.Bin(ir.Or, half(64), core.Const(ir.U64, 1)))
		e := core.Select(core.Bin(ir.Eq, half(64), core.Zero(ir.U64)), low, high)
		return wideValue{core.To(t, e), 9}
	case 2: // trailing zeros
		low := call(ir.Ctz, core.Bin(ir.Or, half(0), core.Const(ir.U64, -1<<63)))
		high := core.Bin(ir.Add, call(ir.Ctz, core.Bin(ir.Or, half(64), core.Const(ir.U64, -1<<63))), core.Const(ir.I32, 64))
		e := core.Select(core.Bin(ir.Ne, half(0), core.Zero(ir.U64)), low, high)
		return wideValue{core.To(t, e), 9}
	}
	high := core.Bin(ir.Shl, core.To(ir.U128, call(ir.Bswap, half(0))), wideConstant(ir.U128, 64))
	return w.wideAs(t, anyWide(core.Bin(ir.Or, high, core.To(ir.U128, call(ir.Bswap, half(64))))))
}
