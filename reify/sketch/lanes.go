package sketch

import (
	"goreify/reify/choice"
	"goreify/reify/ir"
)

// Lanes are similar expressions in straight-line code, which SLP vectorisers turn into
// one vector operation. The lanes of a group are of one operator, or of exactly two:
//
//	%l0 = @a[0] << 31
//	%l1 = @a[1] + 1
//	%l2 = @a[2] << 7
//	%l3 = @a[3] << 0
//	@b[0] = %l0
//	...
//	%x = %x ^ %l0 ^ %l1 ^ %l2 ^ %l3
//
// Signed lanes are mostly computed without a sign where they could overflow. An
// operation that is undefined on the path all the same gets a symbol, or is repaired by
// the solver.
type lanes struct {
	*stmtWriter
	t     ir.Int // of most lanes
	rows  []row
	temps row // locals that only a group uses
	// Of the group at hand: two operators, or one twice, the first mostly a shift; and
	// weights of the kinds of constants.
	ops     [2]ir.Op
	numbers []int
}

// Counts of lanes. laneRoom is the length of arrays: 16 lanes leave room for an
// offset, 10 for a stride of two.
const (
	minLanes = 4
	maxLanes = 16
	laneRoom = 20
)

// newLanes adds the variables that lanes are read from and written to.
func newLanes(w *stmtWriter) *lanes {
	l := &lanes{stmtWriter: w, t: ir.I32, numbers: anyNumbers}
	l.t = l.laneType()
	var arrays []*ir.Var
	for range w.s.Range(2, 3) {
		t := l.t
		if w.s.Chance(1, 4) {
			t = l.laneType() // vectorisers compute in the narrowest sufficient type
		}
		arrays = append(arrays, l.newArray(t))
	}
	if w.p.Struct > 0 && w.s.Chance(1, 6) {
		l.newMembers()
	}
	if w.p.Ptr > 0 {
		for range w.s.Range(0, 2) {
			l.newPointerTo(choice.Pick(w.s, arrays))
		}
	}
	t := l.t
	if w.s.Chance(1, 4) {
		t = promote(t)
	}
	var temps []*ir.Var
	for range maxLanes {
		v := w.newVar(ir.Local, t)
		v.Init = []ir.Expr{constant0(t)}
		temps = append(temps, v)
	}
	l.temps = row{t, maxLanes, true, func(i ir.Expr) ir.Place {
		return &ir.VarRef{Var: temps[i.(*ir.Const).V]}
	}}
	return l
}

// laneTypes are the types of lanes, if there are others than i32. Processors have most
// vector operations, shifts by a count a lane above all, for 32 bits.
var laneTypes = []ir.Int{
	ir.I8, ir.U8, ir.I16, ir.U16, ir.I64, ir.U64, ir.I32, ir.I32, ir.I32, ir.I32, ir.I32, ir.I32, ir.U32, ir.U32,
}

func (l *lanes) laneType() ir.Int {
	if !l.manyTypes() {
		return ir.I32
	}
	return choice.Pick(l.s, laneTypes)
}

// block returns the groups of a block.
func (l *lanes) block() []ir.Stmt {
	var list []ir.Stmt
	for range l.s.Weighted(0, 2, 1) {
		list = append(list, l.group()...)
	}
	return list
}

// group returns lanes that are computed, kept, and used, mostly more than once.
func (l *lanes) group() []ir.Stmt {
	if l.s.Chance(2, 3) {
		return l.mixedGroup()
	}
	n := choice.Pick(l.s, []int{4, 4, 8, 8, 8, 16, 16, l.s.Range(minLanes, maxLanes)})
	l.newKinds()
	from := l.row()
	if l.s.Chance(1, 2) {
		from = choice.Pick(l.s, l.rows[:2])
	}
	x, y := l.lanesOf(from, n), l.lanesOf(l.row(), n)
	t := from.t
	if l.s.Chance(1, 2) {
		t = l.t
	}
	m := l.mixture(t)
	keep, at := l.temps, placing(nil)
	if l.s.Chance(1, 4) {
		keep = l.row()
		at = l.spread(keep, n)
	} else {
		at = func(k int) ir.Place { return keep.at(constantOf(ir.I32, int64(k))) }
	}
	list := l.store(at, keep.t, l.values(m, x, y, n), m.c, n)
	kept := func(k int, c ir.Int) ir.Expr { return convert(c, &ir.Load{Place: at(k)}) }
	for range l.s.Weighted(0, 1, 4, 2) {
		list = append(list, l.use(kept, keep.t, n)...)
	}
	return list
}

// store assigns lanes that are computed in type c.
func (l *lanes) store(to placing, t ir.Int, value lane, c ir.Int, n int) []ir.Stmt {
	var list []ir.Stmt
	for k := range n {
		list = append(list, &ir.Assign{Dst: to(k), Src: convert(t, value(k, c))})
	}
	return list
}
