package lanes

import (
	"goreify/reify/choice"
	"goreify/reify/ir"
	"goreify/reify/sketch/core"
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
	if l.Options.Memory > 0 {
		kind = choice.Pick(l.S, []ir.Kind{ir.Global, ir.Global, ir.Global, ir.Static, ir.Local})
	}
	v := l.NewVar(kind, ir.Array{Elem: t, Len: laneRoom})
	for range laneRoom {
		v.Init = append(v.Init, core.Const(t, l.laneValue(t)))
	}
	s := core.NewSource(v)
	l.Register(s)
	l.Summed = append(l.Summed, v)
	l.rows = append(l.rows, row{t, laneRoom, false, func(i ir.Expr) ir.Place { return core.CellAt(s, i) }})
	return v
}

// newMembers adds a struct of many members of one type, and one that stands between
// them now and then.
func (l *lanes) newMembers() {
	r := &ir.Record{Name: "L" + core.VarName(len(l.Func.Types))}
	gap := -1
	if l.S.Chance(1, 4) {
		gap = l.S.Intn(maxLanes)
	}
	var fields []int
	for k := range maxLanes {
		if k == gap {
			r.Fields = append(r.Fields, ir.Field{Name: "gap", Type: l.laneType()})
		}
		fields = append(fields, len(r.Fields))
		r.Fields = append(r.Fields, ir.Field{Name: "m" + core.VarName(k), Type: l.t})
	}
	l.Func.Types = append(l.Func.Types, r)
	v := l.NewVar(choice.Pick(l.S, []ir.Kind{ir.Global, ir.Static, ir.Local}), r)
	for i := range ir.Count(r) {
		t := ir.Cell(r, i).(ir.Int)
		v.Init = append(v.Init, core.Const(t, l.laneValue(t)))
	}
	l.Summed = append(l.Summed, v)
	l.rows = append(l.rows, row{l.t, maxLanes, true, func(i ir.Expr) ir.Place {
		return core.Member(core.Ref(v), fields[i.(*ir.Const).V])
	}})
}

// newPointerTo adds a pointer into an array, which others lead to, too.
func (l *lanes) newPointerTo(v *ir.Var) {
	kind := ir.Local
	if v.Kind.Lasts() && l.S.Chance(1, 2) {
		kind = ir.Global
	}
	t := ir.Scalar(v.Type)
	base := l.S.Range(0, 4)
	p := l.NewVar(kind, ir.Pointer{Elem: t})
	p.Init = []ir.Expr{nil}
	p.Ptrs = []ir.Expr{core.AddressOf(core.Elem(core.Ref(v), core.Const(ir.I32, int64(base))))}
	l.rows = append(l.rows, row{t, laneRoom - base, false, func(i ir.Expr) ir.Place { return core.DerefAt(p, i) }})
}

// A placing is the choice of the places of a row that are the lanes of a group.
type placing func(k int) ir.Place

// spread draws n places of a row: side by side, with a stride or gaps, or from the last
// to the first, and mostly from a place that the compiler knows.
func (l *lanes) spread(r row, n int) placing {
	number := make([]int, n)
	switch stride := min((r.len-1)/(n-1), 3); {
	case stride > 1 && l.S.Chance(1, 10):
		stride = l.S.Range(2, stride)
		for k := range number {
			number[k] = k * stride
		}
	case l.S.Chance(1, 12):
		room := r.len - n
		for k := 1; k < n; k++ {
			number[k] = number[k-1] + 1
			if room > 0 && l.S.Chance(1, 4) {
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
	if l.S.Chance(1, 8) {
		for k := range n / 2 {
			number[k], number[n-1-k] = number[n-1-k], number[k]
		}
	}
	if m := core.Mask(slack + 1); !r.fixed && m > 0 && l.S.Chance(1, 8) {
		v := choice.Pick(l.S, l.Counts)
		return func(k int) ir.Place {
			from := core.Bin(ir.And, core.Scalar(ir.U32, v), core.Const(ir.U32, m))
			if number[k] == 0 {
				return r.at(from)
			}
			return r.at(core.Bin(ir.Add, from, core.Const(ir.U32, int64(number[k]))))
		}
	}
	base := 0
	if l.S.Chance(1, 3) {
		base = l.S.Intn(slack + 1)
	}
	return func(k int) ir.Place { return r.at(core.Const(ir.I32, int64(base+number[k]))) }
}

// A lane reads the value of lane k as one of type c.
type lane func(k int, c ir.Int) ir.Expr

// lanesOf returns the values of n places of a row or, now and then, those of some
// scalars, or of a few places again and again.
func (l *lanes) lanesOf(r row, n int) lane {
	at := l.spread(r, n)
	switch l.S.Weighted(15, 1, 1, 1) {
	case 1:
		scalars := make([]*core.Source, n)
		for k := range scalars {
			scalars[k] = choice.Pick(l.S, l.Counts)
		}
		return func(k int, c ir.Int) ir.Expr { return core.Scalar(c, scalars[k]) }
	case 2:
		few := l.S.Range(1, 2)
		return func(k int, c ir.Int) ir.Expr { return core.Convert(c, core.Load(at(k%few))) }
	case 3:
		var order [maxLanes]int
		for k := range n {
			order[k] = l.S.Intn(n)
		}
		return func(k int, c ir.Int) ir.Expr { return core.Convert(c, core.Load(at(order[k]))) }
	}
	return func(k int, c ir.Int) ir.Expr { return core.Convert(c, core.Load(at(k))) }
}

func (l *lanes) row() row { return choice.Pick(l.S, l.rows) }
