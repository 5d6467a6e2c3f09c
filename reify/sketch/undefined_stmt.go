package sketch

import (
	"goreify/reify/choice"
	"goreify/reify/ir"
)

// An undefinedStmt makes a statement that is undefined for certain, or that makes
// what is executed later undefined. It needs some feature or variable.
type undefinedStmt struct {
	needs func(u *undefinedWhole) bool
	make  func(u *undefinedWhole) ir.Stmt
}

// collect notes what of v can be used with undefined behaviour.
func (u *undefinedWhole) collect(v *ir.Var) {
	if r, ok := v.Type.(*ir.Record); ok && r.Union && !r.Cast {
		u.unions = append(u.unions, v)
	}
	if _, ok := v.Type.(ir.Pointer); ok && !v.Const {
		u.ptrs = append(u.ptrs, v)
	}
	if v.Volatile {
		if src := newSource(v); src != nil {
			u.volatileLeaves = append(u.volatileLeaves, src.leaves...)
		}
	}
	for _, s := range parts(v) {
		if _, ok := s.t.(ir.Int); !ok {
			continue
		}
		switch {
		case v.Volatile && !v.Const:
			u.volatileInts = append(u.volatileInts, s)
		case v.Const && !v.Volatile:
			u.constInts = append(u.constInts, s)
		}
		if s.t == ir.Type(ir.Bool) && !v.Const && !v.Volatile {
			u.bools = append(u.bools, s)
		}
	}
}

// maxPairs bounds the work that finding pairs is.
const maxPairs = 32

// allow picks the undefinedExprs and undefinedStmts that the policy and the
// variables allow.
func (u *undefinedWhole) allow() {
	for i, s := range u.spots {
		for _, other := range u.spots[:i] {
			if s.t == other.t && s.root != other.root && len(u.pairs) < maxPairs {
				u.pairs = append(u.pairs, [2]*spot{s, other})
			}
		}
	}
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
	{func(u *undefinedWhole) bool { return len(u.volatileLeaves) > 0 }, (*undefinedWhole).readTwice},
	{func(u *undefinedWhole) bool { return pointers(u) && len(u.volatileInts) > 0 }, (*undefinedWhole).forgetVolatile},
	{func(u *undefinedWhole) bool { return pointers(u) && len(u.constInts) > 0 }, (*undefinedWhole).writeConst},
	{func(u *undefinedWhole) bool { return pointers(u) && len(u.pairs) > 0 }, (*undefinedWhole).relate},
	{pointers, (*undefinedWhole).punned},
	{func(u *undefinedWhole) bool { return pointers(u) && u.policy.Narrow > 0 }, (*undefinedWhole).misalign},
	{func(u *undefinedWhole) bool { return pointers(u) && u.policy.Bool > 0 }, (*undefinedWhole).readAsBool},
	{func(u *undefinedWhole) bool { return pointers(u) && len(u.bools) > 0 }, (*undefinedWhole).spoilBool},
	{func(u *undefinedWhole) bool { return pointers(u) && reals(u) }, (*undefinedWhole).readAsReal},
	{func(u *undefinedWhole) bool { return len(u.floats) > 0 }, (*undefinedWhole).divideReal},
	{func(u *undefinedWhole) bool { return len(u.unions) > 0 }, (*undefinedWhole).otherMember},
	{func(u *undefinedWhole) bool { return len(u.unions) > 0 }, (*undefinedWhole).overlap},
	{func(u *undefinedWhole) bool { return len(u.ptrs) > 0 }, (*undefinedWhole).stray},
	{func(u *undefinedWhole) bool { return len(u.danglings()) > 0 }, (*undefinedWhole).dangle},
}

// assign returns an assignment of x to anything.
func (u *undefinedWhole) assign(x ir.Expr) ir.Stmt {
	l := u.dest()
	return nodeAssign(l.place(u.index), convert(l.t, x))
}

// through returns the integer at s by a pointer to the type t without the
// qualifiers that it has.
func (u *undefinedWhole) through(t ir.Int, s *spot) ir.Place {
	return nodeDeref(&ir.PtrCast{T: ir.Pointer{Elem: t}, X: address(u.s, s, 1, u.index)})
}

// readTwice reads a volatile object twice in one expression.
func (u *undefinedWhole) readTwice() ir.Stmt {
	l := choice.Pick(u.s, u.volatileLeaves)
	t := promote(l.t)
	read := func() ir.Expr {
		first := func(int) ir.Expr { return constant0(ir.I32) }
		return convert(t, nodeLoad(l.place(first)))
	}
	return u.assign(bin(choice.Pick(u.s, []ir.Op{ir.Add, ir.Sub, ir.Mul}), read(), read()))
}

// forgetVolatile reads or writes a volatile object through a type that is not volatile.
func (u *undefinedWhole) forgetVolatile() ir.Stmt {
	s := choice.Pick(u.s, u.volatileInts)
	t := s.t.(ir.Int)
	if u.s.Chance(1, 2) {
		return nodeAssign(u.through(t, s), u.load(t))
	}
	return u.assign(nodeLoad(u.through(t, s)))
}

// writeConst writes an object that is const.
func (u *undefinedWhole) writeConst() ir.Stmt {
	s := choice.Pick(u.s, u.constInts)
	t := s.t.(ir.Int)
	return nodeAssign(u.through(t, s), u.load(t))
}

// relate compares or subtracts pointers into different objects.
func (u *undefinedWhole) relate() ir.Stmt {
	pair := choice.Pick(u.s, u.pairs)
	x, y := address(u.s, pair[0], 1, u.index), address(u.s, pair[1], 1, u.index)
	if u.s.Chance(1, 2) {
		return u.assign(&ir.PtrDiff{X: x, Y: y})
	}
	op := choice.Pick(u.s, orders)
	return u.assign(&ir.PtrCompare{Op: op, X: x, Y: y})
}

// punned reads or writes an object as if it were of another type.
func (u *undefinedWhole) punned() ir.Stmt {
	t := choice.Pick(u.s, u.types)
	if u.s.Chance(1, 2) {
		return nodeAssign(u.pun(t), u.load(t))
	}
	return u.assign(nodeLoad(u.pun(t)))
}

// misalign reads or writes an object at an odd address.
func (u *undefinedWhole) misalign() ir.Stmt {
	t := choice.Pick(u.s, u.types)
	p := nodeDeref(&ir.PtrCast{T: ir.Pointer{Elem: t}, X: nodePtrAdd(
		&ir.PtrCast{T: ir.Pointer{Elem: ir.I8}, X: u.address()},
		constantOf(ir.I32, choice.Pick(u.s, []int64{-1, 1, 3})),
	)})
	if u.s.Chance(1, 2) {
		return nodeAssign(p, u.load(t))
	}
	return u.assign(nodeLoad(p))
}

// readAsBool reads an object as a bool, which may have another value than 0 and 1.
func (u *undefinedWhole) readAsBool() ir.Stmt { return u.assign(nodeLoad(u.pun(ir.Bool))) }

// spoilBool stores a value other than 0 and 1 in a bool.
func (u *undefinedWhole) spoilBool() ir.Stmt {
	s := choice.Pick(u.s, u.bools)
	return nodeAssign(u.through(ir.U8, s), constantOf(ir.U8, u.s.Int64(2, 255)))
}

// readAsReal reads an object as if it were of a floating-point type.
func (u *undefinedWhole) readAsReal() ir.Stmt {
	f := choice.Pick(u.s, []ir.Float{ir.F32, ir.F64})
	p := nodeDeref(&ir.PtrCast{T: ir.Pointer{Elem: f}, X: u.address()})
	return u.assign(&ir.FloatToInt{T: choice.Pick(u.s, u.types), X: &ir.FloatLoad{Place: p}})
}

// divideReal divides a floating-point number by zero.
func (u *undefinedWhole) divideReal() ir.Stmt {
	v := u.float()
	return nodeAssignFloat(nodeRef(v), nodeFloatBin(
		ir.Div, loadFloat(v), &ir.FloatConst{T: v.Type.(ir.Float)},
	))
}

// part returns a member of a union, or an element of it if it is an array.
func (u *undefinedWhole) part(v *ir.Var, k int) ir.Place {
	var p ir.Place = nodeMember(nodeRef(v), k)
	if a, ok := p.Type().(ir.Array); ok {
		p = nodeElem(p, u.index(a.Len))
	}
	return p
}

// otherMember reads a member of a union, whichever was written last.
func (u *undefinedWhole) otherMember() ir.Stmt {
	v := choice.Pick(u.s, u.unions)
	return u.assign(nodeLoad(u.part(v, u.s.Intn(len(v.Type.(*ir.Record).Fields)))))
}

// overlap assigns one member of a union to another one.
func (u *undefinedWhole) overlap() ir.Stmt {
	v := choice.Pick(u.s, u.unions)
	n := len(v.Type.(*ir.Record).Fields)
	from := u.s.Intn(n)
	src := u.part(v, from)
	dst := u.part(v, (from+u.s.Range(1, n-1))%n)
	return nodeAssign(dst, convert(dst.Type().(ir.Int), nodeLoad(src)))
}

// stray moves a pointer out of its object.
func (u *undefinedWhole) stray() ir.Stmt {
	v := choice.Pick(u.s, u.ptrs)
	return nodeAssignPtr(nodeRef(v), nodePtrAdd(
		nodeLoadPtr(nodeRef(v)),
		constantOf(ir.I32, choice.Pick(u.s, []int64{-1, 2, 64, -farIndex, farIndex})),
	))
}

// A dangling is a pointer at file scope and a local that it can be made to point
// to.
type dangling struct {
	ptr *ir.Var
	to  *spot
}

// danglings returns those that there are.
func (u *undefinedWhole) danglings() []dangling {
	var list []dangling
	for _, v := range u.ptrs {
		if !v.Kind.Lasts() {
			continue
		}
		for _, s := range u.spots {
			if (s.root.Kind == ir.Local || s.root.Kind == ir.Param) && s.t == v.Type.(ir.Pointer).Elem {
				list = append(list, dangling{v, s})
			}
		}
	}
	return list
}

// dangle makes a pointer at file scope point to a local. It dangles when the
// function has returned, and the next call would follow it.
func (u *undefinedWhole) dangle() ir.Stmt {
	x := choice.Pick(u.s, u.danglings())
	return nodeAssignPtr(nodeRef(x.ptr), address(u.s, x.to, 1, u.index))
}
