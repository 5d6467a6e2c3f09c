// Package aggregates is the shape of copies of structs and arrays, and of bits that are
// cast by unions.
package aggregates

import (
	"slices"

	"goreify/reify/choice"
	"goreify/reify/ir"
	"goreify/reify/sketch/core"
)

// Aggregates are objects of one type of structs and arrays of scalars. Whole objects,
// members and runs of elements are copied between them. Scalar replacement, dead-store
// elimination, store merging and passes on memcpy look for such code.
//
//	memset(&%s, 0, 1)
//	%s.m1 = %a + 7
//	memcpy(&@t, &%s, 1)
//	%p = %b < 3 ? &@t : &@u[1]
//	%p->m0 = 5
//	*%p = @u[0]
//	memmove(&@x[0], &@x[2], 5)
//	@x[1] = @t.m2[0] ^ %c
//
// All of it is defined for all values of the variables. Pointers lead to a few objects
// only, so that it is known which may overlap.
type aggregates struct {
	core.Base
	shares *Shares
	record *ir.Record
	flat   []int     // its members that are integers with an address
	bytes  []int64   // that memset may set them to
	all    []*ir.Var // objects and, last, perhaps an array of them
	temp   *ir.Var   // a local object that no pointer leads to, and that does not reach the result
	arrays []*ir.Var // of integers
	ptrs   []*guide
	cast   *ir.Record // the type of casts
	casts  []*ir.Var  // unions and arrays of them; see casts.go
}

// A guide is a pointer to one of some objects, on every path.
type guide struct {
	v  *ir.Var
	to []*ir.Var // variables that are objects
}

// Counts of the variables of aggregates.
const (
	maxRecord = 20 // scalars of an object
	maxRun    = 16 // elements of an array of integers
)

// Shares are the shares of copies of structs and arrays.
type Shares struct {
	// Aggregates is the share of blocks with copies of structs and arrays before the
	// other statements.
	Aggregates int `feature:"aggregate" typical:"60" scalars:"200" about:"copies of structs and arrays, by memcpy, memmove and memset, too"`
	// share of these: bits that are cast by a union
	Casts int `feature:"cast" typical:"30" about:"bits that are cast by a union"`
}

// New returns the copies of a function.
func (s *Shares) New(w *core.Writer) core.Part {
	if s.Aggregates == 0 {
		return nil
	}
	return &aggregates{Base: core.Base{Writer: w}, shares: s}
}

// Declare adds the objects, arrays and pointers.
func (a *aggregates) Declare() {
	a.newRecord()
	for range a.S.Range(2, 3) {
		a.newObject(a.record)
	}
	if a.S.Chance(2, 3) {
		a.newObject(ir.Array{Elem: a.record, Len: a.S.Range(2, 3)})
	}
	for i := range a.S.Range(1, 3) {
		a.newRun(i)
	}
	a.temp = a.NewVar(ir.Local, a.record)
	for i := range ir.Count(a.record) {
		a.temp.Init = append(a.temp.Init, core.Zero(ir.Cell(a.record, i).(ir.Int)))
	}
	for range a.S.Range(1, 2) {
		a.newGuide()
	}
	if a.shares.Casts > 0 {
		a.newCast()
	}
}

// newRecord adds the type of the objects: at least two integers, and mostly an
// array or two.
func (a *aggregates) newRecord() {
	r := &ir.Record{Name: "A" + core.VarName(len(a.Func.Types))}
	n := a.S.Range(2, 6)
	for i := range n {
		f := ir.Field{Name: "m" + core.VarName(i), Type: a.ScalarType()}
		switch {
		case i > 0 && a.S.Chance(1, 3): // adjacent stores of equal values are merged
			f = r.Fields[i-1]
			f.Name = "m" + core.VarName(i)
		case a.Roll(a.Policy.Bitfield):
			if t := f.Type.(ir.Int); t != ir.Bool {
				f.Bits = a.S.Range(1, t.Bits)
			}
		case i > 1 && a.S.Chance(2, 5):
			f.Type = ir.Array{Elem: f.Type, Len: choice.Pick(a.S, []int{2, 3, 4, 4, 8})}
		}
		if left := 2 * (n - i - 1); ir.Count(r)+ir.Count(f.Type)+left > maxRecord {
			f.Type, f.Bits = ir.Innermost(f.Type), 0
		}
		r.Fields = append(r.Fields, f)
	}
	a.Func.Types = append(a.Func.Types, r)
	a.record = r
	a.bytes = fillers(r)
	for i, f := range r.Fields {
		if _, ok := f.Type.(ir.Int); ok && f.Bits == 0 {
			a.flat = append(a.flat, i)
		}
	}
}

// fillers returns the bytes that memset may set all of a t to, as far as its scalars
// allow: 0, and further bytes if no bool or bit-field forbids them.
func fillers(t ir.Type) []int64 {
	list := []int64{0, 0, 0, 255, 255, 1, 127, 128}
	switch t := t.(type) {
	case ir.Int:
		if t == ir.Bool {
			return []int64{0, 0, 1}
		}
	case ir.Array:
		return fillers(t.Elem)
	case *ir.Record:
		for _, f := range t.Fields {
			of := fillers(f.Type)
			if f.Bits > 0 {
				of = []int64{0, 255}
			}
			list = slices.DeleteFunc(list, func(b int64) bool { return !slices.Contains(of, b) })
		}
	}
	return list
}

// newObject adds an object, or an array of objects.
func (a *aggregates) newObject(t ir.Type) {
	v := a.NewVar(a.Kind(), t)
	a.Initialise(v)
	s := core.NewSource(v)
	a.Register(s)
	a.Structs = append(a.Structs, s)
	a.Summed = append(a.Summed, v)
	a.all = append(a.all, v)
}

// newRun adds an array of integers: the first of bytes, if there are any.
func (a *aggregates) newRun(i int) {
	t := a.ScalarType()
	if i == 0 && a.ManyTypes() {
		t = choice.Pick(a.S, []ir.Int{ir.U8, ir.U8, ir.I8, ir.U16})
	} else if f := choice.Pick(a.S, a.record.Fields); f.Bits == 0 && a.S.Chance(2, 3) {
		t = ir.Scalar(f.Type) // so that one can be copied to the other
	}
	v := a.NewVar(a.Kind(), ir.Array{Elem: t, Len: choice.Pick(a.S, []int{4, 8, 8, maxRun})})
	a.Initialise(v)
	a.Register(core.NewSource(v))
	a.Summed = append(a.Summed, v)
	a.arrays = append(a.arrays, v)
}

// newGuide adds a pointer to one of some objects, at least two if there are as many
// that live long enough.
func (a *aggregates) newGuide() {
	first := choice.Pick(a.S, a.all)
	g := &guide{to: []*ir.Var{first}}
	kind := ir.Local
	if first.Kind.Lasts() {
		kind = a.Kind()
	}
	for _, v := range a.all {
		if v != first && (kind == ir.Local || v.Kind.Lasts()) && (len(g.to) < 2 || a.S.Chance(1, 2)) {
			g.to = append(g.to, v)
		}
	}
	g.v = a.NewVar(kind, ir.Pointer{Elem: a.record})
	g.v.Init = []ir.Expr{nil}
	g.v.Ptrs = []ir.Expr{core.AddressOf(a.objectIn(first, core.Zero(ir.I32)))}
	a.ptrs = append(a.ptrs, g)
}

// objectIn returns the object v, or its element i.
func (a *aggregates) objectIn(v *ir.Var, i ir.Expr) ir.Place {
	var p ir.Place = core.Ref(v)
	if _, ok := v.Type.(ir.Array); ok {
		p = core.Elem(p, i)
	}
	return p
}

// An object is a place and the variables that it may be a part of. The place is made
// anew whenever it is asked for.
type object struct {
	at func() ir.Place
	in []*ir.Var
}

// object returns a variable or element, or the target of a pointer.
func (a *aggregates) object() object {
	if a.S.Chance(1, 3) {
		return a.pointed(choice.Pick(a.S, a.ptrs))
	}
	return a.named(choice.Pick(a.S, a.all))
}

// named returns the object v, or an element of it.
func (a *aggregates) named(v *ir.Var) object {
	i := ir.Expr(core.Zero(ir.I32))
	if t, ok := v.Type.(ir.Array); ok {
		i = a.within(t.Len)
	}
	return object{func() ir.Place { return a.objectIn(v, ir.CopyExpr(i)) }, []*ir.Var{v}}
}

// pointed returns the target of a pointer, with a redundant cast or dereference now and
// then.
func (a *aggregates) pointed(g *guide) object {
	cast := a.S.Chance(1, 8)
	return object{func() ir.Place {
		x := ir.Expr(core.Load(core.Ref(g.v)))
		if cast {
			x = &ir.Cast{T: g.v.Type.(ir.Pointer), X: x}
		}
		return core.Deref(x)
	}, g.to}
}

// chosen returns one of two objects, by a condition; it is called once for each use.
func (a *aggregates) chosen() object {
	x, y := a.object(), a.object()
	return object{func() ir.Place {
		return core.Deref(a.choose(core.AddressOf(x.at()), core.AddressOf(y.at())))
	}, append(slices.Clone(x.in), y.in...)}
}

// choose returns one of two pointers, as a condition says.
func (a *aggregates) choose(x, y ir.Expr) ir.Expr {
	return core.Select(a.decision(), x, y)
}

// decision returns a condition that is defined whatever its variables are.
func (a *aggregates) decision() ir.Expr {
	v := choice.Pick(a.S, a.Counts)
	t := core.Promote(v.Leaves[0].T)
	x := core.Scalar(t, v)
	if a.S.Chance(1, 3) {
		x = core.Bin(ir.And, x, core.Const(t, 1<<a.S.Intn(5)))
		return core.Bin(choice.Pick(a.S, core.Equalities), x, core.Zero(t))
	}
	return core.Bin(core.ComparisonOp(a.S), x, a.Leaf(t))
}

// within returns an index of n elements: mostly a constant.
func (a *aggregates) within(n int) ir.Expr {
	if m := core.Mask(n); m > 0 && a.S.Chance(1, 4) {
		return core.Bin(ir.And, core.Scalar(ir.U32, choice.Pick(a.S, a.Counts)), core.Const(ir.U32, m))
	}
	return core.Const(ir.I32, int64(a.S.Intn(n)))
}

// count returns how many elements to work on: at most n.
func (a *aggregates) count(n int) ir.Expr {
	switch a.S.Weighted(4, 2, 1) {
	case 0:
		return core.Const(ir.I32, int64(a.S.Range(1, n)))
	case 1:
		return core.Const(ir.I32, int64(n))
	}
	return a.within(n + 1)
}

// apart reports whether no variable is among both.
func apart(x, y []*ir.Var) bool {
	return !slices.ContainsFunc(x, func(v *ir.Var) bool { return slices.Contains(y, v) })
}

// A run is some adjacent integers of one type.
type run struct {
	at   func() ir.Expr // the first of them
	cell func(k int) ir.Place
	t    ir.Int
	n    int
	in   []*ir.Var
}

// run returns elements of an array or of a member, or one member or scalar.
func (a *aggregates) run() run {
	if a.S.Chance(1, 2) {
		v := choice.Pick(a.S, a.arrays)
		return a.elements(func() ir.Place { return core.Ref(v) }, v.Type.(ir.Array), []*ir.Var{v})
	}
	o := a.object()
	i := a.S.Intn(len(a.record.Fields))
	f := a.record.Fields[i]
	if t, ok := f.Type.(ir.Array); ok {
		return a.elements(func() ir.Place { return core.Member(o.at(), i) }, t, o.in)
	}
	if f.Bits == 0 {
		return single(func() ir.Place { return core.Member(o.at(), i) }, f.Type.(ir.Int), o.in)
	}
	v := a.ScalarDest()
	return single(func() ir.Place { return core.Ref(v.V) }, v.Leaves[0].T, []*ir.Var{v.V})
}

// elements returns those of an array from some on.
func (a *aggregates) elements(base func() ir.Place, t ir.Array, in []*ir.Var) run {
	from := 0
	if a.S.Chance(1, 2) {
		from = a.S.Intn(t.Len)
	}
	cell := func(k int) ir.Place { return core.Elem(base(), core.Const(ir.I32, int64(from+k))) }
	return run{func() ir.Expr { return core.AddressOf(cell(0)) }, cell, t.Elem.(ir.Int), t.Len - from, in}
}

func single(at func() ir.Place, t ir.Int, in []*ir.Var) run {
	return run{func() ir.Expr { return core.AddressOf(at()) }, func(int) ir.Place { return at() }, t, 1, in}
}

// Block adds groups to a block.
func (a *aggregates) Block(b *ir.Block) bool {
	if !a.Roll(a.shares.Aggregates) {
		return false
	}
	for range a.S.Range(3, 7) {
		a.Begin()
		groups := aggregateGroups
		if a.Roll(a.shares.Casts) {
			groups = castGroups
		}
		b.Stmts = append(b.Stmts, choice.Pick(a.S, groups)(a)...)
	}
	return false
}
