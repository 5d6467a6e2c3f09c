// Package sketch fills a graph with symbolic statements: step S3 of the paper
// (section 4.2). What it makes of a block with two successors reads
//
//	b4:
//	  %c = %c * ?7 + (%a - ?8) - ?9
//	  @g[%b % ?10 + ?11] = %c / ?12 + %d * ?13 + ?14
//	  if %a * ?15 - (%d + ?16) + ?17 < 0 goto b2 else b9
//
// No statement or condition reads a volatile variable twice, its indices
// counted: two volatile reads of one object that are unsequenced are undefined
// behaviour in C.
//
// Nothing here depends on a path: any path through the graph may be solved
// for. What the path leaves unsolved Fill decides afterwards, and Harden adds
// to the blocks off the path.
package sketch

import (
	"slices"
	"strconv"

	"goreify/reify/cfg"
	"goreify/reify/choice"
	"goreify/reify/ir"
)

// Function returns a function named name with exactly the blocks and edges of
// g and a symbol wherever a constant can stand. It panics if o is not valid.
func Function(name string, g *cfg.Graph, o Options, s *choice.Stream) *ir.Function {
	if err := o.Validate(); err != nil {
		panic("sketch: " + err.Error())
	}
	b := &builder{o: o, s: s, f: &ir.Function{Name: name, Result: ir.U32}}
	b.declare()
	b.blocks(g)
	return b.f
}

type builder struct {
	o Options
	s *choice.Stream
	f *ir.Function

	scalars []*ir.Var // what an index may be computed from
	read    []*ir.Var // volatile variables that the full expression at hand reads

	// Thousands of functions a second: nodes are allocated by the hundred.
	syms     slab[ir.Sym]
	binaries slab[ir.Binary]
	loads    slab[ir.Load]
	refs     slab[ir.VarRef]
	assigns  slab[ir.Assign]
	consts   slab[ir.Const]
}

// A slab hands out pointers into ever larger chunks.
type slab[T any] struct {
	free []T
	size int // of the last chunk
}

func (s *slab[T]) new() *T {
	if len(s.free) == 0 {
		s.size = min(256, 2*s.size+16)
		s.free = make([]T, s.size)
	}
	t := &s.free[0]
	s.free = s.free[1:]
	return t
}

func (b *builder) binary(op ir.Op, x, y ir.Expr) *ir.Binary {
	e := b.binaries.new()
	*e = ir.Binary{Op: op, X: x, Y: y}
	return e
}

func (b *builder) store(p ir.Place, e ir.Expr) *ir.Assign {
	a := b.assigns.new()
	*a = ir.Assign{Dst: p, Src: e}
	return a
}

func (b *builder) i32(v int64) *ir.Const {
	c := b.consts.new()
	*c = ir.Const{T: ir.I32, V: v}
	return c
}

func (b *builder) load(p ir.Place) *ir.Load {
	e := b.loads.new()
	e.Place = p
	return e
}

func (b *builder) ref(v *ir.Var) *ir.VarRef {
	p := b.refs.new()
	p.Var = v
	return p
}

func (b *builder) percent(p int) bool { return b.s.Chance(p, 100) }

// symbol returns a new symbol.
func (b *builder) symbol(t ir.Int) *ir.Sym {
	e := b.syms.new()
	*e = ir.Sym{T: t, ID: b.f.Syms}
	b.f.Syms++
	return e
}

// declare makes the variables, of which at least one is a parameter.
func (b *builder) declare() {
	params := 1
	for range b.o.Vars - 1 {
		if b.s.Chance(1, 3) {
			params++
		}
	}
	for i := range b.o.Vars {
		v := &ir.Var{Name: varName(i), Type: ir.I32, Index: i}
		if i >= params {
			b.dress(v)
		}
		b.f.Vars = append(b.f.Vars, v)
		if v.Type == ir.Type(ir.I32) {
			b.scalars = append(b.scalars, v)
		}
	}
}

// dress makes of v, which is not a parameter, a local, global or static.
func (b *builder) dress(v *ir.Var) {
	v.Kind = ir.Local
	if b.percent(b.o.Memory) {
		v.Kind = choice.Pick(b.s, []ir.Kind{ir.Global, ir.Static})
	}
	v.Volatile = b.percent(b.o.Volatile)
	if b.percent(b.o.Arrays) {
		for range b.s.Weighted(0, 6, 3, 1) {
			v.Type = ir.Array{Elem: v.Type, Len: b.s.Range(2, 4)}
		}
	}
	for range ir.Count(v.Type) {
		v.Init = append(v.Init, b.symbol(ir.Scalar(v.Type)))
	}
}

// varName returns a, b, ... z, v26, v27, ...
func varName(i int) string {
	if i < 26 {
		return string(rune('a' + i))
	}
	return "v" + strconv.Itoa(i)
}

// blocks makes a block for each node of g.
func (b *builder) blocks(g *cfg.Graph) {
	n := len(g.Succs)
	for i := range n {
		b.f.Blocks = append(b.f.Blocks, &ir.Block{Name: blockName(i, n), Index: i})
	}
	for i, succs := range g.Succs {
		block := b.f.Blocks[i]
		inner := 0 < i && i < n-1
		var pilot *ir.Var
		if inner && len(succs) == 2 && b.o.Assigns > 0 && b.percent(b.o.Piloted) {
			pilot = b.pilot()
		}
		if inner {
			block.Stmts = b.assignments(pilot)
		}
		switch len(succs) {
		case 0:
			block.Term = &ir.Return{Val: b.result()}
		case 1:
			block.Term = &ir.Goto{To: b.f.Blocks[succs[0]]}
		case 2:
			block.Term = &ir.If{Cond: b.condition(pilot), Then: b.f.Blocks[succs[0]], Else: b.f.Blocks[succs[1]]}
		}
	}
}

func blockName(i, n int) string {
	switch i {
	case 0:
		return "entry"
	case n - 1:
		return "exit"
	}
	return "b" + strconv.Itoa(i)
}

// pilot returns the variable that a conditional is to turn on. Where a loop
// goes round it must be left some time, so a piloted block updates its pilot
// from itself and its condition begins with it. Elements are poor pilots: what
// is read may not be what was written.
func (b *builder) pilot() *ir.Var {
	v := choice.Pick(b.s, b.f.Vars)
	if _, array := v.Type.(ir.Array); array && len(b.scalars) > 0 {
		v = choice.Pick(b.s, b.scalars)
	}
	return v
}

// assignments returns the statements of a block, one of which updates the
// pilot if it is not nil.
func (b *builder) assignments(pilot *ir.Var) []ir.Stmt {
	list := make([]ir.Stmt, b.o.Assigns)
	at := -1
	if pilot != nil {
		at = b.s.Intn(len(list))
	}
	for i := range list {
		dst := choice.Pick(b.s, b.f.Vars)
		if i == at {
			dst = pilot
		}
		first := choice.Pick(b.s, b.f.Vars)
		if i == at || b.percent(b.o.SelfUpdate) {
			first = dst
		}
		list[i] = b.assign(dst, first, i == at)
	}
	return list
}

// assign returns v := ε, ε beginning with the variable first. Divisions soon
// come to a standstill, so there is none in a first term that is to move.
func (b *builder) assign(dst, first *ir.Var, moves bool) ir.Stmt {
	b.read = b.read[:0]
	place := b.place(dst)
	return b.store(place, b.sum(first, b.o.AssignTerms, moves))
}

// condition returns ε compared with zero, ε beginning with the pilot if it is
// not nil.
func (b *builder) condition(pilot *ir.Var) ir.Expr {
	b.read = b.read[:0]
	// Equality on changing data goes one way for ever, or nearly.
	op := []ir.Op{ir.Lt, ir.Le, ir.Gt, ir.Ge, ir.Eq, ir.Ne}[b.s.Weighted(5, 5, 5, 5, 2, 2)]
	first := pilot
	if first == nil {
		first = choice.Pick(b.s, b.f.Vars)
	}
	return b.binary(op, b.sum(first, b.o.CondTerms, false), &ir.Const{T: ir.I32})
}

// sum returns ε: terms joined by + and -, and a symbol at the end. The first
// term is over the variable first.
func (b *builder) sum(first *ir.Var, terms int, moves bool) ir.Expr {
	e := b.term(first)
	if moves && (e.Op == ir.Div || e.Op == ir.Rem) {
		e.Op = ir.Mul
	}
	t := e.Type()
	for range terms - 1 {
		op := b.additive()
		e = b.binary(op, e, b.term(choice.Pick(b.s, b.f.Vars)))
	}
	op := b.additive()
	return b.binary(op, e, b.symbol(t))
}

// term returns τ: v ⊗ s.
func (b *builder) term(v *ir.Var) *ir.Binary {
	x := b.load(b.place(b.readable(v)))
	op := b.additive()
	if b.percent(b.o.Multiply) {
		op = []ir.Op{ir.Mul, ir.Div, ir.Rem}[b.s.Weighted(6, 2, 2)]
	}
	return b.binary(op, x, b.symbol(x.Type()))
}

// readable returns v or, if it is volatile and the full expression at hand
// reads it already, a parameter in its place, which is never volatile.
func (b *builder) readable(v *ir.Var) *ir.Var {
	switch {
	case !v.Volatile:
		return v
	case slices.Contains(b.read, v):
		return choice.Pick(b.s, b.f.Params())
	}
	b.read = append(b.read, v)
	return v
}

func (b *builder) additive() ir.Op { return choice.Pick(b.s, []ir.Op{ir.Add, ir.Sub}) }

// place returns v, or an element of it if it is an array.
func (b *builder) place(v *ir.Var) ir.Place {
	var p ir.Place = b.ref(v)
	t := v.Type
	for {
		array, ok := t.(ir.Array)
		if !ok {
			return p
		}
		p = &ir.Elem{Base: p, Index: b.index(array)}
		t = array.Elem
	}
}

// index returns the index of an element: a constant, or a scalar variable
// folded into the bounds (by a remainder, which the solver can make fit
// whatever the variable is, or by an offset alone, which it cannot).
func (b *builder) index(array ir.Array) ir.Expr {
	if len(b.scalars) == 0 || b.s.Chance(2, 5) {
		return b.symbol(ir.I32)
	}
	var x ir.Expr = b.load(b.ref(b.readable(choice.Pick(b.s, b.scalars))))
	if b.s.Chance(15, 16) {
		x = b.binary(ir.Rem, x, b.symbol(ir.I32))
	}
	return b.binary(ir.Add, x, b.symbol(ir.I32))
}

// result returns what the function returns: the checksum of all variables, or
// their sum.
func (b *builder) result() ir.Expr {
	if !b.o.Sum {
		return &ir.Checksum{Of: b.f.Vars}
	}
	b.f.Result = ir.I32
	var sum ir.Expr
	for _, v := range b.f.Vars {
		for i := range ir.Count(v.Type) {
			load := &ir.Load{Place: element(v, i)}
			if sum == nil {
				sum = load
			} else {
				sum = &ir.Binary{Op: ir.Add, X: sum, Y: load}
			}
		}
	}
	return sum
}

// element returns the i-th scalar of v in row-major order.
func element(v *ir.Var, i int) ir.Place {
	var p ir.Place = &ir.VarRef{Var: v}
	for {
		array, ok := p.Type().(ir.Array)
		if !ok {
			return p
		}
		size := ir.Count(array.Elem)
		p = &ir.Elem{Base: p, Index: &ir.Const{T: ir.I32, V: int64(i / size)}}
		i %= size
	}
}
