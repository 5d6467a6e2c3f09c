package trips

import (
	"goreify/reify/choice"
	"goreify/reify/ir"
	"goreify/reify/sketch/core"
)

// lanePatterns are values that vectorisers know as one operation though they are
// written as several. Each returns a value of type of, defined for all values of the
// elements.
var lanePatterns = []func(t *trips, of ir.Int) ir.Expr{
	averageOf, averageOf, highProduct, highProduct, rotateLane, saturated, saturated, distanceOf, signTest,
	maskOf, wideningShift, truthOf, truthOf, bitCount, lowPart, guardedQuotient,
}

// two returns two elements, of one type if possible, as values of another.
func (t *trips) two(of ir.Int) (x, y ir.Expr) {
	a, b := t.array(), t.array()
	for range 2 {
		if a.Leaves[0].T == b.Leaves[0].T {
			break
		}
		b = t.array()
	}
	return core.Convert(of, core.Load(t.Element(a, t.offset(a)))), core.Convert(of, core.Load(t.Element(b, t.offset(b))))
}

// narrow draws a type of less than 32 bits, if the policy has such types.
func (t *trips) narrow() ir.Int {
	if !t.ManyTypes() {
		return ir.I32
	}
	return ir.Int{Bits: 8 << t.S.Intn(2), Signed: t.S.Chance(1, 2)}
}

// averageOf is (x + y) >> 1, or (x + y + 1) >> 1, of narrow values.
func averageOf(t *trips, of ir.Int) ir.Expr {
	in := choice.Pick(t.S, []ir.Int{ir.U32, ir.U32, ir.I32})
	n := t.narrow()
	if n.Bits == 32 {
		in = ir.U32
	}
	x, y := t.two(n)
	e := core.Bin(ir.Add, core.Convert(in, x), core.Convert(in, y))
	if t.S.Chance(1, 2) {
		e = core.Bin(ir.Add, e, core.Const(in, 1))
	}
	return core.Convert(of, core.Convert(n, core.Bin(ir.Shr, e, core.Const(in, 1))))
}

// highProduct is the upper half of a product, or a part of it rounded.
func highProduct(t *trips, of ir.Int) ir.Expr {
	n, in := t.narrow(), ir.U32
	if n.Bits == 32 && t.Policy.Wide > 0 || t.Policy.Wide > 0 && t.S.Chance(1, 3) {
		n, in = choice.Pick(t.S, []ir.Int{ir.I32, ir.U32}), ir.U64
	}
	x, y := t.two(n)
	e := ir.Expr(core.Bin(ir.Mul, core.Convert(in, x), core.Convert(in, y)))
	k := int64(n.Bits)
	if n.Bits == in.Bits || t.S.Chance(1, 3) {
		k = int64(t.S.Range(1, in.Bits-1))
	}
	if t.S.Chance(1, 3) {
		e = core.Bin(ir.Add, e, core.Const(in, 1<<(k-1)))
	}
	if t.S.Chance(1, 2) {
		in.Signed = true
		e = core.Convert(in, e)
	}
	return core.Convert(of, core.Convert(n, core.Bin(ir.Shr, e, core.Const(in, k))))
}

// rotateLane is (x << k) | (x >> w - k), by a constant or an element.
func rotateLane(t *trips, of ir.Int) ir.Expr {
	u := core.Unsigned(of)
	x, y := t.two(u)
	if t.S.Chance(1, 2) {
		k := int64(t.S.Range(1, u.Bits-1))
		return core.Convert(of, core.Bin(ir.Or, core.Bin(ir.Shl, x, core.Const(u, k)), core.Bin(ir.Shr, ir.CopyExpr(x), core.Const(u, int64(u.Bits)-k))))
	}
	m := int64(u.Bits - 1)
	minus := core.Bin(ir.Sub, core.Zero(u), ir.CopyExpr(y))
	return core.Convert(of, core.Bin(ir.Or,
		core.Bin(ir.Shl, x, core.Bin(ir.And, y, core.Const(u, m))),
		core.Bin(ir.Shr, ir.CopyExpr(x), core.Bin(ir.And, minus, core.Const(u, m)))))
}

// saturated is x + y or x - y of narrow values, clamped to their type.
func saturated(t *trips, of ir.Int) ir.Expr {
	n := t.narrow()
	in := ir.I32
	if n.Bits == 32 {
		// x > y ? x - y : 0
		x, y := t.two(ir.U32)
		return core.Convert(of, core.Select(core.Bin(ir.Gt, x, y), core.Bin(ir.Sub, ir.CopyExpr(x), ir.CopyExpr(y)), core.Zero(ir.U32)))
	}
	x, y := t.two(n)
	e := core.Bin(core.AdditiveOp(t.S), core.Convert(in, x), core.Convert(in, y))
	low := ir.Expr(core.Select(core.Bin(ir.Lt, e, core.Const(in, n.Max())), ir.CopyExpr(e), core.Const(in, n.Max())))
	low = core.Select(core.Bin(ir.Gt, low, core.Const(in, n.Min())), ir.CopyExpr(low), core.Const(in, n.Min()))
	return core.Convert(of, core.Convert(n, low))
}

// distanceOf is |x - y| of narrow values.
func distanceOf(t *trips, of ir.Int) ir.Expr {
	in := ir.I32
	n := t.narrow()
	x, y := t.two(n)
	d := func() ir.Expr {
		return core.Wrapped(ir.Sub, in, core.Convert(in, ir.CopyExpr(x)), core.Convert(in, ir.CopyExpr(y)))
	}
	return core.Convert(of, core.Select(core.Bin(ir.Lt, d(), core.Zero(in)), core.Wrapped(ir.Sub, in, core.Zero(in), d()), d()))
}

// signTest is x < 0 ? -y : y, or x >> w - 1.
func signTest(t *trips, of ir.Int) ir.Expr {
	in := ir.Int{Bits: of.Bits, Signed: true}
	x, y := t.two(in)
	if t.S.Chance(1, 3) {
		return core.Convert(of, core.Bin(ir.Shr, x, core.Const(in, int64(of.Bits-1))))
	}
	op := choice.Pick(t.S, []ir.Op{ir.Lt, ir.Ge, ir.Gt})
	return core.Convert(of, core.Select(core.Bin(op, x, core.Zero(in)), core.Wrapped(ir.Sub, in, core.Zero(in), y), ir.CopyExpr(y)))
}

// maskOf is -(x < y) & z.
func maskOf(t *trips, of ir.Int) ir.Expr {
	u := core.Unsigned(of)
	mask := core.Bin(ir.Sub, core.Zero(u), core.Convert(u, t.leafTest()))
	return core.Convert(of, core.Bin(choice.Pick(t.S, []ir.Op{ir.And, ir.Or, ir.Xor}), mask, t.laneLeaf(u)))
}

// wideningShift is x << k of a narrow value, computed in a wider type.
func wideningShift(t *trips, of ir.Int) ir.Expr {
	n := t.narrow()
	u := core.Unsigned(of)
	k := int64(t.S.Range(1, min(n.Bits, u.Bits-1)))
	return core.Convert(of, core.Bin(ir.Shl, core.Convert(u, core.Convert(n, t.laneLeaf(t.width()))), core.Const(u, k)))
}

// truthOf is comparisons joined by & | ^, and one of them negated now and then.
func truthOf(t *trips, of ir.Int) ir.Expr {
	test := func() ir.Expr { return core.Convert(of, t.leafTest()) }
	e := test()
	for range t.S.Range(1, 2) {
		e = core.Bin(choice.Pick(t.S, []ir.Op{ir.And, ir.Or, ir.Xor}), e, test())
	}
	if t.S.Chance(1, 3) {
		e = core.Bin(ir.Xor, e, core.Const(of, 1))
	}
	return e
}

// bitCount is a number of bits, or the bytes in the other order.
func bitCount(t *trips, of ir.Int) ir.Expr {
	if t.Policy.Builtin == 0 {
		return rotateLane(t, of)
	}
	u := core.Unsigned(of)
	fn := choice.Pick(t.S, []ir.Fn{ir.Popcount, ir.Popcount, ir.Parity, ir.Bswap})
	return core.Convert(of, &ir.Builtin{Fn: fn, Args: []ir.Expr{t.laneLeaf(u)}})
}

// lowPart is the low bits of a sum or product that was computed in more.
func lowPart(t *trips, of ir.Int) ir.Expr {
	u := core.Unsigned(t.width())
	n := t.narrow()
	x, y := t.two(u)
	e := core.Bin(choice.Pick(t.S, []ir.Op{ir.Add, ir.Sub, ir.Mul, ir.Xor}), x, y)
	e = core.Bin(ir.Shr, core.Bin(ir.Add, e, t.Constant(u)), core.Const(u, int64(t.S.Range(1, 7))))
	return core.Convert(of, core.Convert(n, e))
}

// guardedQuotient is y != 0 ? x / y : z.
func guardedQuotient(t *trips, of ir.Int) ir.Expr {
	u := core.Unsigned(of)
	if u.Bits > 32 && t.S.Chance(1, 2) {
		u = ir.U32
	}
	x, y := t.two(u)
	op := choice.Pick(t.S, []ir.Op{ir.Div, ir.Rem})
	return core.Convert(of, core.Select(core.Bin(ir.Ne, y, core.Zero(u)), core.Bin(op, x, ir.CopyExpr(y)), t.laneLeaf(u)))
}
