// Package lanes is the shape of alike expressions side by side, for vectorisers of
// straight-line code (SLP).
package lanes

import (
	"goreify/reify/choice"
	"goreify/reify/ir"
	"goreify/reify/sketch/core"
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
	core.Base
	shares *Shares
	t      ir.Int // of most lanes
	rows   []row
	temps  row // locals that only a group uses
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

// Shares are the shares of groups of alike expressions.
type Shares struct {
	// share of blocks: with groups of alike expressions before the other statements
	Lanes int `feature:"lanes" typical:"60" scalars:"110" about:"groups of alike expressions side by side"`
}

// New returns the lanes of a function.
func (s *Shares) New(w *core.Writer) core.Part {
	if s.Lanes == 0 {
		return nil
	}
	return &lanes{Base: core.Base{Writer: w}, shares: s, t: ir.I32, numbers: anyNumbers}
}

// Declare adds the variables that lanes are read from and written to.
func (l *lanes) Declare() {
	l.t = l.laneType()
	var arrays []*ir.Var
	for range l.S.Range(2, 3) {
		t := l.t
		if l.S.Chance(1, 4) {
			t = l.laneType() // vectorisers compute in the narrowest sufficient type
		}
		arrays = append(arrays, l.newArray(t))
	}
	if l.Policy.Struct > 0 && l.S.Chance(1, 6) {
		l.newMembers()
	}
	if l.Policy.Ptr > 0 {
		for range l.S.Range(0, 2) {
			l.newPointerTo(choice.Pick(l.S, arrays))
		}
	}
	t := l.t
	if l.S.Chance(1, 4) {
		t = core.Promote(t)
	}
	var temps []*ir.Var
	for range maxLanes {
		v := l.NewVar(ir.Local, t)
		v.Init = []ir.Expr{core.Zero(t)}
		temps = append(temps, v)
	}
	l.temps = row{t, maxLanes, true, func(i ir.Expr) ir.Place {
		return core.Ref(temps[i.(*ir.Const).V])
	}}
}

func (l *lanes) laneType() ir.Int {
	if !l.ManyTypes() {
		return ir.I32
	}
	return choice.Pick(l.S, core.LaneTypes)
}

// Block adds groups to a block.
func (l *lanes) Block(b *ir.Block) bool {
	if l.Roll(l.shares.Lanes) {
		for range l.S.Weighted(0, 2, 1) {
			b.Stmts = append(b.Stmts, l.group()...)
		}
	}
	return false
}

// group returns lanes that are computed, kept, and used, mostly more than once.
func (l *lanes) group() []ir.Stmt {
	if l.S.Chance(2, 3) {
		return l.mixedGroup()
	}
	n := choice.Pick(l.S, []int{4, 4, 8, 8, 8, 16, 16, l.S.Range(minLanes, maxLanes)})
	l.newKinds()
	from := l.row()
	if l.S.Chance(1, 2) {
		from = choice.Pick(l.S, l.rows[:2])
	}
	x, y := l.lanesOf(from, n), l.lanesOf(l.row(), n)
	t := from.t
	if l.S.Chance(1, 2) {
		t = l.t
	}
	m := l.mixture(t)
	keep, at := l.temps, placing(nil)
	if l.S.Chance(1, 4) {
		keep = l.row()
		at = l.spread(keep, n)
	} else {
		at = func(k int) ir.Place { return keep.at(core.Const(ir.I32, int64(k))) }
	}
	list := l.store(at, keep.t, l.values(m, x, y, n), m.c, n)
	kept := func(k int, c ir.Int) ir.Expr { return core.Convert(c, core.Load(at(k))) }
	for range l.S.Weighted(0, 1, 4, 2) {
		list = append(list, l.use(kept, keep.t, n)...)
	}
	return list
}

// store assigns lanes that are computed in type c.
func (l *lanes) store(to placing, t ir.Int, value lane, c ir.Int, n int) []ir.Stmt {
	var list []ir.Stmt
	for k := range n {
		list = append(list, core.Assign(to(k), core.Convert(t, value(k, c))))
	}
	return list
}
