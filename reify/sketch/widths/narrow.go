package widths

import (
	"slices"

	"goreify/reify/choice"
	"goreify/reify/ir"
	"goreify/reify/sketch/core"
)

// Shares are shares of the statements, and of the terms that begin with no
// pilot.
type Shares struct {
	// a value and narrower and wider forms of it meet
	Widths int `feature:"narrow" typical:"20" about:"values and narrower and wider forms of them"`
	// truth values are joined
	Truths int `feature:"truth" typical:"20" about:"truth values joined in all ways"`
	// computed in widths made by pairs of shifts
	Odd int `feature:"odd" typical:"20" about:"widths that no type has, by pairs of shifts"`
	// in __int128
	Int128 int `feature:"int128" typical:"20" about:"__int128"`
	// in _BitInt
	BitInt int `feature:"bitint" typical:"20" about:"_BitInt of 2 to 128 bits"`
}

// A widths is the values of several widths of a function.
type widths struct {
	core.Base
	shares  *Shares
	palette *palette
	wide    *wides // of widths that other types do not have, if the shares have any
}

// New returns the values of several widths of a function. All bits of its variables
// then matter for the result.
func (s *Shares) New(w *core.Writer) core.Part {
	if *s == (Shares{}) {
		return nil
	}
	w.Hashed = true
	d := &widths{Base: core.Base{Writer: w}, shares: s}
	d.palette = d.newPalette()
	d.wide = d.newWides()
	return d
}

// Declare sorts the variables: those that are not parameters are to be assigned to, each
// before any is assigned to again, so that computed values stay alive.
func (w *widths) Declare() {
	for _, v := range w.Counts {
		if v.V.Kind == ir.Param || !v.Writable() {
			w.palette.made = append(w.palette.made, v)
		} else {
			w.palette.fresh = append(w.palette.fresh, v)
		}
	}
}

// Statement returns an assignment in which such values meet, or the like.
func (w *widths) Statement() []ir.Stmt {
	switch s := w.shares; {
	case w.Roll(s.Widths):
		return w.narrowed()
	case w.Roll(s.Truths):
		return w.truthStatement()
	case w.Roll(s.Odd):
		w.Begin()
		return []ir.Stmt{w.assigned(w.odd(2))}
	case w.Roll(s.Int128 + s.BitInt):
		return w.wideStatement()
	}
	return nil
}

// Term returns a number that is computed from such values.
func (w *widths) Term(t ir.Int, _ *core.Source) ir.Expr {
	switch s := w.shares; {
	case w.Roll(s.Widths):
		return w.narrow(t)
	case w.Roll(s.Truths):
		return w.truthNumber(t)
	case w.Roll(s.Odd):
		return core.Convert(t, w.odd(2))
	case w.Roll(s.Int128 + s.BitInt):
		return core.Convert(t, w.wideNumber())
	}
	return nil
}

// Condition returns truth values joined to one.
func (w *widths) Condition() ir.Expr {
	if !w.Roll(w.shares.Truths) {
		return nil
	}
	return w.truthCondition()
}

// A palette is the material for the statements of a function with values of several
// widths.
type palette struct {
	made  []*core.Source // scalars that are worth reading: parameters, and variables that were assigned to
	fresh []*core.Source // scalars to assign to first
	types []ir.Int       // that values are computed in
	cuts  []ir.Int       // that they are cut to
	views []view
	meets []meet
	joins []truthJoin
}

// newPalette draws a palette. Variables enter it when they have been declared.
func (w *widths) newPalette() *palette {
	p := new(palette)
	for range w.S.Range(2, 4) {
		p.types = append(p.types, choice.Pick(w.S, core.Computed[:]))
		p.cuts = append(p.cuts, ir.Int{Bits: choice.Pick(w.S, []int{8, 16, 32}), Signed: w.S.Chance(1, 2)})
	}
	// Bugs may need one kind twice, or six kinds one after the other.
	most := choice.Pick(w.S, []int{3, 6, 12})
	for range w.S.Range(2, most) {
		p.views = append(p.views, choice.Pick(w.S, views))
	}
	for range w.S.Range(2, most) {
		p.meets = append(p.meets, choice.Pick(w.S, meets))
	}
	for range w.S.Range(1, most) {
		p.joins = append(p.joins, choice.Pick(w.S, truthJoins))
	}
	return p
}

// recent returns a variable to read, most likely one that was assigned to lately.
func (w *widths) recent() *core.Source {
	made := w.palette.made
	if w.S.Chance(1, 8) {
		return choice.Pick(w.S, w.Vars)
	}
	if n := len(made); n > 5 && w.S.Chance(2, 5) {
		made = made[n-5:]
	}
	return choice.Pick(w.S, made)
}

// assignee returns a variable to assign to, which is not the other one and for which
// fits is true; nil if no variable is left.
func (w *widths) assignee(other *core.Source, fits func(ir.Int) bool) *core.Source {
	p := w.palette
	for i, v := range p.fresh {
		if v != other && fits(v.Leaves[0].T) {
			p.fresh = slices.Delete(p.fresh, i, i+1)
			p.made = append(p.made, v)
			return v
		}
	}
	for range 6 {
		if v := choice.Pick(w.S, w.Counts); v.Writable() && v != other && fits(v.Leaves[0].T) {
			return v
		}
	}
	return nil
}

// narrow returns a value of type t in which some values and other forms of them meet.
// It has no symbols and is defined for all values of its variables.
func (w *widths) narrow(t ir.Int) ir.Expr {
	x := w.variable()
	if w.S.Chance(1, 3) {
		return core.Convert(t, w.view(x))
	}
	return core.Convert(t, w.meet(x, 1+w.S.Weighted(4, 2, 1)))
}

// meet returns a value computed from x, with at most so many nested operations.
func (w *widths) meet(x ir.Expr, depth int) ir.Expr {
	p := w.palette
	t := choice.Pick(w.S, p.types)
	var y ir.Expr
	switch w.S.Weighted(2, 4, 1) {
	case 0: // x again
		y = w.view(x)
	case 1:
		y = w.variable()
		if w.S.Chance(1, 4) {
			y = w.view(y)
		}
	default:
		y = w.Edge(t)
	}
	if depth > 1 && w.S.Chance(1, 3) {
		y = w.meet(y, depth-1)
	}
	x, y = core.As(t, x), core.As(t, y)
	if w.S.Chance(1, 4) {
		x, y = y, x
	}
	e := choice.Pick(w.S, p.meets)(w, t, x, y)
	if depth > 1 && w.S.Chance(1, 2) {
		e = w.meet(e, depth-1)
	}
	return e
}

// view returns another form of x.
func (w *widths) view(x ir.Expr) ir.Expr {
	p := w.palette
	t := core.Promote(ir.IntOf(x))
	if w.S.Chance(1, 3) {
		t = choice.Pick(w.S, p.types)
	}
	return choice.Pick(w.S, p.views)(w, t, core.As(t, w.again(x)))
}

// variable returns the value of a variable, as C promotes it.
func (w *widths) variable() ir.Expr {
	v := w.recent()
	x, _ := w.Twice(core.Promote(v.Leaves[0].T), v)
	return x
}

// maxAgain bounds subtrees that are written twice, so that functions stay small.
const maxAgain = 7

// again returns a copy of x or, if that is large, the value of a variable in its
// place.
func (w *widths) again(x ir.Expr) ir.Expr {
	n := 0
	for range ir.SubExprs(&x) {
		n++
	}
	if n > maxAgain {
		return core.As(ir.IntOf(x), w.variable())
	}
	return ir.CopyExpr(x)
}

// cut returns a type that values are cut to.
func (w *widths) cut() ir.Int { return choice.Pick(w.S, w.palette.cuts) }

// narrowed returns a statement in which values of several widths meet, or a
// builtin that tells whether an operation on them overflows.
func (w *widths) narrowed() []ir.Stmt {
	w.Begin()
	if w.S.Chance(1, 4) {
		if list := w.overflowOf(); list != nil {
			return list
		}
	}
	e := w.narrow(choice.Pick(w.S, w.palette.types))
	return []ir.Stmt{w.assigned(e)}
}

// assigned returns an assignment of e, mostly to a variable without an assignment so
// far.
func (w *widths) assigned(e ir.Expr) ir.Stmt {
	if w.S.Chance(7, 8) {
		if v := w.assignee(nil, func(ir.Int) bool { return true }); v != nil {
			return core.Set(v, e)
		}
	}
	dst := choice.Pick(w.S, w.Dest().Writables)
	return core.Assign(w.Place(dst), core.Convert(dst.T, e))
}

// overflowOf returns a builtin on the value of a variable and another form of it; nil
// if no variables are left for its results.
func (w *widths) overflowOf() []ir.Stmt {
	x := w.variable()
	var y ir.Expr
	switch w.S.Weighted(2, 3, 1) {
	case 0:
		y = w.view(x)
	case 1:
		y = w.variable()
	default:
		y = w.Edge(choice.Pick(w.S, w.palette.types))
	}
	flag := w.assignee(nil, func(t ir.Int) bool { return t == ir.I32 || t == ir.Bool })
	if flag == nil {
		return nil
	}
	dst := w.assignee(flag, func(t ir.Int) bool { return t != ir.Bool })
	if dst == nil {
		return nil
	}
	return []ir.Stmt{&ir.Overflow{
		Flag: core.Ref(flag.V), Dst: core.Ref(dst.V),
		Op: choice.Pick(w.S, []ir.Op{ir.Add, ir.Sub, ir.Mul}), X: x, Y: y,
	}}
}
