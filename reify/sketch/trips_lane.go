package sketch

import (
	"goreify/reify/choice"
	"goreify/reify/ir"
)

// steady returns a scalar that the loop does not assign to, or else a constant.
func (t *trips) steady(of ir.Int) ir.Expr {
	if len(t.trip.steady) == 0 {
		return t.constant(of)
	}
	return scalar(of, choice.Pick(t.s, t.trip.steady))
}

// array returns an array to read.
func (t *trips) array() *source { return choice.Pick(t.s, t.arrays) }

// target returns an array to write: mostly the one of the loop, so that the other
// arrays can be read at any distance.
func (t *trips) target() *source {
	if t.s.Chance(1, 8) {
		return t.array()
	}
	return t.trip.target
}

// offset draws the distance from the counter at which an array is read: mostly 0 if the
// loop writes to it.
func (t *trips) offset(a *source) int64 {
	if a == t.trip.target && t.s.Chance(7, 8) || t.s.Chance(2, 3) {
		return 0
	}
	return int64(t.s.Range(1, 8))
}

// here returns the element of an array at the counter.
func (t *trips) here(of ir.Int, a *source) ir.Expr {
	return convert(of, nodeLoad(t.element(a, 0)))
}

// width draws a type to compute in.
func (t *trips) width() ir.Int {
	if !t.manyTypes() {
		return choice.Pick(t.s, []ir.Int{ir.I32, ir.U32})
	}
	return choice.Pick(t.s, computed[:])
}

// lane returns a value of type of that is defined in every round, for all values of the
// elements: elements of several widths, joined, narrowed and compared.
func (t *trips) lane(of ir.Int, depth int) ir.Expr {
	if depth == 0 {
		return t.laneLeaf(of)
	}
	u := unsigned(of)
	switch t.s.Weighted(8, 3, 2, 2, 2, 1, 4) {
	case 6:
		return choice.Pick(t.s, lanePatterns)(t, of)
	case 1: // through a narrow type
		x := t.lane(t.width(), depth-1)
		if !t.manyTypes() {
			return convert(of, x)
		}
		return convert(of, convert(ir.Int{Bits: 8 << t.s.Intn(2), Signed: t.s.Chance(1, 2)}, x))
	case 2: // shifted
		op := choice.Pick(t.s, []ir.Op{ir.Shr, ir.Shr, ir.Shl})
		in := of
		if op == ir.Shl {
			in = u
		}
		n := ir.Expr(constantOf(in, int64(t.s.Range(1, in.Bits-1))))
		if t.s.Chance(1, 3) {
			n = bin(ir.And, t.lane(in, depth-1), constantOf(in, int64(in.Bits-1)))
		}
		return convert(of, bin(op, t.lane(in, depth-1), n))
	case 3: // the smaller, the larger
		x, y := t.lane(of, depth-1), t.lane(of, depth-1)
		op := choice.Pick(t.s, orders)
		return nodeSelect(bin(op, x, y), ir.CopyExpr(x), ir.CopyExpr(y))
	case 4:
		return nodeSelect(t.laneTest(depth-1), t.lane(of, depth-1), t.lane(of, depth-1))
	case 5:
		if of.Bits > 32 && t.s.Chance(3, 4) {
			return bin(ir.Shr, t.lane(of, depth-1), constantOf(of, int64(t.s.Range(1, of.Bits-1))))
		}
		return bin(choice.Pick(t.s, []ir.Op{ir.Div, ir.Rem}), t.lane(of, depth-1), constantOf(of, int64(t.s.Range(2, 99))))
	}
	op := choice.Pick(t.s, []ir.Op{ir.Add, ir.Add, ir.Sub, ir.Sub, ir.Mul, ir.And, ir.Or, ir.Xor})
	return convert(of, bin(op, t.lane(u, depth-1), t.lane(u, depth-1)))
}

// laneLeaf returns an element, or now and then an invariant of the loop, the counter or
// a constant.
func (t *trips) laneLeaf(of ir.Int) ir.Expr {
	switch t.s.Weighted(10, 2, 3, 1) {
	case 1:
		return t.steady(of)
	case 2:
		return t.constant(of)
	case 3:
		return t.count1(of)
	}
	a := t.array()
	if a != t.trip.target && t.s.Chance(1, 6) {
		return convert(of, nodeLoad(t.unaligned(a)))
	}
	return convert(of, nodeLoad(t.element(a, t.offset(a))))
}

// unaligned returns an element that is not at a fixed distance from the counter:
// backwards, with a stride, or folded into the array.
func (t *trips) unaligned(a *source) ir.Place {
	of := promote(t.counter.leaves[0].t)
	switch n := (tripLen - 1) / (t.trip.high + 1); {
	case t.s.Chance(1, 2):
		return t.elementAt(a, bin(ir.Sub, constantOf(of, t.trip.low+t.trip.high), t.count1(of)))
	case n > 1 && t.s.Chance(2, 3):
		k := int64(t.s.Range(2, int(n)))
		return t.scaledAt(a, k, int64(t.s.Intn(int(k))))
	}
	u := unsigned(of)
	x := bin(ir.Mul, t.count1(u), constantOf(u, int64(t.s.Range(1, 9))))
	return t.elementAt(a, bin(ir.And, bin(ir.Add, x, constantOf(u, int64(t.s.Range(0, 99)))), constantOf(u, loopLen-1)))
}

// laneTest returns a comparison of elements.
func (t *trips) laneTest(depth int) ir.Expr {
	of := t.width()
	return bin(comparisonOp(t.s), t.lane(of, depth), t.lane(of, 0))
}

// leafTest returns a comparison of elements, or with an invariant of the loop.
func (t *trips) leafTest() ir.Expr {
	of := t.width()
	return bin(comparisonOp(t.s), t.laneLeaf(of), t.laneLeaf(of))
}

// test returns the condition of a part of the body.
func (t *trips) test() ir.Expr {
	a := t.array()
	of := promote(a.leaves[0].t)
	return bin(comparisonOp(t.s), t.here(of, a), t.fixedLeaf(of))
}

// fixedLeaf returns a scalar or a constant that is not a symbol.
func (t *trips) fixedLeaf(of ir.Int) ir.Expr {
	if t.s.Chance(1, 3) {
		return t.steady(of)
	}
	return t.constant(of)
}

// leaves returns the condition of an early exit: mostly that an element equals one
// further on in the array, if that is not overwritten.
func (t *trips) leaves() ir.Expr {
	a := t.array()
	of := promote(a.leaves[0].t)
	x := t.here(of, a)
	if t.s.Chance(1, 3) {
		return bin(comparisonOp(t.s), x, t.fixedLeaf(of))
	}
	p := t.trip
	at := int64(t.s.Range(int(p.low), int(p.high)))
	n := a.v.Init[at].(*ir.Const).V
	if t.s.Chance(1, 3) {
		n = a.leaves[0].t.Wrap(t.number(a.leaves[0].t.Bits))
	}
	return bin(ir.Eq, x, constantOf(of, n))
}

// scaledAt returns the element of an array at the counter times k plus off.
func (t *trips) scaledAt(a *source, k, off int64) ir.Place {
	of := promote(t.counter.leaves[0].t)
	x := bin(ir.Mul, t.count1(of), constantOf(of, k))
	if off != 0 {
		x = bin(ir.Add, x, constantOf(of, off))
	}
	return t.elementAt(a, x)
}
