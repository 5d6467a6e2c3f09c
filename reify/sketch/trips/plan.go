package trips

import (
	"slices"

	"goreify/reify/choice"
	"goreify/reify/ir"
	"goreify/reify/sketch/core"
)

// A trip is one loop.
type trip struct {
	counter *core.Source
	low     int64 // the least index
	high    int64 // the largest
	first   int64 // one of the two
	step    int64 // less than 0 if it counts down
	bound   *core.Source
	set     ir.Expr        // the initial value of the bound; nil if it is not used
	stride  func() ir.Expr // the step of the counter
	more    func() ir.Expr // whether the loop goes round again, after the counter went on
	counts  bool           // the bound counts down, too
	reduced []*core.Source // scalars that the body may assign to, and has not yet
	steady  []*core.Source // those that it may not
	target  *core.Source   // the array that it mostly writes to
}

// plan draws a loop.
func (t *trips) plan(guarded bool) *trip {
	p := &trip{counter: choice.Pick(t.S, t.counters), bound: choice.Pick(t.S, t.bounds), step: 1}
	if t.S.Chance(1, 7) {
		p.step = int64(t.S.Range(2, 4))
	}
	down := t.S.Chance(1, 4)
	low := int64(0)
	if t.S.Chance(1, 3) {
		low = int64(t.S.Range(0, 9))
	}
	if down {
		low = max(low, p.step) // so that the counter does not come below 0
	}
	n := int64(t.S.Range(4, mostTrips))
	switch t.S.Weighted(10, 3, 1) {
	case 1:
		n = int64(t.S.Range(4, 20))
	case 2:
		n = int64(t.S.Range(1, 3))
	}
	n = min(n, (lastTrip-low)/p.step+1)
	p.low, p.high, p.first = low, low+(n-1)*p.step, low
	by, variable := t.exactly(p.step), t.S.Chance(1, 6)
	if variable {
		by = t.looksVariable(p.step)
	}
	t.divide(p)
	p.stride = func() ir.Expr { return by(core.Promote(p.counter.Leaves[0].T)) }
	of := t.comparedIn(p.counter)
	count, steady := t.count(n)
	if guarded && t.S.Chance(1, 6) {
		count, steady = t.looksVariable(0), true
	}
	if p.counts = t.S.Chance(1, 5); p.counts {
		p.set = count(of)
		op := choice.Pick(t.S, []ir.Op{ir.Ne, ir.Gt})
		p.more = func() ir.Expr { return core.Bin(op, core.Scalar(of, p.bound), core.Zero(of)) }
	} else {
		op := ir.Lt
		if down {
			op = ir.Gt
		}
		if p.step == 1 && !variable && t.S.Chance(1, 2) || t.S.Chance(1, 8) {
			op = ir.Ne
		}
		at := func() ir.Expr { return t.end(p, of, count, down) }
		if !steady || t.S.Chance(1, 2) {
			p.set = at()
			at = func() ir.Expr { return core.Scalar(of, p.bound) }
		}
		p.more = func() ir.Expr { return core.Bin(op, core.Scalar(of, p.counter), at()) }
	}
	if down {
		p.first, p.step = p.high, -p.step
	}
	return p
}

// divide draws which scalars a loop may assign to.
func (t *trips) divide(p *trip) {
	p.target = t.array()
	for _, v := range t.Counts {
		if v.Writable() && v.Leaves[0].T != ir.Bool && t.S.Chance(1, 2) {
			p.reduced = append(p.reduced, v)
		} else {
			p.steady = append(p.steady, v)
		}
	}
}

// comparedIn draws the type that a counter is compared in.
func (t *trips) comparedIn(i *core.Source) ir.Int {
	if t.ManyTypes() && t.S.Chance(1, 4) {
		return choice.Pick(t.S, core.Computed[:])
	}
	return core.Promote(i.Leaves[0].T)
}

// end returns the final value of the counter, one step beyond that in the last round.
func (t *trips) end(p *trip, of ir.Int, count func(ir.Int) ir.Expr, down bool) ir.Expr {
	e := count(of)
	if s := max(p.step, -p.step); s != 1 {
		e = core.Bin(ir.Mul, e, core.Const(of, s))
	}
	switch {
	case down:
		return core.Bin(ir.Sub, core.Const(of, p.high), e)
	case p.low != 0:
		return core.Bin(ir.Add, e, core.Const(of, p.low))
	}
	return e
}

// count returns an expression whose value is n. If it depends on a parameter, its value
// is at most n and at least a quarter of it. It also returns whether the value is
// constant.
func (t *trips) count(n int64) (count func(ir.Int) ir.Expr, steady bool) {
	params := slices.DeleteFunc(slices.Clone(t.Func.Params()), func(v *ir.Var) bool { return v.Volatile })
	m := core.Mask(int(3*n/4) + 1)
	if m == 0 || len(params) == 0 || t.S.Chance(1, 2) {
		return t.looksVariable(n), true
	}
	if t.Roll(t.Options.Volatile) {
		v := t.hidden(ir.Global, ir.I32, n)
		v.V.Volatile = true
		return func(of ir.Int) ir.Expr { return core.Scalar(of, v) }, false
	}
	v := choice.Pick(t.S, params)
	for m > 1 && t.S.Chance(1, 4) {
		m /= 2
	}
	return func(of ir.Int) ir.Expr {
		u := core.Unsigned(of)
		x := core.Bin(ir.And, core.Convert(u, core.LoadVar(v)), core.Const(u, m))
		return core.Convert(of, core.Bin(ir.Add, x, core.Const(u, n-m)))
	}, v.Const
}

// exactly returns n as a constant.
func (t *trips) exactly(n int64) func(ir.Int) ir.Expr {
	return func(of ir.Int) ir.Expr { return core.Const(of, n) }
}

// looksVariable returns n: as a constant, a variable without other assignments, or a
// product with one that is 1.
func (t *trips) looksVariable(n int64) func(ir.Int) ir.Expr {
	switch t.S.Weighted(4, 3, 2) {
	case 0:
		return t.exactly(n)
	case 1:
		v := t.variableOf(n)
		return func(of ir.Int) ir.Expr { return core.Convert(of, core.LoadVar(v)) }
	}
	v := t.variableOf(1)
	return func(of ir.Int) ir.Expr {
		u := core.Unsigned(of)
		return core.Convert(of, core.Bin(ir.Mul, core.Convert(u, core.LoadVar(v)), core.Const(u, n)))
	}
}

// variableOf returns a variable at file scope that is n throughout.
func (t *trips) variableOf(n int64) *ir.Var {
	for _, v := range t.known {
		if v.Init[0].(*ir.Const).V == n {
			return v
		}
	}
	of := ir.I32
	if t.S.Chance(1, 2) {
		of = t.anyType()
	}
	v := t.hidden(ir.Global, of, n).V
	t.known = append(t.known, v)
	return v
}
