package sketch

import (
	"goreify/reify/choice"
	"goreify/reify/ir"
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
	*loop
	counters []*source
	bounds   []*source
	known    []*ir.Var // numbers without other assignments
	trip     *trip     // the loop that is being written
}

// tripLen is the length of the arrays, and lastTrip the largest index that counters
// reach: a place a little further on is an element, too.
const (
	tripLen   = loopLen + 8
	lastTrip  = loopLen - 1
	mostTrips = loopLen
)

// newTrips adds the arrays and the scalars to reduce into.
func newTrips(w *writer) *trips {
	t := &trips{loop: &loop{writer: w}}
	for range w.s.Range(2, 3) {
		elem := t.anyType()
		v := w.newVar(w.kind(), ir.Array{Elem: elem, Len: tripLen})
		from, by := w.number(elem.Bits), int64(w.s.Range(-9, 9))
		for k := range tripLen {
			x := from + by*int64(k)
			if w.s.Chance(1, 4) {
				x = w.number(elem.Bits)
			}
			v.Init = append(v.Init, constantOf(elem, elem.Wrap(x)))
		}
		s := newSource(v)
		w.register(s)
		w.summed = append(w.summed, v)
		t.arrays = append(t.arrays, s)
	}
	for range w.s.Range(1, 3) {
		of := t.anyType()
		v := w.newVar(ir.Local, of)
		v.Init = []ir.Expr{constantOf(of, of.Wrap(w.number(of.Bits)))}
		w.register(newSource(v))
		w.summed = append(w.summed, v)
	}
	return t
}

// anyType draws the type of an element or a scalar: where the policy has other
// types at all, any is as likely.
func (t *trips) anyType() ir.Int {
	if !t.manyTypes() {
		return ir.I32
	}
	return ir.Int{Bits: 8 << t.s.Intn(4), Signed: t.s.Chance(1, 2)}
}

// addCounters adds the variables to which no pointer may lead.
func (t *trips) addCounters() {
	for range t.s.Range(1, 2) {
		of := ir.I32
		if t.s.Chance(1, 4) {
			of = t.anyType()
		} else if t.p.Wide > 0 && t.s.Chance(1, 3) {
			of.Bits = 64
		}
		t.counters = append(t.counters, t.hidden(ir.Local, of, 0))
		of = ir.I32
		if t.s.Chance(1, 2) {
			of = t.anyType()
		}
		t.bounds = append(t.bounds, t.hidden(ir.Local, of, 0))
	}
	t.summed = append(t.summed, t.counters[0].v)
	for _, a := range t.arrays {
		if t.roll(t.p.Ptr) {
			t.addPointer(a)
		}
	}
}

// addPointer adds a pointer to an array, without other assignments: unless it is local
// the compiler does not know its target.
func (t *trips) addPointer(a *source) {
	kind := ir.Local
	if a.v.Kind.Lasts() {
		kind = ir.Global
	}
	v := t.newVar(kind, ir.Pointer{Elem: a.leaves[0].t})
	v.Init = []ir.Expr{nil}
	v.Ptrs = []ir.Expr{nodeAddressOf(cellAt(a, constant0(ir.I32)))}
	if t.via == nil {
		t.via = map[*source]*ir.Var{}
	}
	t.via[a] = v
}

// hidden adds a variable that only loops assign to.
func (t *trips) hidden(k ir.Kind, of ir.Int, n int64) *source {
	v := t.newVar(k, of)
	v.Init = []ir.Expr{constantOf(of, n)}
	return newSource(v)
}

// resume makes p the loop that is being written.
func (t *trips) resume(p *trip) { t.trip, t.counter = p, p.counter }

// enter returns the statements before a loop: first values, and fresh values for some
// reductions.
func (t *trips) enter() []ir.Stmt {
	p := t.trip
	i := p.counter
	list := []ir.Stmt{store(i.leaves[0], constantOf(promote(i.leaves[0].t), p.first))}
	if p.set != nil {
		list = append(list, store(p.bound.leaves[0], p.set))
	}
	if t.s.Chance(1, 2) {
		v, of := t.into()
		list = append(list, reduceInto(v, constantOf(of, choice.Pick(t.s, []int64{0, 0, 1, -1}))))
	}
	t.s.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
	return list
}

// advance returns the step of the counter, and that of the bound if it counts.
func (t *trips) advance() []ir.Stmt {
	p := t.trip
	of := promote(p.counter.leaves[0].t)
	x := scalar(of, p.counter)
	op := ir.Add
	if p.step < 0 {
		op = ir.Sub
	}
	list := []ir.Stmt{reduceInto(p.counter, bin(op, x, p.stride()))}
	if p.counts {
		list = append(list, advance(p.bound, constantOf(promote(p.bound.leaves[0].t), -1)))
	}
	return list
}

// into returns a scalar to reduce into and the unsigned type to compute in.
func (t *trips) into() (*source, ir.Int) {
	v, _ := t.accumulator()
	return v, unsigned(promote(v.leaves[0].t))
}
