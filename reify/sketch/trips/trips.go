package trips

import (
	"goreify/reify/choice"
	"goreify/reify/ir"
	"goreify/reify/sketch/core"
	"goreify/reify/sketch/nests"
)

// Trips are loops for loop vectorisers: loops of one to three blocks with a number of
// rounds that is known here, though the compiler may not see it. Their indices stay in
// bounds in all cases.
//
//	b1:
//	  %i = 0
//	  %n = 8 + (u32(%p) & 15)
//	  goto b2
//	b2:
//	  @b[%i] = u8(u32(@a[%i]) * 3 - u32(@c[%i + 1]))
//	  %s = %s + i64(@b[%i])
//	  %i = %i + 1
//	  if %i < %n goto b2 else b3
//
// Their conditions have no symbols, so that a walk goes round without choices. Counters
// and bounds have no other assignments, and no pointer leads to them. A function has
// few of them, which its loops share.
type trips struct {
	*nests.Loop
	counters []*core.Source
	bounds   []*core.Source
	known    []*ir.Var // numbers without other assignments
	trip     *trip     // the loop that is being written
}

// tripLen is the length of the arrays, and lastTrip the largest index that counters
// reach: a place a little further on is an element, too.
const (
	tripLen   = nests.Len + 8
	lastTrip  = nests.Len - 1
	mostTrips = nests.Len
)

// newTrips adds the arrays and the scalars to reduce into.
func newTrips(w *core.Writer) *trips {
	t := &trips{Loop: &nests.Loop{Writer: w}}
	for range w.S.Range(2, 3) {
		elem := t.anyType()
		v := w.NewVar(w.Kind(), ir.Array{Elem: elem, Len: tripLen})
		from, by := w.Number(elem.Bits), int64(w.S.Range(-9, 9))
		for k := range tripLen {
			x := from + by*int64(k)
			if w.S.Chance(1, 4) {
				x = w.Number(elem.Bits)
			}
			v.Init = append(v.Init, core.Const(elem, elem.Wrap(x)))
		}
		s := core.NewSource(v)
		w.Register(s)
		w.Summed = append(w.Summed, v)
		t.Arrays = append(t.Arrays, s)
	}
	for range w.S.Range(1, 3) {
		of := t.anyType()
		v := w.NewVar(ir.Local, of)
		v.Init = []ir.Expr{core.Const(of, of.Wrap(w.Number(of.Bits)))}
		w.Register(core.NewSource(v))
		w.Summed = append(w.Summed, v)
	}
	return t
}

// anyType draws the type of an element or a scalar: where the policy has other
// types at all, any is as likely.
func (t *trips) anyType() ir.Int {
	if !t.ManyTypes() {
		return ir.I32
	}
	return ir.Int{Bits: 8 << t.S.Intn(4), Signed: t.S.Chance(1, 2)}
}

// addCounters adds the variables to which no pointer may lead.
func (t *trips) addCounters() {
	for range t.S.Range(1, 2) {
		of := ir.I32
		if t.S.Chance(1, 4) {
			of = t.anyType()
		} else if t.Policy.Wide > 0 && t.S.Chance(1, 3) {
			of.Bits = 64
		}
		t.counters = append(t.counters, t.hidden(ir.Local, of, 0))
		of = ir.I32
		if t.S.Chance(1, 2) {
			of = t.anyType()
		}
		t.bounds = append(t.bounds, t.hidden(ir.Local, of, 0))
	}
	t.Summed = append(t.Summed, t.counters[0].V)
	for _, a := range t.Arrays {
		if t.Roll(t.Policy.Ptr) {
			t.addPointer(a)
		}
	}
}

// addPointer adds a pointer to an array, without other assignments: unless it is local
// the compiler does not know its target.
func (t *trips) addPointer(a *core.Source) {
	kind := ir.Local
	if a.V.Kind.Lasts() {
		kind = ir.Global
	}
	v := t.NewVar(kind, ir.Pointer{Elem: a.Leaves[0].T})
	v.Init = []ir.Expr{nil}
	v.Ptrs = []ir.Expr{core.AddressOf(core.CellAt(a, core.Zero(ir.I32)))}
	if t.Via == nil {
		t.Via = map[*core.Source]*ir.Var{}
	}
	t.Via[a] = v
}

// hidden adds a variable that only loops assign to.
func (t *trips) hidden(k ir.Kind, of ir.Int, n int64) *core.Source {
	v := t.NewVar(k, of)
	v.Init = []ir.Expr{core.Const(of, n)}
	return core.NewSource(v)
}

// resume makes p the loop that is being written.
func (t *trips) resume(p *trip) { t.trip, t.Counter = p, p.counter }

// enter returns the statements before a loop: first values, and fresh values for some
// reductions.
func (t *trips) enter() []ir.Stmt {
	p := t.trip
	i := p.counter
	list := []ir.Stmt{core.Store(i.Leaves[0], core.Const(core.Promote(i.Leaves[0].T), p.first))}
	if p.set != nil {
		list = append(list, core.Store(p.bound.Leaves[0], p.set))
	}
	if t.S.Chance(1, 2) {
		v, of := t.into()
		list = append(list, core.Set(v, core.Const(of, choice.Pick(t.S, []int64{0, 0, 1, -1}))))
	}
	t.S.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
	return list
}

// advance returns the step of the counter, and that of the bound if it counts.
func (t *trips) advance() []ir.Stmt {
	p := t.trip
	of := core.Promote(p.counter.Leaves[0].T)
	x := core.Scalar(of, p.counter)
	op := ir.Add
	if p.step < 0 {
		op = ir.Sub
	}
	list := []ir.Stmt{core.Set(p.counter, core.Bin(op, x, p.stride()))}
	if p.counts {
		list = append(list, core.Advance(p.bound, core.Const(core.Promote(p.bound.Leaves[0].T), -1)))
	}
	return list
}

// into returns a scalar to reduce into and the unsigned type to compute in.
func (t *trips) into() (*core.Source, ir.Int) {
	v, _ := t.Accumulator()
	return v, core.Unsigned(core.Promote(v.Leaves[0].T))
}
