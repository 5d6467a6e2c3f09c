package sketch

import (
	"goreify/reify/choice"
	"goreify/reify/ir"
)

// mixedGroup returns lanes that a vectoriser can take unchanged, of two operators, each
// with a constant of its own. The lanes are many adjacent elements of one array, or
// runs of four. Their values are stored side by side, and used once more in another
// order, with each other, or two at a time. A back end turns both operators into vector
// operations and blends the results.
func (l *lanes) mixedGroup() []ir.Stmt {
	n := choice.Pick(l.s, []int{8, 16, 16})
	arrays := l.rows[:2]
	first := l.s.Intn(2)
	from, to := arrays[first], arrays[1-first]
	beside := from // must not overwrite the stored values
	if l.s.Chance(1, 3) {
		to, beside = from, to
	}
	l.newKinds()
	if l.ops[0] == ir.Shl && l.s.Chance(1, 2) {
		l.ops[0] = ir.Shr
	}
	m := &mixture{t: from.t, c: promote(from.t), ops: l.ops}
	share := choice.Pick(l.s, []int{1, 2, 2, 3})
	number := l.runs(n)
	alike, count := l.s.Chance(1, 2), l.laneCount(m.t, m.c) // of shifts
	var list []ir.Stmt
	for k := range n {
		op := m.ops[0]
		if l.s.Chance(share, 4) {
			op = m.ops[1]
		}
		x := convert(m.c, nodeLoad(from.at(constantOf(ir.I32, int64(number[k])))))
		y := l.constantFor(m, op)
		if alike && op.Shifts() && l.s.Chance(3, 4) {
			y = constantOf(m.c, count)
		}
		list = append(list, l.set(l.temps, k, m.apply(op, x, y)))
	}
	for k := range n {
		list = append(list, l.set(to, number[k], l.temp(k, promote(to.t))))
	}
	var order [maxLanes]int
	for k := range order {
		order[k] = k
	}
	l.s.Shuffle(n, func(i, j int) { order[i], order[j] = order[j], order[i] })
	if l.s.Chance(3, 4) {
		return append(list, l.pairs(beside, n)...)
	}
	again := choice.Pick(l.s, l.rows)
	c := unsigned(promote(again.t))
	n = min(n, again.len)
	joined, op := l.s.Chance(1, 2), choice.Pick(l.s, []ir.Op{ir.Add, ir.Xor, ir.Or, ir.And})
	for k := range n {
		e := l.temp(order[k], c)
		if joined {
			e = bin(op, l.temp(k, c), l.temp(k^l.s.Intn(2), c))
		}
		list = append(list, l.set(again, k, e))
	}
	return list
}

// runs returns the places of n lanes: mostly with a gap after each four, or side by
// side.
func (l *lanes) runs(n int) []int {
	number := make([]int, n)
	gaps := min(l.s.Intn(3), 1)
	for k := range number {
		number[k] = k + gaps*(k/minLanes)
	}
	return number
}

// pairs stores any two of n lanes side by side, two to six times: vectors of lanes from
// different places.
func (l *lanes) pairs(to row, n int) []ir.Stmt {
	var list []ir.Stmt
	c := unsigned(promote(to.t))
	at := 0
	for range l.s.Range(2, 6) {
		for range 2 {
			list = append(list, l.set(to, at, l.temp(l.s.Intn(n), c)))
			at++
		}
		at += l.s.Intn(2)
	}
	return list
}

// set assigns to place k of a row.
func (l *lanes) set(r row, k int, e ir.Expr) ir.Stmt {
	return nodeAssign(r.at(constantOf(ir.I32, int64(k))), convert(r.t, e))
}

// temp returns the temporary of lane k, as a value of type t.
func (l *lanes) temp(k int, t ir.Int) ir.Expr {
	return convert(t, nodeLoad(l.temps.at(constantOf(ir.I32, int64(k)))))
}
