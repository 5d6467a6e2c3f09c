package sketch

import (
	"goreify/reify/choice"
	"goreify/reify/ir"
)

// Casts are unions by which bits are cast: one member is written, another one of
// the same bits is read. The first member is an integer, which a checksum covers.
//
//	cast U {m0 u32, m1 [4]u8, m2 f32}
//
//	@u.m1[%a & 3] = u8(%b)
//	%c = %c ^ @u.m0

// newCast adds a union of 16 to 64 bits, or an array of some.
func (a *aggregates) newCast() {
	first := ir.Int{Bits: choice.Pick(a.s, []int{16, 32, 32, 64, 64}), Signed: a.s.Chance(1, 3)}
	r := &ir.Record{Name: "C" + varName(len(a.f.Types)), Union: true, Cast: true}
	r.Fields = []ir.Field{{Name: "m" + varName(0), Type: first}}
	for i := range a.s.Range(1, 3) {
		t := ir.Type(ir.Int{Bits: first.Bits, Signed: !first.Signed})
		switch {
		case i > 0 && first.Bits >= 32 && a.s.Chance(1, 2):
			t = ir.Float{Bits: first.Bits}
		case i > 0 || a.s.Chance(3, 4):
			bits := choice.Pick(a.s, []int{8, first.Bits / 2, max(8, first.Bits/4)})
			t = ir.Array{Elem: ir.Int{Bits: bits, Signed: a.s.Chance(1, 3)}, Len: first.Bits / bits}
		}
		r.Fields = append(r.Fields, ir.Field{Name: "m" + varName(i+1), Type: t})
	}
	a.f.Types = append(a.f.Types, r)
	for range 2 {
		t := ir.Type(r)
		if a.s.Chance(1, 4) {
			t = ir.Array{Elem: r, Len: a.s.Range(2, 3)}
		}
		v := a.newVar(a.kind(), t)
		v.Init = make([]ir.Expr, ir.Count(t))
		for i := 0; i < len(v.Init); i += ir.Count(r) {
			v.Init[i] = a.symbol(first)
		}
		a.summed = append(a.summed, v)
		a.casts = append(a.casts, v)
	}
	a.cast = r
}

// castGroups is the table of what statements about casts are drawn from.
var castGroups = []func(*aggregates) []ir.Stmt{
	castOne, castOne, castStep, castStep, castJoin, castSplit, castReverse, castAssign, castFloat,
}

// castObject returns one of the unions, or one of two, as a condition says.
func (a *aggregates) castObject() func() ir.Place {
	x := a.named(choice.Pick(a.s, a.casts)).at
	if !a.s.Chance(1, 4) {
		return x
	}
	y := a.named(choice.Pick(a.s, a.casts)).at
	v := choice.Pick(a.s, a.counts)
	t := promote(v.leaves[0].t)
	cond := bin(comparisonOp(a.s), scalar(t, v), a.edge(t)) // without a symbol, since it is written again
	p := nodeDeref(nodePtrSelect(cond, nodeAddressOf(x()), nodeAddressOf(y())))
	return func() ir.Place { return copyPlace(p) }
}

// copyPlace returns a copy of p that shares no node with it.
func copyPlace(p ir.Place) ir.Place { return ir.CopyExpr(nodeLoad(p)).(*ir.Load).Place }

// castMembers returns the members of integers except one, in the order of a draw.
func (a *aggregates) castMembers(but int) (list []int) {
	for i, f := range a.cast.Fields {
		if _, ok := ir.Innermost(f.Type).(ir.Int); ok && i != but {
			list = append(list, i)
		}
	}
	a.s.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
	return list
}

// castArray returns a member that is an array, or -1.
func (a *aggregates) castArray() (field int, t ir.Array) {
	for _, i := range a.castMembers(-1) {
		if t, ok := a.cast.Fields[i].Type.(ir.Array); ok {
			return i, t
		}
	}
	return -1, ir.Array{}
}

// castOne writes one member and reads another one.
func castOne(a *aggregates) []ir.Stmt {
	u := a.castObject()
	i := a.castMembers(-1)[0]
	p, t := a.memberOf(u(), i)
	q, _ := a.memberOf(u(), a.castMembers(i)[0])
	return []ir.Stmt{nodeAssign(p, a.value(t)), a.into(nodeLoad(q))}
}

// castStep changes a part in place, reads the whole or another part of it.
func castStep(a *aggregates) []ir.Stmt {
	u := a.castObject()
	i := a.castMembers(-1)[0]
	p, t := a.memberOf(u(), i)
	c := promote(t)
	op := choice.Pick(a.s, []ir.Op{ir.Add, ir.Sub, ir.Xor, ir.And, ir.Or, ir.Mul})
	e := convert(t, modulo(op, c, convert(c, nodeLoad(copyPlace(p))), convert(c, a.value(t))))
	list := []ir.Stmt{nodeAssign(p, e)}
	for _, j := range a.castMembers(i)[:1] {
		q, _ := a.memberOf(u(), j)
		list = append(list, a.into(nodeLoad(q)))
	}
	return list
}

// castElements returns the elements of member i of u, in either order.
func (a *aggregates) castElements(u func() ir.Place, i int, t ir.Array) (list []ir.Place) {
	back := a.s.Chance(1, 3)
	for k := range t.Len {
		if back {
			k = t.Len - 1 - k
		}
		list = append(list, nodeElem(nodeMember(u(), i), constantOf(ir.I32, int64(k))))
	}
	return list
}

// castJoin writes all elements of an array, or all except one, and reads the whole.
func castJoin(a *aggregates) []ir.Stmt {
	u := a.castObject()
	i, t := a.castArray()
	if i < 0 {
		return castOne(a)
	}
	elem := t.Elem.(ir.Int)
	var list []ir.Stmt
	x := scalar(ir.U64, choice.Pick(a.s, a.counts))
	alike := a.s.Chance(1, 2)
	for k, p := range a.castElements(u, i, t) {
		e := a.value(elem)
		if alike {
			e = convert(elem, bin(ir.Shr, ir.CopyExpr(x), constantOf(ir.U64, int64(k*elem.Bits))))
		}
		list = append(list, nodeAssign(p, e))
	}
	if a.s.Chance(1, 4) {
		list = list[1:]
	}
	return append(list, a.into(nodeLoad(nodeMember(u(), 0))))
}

// castSplit writes the whole and reads all elements of an array, as numbers or into
// integers side by side.
func castSplit(a *aggregates) []ir.Stmt {
	u := a.castObject()
	i, t := a.castArray()
	if i < 0 {
		return castOne(a)
	}
	list := []ir.Stmt{nodeAssign(nodeMember(u(), 0), a.value(a.cast.Fields[0].Type.(ir.Int)))}
	r := a.run()
	for k, p := range a.castElements(u, i, t) {
		if r.n < t.Len {
			list = append(list, a.into(nodeLoad(p)))
		} else {
			list = append(list, nodeAssign(r.cell(k), convert(r.t, nodeLoad(p))))
		}
	}
	return list
}

// castReverse copies the elements of an array to those of another, or the same,
// union in the other order, and reads the whole.
func castReverse(a *aggregates) []ir.Stmt {
	x, y := a.castObject(), a.castObject()
	i, t := a.castArray()
	if i < 0 {
		return castOne(a)
	}
	var list []ir.Stmt
	for k := range t.Len {
		at := func(u func() ir.Place, k int) ir.Place {
			return nodeElem(nodeMember(u(), i), constantOf(ir.I32, int64(k)))
		}
		list = append(list, nodeAssign(at(x, k), nodeLoad(at(y, t.Len-1-k))))
	}
	return append(list, a.into(nodeLoad(nodeMember(x(), 0))))
}

// castAssign copies a union and reads a member of the copy.
func castAssign(a *aggregates) []ir.Stmt {
	x, y := a.castObject(), a.castObject()
	q, _ := a.memberOf(x(), a.castMembers(-1)[0])
	return []ir.Stmt{&ir.Copy{Dst: x(), Src: y()}, a.into(nodeLoad(q))}
}

// castFloat writes a number, reads its bits, and may change its sign or exponent
// by them.
func castFloat(a *aggregates) []ir.Stmt {
	field := -1
	for i, f := range a.cast.Fields {
		if _, ok := f.Type.(ir.Float); ok {
			field = i
		}
	}
	if field < 0 {
		return castOne(a)
	}
	t := a.cast.Fields[field].Type.(ir.Float)
	v := choice.Pick(a.s, a.casts)
	k := 0
	if t, ok := v.Type.(ir.Array); ok {
		k = a.s.Intn(t.Len)
	}
	u := func() ir.Place { return a.objectIn(v, constantOf(ir.I32, int64(k))) }
	number := func() ir.Place { return nodeMember(u(), field) }
	x := bin(ir.Or, as(ir.I32, &ir.Convert{T: ir.I16, X: scalar(ir.I32, choice.Pick(a.s, a.counts))}), constantOf(ir.I32, 1))
	list := []ir.Stmt{nodeAssignFloat(number(), nodeFloatOf(t, x))}
	i := a.castMembers(-1)[0]
	p, _ := a.memberOf(u(), i)
	list = append(list, a.into(nodeLoad(p)))
	whole := func() ir.Place { return nodeMember(u(), 0) }
	of := a.cast.Fields[0].Type.(ir.Int)
	word := unsigned(of)
	bits := as(word, nodeLoad(whole()))
	sign := constantOf(word, -1<<(t.Bits-1))
	one := int64(1) << 52 // of the exponent
	if t.Bits == 32 {
		one = 1 << 23
	}
	switch a.s.Intn(4) {
	case 0:
		bits = bin(ir.And, bits, constantOf(word, word.Wrap(^sign.V)))
	case 1:
		bits = bin(ir.Xor, bits, sign)
	case 2:
		bits = bin(ir.Add, bits, constantOf(word, one*int64(a.s.Range(1, 3))))
	default:
		return list
	}
	list = append(list, nodeAssign(whole(), as(of, bits)))
	return append(list, a.into(&ir.FloatToInt{T: ir.I64, X: &ir.FloatLoad{Place: number()}}))
}
