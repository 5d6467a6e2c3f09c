package sketch

import (
	"slices"

	"goreify/reify/choice"
	"goreify/reify/ir"
)

// tripMaps and tripReductions are the tables of what the body of a loop with a
// known number of trips draws from, beside the one of other loops: statements that
// only write to arrays, and those that reduce into scalars. Those that vectorisers
// hardly do anything with stand there once.
var (
	tripMaps = []func(t *trips) []ir.Stmt{
		mapLane, mapLane, mapLane, mapLane, mapLane, mapLane, mapLane, mapLane, interleaved, interleaved, interleaved,
		deadStore, conditionalStore, conditionalStore, moved, moved, histogram, invariantStore, inMemory,
	}
	tripReductions = []func(t *trips) []ir.Stmt{
		reduceLane, reduceLane, reduceLane, reduceLane, reduceLane, reduceLane, anyOf, anyOf, firstOrder, firstOrder,
		secondCounter, secondCounter, liveOut, narrowReduction, extremum,
		inMemory,
	}
)

// body returns some statements of a loop. A scalar that one of them reduces into is
// mostly of no use to the others, for then neither would be a reduction.
func (t *trips) body() []ir.Stmt {
	counts, vars := t.counts, t.vars
	if t.vars = t.trip.steady; len(t.vars) == 0 {
		t.vars = vars[:1] // a parameter
	}
	var list []ir.Stmt
	for range t.s.Range(1, max(2, t.o.Assigns)) {
		t.begin()
		var more []ir.Stmt
		switch t.counts = t.trip.reduced; {
		case len(t.counts) == 0 || t.s.Chance(2, 5):
			more = choice.Pick(t.s, tripMaps)(t)
		case t.s.Chance(1, 3):
			more = []ir.Stmt{choice.Pick(t.s, loopStatements)(t.loop)}
		default:
			more = choice.Pick(t.s, tripReductions)(t)
		}
		t.trip.use(more)
		list = append(list, more...)
	}
	t.counts, t.vars = counts, vars
	return list
}

// use takes the scalars that some statements assign to from those that are left.
func (p *trip) use(list []ir.Stmt) {
	for _, s := range list {
		a, ok := s.(*ir.Assign)
		if !ok {
			continue
		}
		p.reduced = slices.DeleteFunc(p.reduced, func(v *source) bool { return ir.Root(a.Dst) == v.v })
	}
}

// steady returns a scalar that the loop does not assign to, or else a constant.
func (t *trips) steady(of ir.Int) ir.Expr {
	if len(t.trip.steady) == 0 {
		return t.constant(of)
	}
	return scalar(of, choice.Pick(t.s, t.trip.steady))
}

// array returns one to read.
func (t *trips) array() *source { return choice.Pick(t.s, t.arrays) }

// target returns an array to write: mostly the one of the loop, so that others can
// be read at any distance.
func (t *trips) target() *source {
	if t.s.Chance(1, 8) {
		return t.array()
	}
	return t.trip.target
}

// offset draws how far from the counter an array is read: no way if the loop
// writes to it, mostly.
func (t *trips) offset(a *source) int64 {
	if a == t.trip.target && t.s.Chance(7, 8) || t.s.Chance(2, 3) {
		return 0
	}
	return int64(t.s.Range(1, 8))
}

// here returns the element of an array at the counter.
func (t *trips) here(of ir.Int, a *source) ir.Expr {
	return convert(of, &ir.Load{Place: t.element(a, 0)})
}

// intoArray is a[i + off] = e.
func (t *trips) intoArray(a *source, off int64, e ir.Expr) ir.Stmt {
	return &ir.Assign{Dst: t.element(a, off), Src: convert(a.leaves[0].t, e)}
}

// width draws a type to compute in.
func (t *trips) width() ir.Int {
	if t.p.Narrow+t.p.Wide+t.p.Unsigned == 0 {
		return choice.Pick(t.s, []ir.Int{ir.I32, ir.U32})
	}
	return choice.Pick(t.s, computed[:])
}

// lane returns a value of type of that is defined in every round, whatever the
// elements are: elements of several widths, joined, narrowed and compared.
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
		if t.p.Narrow+t.p.Wide+t.p.Unsigned == 0 {
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
		return &ir.Select{If: bin(op, x, y), X: duplicate(x), Y: duplicate(y)}
	case 4:
		return &ir.Select{If: t.laneTest(depth - 1), X: t.lane(of, depth-1), Y: t.lane(of, depth-1)}
	case 5:
		if of.Bits > 32 && t.s.Chance(3, 4) {
			return bin(ir.Shr, t.lane(of, depth-1), constantOf(of, int64(t.s.Range(1, of.Bits-1))))
		}
		return bin(choice.Pick(t.s, []ir.Op{ir.Div, ir.Rem}), t.lane(of, depth-1), constantOf(of, int64(t.s.Range(2, 99))))
	}
	op := choice.Pick(t.s, []ir.Op{ir.Add, ir.Add, ir.Sub, ir.Sub, ir.Mul, ir.And, ir.Or, ir.Xor})
	return convert(of, bin(op, t.lane(u, depth-1), t.lane(u, depth-1)))
}

// laneLeaf returns an element, or now and then what is the same in each round,
// the counter or a constant.
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
		return convert(of, &ir.Load{Place: t.elsewhere(a)})
	}
	return convert(of, &ir.Load{Place: t.element(a, t.offset(a))})
}

// elsewhere returns an element that is not at a distance from the counter:
// backwards, with a stride, or folded into the array.
func (t *trips) elsewhere(a *source) ir.Place {
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

// leafTest returns a comparison of elements, or with what is the same in each round.
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

// fixedLeaf returns a scalar or a constant that is no symbol.
func (t *trips) fixedLeaf(of ir.Int) ir.Expr {
	if t.s.Chance(1, 3) {
		return t.steady(of)
	}
	return t.constant(of)
}

// leaves returns the condition of an early exit: mostly that an element is one
// that stands further on in the array, if that is not overwritten.
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

// mapLane is a[i] = ε.
func mapLane(t *trips) []ir.Stmt {
	off := int64(0)
	if t.s.Chance(1, 8) {
		off = int64(t.s.Range(1, 8))
	}
	return []ir.Stmt{t.intoArray(t.target(), off, t.lane(t.width(), t.s.Range(1, 3)))}
}

// reduceLane is s = s ⊗ ε.
func reduceLane(t *trips) []ir.Stmt {
	v, of := t.into()
	e := t.lane(of, t.s.Range(0, 2))
	op := choice.Pick(t.s, []ir.Op{ir.Add, ir.Add, ir.Add, ir.Sub, ir.Xor, ir.Or, ir.And, ir.Mul})
	return []ir.Stmt{reduceInto(v, bin(op, scalar(of, v), e))}
}

// firstOrder is b[i] = a[i] ⊗ s, s = a[i]: a recurrence of the first order.
func firstOrder(t *trips) []ir.Stmt {
	a, b := t.array(), t.target()
	v, _ := t.into()
	of := unsigned(t.width())
	op := choice.Pick(t.s, []ir.Op{ir.Add, ir.Sub, ir.Xor})
	use := t.intoArray(b, 0, bin(op, t.here(of, a), scalar(of, v)))
	keep := reduceInto(v, t.here(promote(v.leaves[0].t), a))
	if a == b {
		return []ir.Stmt{keep, use}
	}
	return []ir.Stmt{use, keep}
}

// at returns the element of an array at the counter times k plus off.
func (t *trips) scaledAt(a *source, k, off int64) ir.Place {
	of := promote(t.counter.leaves[0].t)
	x := bin(ir.Mul, t.count1(of), constantOf(of, k))
	if off != 0 {
		x = bin(ir.Add, x, constantOf(of, off))
	}
	return t.elementAt(a, x)
}

// interleaved is b[i] = a[2 * i] ⊗ a[2 * i + 1], or the like with stores, where
// there is room.
func interleaved(t *trips) []ir.Stmt {
	most := (tripLen - 1) / (t.trip.high + 1)
	if most < 2 {
		return mapLane(t)
	}
	k := int64(t.s.Range(2, int(min(most, 4))))
	a, b := t.array(), t.target()
	of := unsigned(t.width())
	if t.s.Chance(1, 2) {
		e := convert(of, &ir.Load{Place: t.scaledAt(a, k, 0)})
		for off := int64(1); off < k; off++ {
			if t.s.Chance(1, 5) {
				continue // a gap
			}
			op := choice.Pick(t.s, []ir.Op{ir.Add, ir.Sub, ir.Xor, ir.Mul})
			e = bin(op, e, convert(of, &ir.Load{Place: t.scaledAt(a, k, off)}))
		}
		return []ir.Stmt{t.intoArray(b, 0, e)}
	}
	var list []ir.Stmt
	for off := range k {
		if t.s.Chance(1, 6) {
			continue
		}
		list = append(list, &ir.Assign{Dst: t.scaledAt(b, k, off), Src: convert(b.leaves[0].t, t.lane(of, 1))})
	}
	if list == nil {
		return mapLane(t)
	}
	return list
}

// deadStore is a[i] = x, a[i] = y.
func deadStore(t *trips) []ir.Stmt {
	a := t.target()
	return []ir.Stmt{
		t.intoArray(a, 0, t.lane(t.width(), 1)),
		t.intoArray(a, 0, t.lane(t.width(), 1)),
	}
}

// liveOut is e = a[i] != o ? ε : e: what it was in the last of some rounds.
func liveOut(t *trips) []ir.Stmt {
	v, of := t.into()
	e := t.count1(of)
	switch t.s.Intn(3) {
	case 0:
		e = t.steady(of)
	case 1:
		e = t.lane(of, t.s.Range(0, 2))
	}
	return []ir.Stmt{reduceInto(v, &ir.Select{If: t.laneTest(0), X: e, Y: scalar(of, v)})}
}

// narrowReduction is s = s + a[i], t = t + s with a narrow s.
func narrowReduction(t *trips) []ir.Stmt {
	s, in := t.into()
	w, of := t.into()
	for range 3 {
		if s.leaves[0].t.Bits > w.leaves[0].t.Bits {
			s, in, w, of = w, of, s, in
		}
		if s != w {
			break
		}
		w, of = t.into()
	}
	op := choice.Pick(t.s, []ir.Op{ir.Add, ir.Add, ir.Xor, ir.Mul})
	return []ir.Stmt{
		reduceInto(s, bin(op, scalar(in, s), t.lane(in, t.s.Range(0, 1)))),
		reduceInto(w, bin(ir.Add, scalar(of, w), scalar(of, s))),
	}
}

// extremum is k = a[i] < s ? i : k, s = a[i] < s ? a[i] : s: the smallest element
// or the largest, and where it is.
func extremum(t *trips) []ir.Stmt {
	a := t.array()
	s, _ := t.accumulator()
	k, of := t.into()
	in := promote(a.leaves[0].t)
	op := choice.Pick(t.s, orders)
	test := func() ir.Expr { return bin(op, t.here(in, a), scalar(in, s)) }
	to := promote(s.leaves[0].t)
	least := reduceInto(s, &ir.Select{If: test(), X: t.here(to, a), Y: scalar(to, s)})
	if s == k || t.s.Chance(1, 3) {
		return []ir.Stmt{least}
	}
	return []ir.Stmt{reduceInto(k, &ir.Select{If: test(), X: t.count1(of), Y: scalar(of, k)}), least}
}

// anyOf is f = f | (a[i] == s), or with &.
func anyOf(t *trips) []ir.Stmt {
	v, of := t.into()
	op := choice.Pick(t.s, []ir.Op{ir.Or, ir.And, ir.Xor, ir.Add})
	return []ir.Stmt{reduceInto(v, bin(op, scalar(of, v), convert(of, t.laneTest(t.s.Range(0, 1)))))}
}

// conditionalStore is a[i] = c ? ε : a[i].
func conditionalStore(t *trips) []ir.Stmt {
	a := t.target()
	of := t.width()
	return []ir.Stmt{t.intoArray(a, 0, &ir.Select{If: t.laneTest(0), X: t.lane(of, 1), Y: t.here(of, a)})}
}

// secondCounter is s = s + k, a[i] = s: another variable that goes on by a
// constant, and wraps.
func secondCounter(t *trips) []ir.Stmt {
	v, of := t.into()
	by := t.looksVariable(int64(t.s.Range(1, 99)))
	on := reduceInto(v, bin(additiveOp(t.s), scalar(of, v), by(of)))
	in := unsigned(t.width())
	use := t.intoArray(t.target(), 0, bin(choice.Pick(t.s, []ir.Op{ir.Add, ir.Mul, ir.Xor}), scalar(in, v), t.lane(in, 0)))
	if t.s.Chance(1, 2) {
		return []ir.Stmt{on, use}
	}
	return []ir.Stmt{use, on}
}

// histogram is a[b[i] & m] = a[b[i] & m] + ε.
func histogram(t *trips) []ir.Stmt {
	a, b := t.array(), t.array()
	at := func() ir.Place { return cellAt(a, bin(ir.And, t.here(ir.U32, b), constantOf(ir.U32, loopLen-1))) }
	of := unsigned(promote(a.leaves[0].t))
	e := bin(ir.Add, convert(of, &ir.Load{Place: at()}), t.lane(of, 0))
	return []ir.Stmt{&ir.Assign{Dst: at(), Src: convert(a.leaves[0].t, e)}}
}

// invariantStore is a[k] = ε, the same element in each round.
func invariantStore(t *trips) []ir.Stmt {
	a := t.array()
	p := cellAt(a, constantOf(ir.I32, int64(t.s.Range(lastTrip, tripLen-1))))
	return []ir.Stmt{&ir.Assign{Dst: p, Src: convert(a.leaves[0].t, t.lane(t.width(), 1))}}
}

// moved is a[i] = a[i + k] or a[i + k] = a[i]: a distance that vectors may be
// longer than.
func moved(t *trips) []ir.Stmt {
	a := t.array()
	from, to := int64(t.s.Range(1, 8)), int64(0)
	if t.s.Chance(1, 2) {
		from, to = to, from
	}
	of := unsigned(promote(a.leaves[0].t))
	x := convert(of, &ir.Load{Place: t.element(a, from)})
	if t.s.Chance(1, 2) {
		x = bin(choice.Pick(t.s, []ir.Op{ir.Add, ir.Xor}), x, t.lane(of, 0))
	}
	return []ir.Stmt{t.intoArray(a, to, x)}
}

// inMemory is a[k] = a[k] ⊗ ε: a reduction into an element that no other statement
// is likely to touch.
func inMemory(t *trips) []ir.Stmt {
	a := t.array()
	p := func() ir.Place { return cellAt(a, constantOf(ir.I32, tripLen-1)) }
	of := unsigned(promote(a.leaves[0].t))
	op := choice.Pick(t.s, []ir.Op{ir.Add, ir.Add, ir.Xor, ir.Or, ir.Mul})
	e := bin(op, convert(of, &ir.Load{Place: p()}), t.lane(of, t.s.Range(0, 1)))
	return []ir.Stmt{&ir.Assign{Dst: p(), Src: convert(a.leaves[0].t, e)}}
}
