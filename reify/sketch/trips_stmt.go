package sketch

import (
	"slices"

	"goreify/reify/choice"
	"goreify/reify/ir"
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
	counts, vars := t.counts, t.vars
	if t.vars = t.trip.steady; len(t.vars) == 0 {
		t.vars = vars[:1] // a parameter
	}
	var list []ir.Stmt
	for range t.s.Range(1, max(1, t.o.Assigns)) {
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

// intoArray is a[i + off] = e.
func (t *trips) intoArray(a *source, off int64, e ir.Expr) ir.Stmt {
	return nodeAssign(t.element(a, off), convert(a.leaves[0].t, e))
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
		e := convert(of, nodeLoad(t.scaledAt(a, k, 0)))
		for off := int64(1); off < k; off++ {
			if t.s.Chance(1, 5) {
				continue // a gap
			}
			op := choice.Pick(t.s, []ir.Op{ir.Add, ir.Sub, ir.Xor, ir.Mul})
			e = bin(op, e, convert(of, nodeLoad(t.scaledAt(a, k, off))))
		}
		return []ir.Stmt{t.intoArray(b, 0, e)}
	}
	var list []ir.Stmt
	for off := range k {
		if t.s.Chance(1, 6) {
			continue
		}
		list = append(list, nodeAssign(t.scaledAt(b, k, off), convert(b.leaves[0].t, t.lane(of, 1))))
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
	e := t.count1(of)
	switch t.s.Intn(3) {
	case 0:
		e = t.steady(of)
	case 1:
		e = t.lane(of, t.s.Range(0, 2))
	}
	return []ir.Stmt{reduceInto(v, nodeSelect(t.laneTest(0), e, scalar(of, v)))}
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
	least := reduceInto(s, nodeSelect(test(), t.here(to, a), scalar(to, s)))
	if s == k || t.s.Chance(1, 3) {
		return []ir.Stmt{least}
	}
	return []ir.Stmt{reduceInto(k, nodeSelect(test(), t.count1(of), scalar(of, k))), least}
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
	return []ir.Stmt{t.intoArray(a, 0, nodeSelect(t.laneTest(0), t.lane(of, 1), t.here(of, a)))}
}

// secondCounter is s = s + k, a[i] = s: another variable that is advanced by a
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
	e := bin(ir.Add, convert(of, nodeLoad(at())), t.lane(of, 0))
	return []ir.Stmt{nodeAssign(at(), convert(a.leaves[0].t, e))}
}

// invariantStore is a[k] = ε, the same element in each round.
func invariantStore(t *trips) []ir.Stmt {
	a := t.array()
	p := cellAt(a, constantOf(ir.I32, int64(t.s.Range(lastTrip, tripLen-1))))
	return []ir.Stmt{nodeAssign(p, convert(a.leaves[0].t, t.lane(t.width(), 1)))}
}

// moved is a[i] = a[i + k] or a[i + k] = a[i]: a distance that may be shorter than
// vectors.
func moved(t *trips) []ir.Stmt {
	a := t.array()
	from, to := int64(t.s.Range(1, 8)), int64(0)
	if t.s.Chance(1, 2) {
		from, to = to, from
	}
	of := unsigned(promote(a.leaves[0].t))
	x := convert(of, nodeLoad(t.element(a, from)))
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
	e := bin(op, convert(of, nodeLoad(p())), t.lane(of, t.s.Range(0, 1)))
	return []ir.Stmt{nodeAssign(p(), convert(a.leaves[0].t, e))}
}
