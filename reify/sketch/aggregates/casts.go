package aggregates

import (
	"goreify/reify/choice"
	"goreify/reify/ir"
	"goreify/reify/sketch/core"
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
	first := ir.Int{Bits: choice.Pick(a.S, []int{16, 32, 32, 64, 64}), Signed: a.S.Chance(1, 3)}
	r := &ir.Record{Name: "C" + core.VarName(len(a.Func.Types)), Union: true, Cast: true}
	r.Fields = []ir.Field{{Name: "m" + core.VarName(0), Type: first}}
	for i := range a.S.Range(1, 3) {
		t := ir.Type(ir.Int{Bits: first.Bits, Signed: !first.Signed})
		switch {
		case i > 0 && first.Bits >= 32 && a.S.Chance(1, 2):
			t = ir.Float{Bits: first.Bits}
		case i > 0 || a.S.Chance(3, 4):
			bits := choice.Pick(a.S, []int{8, first.Bits / 2, max(8, first.Bits/4)})
			t = ir.Array{Elem: ir.Int{Bits: bits, Signed: a.S.Chance(1, 3)}, Len: first.Bits / bits}
		}
		r.Fields = append(r.Fields, ir.Field{Name: "m" + core.VarName(i+1), Type: t})
	}
	a.Func.Types = append(a.Func.Types, r)
	for range 2 {
		t := ir.Type(r)
		if a.S.Chance(1, 4) {
			t = ir.Array{Elem: r, Len: a.S.Range(2, 3)}
		}
		v := a.NewVar(a.Kind(), t)
		v.Init = make([]ir.Expr, ir.Count(t))
		for i := 0; i < len(v.Init); i += ir.Count(r) {
			v.Init[i] = a.Symbol(first)
		}
		a.Summed = append(a.Summed, v)
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
	x := a.named(choice.Pick(a.S, a.casts)).at
	if !a.S.Chance(1, 4) {
		return x
	}
	y := a.named(choice.Pick(a.S, a.casts)).at
	v := choice.Pick(a.S, a.Counts)
	t := core.Promote(v.Leaves[0].T)
	cond := core.Bin(core.ComparisonOp(a.S), core.Scalar(t, v), a.Edge(t)) // without a symbol, since it is written again
	p := core.Deref(core.Select(cond, core.AddressOf(x()), core.AddressOf(y())))
	return func() ir.Place { return ir.CopyPlace(p) }
}

// castMembers returns the members of integers except one, in the order of a draw.
func (a *aggregates) castMembers(but int) (list []int) {
	for i, f := range a.cast.Fields {
		if _, ok := ir.Innermost(f.Type).(ir.Int); ok && i != but {
			list = append(list, i)
		}
	}
	a.S.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
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
	return []ir.Stmt{core.Assign(p, a.value(t)), a.into(core.Load(q))}
}

// castStep changes a part in place, reads the whole or another part of it.
func castStep(a *aggregates) []ir.Stmt {
	u := a.castObject()
	i := a.castMembers(-1)[0]
	p, t := a.memberOf(u(), i)
	c := core.Promote(t)
	op := choice.Pick(a.S, []ir.Op{ir.Add, ir.Sub, ir.Xor, ir.And, ir.Or, ir.Mul})
	e := core.Convert(t, core.Modulo(op, c, core.Convert(c, core.Load(ir.CopyPlace(p))), core.Convert(c, a.value(t))))
	list := []ir.Stmt{core.Assign(p, e)}
	for _, j := range a.castMembers(i)[:1] {
		q, _ := a.memberOf(u(), j)
		list = append(list, a.into(core.Load(q)))
	}
	return list
}

// castElements returns the elements of member i of u, in either order.
func (a *aggregates) castElements(u func() ir.Place, i int, t ir.Array) (list []ir.Place) {
	back := a.S.Chance(1, 3)
	for k := range t.Len {
		if back {
			k = t.Len - 1 - k
		}
		list = append(list, core.Elem(core.Member(u(), i), core.Const(ir.I32, int64(k))))
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
	x := core.Scalar(ir.U64, choice.Pick(a.S, a.Counts))
	alike := a.S.Chance(1, 2)
	for k, p := range a.castElements(u, i, t) {
		e := a.value(elem)
		if alike {
			e = core.Convert(elem, core.Bin(ir.Shr, ir.CopyExpr(x), core.Const(ir.U64, int64(k*elem.Bits))))
		}
		list = append(list, core.Assign(p, e))
	}
	if a.S.Chance(1, 4) {
		list = list[1:]
	}
	return append(list, a.into(core.Load(core.Member(u(), 0))))
}

// castSplit writes the whole and reads all elements of an array, as numbers or into
// integers side by side.
func castSplit(a *aggregates) []ir.Stmt {
	u := a.castObject()
	i, t := a.castArray()
	if i < 0 {
		return castOne(a)
	}
	list := []ir.Stmt{core.Assign(core.Member(u(), 0), a.value(a.cast.Fields[0].Type.(ir.Int)))}
	r := a.run()
	for k, p := range a.castElements(u, i, t) {
		if r.n < t.Len {
			list = append(list, a.into(core.Load(p)))
		} else {
			list = append(list, core.Assign(r.cell(k), core.Convert(r.t, core.Load(p))))
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
			return core.Elem(core.Member(u(), i), core.Const(ir.I32, int64(k)))
		}
		list = append(list, core.Assign(at(x, k), core.Load(at(y, t.Len-1-k))))
	}
	return append(list, a.into(core.Load(core.Member(x(), 0))))
}

// castAssign copies a union and reads a member of the copy.
func castAssign(a *aggregates) []ir.Stmt {
	x, y := a.castObject(), a.castObject()
	q, _ := a.memberOf(x(), a.castMembers(-1)[0])
	return []ir.Stmt{core.Assign(x(), core.Load(y())), a.into(core.Load(q))}
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
	v := choice.Pick(a.S, a.casts)
	k := 0
	if t, ok := v.Type.(ir.Array); ok {
		k = a.S.Intn(t.Len)
	}
	u := func() ir.Place { return a.objectIn(v, core.Const(ir.I32, int64(k))) }
	number := func() ir.Place { return core.Member(u(), field) }
	x := core.Bin(ir.Or, core.As(ir.I32, &ir.Convert{T: ir.I16, X: core.Scalar(ir.I32, choice.Pick(a.S, a.Counts))}), core.Const(ir.I32, 1))
	list := []ir.Stmt{core.Assign(number(), core.To(t, x))}
	i := a.castMembers(-1)[0]
	p, _ := a.memberOf(u(), i)
	list = append(list, a.into(core.Load(p)))
	whole := func() ir.Place { return core.Member(u(), 0) }
	of := a.cast.Fields[0].Type.(ir.Int)
	word := core.Unsigned(of)
	bits := core.As(word, core.Load(whole()))
	sign := core.Const(word, -1<<(t.Bits-1))
	one := int64(1) << 52 // of the exponent
	if t.Bits == 32 {
		one = 1 << 23
	}
	switch a.S.Intn(4) {
	case 0:
		bits = core.Bin(ir.And, bits, core.Const(word, word.Wrap(^sign.V)))
	case 1:
		bits = core.Bin(ir.Xor, bits, sign)
	case 2:
		bits = core.Bin(ir.Add, bits, core.Const(word, one*int64(a.S.Range(1, 3))))
	default:
		return list
	}
	list = append(list, core.Assign(whole(), core.As(of, bits)))
	return append(list, a.into(&ir.Convert{T: ir.I64, X: &ir.Load{Place: number()}}))
}
