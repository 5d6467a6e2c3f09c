package aggregates

import (
	"goreify/reify/choice"
	"goreify/reify/ir"
	"goreify/reify/sketch/core"
)

// aggregateGroups is the table of what block draws from.
var aggregateGroups = []func(*aggregates) []ir.Stmt{
	setMembers, setMembers, copyMembers, copyMembers, assignObject, assignObject, assignObject,
	copyObject, copyObject, copyRun, copyRun, fillObject, fillObject, fillRun,
	turn, turn, storeChosen, storeChosen, split, gatherBytes, swapObjects, throughTemp, throughTemp,
	storeBetween, storeBetween, readMember, readMember, readMember,
}

// value returns an integer of type t: mostly one that is computed from a scalar or read
// from an object, with all bits defined.
func (a *aggregates) value(t ir.Int) ir.Expr {
	c := core.Promote(t)
	switch a.S.Weighted(3, 2, 2, 4) {
	case 0:
		return a.Edge(t)
	case 1:
		return core.Convert(t, core.Scalar(c, choice.Pick(a.S, a.Counts)))
	case 2:
		return core.Convert(t, a.read(c))
	}
	x := core.Scalar(c, choice.Pick(a.S, a.Counts))
	if a.S.Chance(1, 3) {
		x = a.read(c)
	}
	op := choice.Pick(a.S, []ir.Op{ir.Add, ir.Sub, ir.Xor, ir.And, ir.Or, ir.Mul})
	return core.Convert(t, core.Modulo(op, c, x, a.Edge(c)))
}

// read returns a member of an object or an element of an array, as a t.
func (a *aggregates) read(t ir.Int) ir.Expr {
	if a.S.Chance(1, 3) {
		r := a.run()
		return core.Convert(t, core.Load(r.cell(a.S.Intn(r.n))))
	}
	p, _ := a.member(a.object().at())
	return core.Convert(t, core.Load(p))
}

// member returns an integer in the object at p.
func (a *aggregates) member(p ir.Place) (ir.Place, ir.Int) {
	return a.memberOf(p, a.S.Intn(len(a.record.Fields)))
}

func (a *aggregates) memberOf(p ir.Place, i int) (ir.Place, ir.Int) {
	p = core.Member(p, i)
	t := p.Type()
	if array, ok := t.(ir.Array); ok {
		p = core.Elem(p, a.within(array.Len))
		t = array.Elem
	}
	return p, t.(ir.Int)
}

// setMembers assigns to some members of an object, one after the other.
func setMembers(a *aggregates) []ir.Stmt {
	o := a.object()
	var list []ir.Stmt
	constants := a.S.Chance(1, 3) // which are merged to one store
	for i := range a.record.Fields {
		if a.S.Chance(1, 4) {
			continue
		}
		p, t := a.memberOf(o.at(), i)
		e := a.value(t)
		if constants {
			e = core.Const(t, int64(a.S.Range(-2, 127)))
		}
		list = append(list, core.Assign(p, e))
	}
	if a.S.Chance(1, 3) {
		a.S.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
	}
	return list
}

// copyMembers copies members of an object to those of another, or elements of an
// array to others, one after the other.
func copyMembers(a *aggregates) []ir.Stmt {
	var list []ir.Stmt
	if a.S.Chance(1, 2) {
		x, y := a.object(), a.object()
		for i := range a.record.Fields {
			p, t := a.memberOf(x.at(), i)
			q, u := a.memberOf(y.at(), i)
			e := ir.Expr(core.Load(q))
			if t != u {
				e = core.Convert(t, e)
			}
			list = append(list, core.Assign(p, e))
		}
		return list
	}
	x, y := a.run(), a.run()
	by := a.S.Intn(2) * a.S.Intn(y.n)
	for k := range min(x.n, y.n, 8) {
		list = append(list, core.Assign(x.cell(k), core.Convert(x.t, core.Load(y.cell((k+by)%y.n)))))
	}
	return list
}

// assignObject is *x = *y, which may be one object.
func assignObject(a *aggregates) []ir.Stmt {
	x, y := a.object(), a.object()
	switch a.S.Intn(6) {
	case 0:
		y = x
	case 1:
		x = a.chosen()
	case 2:
		y = a.chosen()
	}
	return []ir.Stmt{core.Assign(x.at(), core.Load(y.at()))}
}

// transfer copies n elements from y to x, with memcpy if they are known to lie in
// other variables.
func (a *aggregates) transfer(x, y ir.Expr, apart bool, n ir.Expr) []ir.Stmt {
	move := !apart || a.S.Chance(1, 6)
	return []ir.Stmt{&ir.Transfer{Move: move, Dst: x, Src: y, N: n}}
}

// pointerTo returns a pointer to p.
func pointerTo(p ir.Place) ir.Expr {
	if d, ok := p.(*ir.Deref); ok {
		return d.X
	}
	return core.AddressOf(p)
}

// copyObject copies an object, or elements of an array of objects, by memcpy or
// memmove.
func copyObject(a *aggregates) []ir.Stmt {
	if last := a.all[len(a.all)-1]; a.S.Chance(1, 4) {
		if t, ok := last.Type.(ir.Array); ok { // within the array
			at := func(i int64) ir.Expr { return pointerTo(a.objectIn(last, core.Const(ir.I32, i))) }
			to := int64(a.S.Intn(2))
			return a.transfer(at(to), at(1-to), false, a.count(t.Len-1))
		}
	}
	x, y := a.object(), a.object()
	if a.S.Chance(1, 6) {
		x = a.chosen()
	}
	return a.transfer(pointerTo(x.at()), pointerTo(y.at()), apart(x.in, y.in), core.Const(ir.I32, 1))
}

// copyRun copies integers side by side to others of their type, which may overlap.
func copyRun(a *aggregates) []ir.Stmt {
	x := a.run()
	for range 8 {
		if y := a.run(); y.t == x.t && (min(x.n, y.n) > 1 || apart(x.in, y.in)) {
			return a.transfer(x.at(), y.at(), apart(x.in, y.in), a.count(min(x.n, y.n)))
		}
	}
	return nil
}

// fillObject sets the bytes of an object, and some members of it then.
func fillObject(a *aggregates) []ir.Stmt {
	o := a.object()
	list := []ir.Stmt{&ir.Fill{Dst: pointerTo(o.at()), Byte: core.Const(ir.I32, choice.Pick(a.S, a.bytes)), N: core.Const(ir.I32, 1)}}
	for range a.S.Intn(4) {
		p, t := a.member(o.at())
		list = append(list, core.Assign(p, a.value(t)))
	}
	if a.S.Chance(1, 4) { // a store before it that is dead
		p, t := a.member(o.at())
		list = append([]ir.Stmt{core.Assign(p, a.value(t))}, list...)
	}
	return list
}

// fillRun sets the bytes of integers side by side.
func fillRun(a *aggregates) []ir.Stmt {
	r := a.run()
	var b ir.Expr = core.Const(ir.I32, choice.Pick(a.S, fillers(r.t)))
	if r.t != ir.Bool && a.S.Chance(1, 3) {
		b = core.Scalar(ir.I32, choice.Pick(a.S, a.Counts))
	}
	return []ir.Stmt{&ir.Fill{Dst: r.at(), Byte: b, N: a.count(r.n)}}
}

// turn sets a pointer to another target, most likely by a condition.
func turn(a *aggregates) []ir.Stmt {
	g := choice.Pick(a.S, a.ptrs)
	to := func() ir.Expr { return pointerTo(a.named(choice.Pick(a.S, g.to)).at()) }
	src := to()
	if a.S.Chance(2, 3) {
		other := to()
		if a.S.Chance(1, 3) {
			other = core.Load(core.Ref(g.v))
		}
		src = a.choose(src, other)
	}
	return []ir.Stmt{core.Assign(core.Ref(g.v), src)}
}

// storeChosen stores to one of two places, as a condition says, and mostly reads one
// of them.
func storeChosen(a *aggregates) []ir.Stmt {
	if a.S.Chance(1, 2) {
		p, t := a.member(a.chosen().at())
		return append([]ir.Stmt{core.Assign(p, a.value(t))}, readMember(a)...)
	}
	x := a.run()
	y := x
	for range 8 {
		if other := a.run(); other.t == x.t && (y.n == 1 || apart(x.in, other.in)) {
			y = other
		}
	}
	p := core.Deref(a.choose(pointerTo(x.cell(0)), pointerTo(y.cell(y.n-1))))
	list := []ir.Stmt{core.Assign(p, a.value(x.t))}
	if a.S.Chance(2, 3) {
		list = append(list, a.into(core.Load(y.cell(y.n-1))))
	}
	return list
}

// into is s = s ⊗ x for a scalar s.
func (a *aggregates) into(x ir.Expr) ir.Stmt {
	v := a.ScalarDest()
	t := core.Promote(v.Leaves[0].T)
	op := choice.Pick(a.S, []ir.Op{ir.Add, ir.Xor, ir.Sub, ir.Mul})
	return core.Set(v, core.Modulo(op, t, core.Scalar(t, v), core.Convert(t, x)))
}

// readMember reads a member of an object into a scalar.
func readMember(a *aggregates) []ir.Stmt {
	p, _ := a.member(a.object().at())
	if a.S.Chance(1, 4) {
		p, _ = a.member(a.chosen().at())
	}
	return []ir.Stmt{a.into(core.Load(p))}
}

// joins returns how many of the cells, a power of two, are the parts of a wider
// integer, and its type; 0 or 1 if they form no such integer.
func (r run) joins() (n int, c ir.Int) {
	if r.t == ir.Bool {
		return 0, ir.U32
	}
	n = min(r.n, 64/r.t.Bits)
	for n&(n-1) != 0 {
		n--
	}
	if n*r.t.Bits > 32 {
		return n, ir.U64
	}
	return n, ir.U32
}

// split stores the parts of an integer side by side, in either order.
func split(a *aggregates) []ir.Stmt {
	r := a.run()
	n, c := r.joins()
	if n < 2 {
		return setMembers(a)
	}
	x := core.Scalar(c, choice.Pick(a.S, a.Counts))
	back := a.S.Chance(1, 3)
	var list []ir.Stmt
	for k := range n {
		to := k
		if back {
			to = n - 1 - k
		}
		list = append(list, core.Assign(r.cell(to), core.Convert(r.t, core.Bin(ir.Shr, ir.CopyExpr(x), core.Const(c, int64(k*r.t.Bits))))))
	}
	return list
}

// gatherBytes reads integers side by side as the parts of one, in either order.
func gatherBytes(a *aggregates) []ir.Stmt {
	r := a.run()
	n, c := r.joins()
	if n < 2 {
		return readMember(a)
	}
	back := a.S.Chance(1, 3)
	var e ir.Expr
	for k := range n {
		from := k
		if back {
			from = n - 1 - k
		}
		x := core.Convert(c, core.Convert(core.Unsigned(r.t), core.Load(r.cell(from))))
		if k > 0 {
			e = core.Bin(ir.Or, e, core.Bin(ir.Shl, x, core.Const(c, int64(k*r.t.Bits))))
		} else {
			e = x
		}
	}
	return []ir.Stmt{a.into(e)}
}

// swapObjects swaps two objects.
func swapObjects(a *aggregates) []ir.Stmt {
	x, y := a.object(), a.object()
	list := a.toTemp(x)
	list = append(list, core.Assign(x.at(), core.Load(y.at())))
	return append(list, a.fromTemp(y)...)
}

// throughTemp copies an object to another one and on, with changes on the way.
func throughTemp(a *aggregates) []ir.Stmt {
	x, y := a.object(), a.object()
	list := a.toTemp(x)
	for range a.S.Intn(3) {
		where := a.temp
		if a.S.Chance(1, 4) { // the original changes, not its copy
			where = choice.Pick(a.S, x.in)
		}
		p, t := a.member(a.named(where).at())
		list = append(list, core.Assign(p, a.value(t)))
	}
	if a.S.Chance(1, 3) {
		p, _ := a.member(core.Ref(a.temp))
		return append(list, a.into(core.Load(p)))
	}
	return append(list, a.fromTemp(y)...)
}

func (a *aggregates) toTemp(x object) []ir.Stmt { return a.carry(a.named(a.temp), x) }

func (a *aggregates) fromTemp(x object) []ir.Stmt { return a.carry(x, a.named(a.temp)) }

// carry copies y to x, which is another variable.
func (a *aggregates) carry(x, y object) []ir.Stmt {
	if a.S.Chance(1, 2) {
		return a.transfer(pointerTo(x.at()), pointerTo(y.at()), true, core.Const(ir.I32, 1))
	}
	return []ir.Stmt{core.Assign(x.at(), core.Load(y.at()))}
}

// storeBetween reads a member, stores to that of an object which may be the same, and
// reads it again.
func storeBetween(a *aggregates) []ir.Stmt {
	x, y := a.object(), a.object()
	i := a.S.Intn(len(a.record.Fields))
	first, t := a.memberOf(x.at(), i)
	dst, _ := a.memberOf(y.at(), i)
	list := []ir.Stmt{a.into(core.Load(first)), core.Assign(dst, a.value(t))}
	again, _ := a.memberOf(x.at(), i)
	return append(list, a.into(core.Load(again)))
}
