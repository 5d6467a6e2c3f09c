package sketch

import (
	"goreify/reify/choice"
	"goreify/reify/ir"
)

// A foe makes statements for blocks off the path out of all that a function
// has: raw operators on anything, pointers followed wherever they point.
type foe struct {
	s      *choice.Stream
	f      *ir.Function
	vars   []*source
	spots  []*spot
	floats []*ir.Var
	rough  *ir.Var // a local that is never given a value; nil before it is needed

	volatiles []*leaf   // of volatile variables
	watched   []*spot   // integers in volatile variables
	fixed     []*spot   // integers in constants
	bools     []*spot   // of type bool
	unions    []*ir.Var // of any kind
	ptrs      []*ir.Var // that can be assigned to
	pairs     [][2]*spot

	// What the policy allows, each feature by itself.
	types   []ir.Int
	ops     []ir.Op
	attacks []attack
	raids   []raid
	policy  Policy
}

// newFoe returns the foe of a function, which has at least one parameter. It has
// no other features than the policy.
func newFoe(f *ir.Function, p Policy, s *choice.Stream) *foe {
	e := &foe{s: s, f: f, policy: p, types: []ir.Int{ir.I32}}
	if p.Wide+p.Narrow+p.Unsigned+p.Mixed > 0 {
		e.types = computed[:]
	}
	for op := ir.Add; op <= ir.LOr; op++ {
		if p.allows(op) {
			e.ops = append(e.ops, op)
		}
	}
	for _, v := range f.Vars {
		src := &source{v: v}
		steps, t, writable := []step(nil), v.Type, !v.Const
		for {
			p, ok := t.(ir.Pointer)
			if !ok {
				break
			}
			steps, t, writable = append(steps, step{kind: toPointee}), p.Elem, !p.Const
		}
		src.add(t, steps, writable)
		if len(src.leaves) > 0 {
			e.vars = append(e.vars, src)
		}
		if v.Type == ir.Type(ir.F32) || v.Type == ir.Type(ir.F64) {
			e.floats = append(e.floats, v)
		}
		if !v.Const {
			e.spots = append(e.spots, spots(v)...)
		}
		e.survey(v)
	}
	e.arm()
	return e
}

// allows reports whether an operator is part of the policy's features.
func (p Policy) allows(op ir.Op) bool {
	switch {
	case op.Shifts():
		return p.Shift > 0
	case op.Logical():
		return p.Logic > 0
	case op.Compares():
		return p.Compare > 0 || p.Logic > 0
	case op >= ir.And:
		return p.Bitwise > 0
	}
	return true
}

// An attack makes a value of type t that is undefined for certain. It needs
// nothing, or some feature or variable.
type attack struct {
	needs func(e *foe) bool
	make  func(e *foe, t ir.Int) ir.Expr
}

func shifts(e *foe) bool   { return e.policy.Shift > 0 }
func unaries(e *foe) bool  { return e.policy.Unary > 0 }
func builtins(e *foe) bool { return e.policy.Builtin > 0 }
func pointers(e *foe) bool { return e.policy.Ptr > 0 }
func reals(e *foe) bool    { return e.policy.Float > 0 }

// attacks is the table of them.
var attacks = []attack{
	{nil, func(e *foe, t ir.Int) ir.Expr { return bin(ir.Div, e.load(t), constant0(t)) }},
	{nil, func(e *foe, t ir.Int) ir.Expr { return bin(ir.Rem, e.load(t), constant0(t)) }},
	{nil, func(e *foe, t ir.Int) ir.Expr {
		t.Signed = true
		return bin(choice.Pick(e.s, []ir.Op{ir.Div, ir.Rem, ir.Mul}), constantOf(t, t.Min()), constantOf(t, -1))
	}},
	{nil, func(e *foe, t ir.Int) ir.Expr {
		t.Signed = true
		return bin(ir.Add, constantOf(t, t.Max()), constantOf(t, e.s.Int64(1, 9)))
	}},
	{unaries, func(e *foe, t ir.Int) ir.Expr {
		t.Signed = true
		return &ir.Unary{Op: ir.Neg, X: constantOf(t, t.Min())}
	}},
	{shifts, func(e *foe, t ir.Int) ir.Expr { // by too much
		n := choice.Pick(e.s, []int64{int64(t.Bits), int64(t.Bits) + 1, 255, -1})
		return bin(ir.Shl+ir.Op(e.s.Intn(2)), e.load(t), constantOf(t, n))
	}},
	{shifts, func(e *foe, t ir.Int) ir.Expr { // of a negative value
		t.Signed = true
		return bin(ir.Shl, constantOf(t, -e.s.Int64(1, 9)), constantOf(t, int64(e.s.Intn(t.Bits))))
	}},
	{builtins, func(e *foe, t ir.Int) ir.Expr {
		return &ir.Builtin{Fn: choice.Pick(e.s, []ir.Fn{ir.Clz, ir.Ctz}), Args: []ir.Expr{constant0(unsigned(t))}}
	}},
	{builtins, func(e *foe, t ir.Int) ir.Expr {
		t.Signed = true
		return &ir.Builtin{Fn: ir.Abs, Args: []ir.Expr{constantOf(t, t.Min())}}
	}},
	{nil, func(e *foe, t ir.Int) ir.Expr { // out of range
		return &ir.Load{Place: choice.Pick(e.s, choice.Pick(e.s, e.vars).leaves).place(e.outside)}
	}},
	{pointers, func(e *foe, t ir.Int) ir.Expr { // null
		return &ir.Load{Place: &ir.Deref{X: &ir.Null{T: ir.Pointer{Elem: t, Volatile: e.s.Chance(1, 4) && len(e.volatiles) > 0}}}}
	}},
	{pointers, func(e *foe, t ir.Int) ir.Expr { // null, and further on
		return &ir.Load{Place: &ir.Deref{X: &ir.PtrAdd{
			X: &ir.Null{T: ir.Pointer{Elem: t}}, Index: e.load(ir.I32),
		}}}
	}},
	{pointers, func(e *foe, t ir.Int) ir.Expr { // outside of an object
		return &ir.Load{Place: &ir.Deref{X: &ir.PtrAdd{
			X:     &ir.PtrCast{T: ir.Pointer{Elem: t}, X: e.address()},
			Index: &ir.Const{T: ir.I32, V: choice.Pick(e.s, []int64{-1, 1, 2, 64, -farIndex, farIndex})},
		}}}
	}},
	{pointers, func(e *foe, t ir.Int) ir.Expr { return &ir.Load{Place: e.pun(t)} }},
	{nil, func(e *foe, t ir.Int) ir.Expr { return &ir.Load{Place: &ir.VarRef{Var: e.uninitialised()}} }},
	{reals, func(e *foe, t ir.Int) ir.Expr { // conversion out of range
		f := choice.Pick(e.s, []ir.Float{ir.F32, ir.F64})
		return &ir.FloatToInt{T: t, X: &ir.FloatConst{T: f, V: choice.Pick(e.s, []float64{1 << 80, -(1 << 70), 1 << 64})}}
	}},
}

// statement returns a statement that is undefined when executed, certainly or
// perhaps. Raids are undefined in ways that do not lead compilers to drop the
// block, so they are among both.
func (e *foe) statement(certain bool) ir.Stmt {
	if !certain && len(e.raids) > 0 && e.s.Chance(1, 6) {
		return choice.Pick(e.s, e.raids).make(e)
	}
	t := choice.Pick(e.s, e.types)
	var src ir.Expr
	switch {
	case !certain:
		src = e.expr(t, e.s.Range(1, 5))
	case builtins(e) && e.s.Chance(1, 8):
		return &ir.Unreachable{}
	case pointers(e) && e.s.Chance(1, 8): // an object is spoiled
		p := e.pun(t)
		return &ir.Assign{Dst: p, Src: e.load(t)}
	default:
		n := e.s.Intn(len(e.attacks) + len(e.raids))
		if n >= len(e.attacks) {
			return e.raids[n-len(e.attacks)].make(e)
		}
		src = e.attacks[n].make(e, t)
	}
	if v := e.float(); v != nil && !certain && e.s.Chance(1, 6) {
		return &ir.AssignFloat{Dst: &ir.VarRef{Var: v}, Src: &ir.FloatBinary{
			Op: ir.Op(e.s.Intn(4)), X: loadFloat(v), Y: &ir.FloatOf{T: v.Type.(ir.Float), X: src},
		}}
	}
	l := e.dest()
	return &ir.Assign{Dst: l.place(e.index), Src: convert(l.t, src)}
}

// float returns a floating-point variable, or nil.
func (e *foe) float() *ir.Var {
	if len(e.floats) == 0 {
		return nil
	}
	return choice.Pick(e.s, e.floats)
}

func (e *foe) dest() *leaf {
	for range 4 {
		if v := choice.Pick(e.s, e.vars); v.writable() {
			return choice.Pick(e.s, v.writables)
		}
	}
	return e.vars[0].writables[0] // a parameter
}

// expr returns n operators on anything.
func (e *foe) expr(t ir.Int, n int) ir.Expr {
	x := e.load(t)
	for range n {
		var y ir.Expr = constantOf(t, factor(e.s, ir.I32))
		if e.s.Chance(1, 2) {
			y = e.load(t)
		}
		switch op := choice.Pick(e.s, e.ops); {
		case op.Yields01() && e.policy.Select > 0 && e.s.Chance(1, 2):
			x = &ir.Select{If: bin(op, x, y), X: e.load(t), Y: e.load(t)}
		case op.Yields01():
			x = convert(t, bin(op, x, y))
		default:
			x = bin(op, x, y)
		}
	}
	return x
}

func (e *foe) load(t ir.Int) ir.Expr {
	l := choice.Pick(e.s, choice.Pick(e.s, e.vars).leaves)
	return convert(t, &ir.Load{Place: l.place(e.index)})
}

// index returns an index that is in range, or an unchecked variable.
func (e *foe) index(n int) ir.Expr {
	if p := e.f.Vars[0]; e.s.Chance(1, 2) {
		return convert(promote(p.Type.(ir.Int)), &ir.Load{Place: &ir.VarRef{Var: p}})
	}
	return &ir.Const{T: ir.I32, V: int64(e.s.Intn(n))}
}

// outside returns an index that is not in range.
func (e *foe) outside(n int) ir.Expr {
	return &ir.Const{T: ir.I32, V: choice.Pick(e.s, []int64{-1, int64(n), int64(n) + 1, farIndex, -farIndex})}
}

// address returns the address of something.
func (e *foe) address() ir.PtrExpr {
	if len(e.spots) == 0 {
		return &ir.Null{T: ir.Pointer{Elem: ir.I32}}
	}
	s := choice.Pick(e.s, e.spots)
	return address(e.s, s, 1, e.index)
}

// pun returns something as if it were of type t, which it is not: its effective
// type is another, its size or alignment too small.
func (e *foe) pun(t ir.Int) ir.Place {
	return &ir.Deref{X: &ir.PtrCast{T: ir.Pointer{Elem: t}, X: e.address()}}
}

// uninitialised returns a local that has no value.
func (e *foe) uninitialised() *ir.Var {
	if e.rough == nil {
		e.rough = &ir.Var{
			Name: varName(len(e.f.Vars)), Type: choice.Pick(e.s, e.types), Kind: ir.Local, Index: len(e.f.Vars),
		}
		e.f.Vars = append(e.f.Vars, e.rough)
	}
	return e.rough
}
