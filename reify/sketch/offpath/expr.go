package offpath

import (
	"slices"

	"goreify/reify/choice"
	"goreify/reify/ir"
	"goreify/reify/sketch/core"
)

// An undefined makes statements with undefined behaviour. It uses everything that a
// function has: raw operators on any operands, pointers followed wherever they point.
type undefined struct {
	*core.Memory
	s      *choice.Stream
	f      *ir.Function
	vars   []*core.Source
	spots  []*core.Spot
	floats []*ir.Var
	unset  *ir.Var // a local that is never given a value; nil before it is needed

	volatileLeaves []*core.Leaf // of volatile variables
	volatileInts   []*core.Spot // integers in volatile variables
	constInts      []*core.Spot // integers in constants
	bools          []*core.Spot // of type bool
	unions         []*ir.Var    // of any kind
	ptrs           []*ir.Var    // that can be assigned to
	pairs          [][2]*core.Spot

	// The features that the policy allows.
	types   []ir.Int
	ops     []ir.Op
	certain []undefinedExpr
	stmts   []undefinedStmt
	policy  *core.Policy
}

// newUndefined returns the undefined of a function, which has at least
// one parameter. It uses no other features than the policy.
func newUndefined(m *core.Memory, f *ir.Function, p *core.Policy, s *choice.Stream) *undefined {
	u := &undefined{Memory: m, s: s, f: f, policy: p, types: []ir.Int{ir.I32}}
	if p.Wide+p.Narrow+p.Unsigned+p.Mixed > 0 {
		u.types = core.Computed[:]
	}
	u.ops = make([]ir.Op, 0, len(core.Operators))
	for _, op := range core.Operators {
		if allows(p, op) {
			u.ops = append(u.ops, op)
		}
	}
	u.vars = make([]*core.Source, 0, len(f.Vars))
	// Places that have an address are of use to pointers alone.
	addresses := pointers(u) || slices.ContainsFunc(f.Vars, func(v *ir.Var) bool { return isPointer(v.Type) })
	for _, v := range f.Vars {
		if src := sourceOf(v); src != nil {
			u.vars = append(u.vars, src)
		}
		if (v.Type == ir.Type(ir.F32) || v.Type == ir.Type(ir.F64)) && !v.Const {
			u.floats = append(u.floats, v)
		}
		if !v.Const && addresses {
			u.spots = append(u.spots, core.Spots(v)...)
		}
		u.collect(v, addresses)
	}
	u.allow()
	return u
}

func isPointer(t ir.Type) bool {
	_, ok := t.(ir.Pointer)
	return ok
}

// sourceOf returns v, or what is reached by following v, as a source; nil if no integer is.
func sourceOf(v *ir.Var) *core.Source {
	if !isPointer(v.Type) {
		return core.NewSource(v)
	}
	src := &core.Source{V: v}
	steps, t, writable := []core.Step(nil), v.Type, !v.Const
	for {
		p, ok := t.(ir.Pointer)
		if !ok {
			break
		}
		steps, t, writable = append(steps, core.Step{Kind: core.ToPointee}), p.Elem, !p.Const
	}
	if src.Add(t, steps, writable); len(src.Leaves) == 0 {
		return nil
	}
	return src
}

// allows reports whether an operator is part of the policy's features.
func allows(p *core.Policy, op ir.Op) bool {
	switch {
	case op.Shifts():
		return p.Shift > 0
	case op.Logical():
		return p.Logic > 0
	case op.Compares():
		return p.Compare > 0 || p.Logic > 0
	case op.Bitwise():
		return p.Bitwise > 0
	}
	return true
}

// An undefinedExpr makes a value of type t that is undefined for certain. It needs
// nothing, or some feature or variable.
type undefinedExpr struct {
	needs func(u *undefined) bool
	make  func(u *undefined, t ir.Int) ir.Expr
}

func shifts(u *undefined) bool   { return u.policy.Shift > 0 }
func unaries(u *undefined) bool  { return u.policy.Unary > 0 }
func builtins(u *undefined) bool { return u.policy.Builtin > 0 }
func pointers(u *undefined) bool { return u.policy.Ptr > 0 }
func reals(u *undefined) bool    { return u.policy.Float > 0 }

// undefinedExprs is the table of them.
var undefinedExprs = []undefinedExpr{
	{nil, func(u *undefined, t ir.Int) ir.Expr { return u.Bin(ir.Div, u.load(t), u.Const(t, 0)) }},
	{nil, func(u *undefined, t ir.Int) ir.Expr { return u.Bin(ir.Rem, u.load(t), u.Const(t, 0)) }},
	{nil, func(u *undefined, t ir.Int) ir.Expr {
		t.Signed = true
		return u.Bin(choice.Pick(u.s, []ir.Op{ir.Div, ir.Rem, ir.Mul}), u.Const(t, t.Min()), u.Const(t, -1))
	}},
	{nil, func(u *undefined, t ir.Int) ir.Expr {
		t.Signed = true
		return u.Bin(ir.Add, u.Const(t, t.Max()), u.Const(t, u.s.Int64(1, 9)))
	}},
	{unaries, func(u *undefined, t ir.Int) ir.Expr {
		t.Signed = true
		return core.Unary(ir.Neg, u.Const(t, t.Min()))
	}},
	{shifts, func(u *undefined, t ir.Int) ir.Expr { // by too much
		n := choice.Pick(u.s, []int64{int64(t.Bits), int64(t.Bits) + 1, 255, -1})
		return u.Bin(choice.Pick(u.s, []ir.Op{ir.Shl, ir.Shr}), u.load(t), u.Const(t, n))
	}},
	{shifts, func(u *undefined, t ir.Int) ir.Expr { // of a negative value
		t.Signed = true
		return u.Bin(ir.Shl, u.Const(t, -u.s.Int64(1, 9)), u.Const(t, int64(u.s.Intn(t.Bits))))
	}},
	{builtins, func(u *undefined, t ir.Int) ir.Expr {
		return &ir.Builtin{Fn: choice.Pick(u.s, []ir.Fn{ir.Clz, ir.Ctz}), Args: []ir.Expr{core.Zero(core.Unsigned(t))}}
	}},
	{builtins, func(u *undefined, t ir.Int) ir.Expr {
		t.Signed = true
		return &ir.Builtin{Fn: ir.Abs, Args: []ir.Expr{u.Const(t, t.Min())}}
	}},
	{nil, func(u *undefined, t ir.Int) ir.Expr { // out of range
		return u.LoadOf(choice.Pick(u.s, choice.Pick(u.s, u.vars).Leaves).Place(u.outside))
	}},
	{pointers, func(u *undefined, t ir.Int) ir.Expr { // null
		return u.LoadOf(core.Deref(&ir.Null{T: ir.Pointer{Elem: t, Volatile: u.s.Chance(1, 4) && len(u.volatileLeaves) > 0}}))
	}},
	{pointers, func(u *undefined, t ir.Int) ir.Expr { // null, and further on
		return u.LoadOf(core.Deref(core.PtrAdd(
			&ir.Null{T: ir.Pointer{Elem: t}}, u.load(ir.I32),
		)))
	}},
	{pointers, func(u *undefined, t ir.Int) ir.Expr { // outside of an object
		return u.LoadOf(core.Deref(core.PtrAdd(
			&ir.Cast{T: ir.Pointer{Elem: t}, X: u.address()},
			u.Const(ir.I32, choice.Pick(u.s, []int64{-1, 1, 2, 64, -farIndex, farIndex})),
		)))
	}},
	{pointers, func(u *undefined, t ir.Int) ir.Expr { return u.LoadOf(u.pun(t)) }},
	{nil, func(u *undefined, t ir.Int) ir.Expr { return core.LoadVar(u.uninitialised()) }},
	{reals, func(u *undefined, t ir.Int) ir.Expr { // conversion out of range
		f := choice.Pick(u.s, []ir.Float{ir.F32, ir.F64})
		return &ir.Convert{T: t, X: core.FloatConst(f, choice.Pick(u.s, []float64{1 << 80, -(1 << 70), 1 << 64}))}
	}},
}

// The undefinedStmts do not lead compilers to drop the block, so statement draws
// them whether it is to be undefined for certain or perhaps.
func (u *undefined) statement(certain bool) ir.Stmt {
	if !certain && len(u.stmts) > 0 && u.s.Chance(1, 6) {
		return choice.Pick(u.s, u.stmts).make(u)
	}
	t := choice.Pick(u.s, u.types)
	var src ir.Expr
	switch {
	case !certain:
		src = u.expr(t, u.s.Range(1, 5))
	case builtins(u) && u.s.Chance(1, 8):
		return &ir.Unreachable{}
	case pointers(u) && u.s.Chance(1, 8): // an object is spoiled
		p := u.pun(t)
		return u.Assign(p, u.load(t))
	default:
		n := u.s.Intn(len(u.certain) + len(u.stmts))
		if n >= len(u.certain) {
			return u.stmts[n-len(u.certain)].make(u)
		}
		src = u.certain[n].make(u, t)
	}
	if v := u.float(); v != nil && !certain && u.s.Chance(1, 6) {
		return core.Assign(u.Ref(v), core.Bin(
			choice.Pick(u.s, []ir.Op{ir.Add, ir.Sub, ir.Mul, ir.Div}), core.LoadFloat(v), core.To(v.Type.(ir.Float), src),
		))
	}
	l := u.dest()
	return u.Assign(u.PlaceOf(l, u.index), core.Convert(l.T, src))
}

// float returns a floating-point variable, or nil.
func (u *undefined) float() *ir.Var {
	if len(u.floats) == 0 {
		return nil
	}
	return choice.Pick(u.s, u.floats)
}

func (u *undefined) dest() *core.Leaf {
	for range 4 {
		if v := choice.Pick(u.s, u.vars); v.Writable() {
			return choice.Pick(u.s, v.Writables)
		}
	}
	i := slices.IndexFunc(u.vars, (*core.Source).Writable) // a parameter, mostly
	return u.vars[i].Writables[0]
}

// expr returns n operators on anything.
func (u *undefined) expr(t ir.Int, n int) ir.Expr {
	x := u.load(t)
	for range n {
		var y ir.Expr = u.Const(t, factor(u.s, ir.I32))
		if u.s.Chance(1, 2) {
			y = u.load(t)
		}
		switch op := choice.Pick(u.s, u.ops); {
		case op.Yields01() && u.policy.Select > 0 && u.s.Chance(1, 2):
			x = core.Select(u.Bin(op, x, y), u.load(t), u.load(t))
		case op.Yields01():
			x = core.Convert(t, u.Bin(op, x, y))
		default:
			x = u.Bin(op, x, y)
		}
	}
	return x
}

func (u *undefined) load(t ir.Int) ir.Expr {
	l := choice.Pick(u.s, choice.Pick(u.s, u.vars).Leaves)
	return core.Convert(t, u.LoadOf(u.PlaceOf(l, u.index)))
}

// index returns an index that is in range, or an unchecked variable.
func (u *undefined) index(n int) ir.Expr {
	if p := u.f.Vars[0]; u.s.Chance(1, 2) && p.Kind == ir.Param {
		return core.Convert(core.Promote(p.Type.(ir.Int)), core.LoadVar(p))
	}
	return u.Const(ir.I32, int64(u.s.Intn(n)))
}

// outside returns an index that is not in range.
func (u *undefined) outside(n int) ir.Expr {
	return u.Const(ir.I32, choice.Pick(u.s, []int64{-1, int64(n), int64(n) + 1, farIndex, -farIndex}))
}

// address returns the address of something.
func (u *undefined) address() ir.Expr {
	if len(u.spots) == 0 {
		return &ir.Null{T: ir.Pointer{Elem: ir.I32}}
	}
	s := choice.Pick(u.s, u.spots)
	return core.Address(u.s, s, 1, u.index)
}

// pun returns an object as if it were of type t, which it is not: its effective type is
// another, its size or alignment too small.
func (u *undefined) pun(t ir.Int) ir.Place {
	return core.Deref(&ir.Cast{T: ir.Pointer{Elem: t}, X: u.address()})
}

// uninitialised returns a local that has no value.
func (u *undefined) uninitialised() *ir.Var {
	if u.unset == nil {
		u.unset = &ir.Var{
			Name: unusedName(u.f), Type: choice.Pick(u.s, u.types), Kind: ir.Local, Index: len(u.f.Vars),
		}
		u.f.Vars = append(u.f.Vars, u.unset)
	}
	return u.unset
}

// unusedName returns the name of the next variable of f. If f was made elsewhere, that
// name may be taken; then it is a later one.
func unusedName(f *ir.Function) string {
	for i := len(f.Vars); ; i++ {
		name := core.VarName(i)
		if !slices.ContainsFunc(f.Vars, func(v *ir.Var) bool { return v.Name == name }) {
			return name
		}
	}
}
