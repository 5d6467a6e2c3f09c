package sketch

import (
	"goreify/reify/choice"
	"goreify/reify/ir"
)

// A raid makes a statement that is undefined for certain, or that makes what is
// executed later undefined. It needs some feature or variable.
type raid struct {
	needs func(e *foe) bool
	make  func(e *foe) ir.Stmt
}

// survey notes what there is in v to attack.
func (e *foe) survey(v *ir.Var) {
	if r, ok := v.Type.(*ir.Record); ok && r.Union {
		e.unions = append(e.unions, v)
	}
	if _, ok := v.Type.(ir.Pointer); ok && !v.Const {
		e.ptrs = append(e.ptrs, v)
	}
	if v.Volatile {
		if src := newSource(v); src != nil {
			e.volatiles = append(e.volatiles, src.leaves...)
		}
	}
	for _, s := range parts(v) {
		if _, ok := s.t.(ir.Int); !ok {
			continue
		}
		switch {
		case v.Volatile && !v.Const:
			e.watched = append(e.watched, s)
		case v.Const && !v.Volatile:
			e.fixed = append(e.fixed, s)
		}
		if s.t == ir.Type(ir.Bool) && !v.Const && !v.Volatile {
			e.bools = append(e.bools, s)
		}
	}
}

// maxPairs bounds the work that finding pairs is.
const maxPairs = 32

// arm picks the attacks and raids that the policy and the variables allow.
func (e *foe) arm() {
	for i, s := range e.spots {
		for _, other := range e.spots[:i] {
			if s.t == other.t && s.root != other.root && len(e.pairs) < maxPairs {
				e.pairs = append(e.pairs, [2]*spot{s, other})
			}
		}
	}
	for _, a := range attacks {
		if a.needs == nil || a.needs(e) {
			e.attacks = append(e.attacks, a)
		}
	}
	for _, r := range raids {
		if r.needs(e) {
			e.raids = append(e.raids, r)
		}
	}
}

// raids is the table of them. Those that are a value are assigned to something.
var raids = []raid{
	{func(e *foe) bool { return len(e.volatiles) > 0 }, (*foe).readTwice},
	{func(e *foe) bool { return pointers(e) && len(e.watched) > 0 }, (*foe).forgetVolatile},
	{func(e *foe) bool { return pointers(e) && len(e.fixed) > 0 }, (*foe).writeConst},
	{func(e *foe) bool { return pointers(e) && len(e.pairs) > 0 }, (*foe).relate},
	{pointers, (*foe).punned},
	{func(e *foe) bool { return pointers(e) && e.policy.Narrow > 0 }, (*foe).misalign},
	{func(e *foe) bool { return pointers(e) && e.policy.Bool > 0 }, (*foe).readAsBool},
	{func(e *foe) bool { return pointers(e) && len(e.bools) > 0 }, (*foe).spoilBool},
	{func(e *foe) bool { return pointers(e) && reals(e) }, (*foe).readAsReal},
	{func(e *foe) bool { return len(e.floats) > 0 }, (*foe).divideReal},
	{func(e *foe) bool { return len(e.unions) > 0 }, (*foe).otherMember},
	{func(e *foe) bool { return len(e.unions) > 0 }, (*foe).overlap},
	{func(e *foe) bool { return len(e.ptrs) > 0 }, (*foe).stray},
	{func(e *foe) bool { return len(e.escapes()) > 0 }, (*foe).escape},
}

// assign returns an assignment of x to anything.
func (e *foe) assign(x ir.Expr) ir.Stmt {
	l := e.dest()
	return &ir.Assign{Dst: l.place(e.index), Src: convert(l.t, x)}
}

// through returns the integer at s by a pointer to the type t, which forgets
// what qualifiers it has.
func (e *foe) through(t ir.Int, s *spot) ir.Place {
	return &ir.Deref{X: &ir.PtrCast{T: ir.Pointer{Elem: t}, X: address(e.s, s, 1, e.index)}}
}

// readTwice reads a volatile object twice in one expression.
func (e *foe) readTwice() ir.Stmt {
	l := choice.Pick(e.s, e.volatiles)
	t := promote(l.t)
	read := func() ir.Expr {
		first := func(int) ir.Expr { return &ir.Const{T: ir.I32} }
		return convert(t, &ir.Load{Place: l.place(first)})
	}
	return e.assign(bin(choice.Pick(e.s, []ir.Op{ir.Add, ir.Sub, ir.Mul}), read(), read()))
}

// forgetVolatile reads or writes a volatile object as if it were none.
func (e *foe) forgetVolatile() ir.Stmt {
	s := choice.Pick(e.s, e.watched)
	t := s.t.(ir.Int)
	if e.s.Chance(1, 2) {
		return &ir.Assign{Dst: e.through(t, s), Src: e.load(t)}
	}
	return e.assign(&ir.Load{Place: e.through(t, s)})
}

// writeConst writes an object that is const.
func (e *foe) writeConst() ir.Stmt {
	s := choice.Pick(e.s, e.fixed)
	t := s.t.(ir.Int)
	return &ir.Assign{Dst: e.through(t, s), Src: e.load(t)}
}

// relate compares or subtracts pointers into different objects.
func (e *foe) relate() ir.Stmt {
	pair := choice.Pick(e.s, e.pairs)
	x, y := address(e.s, pair[0], 1, e.index), address(e.s, pair[1], 1, e.index)
	if e.s.Chance(1, 2) {
		return e.assign(&ir.PtrDiff{X: x, Y: y})
	}
	op := choice.Pick(e.s, []ir.Op{ir.Lt, ir.Le, ir.Gt, ir.Ge})
	return e.assign(&ir.PtrCompare{Op: op, X: x, Y: y})
}

// punned reads or writes something as if it were of another type.
func (e *foe) punned() ir.Stmt {
	t := choice.Pick(e.s, e.types)
	if e.s.Chance(1, 2) {
		return &ir.Assign{Dst: e.pun(t), Src: e.load(t)}
	}
	return e.assign(&ir.Load{Place: e.pun(t)})
}

// misalign reads or writes something at an odd address.
func (e *foe) misalign() ir.Stmt {
	t := choice.Pick(e.s, e.types)
	p := &ir.Deref{X: &ir.PtrCast{T: ir.Pointer{Elem: t}, X: &ir.PtrAdd{
		X:     &ir.PtrCast{T: ir.Pointer{Elem: ir.I8}, X: e.address()},
		Index: &ir.Const{T: ir.I32, V: choice.Pick(e.s, []int64{-1, 1, 3})},
	}}}
	if e.s.Chance(1, 2) {
		return &ir.Assign{Dst: p, Src: e.load(t)}
	}
	return e.assign(&ir.Load{Place: p})
}

// readAsBool reads something as a bool, which it need not be one of.
func (e *foe) readAsBool() ir.Stmt { return e.assign(&ir.Load{Place: e.pun(ir.Bool)}) }

// spoilBool makes of a bool what is none.
func (e *foe) spoilBool() ir.Stmt {
	s := choice.Pick(e.s, e.bools)
	return &ir.Assign{Dst: e.through(ir.U8, s), Src: constantOf(ir.U8, e.s.Int64(2, 255))}
}

// readAsReal reads something as if it were of a floating-point type.
func (e *foe) readAsReal() ir.Stmt {
	f := choice.Pick(e.s, []ir.Float{ir.F32, ir.F64})
	p := &ir.Deref{X: &ir.PtrCast{T: ir.Pointer{Elem: f}, X: e.address()}}
	return e.assign(&ir.FloatToInt{T: choice.Pick(e.s, e.types), X: &ir.FloatLoad{Place: p}})
}

// divideReal divides a floating-point number by zero.
func (e *foe) divideReal() ir.Stmt {
	v := e.float()
	return &ir.AssignFloat{Dst: &ir.VarRef{Var: v}, Src: &ir.FloatBinary{
		Op: ir.Div, X: loadFloat(v), Y: &ir.FloatConst{T: v.Type.(ir.Float)},
	}}
}

// part returns a member of a union, or an element of it if it is an array.
func (e *foe) part(u *ir.Var, k int) ir.Place {
	var p ir.Place = &ir.Member{Base: &ir.VarRef{Var: u}, Field: k}
	if a, ok := p.Type().(ir.Array); ok {
		p = &ir.Elem{Base: p, Index: e.index(a.Len)}
	}
	return p
}

// otherMember reads a member of a union, whichever was written last.
func (e *foe) otherMember() ir.Stmt {
	u := choice.Pick(e.s, e.unions)
	return e.assign(&ir.Load{Place: e.part(u, e.s.Intn(len(u.Type.(*ir.Record).Fields)))})
}

// overlap assigns one member of a union to another one.
func (e *foe) overlap() ir.Stmt {
	u := choice.Pick(e.s, e.unions)
	n := len(u.Type.(*ir.Record).Fields)
	from := e.s.Intn(n)
	src := e.part(u, from)
	dst := e.part(u, (from+e.s.Range(1, n-1))%n)
	return &ir.Assign{Dst: dst, Src: convert(dst.Type().(ir.Int), &ir.Load{Place: src})}
}

// stray moves a pointer out of what it points into.
func (e *foe) stray() ir.Stmt {
	v := choice.Pick(e.s, e.ptrs)
	return &ir.AssignPtr{Dst: &ir.VarRef{Var: v}, Src: &ir.PtrAdd{
		X:     &ir.LoadPtr{Place: &ir.VarRef{Var: v}},
		Index: &ir.Const{T: ir.I32, V: choice.Pick(e.s, []int64{-1, 2, 64, -farIndex, farIndex})},
	}}
}

// An exit is a pointer at file scope and a local that it can be made to point to.
type exit struct {
	ptr *ir.Var
	to  *spot
}

// escapes returns the exits that there are.
func (e *foe) escapes() []exit {
	var list []exit
	for _, v := range e.ptrs {
		if v.Kind != ir.Global && v.Kind != ir.Static {
			continue
		}
		for _, s := range e.spots {
			if (s.root.Kind == ir.Local || s.root.Kind == ir.Param) && s.t == v.Type.(ir.Pointer).Elem {
				list = append(list, exit{v, s})
			}
		}
	}
	return list
}

// escape makes a pointer at file scope point to a local: it dangles when the
// function has returned, and the next call would follow it.
func (e *foe) escape() ir.Stmt {
	x := choice.Pick(e.s, e.escapes())
	return &ir.AssignPtr{Dst: &ir.VarRef{Var: x.ptr}, Src: address(e.s, x.to, 1, e.index)}
}
