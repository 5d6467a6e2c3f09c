// Package sketch fills a graph with symbolic statements: step S3 of the paper
// (section 4.2). A block with two successors becomes
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
// There are two generators. Which of them fills a graph depends on the options
// and the graph alone:
//
//	Builder  the paper's subset of C: Options.Subset, and no switches in the graph
//	writer   the whole language: switches, and all that a Policy gives a share to
//
// They cannot be one. The draws of Builder are those of version 0.6
// (TestPaperSubsetIsPinned). It also takes its nodes from memory that is used
// again: a function of the default options costs it about 20 allocations.
//
// The files of the whole language are as follows. writer puts the parts together.
// draws, scope, expr and stmt are its layers. constant, context, reuse and idiom make
// values. induction, overflow, loop, nest, trips, lanes, aggregates, shape, machine and
// switches make forms that passes look for. coefficient and product make terms. narrow,
// narrow_forms and truth make forms that back ends combine; odd, wide and wide_forms
// make those that they split or widen. record, union, pointer, float and vector make
// variables that are not integers. leaf has the paths from variables to integers.
//
// Nothing here depends on a path: any path through the graph may be solved for.
// Afterwards Fill decides the symbols that the path leaves open, and AddUndefined adds
// undefined behaviour to the blocks off the path.
package sketch

import (
	"slices"

	"goreify/reify/cfg"
	"goreify/reify/choice"
	"goreify/reify/ir"
	"goreify/reify/sketch/core"
	"goreify/reify/sketch/offpath"
)

// Function returns a function named name with exactly the blocks and edges of
// g and a symbol wherever a constant can stand. It panics if o is not valid.
func Function(name string, g *cfg.Graph, o Options, s *choice.Stream) *ir.Function {
	return new(Builder).Overwrite(name, g, o, s)
}

// A Builder is the memory of one function. It is for callers that make functions one
// after another and drop most of them. Its former contents decide nothing. The zero
// Builder is ready for use. It is not safe for concurrent use.
type Builder struct {
	o Options
	s *choice.Stream
	f *ir.Function

	scalars []*ir.Var // operands of indices
	read    []*ir.Var // volatile variables that the full expression at hand reads

	names    []string // of the blocks
	vars     slab[ir.Var]
	inits    slab[ir.Sym]
	blocks   slab[ir.Block]
	gotos    slab[ir.Goto]
	branches slab[branch]
	assigns  slab[assign]
	stmts    []ir.Stmt
	terms    slab[term]
	elems    slab[elem]
	indices  slab[index]
}

// Overwrite is like Function, but writes over the function that it returned
// before: both are at the same address.
func (b *Builder) Overwrite(name string, g *cfg.Graph, o Options, s *choice.Stream) *ir.Function {
	if err := o.Validate(); err != nil {
		panic("sketch: " + err.Error())
	}
	if b.f == nil {
		b.f = new(ir.Function)
	}
	*b.f = ir.Function{Name: name, Result: ir.U32, Vars: b.f.Vars[:0], Blocks: b.f.Blocks[:0]}
	b.o, b.s = o, s
	if len(b.names) != g.Len() {
		b.names = core.BlockNames(g.Len())
	}
	isSwitch := func(succs []int) bool { return len(succs) > 2 }
	if !o.Subset() || slices.ContainsFunc(g.Succs, isSwitch) {
		core.Write(b.f, b.names, g, o.config(), s)
		return b.f
	}
	b.declare()
	b.reserve(g)
	b.fill(g)
	return b.f
}

func (b *Builder) percent(p int) bool { return b.s.Chance(p, 100) }

// symbol makes e a new symbol. All scalars are i32.
func (b *Builder) symbol(e *ir.Sym) *ir.Sym {
	*e = ir.Sym{T: ir.I32, ID: b.f.Syms}
	b.f.Syms++
	return e
}

// declare makes the variables, of which at least one is a parameter.
func (b *Builder) declare() {
	params := 1
	for range b.o.Vars - 1 {
		if b.s.Chance(1, 3) {
			params++
		}
	}
	b.vars.reserve(b.o.Vars)
	b.inits.reserve(b.o.Vars)
	b.scalars = b.scalars[:0]
	scalar := ir.Type(ir.I32)
	for i := range b.o.Vars {
		v := b.vars.new()
		*v = ir.Var{Name: core.VarName(i), Type: scalar, Index: i}
		if i >= params {
			b.qualify(v)
		}
		b.f.Vars = append(b.f.Vars, v)
		if v.Type == scalar {
			b.scalars = append(b.scalars, v)
		}
	}
}

// qualify makes v, which is not a parameter, a local, global or static, and draws its
// qualifiers, dimensions and initial values.
func (b *Builder) qualify(v *ir.Var) {
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
	v.Init = make([]ir.Expr, ir.Count(v.Type))
	for i := range v.Init {
		v.Init[i] = b.symbol(b.inits.new())
	}
}

// reserve makes room for the blocks of g and their contents: as many elements as arrays
// would be drawn if all variables were drawn alike.
func (b *Builder) reserve(g *cfg.Graph) {
	inner := max(0, g.Len()-2)
	gotos, branches := 0, 0
	for _, succs := range g.Succs {
		switch len(succs) {
		case 1:
			gotos++
		case 2:
			branches++
		}
	}
	assigns := inner * b.o.Assigns
	terms := assigns*b.o.AssignTerms + branches*b.o.CondTerms
	dims := 0
	for _, v := range b.f.Vars {
		dims += dimensions(v.Type)
	}
	elems := (assigns + terms) * dims / len(b.f.Vars)
	b.blocks.reserve(g.Len())
	b.gotos.reserve(gotos)
	b.branches.reserve(branches)
	b.assigns.reserve(assigns)
	b.terms.reserve(terms)
	b.elems.reserve(elems)
	b.indices.reserve(elems * 3 / 5) // the share of the variables that index computes
	b.stmts = slices.Grow(b.stmts[:0], assigns)
	b.f.Blocks = slices.Grow(b.f.Blocks, g.Len())
}

func dimensions(t ir.Type) int {
	n := 0
	for {
		array, ok := t.(ir.Array)
		if !ok {
			return n
		}
		n++
		t = array.Elem
	}
}

// fill makes a block for each node of g.
func (b *Builder) fill(g *cfg.Graph) {
	n := g.Len()
	for i := range n {
		block := b.blocks.new()
		*block = ir.Block{Name: b.names[i], Index: i}
		b.f.Blocks = append(b.f.Blocks, block)
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
			t := b.gotos.new()
			t.To = b.f.Blocks[succs[0]]
			block.Term = t
		case 2:
			block.Term = b.branch(pilot, b.f.Blocks[succs[0]], b.f.Blocks[succs[1]])
		}
	}
}

// pilot returns the variable that decides a conditional. A loop must be left some time,
// so a piloted block updates its pilot from itself and its condition begins with it.
// Elements are poor pilots: the element that is read may not be the one that was
// written.
func (b *Builder) pilot() *ir.Var {
	v := choice.Pick(b.s, b.f.Vars)
	if _, array := v.Type.(ir.Array); array && len(b.scalars) > 0 {
		v = choice.Pick(b.s, b.scalars)
	}
	return v
}

// assignments returns the statements of a block, one of which updates the
// pilot if it is not nil.
func (b *Builder) assignments(pilot *ir.Var) []ir.Stmt {
	from := len(b.stmts)
	at := -1
	if pilot != nil {
		at = b.s.Intn(b.o.Assigns)
	}
	for i := range b.o.Assigns {
		dst := choice.Pick(b.s, b.f.Vars)
		if i == at {
			dst = pilot
		}
		first := choice.Pick(b.s, b.f.Vars)
		if i == at || b.percent(b.o.SelfUpdate) {
			first = dst
		}
		b.stmts = append(b.stmts, b.assign(dst, first, i == at))
	}
	return slices.Clip(b.stmts[from:])
}

// assign returns v := ε, ε beginning with the variable first. Divisions soon come to a
// standstill, so a first term that is to move has none.
func (b *Builder) assign(dst, first *ir.Var, moves bool) *ir.Assign {
	b.read = b.read[:0]
	a := b.assigns.new()
	a.stmt.Dst = b.place(dst, &a.ref)
	a.stmt.Src = b.sum(first, b.o.AssignTerms, moves, &a.sym)
	return &a.stmt
}

// branch returns a jump to one of two blocks, depending on how ε compares with
// zero, ε beginning with the pilot if it is not nil.
func (b *Builder) branch(pilot *ir.Var, yes, no *ir.Block) *ir.If {
	b.read = b.read[:0]
	t := b.branches.new()
	op := choice.Pick(b.s, core.Conditions[:])
	first := pilot
	if first == nil {
		first = choice.Pick(b.s, b.f.Vars)
	}
	t.zero = ir.Const{T: ir.I32}
	set(&t.binary, op, b.sum(first, b.o.CondTerms, false, &t.sym), &t.zero)
	t.term.Cond, t.term.Then, t.term.Else = &t.binary, yes, no
	return &t.term
}

// sum returns ε: terms joined by + and -, and the symbol last at the end. The
// first term is over the variable first.
func (b *Builder) sum(first *ir.Var, terms int, moves bool, last *ir.Sym) *ir.Binary {
	t := b.term(first)
	if moves && (t.binary.Op.Divides()) {
		t.binary.Op = ir.Mul
	}
	e := &t.binary
	for range terms - 1 {
		op := core.AdditiveOp(b.s)
		next := b.term(choice.Pick(b.s, b.f.Vars))
		set(&t.join, op, e, &next.binary)
		e, t = &t.join, next
	}
	set(&t.join, core.AdditiveOp(b.s), e, b.symbol(last))
	return &t.join
}

// term returns τ: v ⊗ s.
func (b *Builder) term(v *ir.Var) *term {
	t := b.terms.new()
	t.load.Place = b.place(b.readable(v), &t.ref)
	op := core.AdditiveOp(b.s)
	if b.percent(b.o.Multiply) {
		op = choice.Pick(b.s, core.Multiplicatives[:])
	}
	set(&t.binary, op, &t.load, b.symbol(&t.sym))
	return t
}

// readable returns v or, if it is volatile and the full expression at hand
// reads it already, a parameter in its place, which is never volatile.
func (b *Builder) readable(v *ir.Var) *ir.Var {
	switch {
	case !v.Volatile:
		return v
	case slices.Contains(b.read, v):
		return choice.Pick(b.s, b.f.Params())
	}
	b.read = append(b.read, v)
	return v
}

// place turns ref into a reference to v, or to an element of it if it is an array, and
// returns it.
func (b *Builder) place(v *ir.Var, ref *ir.VarRef) ir.Place {
	ref.Var = v
	var p ir.Place = ref
	t := v.Type
	for {
		array, ok := t.(ir.Array)
		if !ok {
			return p
		}
		e := b.elems.new()
		e.place.Base, e.place.Index = p, b.index(&e.sym)
		p = &e.place
		t = array.Elem
	}
}

// index returns the index of an element: the constant sym, or it and a scalar variable
// folded into the bounds. A remainder folds such that the solver can make the index fit
// for every value of the variable; with the constant alone it cannot.
func (b *Builder) index(sym *ir.Sym) ir.Expr {
	if len(b.scalars) == 0 || b.s.Chance(2, 5) {
		return b.symbol(sym)
	}
	x := b.indices.new()
	x.ref.Var = b.readable(choice.Pick(b.s, b.scalars))
	x.load.Place = &x.ref
	set(&x.add, ir.Add, &x.load, sym)
	if b.s.Chance(15, 16) {
		set(&x.rem, ir.Rem, &x.load, b.symbol(&x.sym))
		x.add.X = &x.rem
	}
	b.symbol(sym)
	return &x.add
}

// result returns the operand of the return: the checksum of all variables, or their
// sum.
func (b *Builder) result() ir.Expr {
	if !b.o.Sum {
		return &ir.Checksum{Of: b.f.Vars}
	}
	b.f.Result = ir.I32
	var sum ir.Expr
	for _, v := range b.f.Vars {
		for i := range ir.Count(v.Type) {
			load := &ir.Load{Place: core.Cell(v, i)}
			if sum == nil {
				sum = load
			} else {
				sum = &ir.Binary{Op: ir.Add, X: sum, Y: load}
			}
		}
	}
	return sum
}

// Fill gives values to the symbols that m leaves open: those that the path does not
// meet, which may have any value ("any const" in Figure 4b). Most of these values keep
// the statement defined; some do not. No two labels of a switch get one value.
func Fill(f *ir.Function, m *ir.Model, s *choice.Stream) { offpath.Fill(f, m, s) }

// AddUndefined adds statements to blocks of f that the path does not visit. Any
// statement is allowed there, and the compiled program must not show it. Most of what
// is added could overflow, divide by zero or leave an array, and some of it must. The
// share of blocks is o.Hostile percent. The options are those that f was made with; f
// has no symbols any more.
func AddUndefined(f *ir.Function, path []int, o Options, s *choice.Stream) {
	offpath.Add(f, path, o.config(), s)
}

// Hostile makes statements with undefined behaviour for blocks of a function that
// are never executed.
type Hostile = offpath.Hostile

// NewHostile returns the Hostile of f, which is valid and has no symbols, or nil
// if f has nothing to assign to. Features of the language that p has no share of
// are used only as far as f has variables of their types.
func NewHostile(f *ir.Function, p Policy, s *choice.Stream) *offpath.Hostile {
	return offpath.NewHostile(f, p.core(), s)
}
