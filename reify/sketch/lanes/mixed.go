package lanes

import (
	"goreify/reify/choice"
	"goreify/reify/ir"
	"goreify/reify/sketch/core"
)

// mixedGroup returns lanes that a vectoriser can take unchanged, of two operators, each
// with a constant of its own. The lanes are many adjacent elements of one array, or
// runs of four. Their values are stored side by side, and used once more in another
// order, with each other, or two at a time. A back end turns both operators into vector
// operations and blends the results.
func (l *lanes) mixedGroup() []ir.Stmt {
	n := choice.Pick(l.S, []int{8, 16, 16})
	arrays := l.rows[:2]
	first := l.S.Intn(2)
	from, to := arrays[first], arrays[1-first]
	beside := from // must not overwrite the stored values
	if l.S.Chance(1, 3) {
		to, beside = from, to
	}
	l.newKinds()
	if l.ops[0] == ir.Shl && l.S.Chance(1, 2) {
		l.ops[0] = ir.Shr
	}
	m := &mixture{t: from.t, c: core.Promote(from.t), ops: l.ops}
	share := choice.Pick(l.S, []int{1, 2, 2, 3})
	number := l.runs(n)
	alike, count := l.S.Chance(1, 2), l.laneCount(m.t, m.c) // of shifts
	var list []ir.Stmt
	for k := range n {
		op := m.ops[0]
		if l.S.Chance(share, 4) {
			op = m.ops[1]
		}
		x := core.Convert(m.c, core.Load(from.at(core.Const(ir.I32, int64(number[k])))))
		y := l.constantFor(m, op)
		if alike && op.Shifts() && l.S.Chance(3, 4) {
			y = core.Const(m.c, count)
		}
		list = append(list, l.set(l.temps, k, m.apply(op, x, y)))
	}
	for k := range n {
		list = append(list, l.set(to, number[k], l.temp(k, core.Promote(to.t))))
	}
	var order [maxLanes]int
	for k := range order {
		order[k] = k
	}
	l.S.Shuffle(n, func(i, j int) { order[i], order[j] = order[j], order[i] })
	if l.S.Chance(3, 4) {
		return append(list, l.pairs(beside, n)...)
	}
	again := choice.Pick(l.S, l.rows)
	c := core.Unsigned(core.Promote(again.t))
	n = min(n, again.len)
	joined, op := l.S.Chance(1, 2), choice.Pick(l.S, []ir.Op{ir.Add, ir.Xor, ir.Or, ir.And})
	for k := range n {
		e := l.temp(order[k], c)
		if joined {
			e = core.Bin(op, l.temp(k, c), l.temp(k^l.S.Intn(2), c))
		}
		list = append(list, l.set(again, k, e))
	}
	return list
}

// runs returns the places of n lanes: mostly with a gap after each four, or side by
// side.
func (l *lanes) runs(n int) []int {
	number := make([]int, n)
	gaps := min(l.S.Intn(3), 1)
	for k := range number {
		number[k] = k + gaps*(k/minLanes)
	}
	return number
}

// pairs stores any two of n lanes side by side, two to six times: vectors of lanes from
// different places.
func (l *lanes) pairs(to row, n int) []ir.Stmt {
	var list []ir.Stmt
	c := core.Unsigned(core.Promote(to.t))
	at := 0
	for range l.S.Range(2, 6) {
		for range 2 {
			list = append(list, l.set(to, at, l.temp(l.S.Intn(n), c)))
			at++
		}
		at += l.S.Intn(2)
	}
	return list
}

// set assigns to place k of a row.
func (l *lanes) set(r row, k int, e ir.Expr) ir.Stmt {
	return core.Assign(r.at(core.Const(ir.I32, int64(k))), core.Convert(r.t, e))
}

// temp returns the temporary of lane k, as a value of type t.
func (l *lanes) temp(k int, t ir.Int) ir.Expr {
	return core.Convert(t, core.Load(l.temps.at(core.Const(ir.I32, int64(k)))))
}
