package sketch

import (
	"goreify/reify/choice"
	"goreify/reify/ir"
)

// A row is places of one type that can be lanes. Those of a struct take a constant
// for their number.
type row struct {
	t     ir.Int
	len   int
	fixed bool // numbers are constants
	at    func(i ir.Expr) ir.Place
}

// newArray adds an array, most likely one that a compiler does not know.
func (l *lanes) newArray(t ir.Int) *ir.Var {
	kind := ir.Local
	if l.o.Memory > 0 {
		kind = choice.Pick(l.s, []ir.Kind{ir.Global, ir.Global, ir.Global, ir.Static, ir.Local})
	}
	v := l.newVar(kind, ir.Array{Elem: t, Len: laneRoom})
	for range laneRoom {
		v.Init = append(v.Init, constantOf(t, l.laneValue(t)))
	}
	s := newSource(v)
	l.register(s)
	l.summed = append(l.summed, v)
	l.rows = append(l.rows, row{t, laneRoom, false, func(i ir.Expr) ir.Place { return cellAt(s, i) }})
	return v
}

// newMembers adds a struct of many members of one type, and one that stands between
// them now and then.
func (l *lanes) newMembers() {
	r := &ir.Record{Name: "L" + varName(len(l.f.Types))}
	gap := -1
	if l.s.Chance(1, 4) {
		gap = l.s.Intn(maxLanes)
	}
	var fields []int
	for k := range maxLanes {
		if k == gap {
			r.Fields = append(r.Fields, ir.Field{Name: "gap", Type: l.laneType()})
		}
		fields = append(fields, len(r.Fields))
		r.Fields = append(r.Fields, ir.Field{Name: "m" + varName(k), Type: l.t})
	}
	l.f.Types = append(l.f.Types, r)
	v := l.newVar(choice.Pick(l.s, []ir.Kind{ir.Global, ir.Static, ir.Local}), r)
	for i := range ir.Count(r) {
		t := ir.Cell(r, i).(ir.Int)
		v.Init = append(v.Init, constantOf(t, l.laneValue(t)))
	}
	l.summed = append(l.summed, v)
	l.rows = append(l.rows, row{l.t, maxLanes, true, func(i ir.Expr) ir.Place {
		return nodeMember(nodeRef(v), fields[i.(*ir.Const).V])
	}})
}

// newPointerTo adds a pointer into an array, which others lead to, too.
func (l *lanes) newPointerTo(v *ir.Var) {
	kind := ir.Local
	if v.Kind.Lasts() && l.s.Chance(1, 2) {
		kind = ir.Global
	}
	t := ir.Scalar(v.Type)
	base := l.s.Range(0, 4)
	p := l.newVar(kind, ir.Pointer{Elem: t})
	p.Init = []ir.Expr{nil}
	p.Ptrs = []ir.Expr{nodeAddressOf(nodeElem(nodeRef(v), constantOf(ir.I32, int64(base))))}
	l.rows = append(l.rows, row{t, laneRoom - base, false, func(i ir.Expr) ir.Place { return derefAt(p, i) }})
}

// A placing is the choice of the places of a row that are the lanes of a group.
type placing func(k int) ir.Place

// spread draws n places of a row: side by side, with a stride or gaps, or from the last
// to the first, and mostly from a place that the compiler knows.
func (l *lanes) spread(r row, n int) placing {
	number := make([]int, n)
	switch stride := min((r.len-1)/(n-1), 3); {
	case stride > 1 && l.s.Chance(1, 10):
		stride = l.s.Range(2, stride)
		for k := range number {
			number[k] = k * stride
		}
	case l.s.Chance(1, 12):
		room := r.len - n
		for k := 1; k < n; k++ {
			number[k] = number[k-1] + 1
			if room > 0 && l.s.Chance(1, 4) {
				number[k]++
				room--
			}
		}
	default:
		for k := range number {
			number[k] = k
		}
	}
	slack := r.len - 1 - number[n-1]
	if l.s.Chance(1, 8) {
		for k := range n / 2 {
			number[k], number[n-1-k] = number[n-1-k], number[k]
		}
	}
	if m := mask(slack + 1); !r.fixed && m > 0 && l.s.Chance(1, 8) {
		v := choice.Pick(l.s, l.counts)
		return func(k int) ir.Place {
			from := bin(ir.And, scalar(ir.U32, v), constantOf(ir.U32, m))
			if number[k] == 0 {
				return r.at(from)
			}
			return r.at(bin(ir.Add, from, constantOf(ir.U32, int64(number[k]))))
		}
	}
	base := 0
	if l.s.Chance(1, 3) {
		base = l.s.Intn(slack + 1)
	}
	return func(k int) ir.Place { return r.at(constantOf(ir.I32, int64(base+number[k]))) }
}

// A lane reads the value of lane k as one of type c.
type lane func(k int, c ir.Int) ir.Expr

// lanesOf returns the values of n places of a row or, now and then, those of some
// scalars, or of a few places again and again.
func (l *lanes) lanesOf(r row, n int) lane {
	at := l.spread(r, n)
	switch l.s.Weighted(15, 1, 1, 1) {
	case 1:
		scalars := make([]*source, n)
		for k := range scalars {
			scalars[k] = choice.Pick(l.s, l.counts)
		}
		return func(k int, c ir.Int) ir.Expr { return scalar(c, scalars[k]) }
	case 2:
		few := l.s.Range(1, 2)
		return func(k int, c ir.Int) ir.Expr { return convert(c, nodeLoad(at(k%few))) }
	case 3:
		var order [maxLanes]int
		for k := range n {
			order[k] = l.s.Intn(n)
		}
		return func(k int, c ir.Int) ir.Expr { return convert(c, nodeLoad(at(order[k]))) }
	}
	return func(k int, c ir.Int) ir.Expr { return convert(c, nodeLoad(at(k))) }
}

func (l *lanes) row() row { return choice.Pick(l.s, l.rows) }
