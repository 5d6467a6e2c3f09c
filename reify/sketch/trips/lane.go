package trips

import (
	"goreify/reify/choice"
	"goreify/reify/ir"
	"goreify/reify/sketch/core"
	"goreify/reify/sketch/nests"
)

// steady returns a scalar that the loop does not assign to, or else a constant.
func (t *trips) steady(of ir.Int) ir.Expr {
	if len(t.trip.steady) == 0 {
		return t.Constant(of)
	}
	return core.Scalar(of, choice.Pick(t.S, t.trip.steady))
}

// array returns an array to read.
func (t *trips) array() *core.Source { return choice.Pick(t.S, t.Arrays) }

// target returns an array to write: mostly the one of the loop, so that the other
// arrays can be read at any distance.
func (t *trips) target() *core.Source {
	if t.S.Chance(1, 8) {
		return t.array()
	}
	return t.trip.target
}

// offset draws the distance from the counter at which an array is read: mostly 0 if the
// loop writes to it.
func (t *trips) offset(a *core.Source) int64 {
	if a == t.trip.target && t.S.Chance(7, 8) || t.S.Chance(2, 3) {
		return 0
	}
	return int64(t.S.Range(1, 8))
}

// here returns the element of an array at the counter.
func (t *trips) here(of ir.Int, a *core.Source) ir.Expr {
	return core.Convert(of, core.Load(t.Element(a, 0)))
}

// width draws a type to compute in.
func (t *trips) width() ir.Int {
	if !t.ManyTypes() {
		return choice.Pick(t.S, []ir.Int{ir.I32, ir.U32})
	}
	return choice.Pick(t.S, core.Computed[:])
}

// lane returns a value of type of that is defined in every round, for all values of the
// elements: elements of several widths, joined, narrowed and compared.
func (t *trips) lane(of ir.Int, depth int) ir.Expr {
	if depth == 0 {
		return t.laneLeaf(of)
	}
	u := core.Unsigned(of)
	switch t.S.Weighted(8, 3, 2, 2, 2, 1, 4) {
	case 6:
		return choice.Pick(t.S, lanePatterns)(t, of)
	case 1: // through a narrow type
		x := t.lane(t.width(), depth-1)
		if !t.ManyTypes() {
			return core.Convert(of, x)
		}
		return core.Convert(of, core.Convert(ir.Int{Bits: 8 << t.S.Intn(2), Signed: t.S.Chance(1, 2)}, x))
	case 2: // shifted
		op := choice.Pick(t.S, []ir.Op{ir.Shr, ir.Shr, ir.Shl})
		in := of
		if op == ir.Shl {
			in = u
		}
		n := ir.Expr(core.Const(in, int64(t.S.Range(1, in.Bits-1))))
		if t.S.Chance(1, 3) {
			n = core.Bin(ir.And, t.lane(in, depth-1), core.Const(in, int64(in.Bits-1)))
		}
		return core.Convert(of, core.Bin(op, t.lane(in, depth-1), n))
	case 3: // the smaller, the larger
		x, y := t.lane(of, depth-1), t.lane(of, depth-1)
		op := choice.Pick(t.S, core.Orders)
		return core.Select(core.Bin(op, x, y), ir.CopyExpr(x), ir.CopyExpr(y))
	case 4:
		return core.Select(t.laneTest(depth-1), t.lane(of, depth-1), t.lane(of, depth-1))
	case 5:
		if of.Bits > 32 && t.S.Chance(3, 4) {
			return core.Bin(ir.Shr, t.lane(of, depth-1), core.Const(of, int64(t.S.Range(1, of.Bits-1))))
		}
		return core.Bin(choice.Pick(t.S, []ir.Op{ir.Div, ir.Rem}), t.lane(of, depth-1), core.Const(of, int64(t.S.Range(2, 99))))
	}
	op := choice.Pick(t.S, []ir.Op{ir.Add, ir.Add, ir.Sub, ir.Sub, ir.Mul, ir.And, ir.Or, ir.Xor})
	return core.Convert(of, core.Bin(op, t.lane(u, depth-1), t.lane(u, depth-1)))
}

// laneLeaf returns an element, or now and then an invariant of the loop, the counter or
// a constant.
func (t *trips) laneLeaf(of ir.Int) ir.Expr {
	switch t.S.Weighted(10, 2, 3, 1) {
	case 1:
		return t.steady(of)
	case 2:
		return t.Constant(of)
	case 3:
		return t.Count(of)
	}
	a := t.array()
	if a != t.trip.target && t.S.Chance(1, 6) {
		return core.Convert(of, core.Load(t.unaligned(a)))
	}
	return core.Convert(of, core.Load(t.Element(a, t.offset(a))))
}

// unaligned returns an element that is not at a fixed distance from the counter:
// backwards, with a stride, or folded into the array.
func (t *trips) unaligned(a *core.Source) ir.Place {
	of := core.Promote(t.Counter.Leaves[0].T)
	switch n := (tripLen - 1) / (t.trip.high + 1); {
	case t.S.Chance(1, 2):
		return t.ElementAt(a, core.Bin(ir.Sub, core.Const(of, t.trip.low+t.trip.high), t.Count(of)))
	case n > 1 && t.S.Chance(2, 3):
		k := int64(t.S.Range(2, int(n)))
		return t.scaledAt(a, k, int64(t.S.Intn(int(k))))
	}
	u := core.Unsigned(of)
	x := core.Bin(ir.Mul, t.Count(u), core.Const(u, int64(t.S.Range(1, 9))))
	return t.ElementAt(a, core.Bin(ir.And, core.Bin(ir.Add, x, core.Const(u, int64(t.S.Range(0, 99)))), core.Const(u, nests.Len-1)))
}

// laneTest returns a comparison of elements.
func (t *trips) laneTest(depth int) ir.Expr {
	of := t.width()
	return core.Bin(core.ComparisonOp(t.S), t.lane(of, depth), t.lane(of, 0))
}

// leafTest returns a comparison of elements, or with an invariant of the loop.
func (t *trips) leafTest() ir.Expr {
	of := t.width()
	return core.Bin(core.ComparisonOp(t.S), t.laneLeaf(of), t.laneLeaf(of))
}

// test returns the condition of a part of the body.
func (t *trips) test() ir.Expr {
	a := t.array()
	of := core.Promote(a.Leaves[0].T)
	return core.Bin(core.ComparisonOp(t.S), t.here(of, a), t.fixedLeaf(of))
}

// fixedLeaf returns a scalar or a constant that is not a symbol.
func (t *trips) fixedLeaf(of ir.Int) ir.Expr {
	if t.S.Chance(1, 3) {
		return t.steady(of)
	}
	return t.Constant(of)
}

// leaves returns the condition of an early exit: mostly that an element equals one
// further on in the array, if that is not overwritten.
func (t *trips) leaves() ir.Expr {
	a := t.array()
	of := core.Promote(a.Leaves[0].T)
	x := t.here(of, a)
	if t.S.Chance(1, 3) {
		return core.Bin(core.ComparisonOp(t.S), x, t.fixedLeaf(of))
	}
	p := t.trip
	at := int64(t.S.Range(int(p.low), int(p.high)))
	n := a.V.Init[at].(*ir.Const).V
	if t.S.Chance(1, 3) {
		n = a.Leaves[0].T.Wrap(t.Number(a.Leaves[0].T.Bits))
	}
	return core.Bin(ir.Eq, x, core.Const(of, n))
}

// scaledAt returns the element of an array at the counter times k plus off.
func (t *trips) scaledAt(a *core.Source, k, off int64) ir.Place {
	of := core.Promote(t.Counter.Leaves[0].T)
	x := core.Bin(ir.Mul, t.Count(of), core.Const(of, k))
	if off != 0 {
		x = core.Bin(ir.Add, x, core.Const(of, off))
	}
	return t.ElementAt(a, x)
}
