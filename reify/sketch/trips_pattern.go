package sketch

import (
	"goreify/reify/choice"
	"goreify/reify/ir"
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
		if a.leaves[0].t == b.leaves[0].t {
			break
		}
		b = t.array()
	}
	return convert(of, nodeLoad(t.element(a, t.offset(a)))), convert(of, nodeLoad(t.element(b, t.offset(b))))
}

// narrow draws a type of less than 32 bits, if the policy has such types.
func (t *trips) narrow() ir.Int {
	if !t.manyTypes() {
		return ir.I32
	}
	return ir.Int{Bits: 8 << t.s.Intn(2), Signed: t.s.Chance(1, 2)}
}

// averageOf is (x + y) >> 1, or (x + y + 1) >> 1, of narrow values.
func averageOf(t *trips, of ir.Int) ir.Expr {
	in := choice.Pick(t.s, []ir.Int{ir.U32, ir.U32, ir.I32})
	n := t.narrow()
	if n.Bits == 32 {
		in = ir.U32
	}
	x, y := t.two(n)
	e := bin(ir.Add, convert(in, x), convert(in, y))
	if t.s.Chance(1, 2) {
		e = bin(ir.Add, e, constantOf(in, 1))
	}
	return convert(of, convert(n, bin(ir.Shr, e, constantOf(in, 1))))
}

// highProduct is the upper half of a product, or a part of it rounded.
func highProduct(t *trips, of ir.Int) ir.Expr {
	n, in := t.narrow(), ir.U32
	if n.Bits == 32 && t.p.Wide > 0 || t.p.Wide > 0 && t.s.Chance(1, 3) {
		n, in = choice.Pick(t.s, []ir.Int{ir.I32, ir.U32}), ir.U64
	}
	x, y := t.two(n)
	e := ir.Expr(bin(ir.Mul, convert(in, x), convert(in, y)))
	k := int64(n.Bits)
	if n.Bits == in.Bits || t.s.Chance(1, 3) {
		k = int64(t.s.Range(1, in.Bits-1))
	}
	if t.s.Chance(1, 3) {
		e = bin(ir.Add, e, constantOf(in, 1<<(k-1)))
	}
	if t.s.Chance(1, 2) {
		in.Signed = true
		e = convert(in, e)
	}
	return convert(of, convert(n, bin(ir.Shr, e, constantOf(in, k))))
}

// rotateLane is (x << k) | (x >> w - k), by a constant or an element.
func rotateLane(t *trips, of ir.Int) ir.Expr {
	u := unsigned(of)
	x, y := t.two(u)
	if t.s.Chance(1, 2) {
		k := int64(t.s.Range(1, u.Bits-1))
		return convert(of, bin(ir.Or, bin(ir.Shl, x, constantOf(u, k)), bin(ir.Shr, ir.CopyExpr(x), constantOf(u, int64(u.Bits)-k))))
	}
	m := int64(u.Bits - 1)
	minus := bin(ir.Sub, constant0(u), ir.CopyExpr(y))
	return convert(of, bin(ir.Or,
		bin(ir.Shl, x, bin(ir.And, y, constantOf(u, m))),
		bin(ir.Shr, ir.CopyExpr(x), bin(ir.And, minus, constantOf(u, m)))))
}

// saturated is x + y or x - y of narrow values, clamped to their type.
func saturated(t *trips, of ir.Int) ir.Expr {
	n := t.narrow()
	in := ir.I32
	if n.Bits == 32 {
		// x > y ? x - y : 0
		x, y := t.two(ir.U32)
		return convert(of, nodeSelect(bin(ir.Gt, x, y), bin(ir.Sub, ir.CopyExpr(x), ir.CopyExpr(y)), constant0(ir.U32)))
	}
	x, y := t.two(n)
	e := bin(additiveOp(t.s), convert(in, x), convert(in, y))
	low := ir.Expr(nodeSelect(bin(ir.Lt, e, constantOf(in, n.Max())), ir.CopyExpr(e), constantOf(in, n.Max())))
	low = nodeSelect(bin(ir.Gt, low, constantOf(in, n.Min())), ir.CopyExpr(low), constantOf(in, n.Min()))
	return convert(of, convert(n, low))
}

// distanceOf is |x - y| of narrow values.
func distanceOf(t *trips, of ir.Int) ir.Expr {
	in := ir.I32
	n := t.narrow()
	x, y := t.two(n)
	d := func() ir.Expr { return wrapped(ir.Sub, in, convert(in, ir.CopyExpr(x)), convert(in, ir.CopyExpr(y))) }
	return convert(of, nodeSelect(bin(ir.Lt, d(), constant0(in)), wrapped(ir.Sub, in, constant0(in), d()), d()))
}

// signTest is x < 0 ? -y : y, or x >> w - 1.
func signTest(t *trips, of ir.Int) ir.Expr {
	in := ir.Int{Bits: of.Bits, Signed: true}
	x, y := t.two(in)
	if t.s.Chance(1, 3) {
		return convert(of, bin(ir.Shr, x, constantOf(in, int64(of.Bits-1))))
	}
	op := choice.Pick(t.s, []ir.Op{ir.Lt, ir.Ge, ir.Gt})
	return convert(of, nodeSelect(bin(op, x, constant0(in)), wrapped(ir.Sub, in, constant0(in), y), ir.CopyExpr(y)))
}

// maskOf is -(x < y) & z.
func maskOf(t *trips, of ir.Int) ir.Expr {
	u := unsigned(of)
	mask := bin(ir.Sub, constant0(u), convert(u, t.leafTest()))
	return convert(of, bin(choice.Pick(t.s, []ir.Op{ir.And, ir.Or, ir.Xor}), mask, t.laneLeaf(u)))
}

// wideningShift is x << k of a narrow value, computed in a wider type.
func wideningShift(t *trips, of ir.Int) ir.Expr {
	n := t.narrow()
	u := unsigned(of)
	k := int64(t.s.Range(1, min(n.Bits, u.Bits-1)))
	return convert(of, bin(ir.Shl, convert(u, convert(n, t.laneLeaf(t.width()))), constantOf(u, k)))
}

// truthOf is comparisons joined by & | ^, and one of them negated now and then.
func truthOf(t *trips, of ir.Int) ir.Expr {
	test := func() ir.Expr { return convert(of, t.leafTest()) }
	e := test()
	for range t.s.Range(1, 2) {
		e = bin(choice.Pick(t.s, []ir.Op{ir.And, ir.Or, ir.Xor}), e, test())
	}
	if t.s.Chance(1, 3) {
		e = bin(ir.Xor, e, constantOf(of, 1))
	}
	return e
}

// bitCount is a number of bits, or the bytes in the other order.
func bitCount(t *trips, of ir.Int) ir.Expr {
	if t.p.Builtin == 0 {
		return rotateLane(t, of)
	}
	u := unsigned(of)
	fn := choice.Pick(t.s, []ir.Fn{ir.Popcount, ir.Popcount, ir.Parity, ir.Bswap})
	return convert(of, &ir.Builtin{Fn: fn, Args: []ir.Expr{t.laneLeaf(u)}})
}

// lowPart is the low bits of a sum or product that was computed in more.
func lowPart(t *trips, of ir.Int) ir.Expr {
	u := unsigned(t.width())
	n := t.narrow()
	x, y := t.two(u)
	e := bin(choice.Pick(t.s, []ir.Op{ir.Add, ir.Sub, ir.Mul, ir.Xor}), x, y)
	e = bin(ir.Shr, bin(ir.Add, e, t.constant(u)), constantOf(u, int64(t.s.Range(1, 7))))
	return convert(of, convert(n, e))
}

// guardedQuotient is y != 0 ? x / y : z.
func guardedQuotient(t *trips, of ir.Int) ir.Expr {
	u := unsigned(of)
	if u.Bits > 32 && t.s.Chance(1, 2) {
		u = ir.U32
	}
	x, y := t.two(u)
	op := choice.Pick(t.s, []ir.Op{ir.Div, ir.Rem})
	return convert(of, nodeSelect(bin(ir.Ne, y, constant0(u)), bin(op, x, ir.CopyExpr(y)), t.laneLeaf(u)))
}
