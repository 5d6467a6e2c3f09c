package sketch

import (
	"slices"

	"goreify/reify/cfg"
	"goreify/reify/choice"
	"goreify/reify/ir"
)

// A writer fills a graph in the whole language, as a Policy says. Its blocks
// have the shape of those of the paper's subset:
//
//	b4:
//	  %c = u8(i32(%c) * ?7 + (i32(%a & ?8) << 3) - ?9)
//	  @g.y[%b & 3] = %d < ?10 ? %d : ?11
//	  if %a * ?15 - %c + ?17 < 0 goto b2 else b9
//
// Each statement computes in one type of at least 32 bits; what it reads is
// converted to it, and the result to the type of what it is assigned to.
type writer struct {
	o Options
	p Policy
	s *choice.Stream
	f *ir.Function

	vars    []*source // variables that hold integers, or point to some
	dests   []*source // of these the ones that can be assigned to
	counts  []*source // scalars that are no pointers: what indices are computed from
	summed  []*ir.Var // what the result depends on
	structs []*source
	ptrs    []*pointer
	tables  []*ir.Var // arrays that only pointers of their own lead to
	floats  []*ir.Var
	vectors []*ir.Var
	unions  []*ir.Var
	loop    *loop // nil if there is none
	shaped  shaped

	context *context  // of the region at hand
	read    []*ir.Var // volatile variables that the full expression at hand reads
	buffer  []ir.Expr // subtrees without symbols or volatile reads
	consts  []int64   // that stand in the function
	names   int       // of variables handed out
}

// writeWhole fills g in the whole language: it makes of f, which has a name only,
// a function with the blocks and edges of g.
func writeWhole(f *ir.Function, names []string, g *cfg.Graph, o Options, s *choice.Stream) {
	w := &writer{o: o, p: o.Policy, s: s, f: f}
	w.findShapes(g)
	w.declare()
	w.blocks(names, g)
}

// roll reports whether something with a share in percent is to be. It draws
// nothing if it can only go one way.
func (w *writer) roll(share int) bool {
	switch {
	case share <= 0:
		return false
	case share >= 100:
		return true
	}
	return w.s.Chance(share, 100)
}

// weigh draws among weights. It draws nothing if only the first is positive.
func (w *writer) weigh(weights []int) int {
	sum := 0
	for _, v := range weights {
		sum += v
	}
	if sum == weights[0] {
		return 0
	}
	return w.s.Weighted(weights...)
}

// symbol returns a new symbol of type t.
func (w *writer) symbol(t ir.Int) *ir.Sym {
	e := &ir.Sym{T: t, ID: w.f.Syms}
	w.f.Syms++
	return e
}

// blocks makes a block for each node of g.
func (w *writer) blocks(names []string, g *cfg.Graph) {
	n := g.Len()
	for i := range n {
		w.f.Blocks = append(w.f.Blocks, &ir.Block{Name: names[i], Index: i})
	}
	for i, succs := range g.Succs {
		b := w.f.Blocks[i]
		inner := 0 < i && i < n-1
		var pilot *source
		if inner && len(succs) >= 2 && w.o.Assigns > 0 && w.s.Chance(w.o.Piloted, 100) {
			pilot = choice.Pick(w.s, w.counts)
			if !pilot.writable() || pilot.leaves[0].t.Bits == 1 {
				pilot = nil
			}
		}
		w.context = nil
		if w.roll(w.p.Region) {
			w.context = w.drawContext()
		}
		if write := w.shaped.write[i]; write != nil {
			write(w, b)
			continue
		}
		if inner && w.loop != nil && len(succs) == 2 && slices.Contains(succs, i) && w.s.Chance(3, 4) {
			b.Stmts = w.loopBody()
			b.Term = &ir.If{Cond: w.loopCondition(), Then: w.f.Blocks[succs[0]], Else: w.f.Blocks[succs[1]]}
			continue
		}
		if inner {
			b.Stmts = w.statements(pilot)
		}
		b.Term = w.term(pilot, succs)
	}
}

func (w *writer) term(pilot *source, succs []int) ir.Term {
	to := func(i int) *ir.Block { return w.f.Blocks[succs[i]] }
	switch {
	case len(succs) == 0:
		return &ir.Return{Val: w.result()}
	case len(succs) == 1:
		return &ir.Goto{To: to(0)}
	case len(succs) > 2 || w.roll(w.p.Switch):
		return w.switchTo(pilot, succs)
	}
	return &ir.If{Cond: w.condition(pilot), Then: to(0), Else: to(1)}
}

// statements returns those of a block, one of which updates the pilot if there
// is one.
func (w *writer) statements(pilot *source) []ir.Stmt {
	var list []ir.Stmt
	at := -1
	if pilot != nil {
		at = w.s.Intn(w.o.Assigns)
	}
	for i := range w.o.Assigns {
		w.read = w.read[:0]
		if i == at {
			list = append(list, w.assign(pilot, true))
			continue
		}
		list = append(list, w.statement()...)
	}
	return list
}

// statement draws a kind of statement and returns one, or more that belong
// together.
func (w *writer) statement() []ir.Stmt {
	weights := [...]int{100, w.p.Overflow, w.p.Induction, 0, 0, 0, 0, 0}
	if len(w.structs) > 0 {
		weights[3] = w.p.Copy
	}
	if len(w.unions) > 0 {
		weights[4] = w.p.Union
	}
	if len(w.ptrs) > 0 {
		weights[5] = w.p.Repoint
	}
	if len(w.floats) > 0 {
		weights[6] = w.p.Floats
	}
	if len(w.vectors) > 0 {
		weights[7] = w.p.Vectors
	}
	var list []ir.Stmt
	switch w.weigh(weights[:]) {
	case 1:
		list = w.overflow()
	case 2:
		list = w.induction()
	case 3:
		list = w.copyStruct()
	case 4:
		list = w.useUnion()
	case 5:
		list = w.repoint()
	case 6:
		list = w.floatStatement()
	case 7:
		list = w.vectorStatement()
	}
	if list == nil { // none of that kind can be had here
		w.read = w.read[:0]
		list = []ir.Stmt{w.assign(w.dest(), false)}
	}
	return list
}

// assign returns v := ε. It begins with v itself if it moves, and mostly
// otherwise.
func (w *writer) assign(v *source, moves bool) *ir.Assign {
	dst := choice.Pick(w.s, v.writables)
	first := choice.Pick(w.s, w.vars)
	if moves || w.s.Chance(w.o.SelfUpdate, 100) {
		first = v
	}
	p := w.place(dst)
	t := promote(dst.t)
	if w.roll(w.p.Mixed) {
		t = choice.Pick(w.s, computed[:])
	}
	e := w.sum(t, first, w.o.AssignTerms, moves)
	return &ir.Assign{Dst: p, Src: convert(dst.t, e)}
}

// computed are the types that C computes in.
var computed = [...]ir.Int{ir.I32, ir.U32, ir.I64, ir.U64}

// promote returns the type that C computes a value of type t in.
func promote(t ir.Int) ir.Int {
	switch {
	case t.Bits < 32 || t.Bits == 32 && t.Signed:
		return ir.I32
	case t.Bits == 32:
		return ir.U32
	case t.Signed:
		return ir.I64
	}
	return ir.U64
}

// condition returns ε ⋚ 0, ε beginning with the pilot if there is one. What is
// compared nearly always has a sign and ends in a symbol that is added: then
// whoever solves for the path can make it go either way.
func (w *writer) condition(pilot *source) ir.Expr {
	w.read = w.read[:0]
	first := pilot
	if first == nil {
		first = choice.Pick(w.s, w.vars)
	}
	t := ir.I32
	if first.leaves[0].t.Bits > 32 || w.roll(w.p.Wide/4) {
		t = ir.I64
	}
	op := choice.Pick(w.s, conditions[:])
	e := w.terms(t, first, w.o.CondTerms, false)
	e = bin(additiveOp(w.s), e, w.symbol(t))
	var cond ir.Expr = bin(op, e, constant0(t))
	switch {
	case w.roll(w.p.Builtin / 4):
		hint := &ir.Const{T: ir.I32, V: int64(w.s.Intn(2))}
		cond = &ir.Builtin{Fn: ir.Expect, Args: []ir.Expr{cond, hint}}
	case w.roll(w.p.Unary / 4):
		cond = &ir.Unary{Op: ir.LNot, X: cond}
	}
	return cond
}

// result returns what the function returns: the checksum of its variables, or
// their sum.
func (w *writer) result() ir.Expr {
	if !w.o.Sum {
		return &ir.Checksum{Of: w.summed}
	}
	// The sum wraps: it need not be kept from overflowing.
	w.f.Result = w.scalarType()
	t := promote(w.f.Result)
	t.Signed = false
	var sum ir.Expr
	for _, v := range w.summed {
		for i := range ir.Count(v.Type) {
			if _, ok := ir.Cell(v.Type, i).(ir.Int); !ok {
				continue
			}
			x := convert(t, &ir.Load{Place: cell(v, i)})
			if sum == nil {
				sum = x
			} else {
				sum = bin(ir.Add, sum, x)
			}
		}
	}
	return convert(w.f.Result, sum)
}

// cell returns scalar i of v in the order of ir.Count.
func cell(v *ir.Var, i int) ir.Place {
	var p ir.Place = &ir.VarRef{Var: v}
	for {
		var elem ir.Type
		switch t := p.Type().(type) {
		case ir.Array:
			elem = t.Elem
		case ir.Vector:
			elem = t.Elem
		case *ir.Record:
			k := 0
			for k+1 < len(t.Fields) && t.Offset(k+1) <= i {
				k++
			}
			p = &ir.Member{Base: p, Field: k}
			i -= t.Offset(k)
			continue
		default:
			return p
		}
		size := ir.Count(elem)
		p = &ir.Elem{Base: p, Index: &ir.Const{T: ir.I32, V: int64(i / size)}}
		i %= size
	}
}

// readable reports whether the full expression at hand may read what a leaf
// reads, none of which is to be read twice if it is volatile, and takes it as
// read.
func (w *writer) readable(l *leaf) bool {
	if !l.root.Volatile {
		return true
	}
	if slices.Contains(w.read, l.root) {
		return false
	}
	w.read = append(w.read, l.root)
	return true
}
