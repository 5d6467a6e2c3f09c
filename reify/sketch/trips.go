package sketch

import (
	"slices"
	"sync"

	"goreify/reify/cfg"
	"goreify/reify/choice"
	"goreify/reify/ir"
)

// Trips are what loop vectorisers look for: loops of one to three blocks that go
// round a number of times that is known here, though the compiler may not see it,
// and whose indices stay in bounds whatever else happens.
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
// Their conditions have no symbols, so that a walk goes round without choices.
// Counters and bounds are assigned to by nothing else, and no pointer leads to
// them. A function has but a few of them, which its loops share.
type trips struct {
	*loop
	counters []*source
	bounds   []*source
	known    []*ir.Var // numbers that nothing assigns to
	trip     *trip     // the loop that is being written
}

// tripLen is the length of the arrays, and lastTrip the largest index that
// counters come to: what is a little further on is an element, too.
const (
	tripLen   = loopLen + 8
	lastTrip  = loopLen - 1
	mostTrips = loopLen
)

// A trip is one loop.
type trip struct {
	counter *source
	low     int64 // the least index
	high    int64 // the largest
	first   int64 // one of the two
	step    int64 // less than 0 if it counts down
	bound   *source
	set     ir.Expr        // what the bound is before the loop; nil if it is not used
	stride  func() ir.Expr // what the counter goes on by
	more    func() ir.Expr // whether the loop goes round again, after the counter went on
	counts  bool           // the bound counts down, too
	reduced []*source      // scalars that the body may assign to, and has not yet
	steady  []*source      // those that it may not
	target  *source        // the array that it mostly writes to
}

// A countedLoop is the blocks of a loop: head and latch are one if it has but one
// block; then is -1 if there is none between them.
type countedLoop struct{ in, head, then, latch int }

// findCounted finds a loop of one to three blocks that is entered from block in,
// or passed by.
func (w *writer) findCounted(g *cfg.Graph, preds [][]int, in int) {
	if len(g.Succs[in]) > 2 {
		return
	}
	for _, head := range g.Succs[in] {
		if c, ok := countedAt(g, preds, in, head); ok {
			if w.take(w.p.Trips, c.blocks()...) {
				w.writeCounted(g, c)
			}
			return
		}
	}
}

// blocks returns those of the loop and the one before it.
func (c *countedLoop) blocks() []int {
	list := []int{c.in, c.head}
	if c.latch != c.head {
		list = append(list, c.latch)
	}
	if c.then >= 0 {
		list = append(list, c.then)
	}
	return list
}

func countedAt(g *cfg.Graph, preds [][]int, in, head int) (c countedLoop, ok bool) {
	if head == in || len(preds[head]) != 2 {
		return c, false
	}
	latch := preds[head][0]
	if latch == in {
		latch = preds[head][1]
	}
	if len(g.Succs[latch]) != 2 || latch == in {
		return c, false
	}
	if len(g.Succs[in]) == 2 && !slices.Contains(g.Succs[in], other(g.Succs[latch], head)) {
		return c, false
	}
	c = countedLoop{in, head, -1, latch}
	switch {
	case latch == head:
		return c, true
	case len(g.Succs[head]) != 2 || !slices.Contains(g.Succs[head], latch):
		return c, false
	case len(preds[latch]) == 1:
		return c, true
	}
	c.then = other(g.Succs[head], latch)
	return c, c.then != head && len(preds[c.then]) == 1 && len(preds[latch]) == 2 &&
		len(g.Succs[c.then]) == 1 && g.Succs[c.then][0] == latch
}

// other returns the one of two that is not x.
func other(two []int, x int) int {
	if two[0] == x {
		return two[1]
	}
	return two[0]
}

// writeCounted says what writes the blocks of a loop.
func (w *writer) writeCounted(g *cfg.Graph, c countedLoop) {
	w.shaped.trips++
	// Whichever block is written first draws it.
	plan := sync.OnceValue(func() *trip { return w.trips.plan(len(g.Succs[c.in]) == 2) })
	branch := func(b int, cond ir.Expr, to int) *ir.If {
		succs := g.Succs[b]
		if succs[0] != to {
			cond = negate(cond)
		}
		return &ir.If{Cond: cond, Then: w.f.Blocks[succs[0]], Else: w.f.Blocks[succs[1]]}
	}
	w.shaped.write[c.in] = func(w *writer, b *ir.Block) {
		w.trips.resume(plan())
		b.Stmts = w.trips.enter()
		b.Term = &ir.Goto{To: w.f.Blocks[c.head]}
		if len(g.Succs[c.in]) == 2 {
			b.Term = branch(c.in, w.trips.trip.more(), c.head)
		}
	}
	w.shaped.write[c.latch] = func(w *writer, b *ir.Block) {
		t := w.trips
		t.resume(plan())
		if c.head == c.latch || t.s.Chance(1, 2) {
			b.Stmts = t.body()
		}
		b.Stmts = append(b.Stmts, t.advance()...)
		b.Term = branch(c.latch, t.trip.more(), c.head)
	}
	if c.head != c.latch {
		w.shaped.write[c.head] = func(w *writer, b *ir.Block) {
			t := w.trips
			t.resume(plan())
			if t.s.Chance(1, 3) {
				b.Stmts = t.body()
			}
			if c.then >= 0 {
				b.Term = branch(c.head, t.test(), c.then)
				return
			}
			b.Term = branch(c.head, t.leaves(), other(g.Succs[c.head], c.latch))
		}
	}
	if c.then >= 0 {
		w.shaped.write[c.then] = func(w *writer, b *ir.Block) {
			w.trips.resume(plan())
			b.Stmts = w.trips.body()
			b.Term = &ir.Goto{To: w.f.Blocks[c.latch]}
		}
	}
}

// negate returns the comparison that holds where another does not.
func negate(e ir.Expr) ir.Expr {
	opposites := map[ir.Op]ir.Op{ir.Lt: ir.Ge, ir.Ge: ir.Lt, ir.Gt: ir.Le, ir.Le: ir.Gt, ir.Eq: ir.Ne, ir.Ne: ir.Eq}
	b := e.(*ir.Binary)
	return bin(opposites[b.Op], b.X, b.Y)
}

// newTrips adds the arrays and the scalars to reduce into.
func newTrips(w *stmtWriter) *trips {
	t := &trips{loop: &loop{stmtWriter: w}}
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
	if t.p.Narrow+t.p.Wide+t.p.Unsigned == 0 {
		return ir.I32
	}
	return ir.Int{Bits: 8 << t.s.Intn(4), Signed: t.s.Chance(1, 2)}
}

// addCounters adds what no pointer is to lead to.
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

// addPointer adds a pointer to an array, that nothing assigns to: of what is not
// local the compiler does not know where it leads.
func (t *trips) addPointer(a *source) {
	kind := ir.Local
	if a.v.Kind.Lasts() {
		kind = ir.Global
	}
	v := t.newVar(kind, ir.Pointer{Elem: a.leaves[0].t})
	v.Init = []ir.Expr{nil}
	v.Ptrs = []ir.PtrExpr{&ir.AddrOf{Place: cellAt(a, constant0(ir.I32))}}
	if t.via == nil {
		t.via = map[*source]*ir.Var{}
	}
	t.via[a] = v
}

// hidden adds a variable that nothing but loops assigns to.
func (t *trips) hidden(k ir.Kind, of ir.Int, n int64) *source {
	v := t.newVar(k, of)
	v.Init = []ir.Expr{constantOf(of, n)}
	return newSource(v)
}

// plan draws a loop.
func (t *trips) plan(guarded bool) *trip {
	p := &trip{counter: choice.Pick(t.s, t.counters), bound: choice.Pick(t.s, t.bounds), step: 1}
	if t.s.Chance(1, 7) {
		p.step = int64(t.s.Range(2, 4))
	}
	down := t.s.Chance(1, 4)
	low := int64(0)
	if t.s.Chance(1, 3) {
		low = int64(t.s.Range(0, 9))
	}
	if down {
		low = max(low, p.step) // so that the counter does not come below 0
	}
	n := int64(t.s.Range(4, mostTrips))
	switch t.s.Weighted(10, 3, 1) {
	case 1:
		n = int64(t.s.Range(4, 20))
	case 2:
		n = int64(t.s.Range(1, 3))
	}
	n = min(n, (lastTrip-low)/p.step+1)
	p.low, p.high, p.first = low, low+(n-1)*p.step, low
	by, variable := t.exactly(p.step), t.s.Chance(1, 6)
	if variable {
		by = t.looksVariable(p.step)
	}
	t.divide(p)
	p.stride = func() ir.Expr { return by(promote(p.counter.leaves[0].t)) }
	of := t.comparedIn(p.counter)
	count, steady := t.count(n)
	if guarded && t.s.Chance(1, 6) {
		count, steady = t.looksVariable(0), true
	}
	if p.counts = t.s.Chance(1, 5); p.counts {
		p.set = count(of)
		op := choice.Pick(t.s, []ir.Op{ir.Ne, ir.Gt})
		p.more = func() ir.Expr { return bin(op, scalar(of, p.bound), constant0(of)) }
	} else {
		op := ir.Lt
		if down {
			op = ir.Gt
		}
		if p.step == 1 && !variable && t.s.Chance(1, 2) || t.s.Chance(1, 8) {
			op = ir.Ne
		}
		at := func() ir.Expr { return t.end(p, of, count, down) }
		if !steady || t.s.Chance(1, 2) {
			p.set = at()
			at = func() ir.Expr { return scalar(of, p.bound) }
		}
		p.more = func() ir.Expr { return bin(op, scalar(of, p.counter), at()) }
	}
	if down {
		p.first, p.step = p.high, -p.step
	}
	return p
}

// divide draws which scalars a loop may assign to.
func (t *trips) divide(p *trip) {
	p.target = t.array()
	for _, v := range t.counts {
		if v.writable() && v.leaves[0].t != ir.Bool && t.s.Chance(1, 2) {
			p.reduced = append(p.reduced, v)
		} else {
			p.steady = append(p.steady, v)
		}
	}
}

// comparedIn draws the type that a counter is compared in.
func (t *trips) comparedIn(i *source) ir.Int {
	if t.p.Narrow+t.p.Wide+t.p.Unsigned > 0 && t.s.Chance(1, 4) {
		return choice.Pick(t.s, computed[:])
	}
	return promote(i.leaves[0].t)
}

// end returns what the counter comes to at last, one step beyond what it is in
// the last round.
func (t *trips) end(p *trip, of ir.Int, count func(ir.Int) ir.Expr, down bool) ir.Expr {
	e := count(of)
	if s := max(p.step, -p.step); s != 1 {
		e = bin(ir.Mul, e, constantOf(of, s))
	}
	switch {
	case down:
		return bin(ir.Sub, constantOf(of, p.high), e)
	case p.low != 0:
		return bin(ir.Add, e, constantOf(of, p.low))
	}
	return e
}

// count returns what comes to n or, if that depends on a parameter, to at most n
// and at least a quarter of it; and whether it is the same all the time.
func (t *trips) count(n int64) (count func(ir.Int) ir.Expr, steady bool) {
	params := slices.DeleteFunc(slices.Clone(t.f.Params()), func(v *ir.Var) bool { return v.Volatile })
	m := mask(int(3*n/4) + 1)
	if m == 0 || len(params) == 0 || t.s.Chance(1, 2) {
		return t.looksVariable(n), true
	}
	v := choice.Pick(t.s, params)
	for m > 1 && t.s.Chance(1, 4) {
		m /= 2
	}
	return func(of ir.Int) ir.Expr {
		u := unsigned(of)
		x := bin(ir.And, convert(u, &ir.Load{Place: &ir.VarRef{Var: v}}), constantOf(u, m))
		return convert(of, bin(ir.Add, x, constantOf(u, n-m)))
	}, v.Const
}

// exactly returns n as a constant.
func (t *trips) exactly(n int64) func(ir.Int) ir.Expr {
	return func(of ir.Int) ir.Expr { return constantOf(of, n) }
}

// looksVariable returns n: as a constant, a variable that nothing assigns to, or
// a product with one that is 1.
func (t *trips) looksVariable(n int64) func(ir.Int) ir.Expr {
	switch t.s.Weighted(4, 3, 2) {
	case 0:
		return t.exactly(n)
	case 1:
		v := t.number1(n)
		return func(of ir.Int) ir.Expr { return convert(of, &ir.Load{Place: &ir.VarRef{Var: v}}) }
	}
	v := t.number1(1)
	return func(of ir.Int) ir.Expr {
		u := unsigned(of)
		return convert(of, bin(ir.Mul, convert(u, &ir.Load{Place: &ir.VarRef{Var: v}}), constantOf(u, n)))
	}
}

// number1 returns a variable at file scope that is n throughout.
func (t *trips) number1(n int64) *ir.Var {
	for _, v := range t.known {
		if v.Init[0].(*ir.Const).V == n {
			return v
		}
	}
	of := ir.I32
	if t.s.Chance(1, 2) {
		of = t.anyType()
	}
	v := t.hidden(ir.Global, of, n).v
	t.known = append(t.known, v)
	return v
}

// resume makes p the loop that is being written.
func (t *trips) resume(p *trip) { t.trip, t.counter = p, p.counter }

// enter returns what stands before a loop: first values, some reductions begin
// anew.
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

// into returns a scalar to reduce into and the type to compute in, which has no
// sign.
func (t *trips) into() (*source, ir.Int) {
	v, _ := t.accumulator()
	return v, unsigned(promote(v.leaves[0].t))
}
