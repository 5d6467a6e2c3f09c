package offpath

import (
	"goreify/reify/choice"
	"goreify/reify/ir"
	"goreify/reify/sketch/core"
)

// An undefinedStmt makes a statement that is undefined for certain, or that makes
// what is executed later undefined. It needs some feature or variable.
type undefinedStmt struct {
	needs func(u *undefined) bool
	make  func(u *undefined) ir.Stmt
}

// collect notes what of v can be used with undefined behaviour, and its places that have an
// address if these are of use.
func (u *undefined) collect(v *ir.Var, addresses bool) {
	if r, ok := v.Type.(*ir.Record); ok && r.Union && !r.Cast {
		u.unions = append(u.unions, v)
	}
	if _, ok := v.Type.(ir.Pointer); ok && !v.Const {
		u.ptrs = append(u.ptrs, v)
	}
	if v.Volatile {
		if src := core.NewSource(v); src != nil {
			u.volatileLeaves = append(u.volatileLeaves, src.Leaves...)
		}
	}
	if !addresses {
		return
	}
	for _, s := range core.Parts(v) {
		if _, ok := s.T.(ir.Int); !ok {
			continue
		}
		switch {
		case v.Volatile && !v.Const:
			u.volatileInts = append(u.volatileInts, s)
		case v.Const && !v.Volatile:
			u.constInts = append(u.constInts, s)
		}
		if s.T == ir.Type(ir.Bool) && !v.Const && !v.Volatile {
			u.bools = append(u.bools, s)
		}
	}
}

// maxPairs bounds the work that finding pairs is.
const maxPairs = 32

// allow picks the undefinedExprs and undefinedStmts that the policy and the
// variables allow.
func (u *undefined) allow() {
	for i, s := range u.spots {
		for _, other := range u.spots[:i] {
			if s.T == other.T && s.Root != other.Root && len(u.pairs) < maxPairs {
				u.pairs = append(u.pairs, [2]*core.Spot{s, other})
			}
		}
	}
	u.certain = make([]undefinedExpr, 0, len(undefinedExprs))
	for _, a := range undefinedExprs {
		if a.needs == nil || a.needs(u) {
			u.certain = append(u.certain, a)
		}
	}
	for _, r := range undefinedStmts {
		if r.needs(u) {
			u.stmts = append(u.stmts, r)
		}
	}
}

// undefinedStmts is the table of them. A value is assigned to something.
var undefinedStmts = []undefinedStmt{
	{func(u *undefined) bool { return len(u.volatileLeaves) > 0 }, (*undefined).readTwice},
	{func(u *undefined) bool { return pointers(u) && len(u.volatileInts) > 0 }, (*undefined).forgetVolatile},
	{func(u *undefined) bool { return pointers(u) && len(u.constInts) > 0 }, (*undefined).writeConst},
	{func(u *undefined) bool { return pointers(u) && len(u.pairs) > 0 }, (*undefined).relate},
	{pointers, (*undefined).punned},
	{func(u *undefined) bool { return pointers(u) && u.policy.Narrow > 0 }, (*undefined).misalign},
	{func(u *undefined) bool { return pointers(u) && u.policy.Bool > 0 }, (*undefined).readAsBool},
	{func(u *undefined) bool { return pointers(u) && len(u.bools) > 0 }, (*undefined).spoilBool},
	{func(u *undefined) bool { return pointers(u) && reals(u) }, (*undefined).readAsReal},
	{func(u *undefined) bool { return len(u.floats) > 0 }, (*undefined).divideReal},
	{func(u *undefined) bool { return len(u.unions) > 0 }, (*undefined).otherMember},
	{func(u *undefined) bool { return len(u.unions) > 0 }, (*undefined).overlap},
	{func(u *undefined) bool { return len(u.ptrs) > 0 }, (*undefined).stray},
	{func(u *undefined) bool { return len(u.danglings()) > 0 }, (*undefined).dangle},
}

// assign returns an assignment of x to anything.
func (u *undefined) assign(x ir.Expr) ir.Stmt {
	l := u.dest()
	return u.Assign(u.PlaceOf(l, u.index), core.Convert(l.T, x))
}

// through returns the integer at s by a pointer to the type t without the
// qualifiers that it has.
func (u *undefined) through(t ir.Int, s *core.Spot) ir.Place {
	return core.Deref(&ir.Cast{T: ir.Pointer{Elem: t}, X: core.Address(u.s, s, 1, u.index)})
}

// readTwice reads a volatile object twice in one expression.
func (u *undefined) readTwice() ir.Stmt {
	l := choice.Pick(u.s, u.volatileLeaves)
	t := core.Promote(l.T)
	read := func() ir.Expr {
		first := func(int) ir.Expr { return u.Const(ir.I32, 0) }
		return core.Convert(t, u.LoadOf(l.Place(first)))
	}
	return u.assign(u.Bin(choice.Pick(u.s, []ir.Op{ir.Add, ir.Sub, ir.Mul}), read(), read()))
}

// forgetVolatile reads or writes a volatile object through a type that is not volatile.
func (u *undefined) forgetVolatile() ir.Stmt {
	s := choice.Pick(u.s, u.volatileInts)
	t := s.T.(ir.Int)
	if u.s.Chance(1, 2) {
		return u.Assign(u.through(t, s), u.load(t))
	}
	return u.assign(u.LoadOf(u.through(t, s)))
}

// writeConst writes an object that is const.
func (u *undefined) writeConst() ir.Stmt {
	s := choice.Pick(u.s, u.constInts)
	t := s.T.(ir.Int)
	return u.Assign(u.through(t, s), u.load(t))
}

// relate compares or subtracts pointers into different objects.
func (u *undefined) relate() ir.Stmt {
	pair := choice.Pick(u.s, u.pairs)
	x, y := core.Address(u.s, pair[0], 1, u.index), core.Address(u.s, pair[1], 1, u.index)
	if u.s.Chance(1, 2) {
		return u.assign(&ir.Binary{Op: ir.Sub, X: x, Y: y})
	}
	op := choice.Pick(u.s, core.Orders)
	return u.assign(&ir.Binary{Op: op, X: x, Y: y})
}

// punned reads or writes an object as if it were of another type.
func (u *undefined) punned() ir.Stmt {
	t := choice.Pick(u.s, u.types)
	if u.s.Chance(1, 2) {
		return u.Assign(u.pun(t), u.load(t))
	}
	return u.assign(u.LoadOf(u.pun(t)))
}

// misalign reads or writes an object at an odd address.
func (u *undefined) misalign() ir.Stmt {
	t := choice.Pick(u.s, u.types)
	p := core.Deref(&ir.Cast{T: ir.Pointer{Elem: t}, X: core.PtrAdd(
		&ir.Cast{T: ir.Pointer{Elem: ir.I8}, X: u.address()},
		u.Const(ir.I32, choice.Pick(u.s, []int64{-1, 1, 3})),
	)})
	if u.s.Chance(1, 2) {
		return u.Assign(p, u.load(t))
	}
	return u.assign(u.LoadOf(p))
}

// readAsBool reads an object as a bool, which may have another value than 0 and 1.
func (u *undefined) readAsBool() ir.Stmt { return u.assign(u.LoadOf(u.pun(ir.Bool))) }

// spoilBool stores a value other than 0 and 1 in a bool.
func (u *undefined) spoilBool() ir.Stmt {
	s := choice.Pick(u.s, u.bools)
	return u.Assign(u.through(ir.U8, s), u.Const(ir.U8, u.s.Int64(2, 255)))
}

// readAsReal reads an object as if it were of a floating-point type.
func (u *undefined) readAsReal() ir.Stmt {
	f := choice.Pick(u.s, []ir.Float{ir.F32, ir.F64})
	p := core.Deref(&ir.Cast{T: ir.Pointer{Elem: f}, X: u.address()})
	return u.assign(&ir.Convert{T: choice.Pick(u.s, u.types), X: &ir.Load{Place: p}})
}

// divideReal divides a floating-point number by zero.
func (u *undefined) divideReal() ir.Stmt {
	v := u.float()
	return core.Assign(u.Ref(v), core.Bin(
		ir.Div, core.LoadFloat(v), &ir.FloatConst{T: v.Type.(ir.Float)},
	))
}

// part returns a member of a union, or an element of it if it is an array.
func (u *undefined) part(v *ir.Var, k int) ir.Place {
	var p ir.Place = core.Member(u.Ref(v), k)
	if a, ok := p.Type().(ir.Array); ok {
		p = u.Elem(p, u.index(a.Len))
	}
	return p
}

// otherMember reads a member of a union, whichever was written last.
func (u *undefined) otherMember() ir.Stmt {
	v := choice.Pick(u.s, u.unions)
	return u.assign(u.LoadOf(u.part(v, u.s.Intn(len(v.Type.(*ir.Record).Fields)))))
}

// overlap assigns one member of a union to another one.
func (u *undefined) overlap() ir.Stmt {
	v := choice.Pick(u.s, u.unions)
	n := len(v.Type.(*ir.Record).Fields)
	from := u.s.Intn(n)
	src := u.part(v, from)
	dst := u.part(v, (from+u.s.Range(1, n-1))%n)
	return u.Assign(dst, core.Convert(dst.Type().(ir.Int), u.LoadOf(src)))
}

// stray moves a pointer out of its object.
func (u *undefined) stray() ir.Stmt {
	v := choice.Pick(u.s, u.ptrs)
	return core.Assign(u.Ref(v), core.PtrAdd(
		core.Load(u.Ref(v)),
		u.Const(ir.I32, choice.Pick(u.s, []int64{-1, 2, 64, -farIndex, farIndex})),
	))
}

// A dangling is a pointer at file scope and a local that it can be made to point
// to.
type dangling struct {
	ptr *ir.Var
	to  *core.Spot
}

// danglings returns those that there are.
func (u *undefined) danglings() []dangling {
	var list []dangling
	for _, v := range u.ptrs {
		if !v.Kind.Lasts() {
			continue
		}
		for _, s := range u.spots {
			if (s.Root.Kind == ir.Local || s.Root.Kind == ir.Param) && s.T == v.Type.(ir.Pointer).Elem {
				list = append(list, dangling{v, s})
			}
		}
	}
	return list
}

// dangle makes a pointer at file scope point to a local. It dangles when the
// function has returned, and the next call would follow it.
func (u *undefined) dangle() ir.Stmt {
	x := choice.Pick(u.s, u.danglings())
	return core.Assign(u.Ref(x.ptr), core.Address(u.s, x.to, 1, u.index))
}
