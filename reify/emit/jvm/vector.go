package jvm

import (
	"fmt"
	"slices"
	"strconv"

	"goreify/reify/ir"
)

// Vectors are computed lane by lane: at once if the lanes do not depend on each other,
// and else into arrays. In the style loops a loop goes over the lanes, which HotSpot
// may turn into instructions on several at a time.

// A lane is the index of one: a constant, or in a local variable.
type lane struct{ constant, slot int }

// A lanes is a vector of which parts may have been computed: push pushes a lane, and
// done releases the temporary variables.
type lanes struct {
	push func(lane)
	done func()
}

// eachLane calls do for n lanes.
func (w *function) eachLane(n int, do func(lane)) {
	if !w.style.Loops {
		for i := range n {
			do(lane{i, -1})
		}
		return
	}
	c := w.c
	i := w.temp("I")
	loop, done := c.label(), c.label()
	c.int(0)
	c.store(i, "I")
	c.place(loop)
	c.load(i, "I")
	c.int(int32(n))
	c.jump(opIfIcmpeq+conditions[ir.Ge], done)
	do(lane{0, i})
	c.add(instr{op: opIinc, a: int32(i), b: 1})
	c.jump(opGoto, loop)
	c.place(done)
	w.release(i, "I")
}

// laneOf pushes the array that holds lanes from an index on, and the index of one.
func (w *function) laneOf(h held, i lane) {
	w.pushObject(h)
	switch {
	case i.slot < 0 && h.index < 0:
		w.c.int(int32(i.constant))
	case i.slot < 0 && i.constant == 0:
		w.pushIndex(h)
	default:
		if i.slot < 0 {
			w.c.int(int32(i.constant))
		} else {
			w.c.load(i.slot, "I")
		}
		if h.index >= 0 {
			w.pushIndex(h)
			w.c.op(opIadd)
		}
	}
}

// held returns the lanes of a type that are held.
func (w *function) held(h held, t ir.Int) lanes {
	return lanes{
		push: func(i lane) {
			w.laneOf(h, i)
			w.c.element()
			w.widenObject(t)
		},
		done: func() { w.unhold(h) },
	}
}

// holdAt holds the position of the vector of a place.
func (w *function) holdAt(p ir.Place) held {
	s := w.locate(p, later)
	if s.pushed || s.add != 0 {
		w.whole(s)
		return w.hold()
	}
	h := held{descriptor: objectOf(s.t), index: -1}
	h.object = w.temp(h.descriptor)
	w.c.store(h.object, h.descriptor)
	return h
}

// assignVec stores a vector.
func (w *function) assignVec(s *ir.Assign) {
	src := w.lanes(s.Src)
	dst := w.holdAt(s.Dst)
	t := ir.TypeOf[ir.Vector](s.Src)
	w.eachLane(t.Lanes, func(i lane) {
		w.laneOf(dst, i)
		src.push(i)
		w.c.setElement()
	})
	w.unhold(dst)
	src.done()
}

// lanes computes the operands that a lane of e needs beforehand.
func (w *function) lanes(e ir.Expr) lanes { return w.vector(e, !w.style.Apart) }

// inArray computes all lanes of e, of which each may be pushed several times.
func (w *function) inArray(e ir.Expr) lanes { return w.vector(e, false) }

// vector computes e, lane by lane as each is pushed if that cannot trap.
func (w *function) vector(e ir.Expr, late bool) lanes {
	t := ir.TypeOf[ir.Vector](e)
	if h, ok := w.given[e]; ok {
		return lanes{w.held(h, t.Elem).push, func() {}}
	}
	if call, ok := e.(*ir.VecCall); ok {
		return w.held(w.callVector(call), t.Elem)
	}
	if v, ok := uniform(e); ok {
		return lanes{func(lane) { w.c.number(kind(t.Elem), v) }, func() {}}
	}
	_, load := e.(*ir.Load)
	b, _ := e.(*ir.Binary)
	if load && !w.calls || !load && late && (b == nil || !b.Op.Divides()) {
		if l, ok := w.laneByLane(e); ok {
			return l
		}
	}
	return w.held(w.array(e), t.Elem)
}

// array computes e in a new array.
func (w *function) array(e ir.Expr) held {
	h := held{descriptor: objectOf(ir.TypeOf[ir.Vector](e)), index: -1}
	h.object = w.temp(h.descriptor)
	w.c.int(int32(ir.TypeOf[ir.Vector](e).Lanes))
	w.c.newArray(h.descriptor, 1)
	w.c.store(h.object, h.descriptor)
	w.compute(e, h)
	return h
}

// callVector calls a method of its own that computes a vector of arrays and indices.
func (w *function) callVector(e *ir.VecCall) held {
	c := w.c
	result := held{descriptor: objectOf(ir.TypeOf[ir.Vector](e)), index: -1}
	result.object = w.temp(result.descriptor)
	r := &function{m: w.m, f: w.f, c: newCode(w.m.pool), style: w.style, free: map[string][]int{}, given: map[ir.Expr]held{}}
	r.style.Instance = false
	signature := "("
	var args []held
	ir.Parts(e.X, func(n ir.Node) bool {
		x := n.(ir.Expr)
		var h held
		switch load, ok := x.(*ir.Load); {
		case ok && !w.calls:
			h = w.holdAt(load.Place)
			w.checked(load.Place, h)
		default:
			if call, ok := x.(*ir.VecCall); ok {
				h = w.callVector(call)
			} else {
				h = w.array(x)
			}
		}
		args = append(args, h)
		r.given[x] = held{h.descriptor, len(r.locals), len(r.locals) + 1}
		r.locals = append(r.locals, h.descriptor, "I")
		signature += h.descriptor + "I"
		return true
	})
	for _, h := range args {
		w.laneOf(h, lane{0, -1})
	}
	for _, h := range slices.Backward(args) {
		w.unhold(h)
	}
	signature += ")" + result.descriptor
	w.m.vectors++
	name := vectorHelper + strconv.Itoa(w.m.vectors)
	w.m.method(accPrivate|accStatic, name, signature, r.body(func() {
		r.pushObject(r.array(e.X))
		r.c.end(opIreturn + 4)
	}))
	c.invoke(opInvokestatic, className, name, signature)
	c.store(result.object, result.descriptor)
	return result
}

// uniform returns the constant that all lanes of e are, or false.
func uniform(e ir.Expr) (int64, bool) {
	of, ok := e.(*ir.VecOf)
	if !ok {
		return 0, false
	}
	first, ok := of.Lanes[0].(*ir.Const)
	for _, x := range of.Lanes {
		k, constant := x.(*ir.Const)
		if !ok || !constant || k.V != first.V {
			return 0, false
		}
	}
	return first.V, true
}

// laneByLane returns the lanes of e if each depends only on those at its position.
func (w *function) laneByLane(e ir.Expr) (lanes, bool) {
	t := ir.TypeOf[ir.Vector](e).Elem
	of := func(x ir.Expr, then func(from ir.Int)) (lanes, bool) {
		l, from := w.lanes(x), ir.TypeOf[ir.Vector](x).Elem
		return lanes{func(i lane) { l.push(i); then(from) }, l.done}, true
	}
	switch e := e.(type) {
	case *ir.Load:
		h := w.holdAt(e.Place)
		w.checked(e.Place, h)
		return w.held(h, t), true
	case *ir.Unary:
		return of(e.X, func(ir.Int) { w.negate(e.Op, kind(t)); w.narrowLane(t) })
	case *ir.Binary:
		x := w.lanes(e.X)
		y := w.lanes(e.Y)
		return lanes{func(i lane) { w.operateLane(e, x, y, i) }, func() { y.done(); x.done() }}, true
	case *ir.Convert:
		return of(e.X, func(from ir.Int) { w.convertInt(from, t) })
	case *ir.Cast:
		if ir.TypeOf[ir.Vector](e.X).Elem.Bits == t.Bits {
			return of(e.X, func(from ir.Int) { w.convertInt(from, t) })
		}
	}
	return lanes{}, false
}

// narrowLane makes a lane of the low bits of a result with more bits.
func (w *function) narrowLane(t ir.Int) {
	if t.Bits < 32 {
		w.narrow(t)
	}
}

// operateLane pushes a lane of the result of an operator on two vectors.
func (w *function) operateLane(e *ir.Binary, x, y lanes, i lane) {
	c := w.c
	t := ir.TypeOf[ir.Vector](e.X).Elem
	left, right := func() { x.push(i) }, func() { y.push(i) }
	if e.Op.Compares() {
		w.flag(kind(t), -1, func(yes int) { w.compareOf(e.Op, t, left, right, yes) })
		return
	}
	if e.Op.Shifts() {
		right = func() {
			y.push(i)
			if kind(t) == "J" {
				c.op(opL2i)
			}
			if t.Bits < 32 {
				c.int(int32(t.Bits - 1))
				c.op(opIand)
			}
		}
	}
	w.operate(e.Op, t, left, right)
	w.narrowLane(t)
}

// compute stores the lanes of e in an array.
func (w *function) compute(e ir.Expr, to held) {
	c := w.c
	t := ir.TypeOf[ir.Vector](e)
	all := func(l lanes) {
		w.eachLane(t.Lanes, func(i lane) {
			w.laneOf(to, i)
			l.push(i)
			c.setElement()
		})
		l.done()
	}
	if l, ok := w.laneByLane(e); ok {
		all(l)
		return
	}
	one := func(i int, value func()) {
		w.laneOf(to, lane{i, -1})
		value()
		c.setElement()
	}
	switch e := e.(type) {
	case *ir.VecOf:
		for i, x := range e.Lanes {
			one(i, func() { w.expr(x) })
		}
	case *ir.Shuffle:
		n := ir.TypeOf[ir.Vector](e.X).Lanes
		x := w.inArray(e.X)
		y := w.inArray(e.Y)
		for i, k := range e.Index {
			switch {
			case k >= n:
				one(i, func() { y.push(lane{k - n, -1}) })
			case k >= 0:
				one(i, func() { x.push(lane{k, -1}) })
			}
		}
		y.done()
		x.done()
	case *ir.Cast:
		x := w.inArray(e.X)
		from := ir.TypeOf[ir.Vector](e.X).Elem
		for i := range t.Lanes {
			one(i, func() { w.castLane(x, from, t.Elem, i) })
		}
		x.done()
	default:
		panic(fmt.Sprintf("jvm: unknown vector %T", e))
	}
}

// castLane pushes lane i of a vector whose bytes are those of lanes of another width.
func (w *function) castLane(x lanes, from, to ir.Int, i int) {
	c := w.c
	k := kind(to)
	if from.Bits > to.Bits {
		per := from.Bits / to.Bits
		x.push(lane{i / per, -1})
		if n := i % per * to.Bits; n > 0 {
			c.int(int32(n))
			c.op(of(kind(from), opIushr))
		}
		w.convert(from, to)
		return
	}
	per := to.Bits / from.Bits
	for part := range per {
		x.push(lane{i*per + part, -1})
		w.convert(from, ir.Int{Bits: from.Bits})
		if k == "J" {
			w.extend(ir.Int{Bits: from.Bits})
		}
		if part > 0 {
			c.int(int32(part * from.Bits))
			c.op(of(k, opIshl))
			c.op(of(k, opIor))
		}
	}
	w.convert(ir.Int{Bits: max(to.Bits, 32)}, to)
}
