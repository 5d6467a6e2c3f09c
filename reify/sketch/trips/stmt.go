package trips

import (
	"slices"

	"goreify/reify/choice"
	"goreify/reify/ir"
	"goreify/reify/sketch/core"
	"goreify/reify/sketch/nests"
)

// tripMaps and tripReductions are the tables from which the body of a loop with a known
// number of rounds is drawn, beside the table of other loops. The first has statements
// that only write to arrays, the second those that reduce into scalars. Statements that
// vectorisers hardly handle are there once.
var (
	tripMaps = []func(t *trips) []ir.Stmt{
		mapLane, mapLane, mapLane, mapLane, mapLane, mapLane, mapLane, mapLane, interleaved, interleaved, interleaved,
		deadStore, conditionalStore, conditionalStore, moved, moved, histogram, invariantStore,
	}
	tripReductions = []func(t *trips) []ir.Stmt{
		reduceLane, reduceLane, reduceLane, reduceLane, reduceLane, reduceLane, anyOf, anyOf, firstOrder, firstOrder,
		secondCounter, secondCounter, liveOut, narrowReduction, extremum, inMemory,
	}
)

// body returns some statements of a loop. A scalar that one of them reduces into is
// mostly of no use to the others, because then neither would be a reduction.
func (t *trips) body() []ir.Stmt {
	counts, vars := t.Counts, t.Vars
	if t.Vars = t.trip.steady; len(t.Vars) == 0 {
		t.Vars = vars[:1] // a parameter
	}
	var list []ir.Stmt
	for range t.S.Range(1, max(1, t.Options.Assigns)) {
		t.Begin()
		var more []ir.Stmt
		switch t.Counts = t.trip.reduced; {
		case len(t.Counts) == 0 || t.S.Chance(2, 5):
			more = choice.Pick(t.S, tripMaps)(t)
		case t.S.Chance(1, 3):
			more = []ir.Stmt{choice.Pick(t.S, nests.Statements)(t.Loop)}
		default:
			more = choice.Pick(t.S, tripReductions)(t)
		}
		t.trip.use(more)
		list = append(list, more...)
	}
	t.Counts, t.Vars = counts, vars
	return list
}

// use takes the scalars that some statements assign to from those that are left.
func (p *trip) use(list []ir.Stmt) {
	for _, s := range list {
		a, ok := s.(*ir.Assign)
		if !ok {
			continue
		}
		p.reduced = slices.DeleteFunc(p.reduced, func(v *core.Source) bool { return ir.Root(a.Dst) == v.V })
	}
}

// intoArray is a[i + off] = e.
func (t *trips) intoArray(a *core.Source, off int64, e ir.Expr) ir.Stmt {
	return core.Assign(t.Element(a, off), core.Convert(a.Leaves[0].T, e))
}

// mapLane is a[i] = ε.
func mapLane(t *trips) []ir.Stmt {
	off := int64(0)
	if t.S.Chance(1, 8) {
		off = int64(t.S.Range(1, 8))
	}
	return []ir.Stmt{t.intoArray(t.target(), off, t.lane(t.width(), t.S.Range(1, 3)))}
}

// reduceLane is s = s ⊗ ε.
func reduceLane(t *trips) []ir.Stmt {
	v, of := t.into()
	e := t.lane(of, t.S.Range(0, 2))
	op := choice.Pick(t.S, []ir.Op{ir.Add, ir.Add, ir.Add, ir.Sub, ir.Xor, ir.Or, ir.And, ir.Mul})
	return []ir.Stmt{core.Set(v, core.Bin(op, core.Scalar(of, v), e))}
}

// firstOrder is b[i] = a[i] ⊗ s, s = a[i]: a recurrence of the first order.
func firstOrder(t *trips) []ir.Stmt {
	a, b := t.array(), t.target()
	v, _ := t.into()
	of := core.Unsigned(t.width())
	op := choice.Pick(t.S, []ir.Op{ir.Add, ir.Sub, ir.Xor})
	use := t.intoArray(b, 0, core.Bin(op, t.here(of, a), core.Scalar(of, v)))
	keep := core.Set(v, t.here(core.Promote(v.Leaves[0].T), a))
	if a == b {
		return []ir.Stmt{keep, use}
	}
	return []ir.Stmt{use, keep}
}

// interleaved is b[i] = a[2 * i] ⊗ a[2 * i + 1], or the like with stores, where
// there is room.
func interleaved(t *trips) []ir.Stmt {
	most := (tripLen - 1) / (t.trip.high + 1)
	if most < 2 {
		return mapLane(t)
	}
	k := int64(t.S.Range(2, int(min(most, 4))))
	a, b := t.array(), t.target()
	of := core.Unsigned(t.width())
	if t.S.Chance(1, 2) {
		e := core.Convert(of, core.Load(t.scaledAt(a, k, 0)))
		for off := int64(1); off < k; off++ {
			if t.S.Chance(1, 5) {
				continue // a gap
			}
			op := choice.Pick(t.S, []ir.Op{ir.Add, ir.Sub, ir.Xor, ir.Mul})
			e = core.Bin(op, e, core.Convert(of, core.Load(t.scaledAt(a, k, off))))
		}
		return []ir.Stmt{t.intoArray(b, 0, e)}
	}
	var list []ir.Stmt
	for off := range k {
		if t.S.Chance(1, 6) {
			continue
		}
		list = append(list, core.Assign(t.scaledAt(b, k, off), core.Convert(b.Leaves[0].T, t.lane(of, 1))))
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

// liveOut is e = a[i] != o ? ε : e: the value in the last of some rounds.
func liveOut(t *trips) []ir.Stmt {
	v, of := t.into()
	e := t.Count(of)
	switch t.S.Intn(3) {
	case 0:
		e = t.steady(of)
	case 1:
		e = t.lane(of, t.S.Range(0, 2))
	}
	return []ir.Stmt{core.Set(v, core.Select(t.laneTest(0), e, core.Scalar(of, v)))}
}

// narrowReduction is s = s + a[i], t = t + s with a narrow s.
func narrowReduction(t *trips) []ir.Stmt {
	s, in := t.into()
	w, of := t.into()
	for range 3 {
		if s.Leaves[0].T.Bits > w.Leaves[0].T.Bits {
			s, in, w, of = w, of, s, in
		}
		if s != w {
			break
		}
		w, of = t.into()
	}
	op := choice.Pick(t.S, []ir.Op{ir.Add, ir.Add, ir.Xor, ir.Mul})
	return []ir.Stmt{
		core.Set(s, core.Bin(op, core.Scalar(in, s), t.lane(in, t.S.Range(0, 1)))),
		core.Set(w, core.Bin(ir.Add, core.Scalar(of, w), core.Scalar(of, s))),
	}
}

// extremum is k = a[i] < s ? i : k, s = a[i] < s ? a[i] : s: the smallest element
// or the largest, and where it is.
func extremum(t *trips) []ir.Stmt {
	a := t.array()
	s, _ := t.Accumulator()
	k, of := t.into()
	in := core.Promote(a.Leaves[0].T)
	op := choice.Pick(t.S, core.Orders)
	test := func() ir.Expr { return core.Bin(op, t.here(in, a), core.Scalar(in, s)) }
	to := core.Promote(s.Leaves[0].T)
	least := core.Set(s, core.Select(test(), t.here(to, a), core.Scalar(to, s)))
	if s == k || t.S.Chance(1, 3) {
		return []ir.Stmt{least}
	}
	return []ir.Stmt{core.Set(k, core.Select(test(), t.Count(of), core.Scalar(of, k))), least}
}

// anyOf is f = f | (a[i] == s), or with &.
func anyOf(t *trips) []ir.Stmt {
	v, of := t.into()
	op := choice.Pick(t.S, []ir.Op{ir.Or, ir.And, ir.Xor, ir.Add})
	return []ir.Stmt{core.Set(v, core.Bin(op, core.Scalar(of, v), core.Convert(of, t.laneTest(t.S.Range(0, 1)))))}
}

// conditionalStore is a[i] = c ? ε : a[i].
func conditionalStore(t *trips) []ir.Stmt {
	a := t.target()
	of := t.width()
	return []ir.Stmt{t.intoArray(a, 0, core.Select(t.laneTest(0), t.lane(of, 1), t.here(of, a)))}
}

// secondCounter is s = s + k, a[i] = s: another variable that is advanced by a
// constant, and wraps.
func secondCounter(t *trips) []ir.Stmt {
	v, of := t.into()
	by := t.looksVariable(int64(t.S.Range(1, 99)))
	on := core.Set(v, core.Bin(core.AdditiveOp(t.S), core.Scalar(of, v), by(of)))
	in := core.Unsigned(t.width())
	use := t.intoArray(t.target(), 0, core.Bin(choice.Pick(t.S, []ir.Op{ir.Add, ir.Mul, ir.Xor}), core.Scalar(in, v), t.lane(in, 0)))
	if t.S.Chance(1, 2) {
		return []ir.Stmt{on, use}
	}
	return []ir.Stmt{use, on}
}

// histogram is a[b[i] & m] = a[b[i] & m] + ε.
func histogram(t *trips) []ir.Stmt {
	a, b := t.array(), t.array()
	at := func() ir.Place {
		return core.CellAt(a, core.Bin(ir.And, t.here(ir.U32, b), core.Const(ir.U32, nests.Len-1)))
	}
	of := core.Unsigned(core.Promote(a.Leaves[0].T))
	e := core.Bin(ir.Add, core.Convert(of, core.Load(at())), t.lane(of, 0))
	return []ir.Stmt{core.Assign(at(), core.Convert(a.Leaves[0].T, e))}
}

// invariantStore is a[k] = ε, the same element in each round.
func invariantStore(t *trips) []ir.Stmt {
	a := t.array()
	p := core.CellAt(a, core.Const(ir.I32, int64(t.S.Range(lastTrip, tripLen-1))))
	return []ir.Stmt{core.Assign(p, core.Convert(a.Leaves[0].T, t.lane(t.width(), 1)))}
}

// moved is a[i] = a[i + k] or a[i + k] = a[i]: a distance that may be shorter than
// vectors.
func moved(t *trips) []ir.Stmt {
	a := t.array()
	from, to := int64(t.S.Range(1, 8)), int64(0)
	if t.S.Chance(1, 2) {
		from, to = to, from
	}
	of := core.Unsigned(core.Promote(a.Leaves[0].T))
	x := core.Convert(of, core.Load(t.Element(a, from)))
	if t.S.Chance(1, 2) {
		x = core.Bin(choice.Pick(t.S, []ir.Op{ir.Add, ir.Xor}), x, t.lane(of, 0))
	}
	return []ir.Stmt{t.intoArray(a, to, x)}
}

// inMemory is a[k] = a[k] ⊗ ε: a reduction into an element that no other statement
// is likely to touch.
func inMemory(t *trips) []ir.Stmt {
	a := t.array()
	p := func() ir.Place { return core.CellAt(a, core.Const(ir.I32, tripLen-1)) }
	of := core.Unsigned(core.Promote(a.Leaves[0].T))
	op := choice.Pick(t.S, []ir.Op{ir.Add, ir.Add, ir.Xor, ir.Or, ir.Mul})
	e := core.Bin(op, core.Convert(of, core.Load(p())), t.lane(of, t.S.Range(0, 1)))
	return []ir.Stmt{core.Assign(p(), core.Convert(a.Leaves[0].T, e))}
}
