package sketch

import (
	"goreify/reify/choice"
	"goreify/reify/ir"
)

// mixedGroup returns lanes that a vectoriser can take as they are, of two operators,
// each with a constant of its own: many elements of one array that stand side by side,
// stored side by side, and used once more in another order or with each other. A back
// end makes of both operators vector operations that are blended.
func (l *lanes) mixedGroup() []ir.Stmt {
	n := choice.Pick(l.s, []int{8, 16, 16})
	arrays := l.rows[:2]
	first := l.s.Intn(2)
	from, to := arrays[first], arrays[1-first]
	if l.s.Chance(1, 3) {
		to = from
	}
	l.newKinds()
	if l.ops[0] == ir.Shl && l.s.Chance(1, 2) {
		l.ops[0] = ir.Shr
	}
	m := &mixture{t: from.t, c: promote(from.t), ops: l.ops}
	share := l.s.Range(1, 3)
	var list []ir.Stmt
	for k := range n {
		op := m.ops[0]
		if l.s.Chance(share, 4) {
			op = m.ops[1]
		}
		x := convert(m.c, &ir.Load{Place: from.at(constantOf(ir.I32, int64(k)))})
		list = append(list, l.set(l.temps, k, m.apply(op, x, l.constantFor(m, op))))
	}
	for k := range n {
		list = append(list, l.set(to, k, l.temp(k, promote(to.t))))
	}
	var order [maxLanes]int
	for k := range order {
		order[k] = k
	}
	l.s.Shuffle(n, func(i, j int) { order[i], order[j] = order[j], order[i] })
	again := choice.Pick(l.s, l.rows)
	n = min(n, again.len)
	c := unsigned(promote(again.t))
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

// set assigns to place k of a row.
func (l *lanes) set(r row, k int, e ir.Expr) ir.Stmt {
	return &ir.Assign{Dst: r.at(constantOf(ir.I32, int64(k))), Src: convert(r.t, e)}
}

// temp returns what lane k is kept in, as a value of type t.
func (l *lanes) temp(k int, t ir.Int) ir.Expr {
	return convert(t, &ir.Load{Place: l.temps.at(constantOf(ir.I32, int64(k)))})
}
