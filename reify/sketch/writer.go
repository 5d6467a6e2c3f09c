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
// Each statement computes in one type of at least 32 bits. Its operands are converted
// to it, and the result to the type of the destination.
//
// A writer consists of layers, each of which knows those before it only:
//
//	draws       numbers, symbols and constants, as the policy says
//	scope       the variables, and what may be read
//	exprWriter  values and conditions
//	stmtWriter  statements
//	loop        what stands in a block that branches to itself, and in nests
//	writer      variables and blocks of a function, shapes of its graph
type writer struct {
	stmtWriter
	plan
	// Hashed functions return a value that all bits of all variables matter for.
	hashed bool
}

// writeWhole fills g in the whole language: it turns f, which has a name only, into a
// function with the blocks and edges of g.
func writeWhole(f *ir.Function, names []string, g *cfg.Graph, c config, s *choice.Stream) {
	w := new(writer)
	w.draws = draws{o: c.Options, p: c.Policy, s: s, f: f}
	for _, shape := range c.Shapes {
		if p := shape.New(w); p != nil {
			w.parts = append(w.parts, p)
		}
	}
	if w.parts != nil {
		w.find(g)
	}
	w.declare()
	w.blocks(names, g)
}

// declare makes the variables: parameters first, at least one, and then the others,
// each of one of the sorts that the policy has. Pointers come last: they need targets.
func (w *writer) declare() {
	params := 1
	for range w.o.Vars - 1 {
		if w.s.Chance(1, 3) {
			params++
		}
	}
	for i := range params {
		v := w.newVar(ir.Param, w.scalarType())
		if i > 0 { // a variable must be left to read twice, and to assign to
			v.Const = w.roll(w.p.ConstParams)
			v.Volatile = !v.Const && w.roll(w.p.VolatileParams)
		}
		w.register(newSource(v))
		w.summed = append(w.summed, v)
	}
	if len(w.counts) == 0 {
		panic("sketch: no parameter is a source")
	}
	sorts := [...]int{0, w.p.Ptr, w.p.Struct, w.p.Union, w.p.Float, w.p.Vector}
	sorts[0] = max(50, 100-w.p.Ptr-w.p.Struct-w.p.Union-w.p.Float-w.p.Vector)
	pointers := 0
	for range w.o.Vars - params {
		switch w.weigh(sorts[:]) {
		case 1:
			pointers++
		case 2:
			w.newStruct()
		case 3:
			w.newUnion()
		case 4:
			w.newFloat()
		case 5:
			w.newVector()
		default:
			w.newInteger()
		}
	}
	for _, p := range w.parts {
		p.Declare()
	}
	for range pointers {
		w.newPointer()
	}
	for _, p := range w.parts {
		p.Hide()
	}
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
		w.context, w.pilot = nil, pilot
		if w.roll(w.p.Region) {
			w.context = w.drawContext()
		}
		if w.write != nil && w.write[i] != nil {
			w.write[i](b)
			continue
		}
		if inner {
			if slices.ContainsFunc(w.parts, func(p Part) bool { return p.Block(b) }) {
				continue
			}
			b.Stmts = append(b.Stmts, w.statements(pilot)...)
		}
		for _, p := range w.parts {
			switch i {
			case 0:
				b.Stmts = append(b.Stmts, p.Enter()...)
			case n - 1:
				b.Stmts = append(b.Stmts, p.Leave()...)
			}
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

// mostSummed bounds the scalars of a sum: of more, an expression would be too deep.
const mostSummed = 200

// result returns the operand of the return: the checksum of the variables, or their
// sum.
func (w *writer) result() ir.Expr {
	cells := 0
	for _, v := range w.summed {
		cells += ir.Count(v.Type)
	}
	if !w.o.Sum || cells > mostSummed {
		return &ir.Checksum{Of: w.summed}
	}
	// The sum wraps: it need not be kept from overflowing.
	w.f.Result = w.scalarType()
	join := ir.Add
	if w.hashed {
		w.f.Result = ir.U64
		join = choice.Pick(w.s, []ir.Op{ir.Add, ir.Xor, ir.Mul})
	}
	t := promote(w.f.Result)
	t.Signed = false
	var sum ir.Expr
	for _, v := range w.summed {
		for i := range ir.Count(v.Type) {
			if _, ok := ir.Cell(v.Type, i).(ir.Int); !ok {
				continue
			}
			x := convert(t, nodeLoad(cell(v, i)))
			switch {
			case sum == nil:
				sum = x
			case join == ir.Mul: // as in hashes
				sum = bin(ir.Add, bin(ir.Mul, sum, constantOf(t, 31)), x)
			default:
				sum = bin(join, sum, x)
			}
		}
	}
	return convert(w.f.Result, sum)
}

// cell returns scalar i of v in the order of ir.Count.
func cell(v *ir.Var, i int) ir.Place {
	var p ir.Place = nodeRef(v)
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
			p = nodeMember(p, k)
			i -= t.Offset(k)
			continue
		default:
			return p
		}
		size := ir.Count(elem)
		p = nodeElem(p, constantOf(ir.I32, int64(i/size)))
		i %= size
	}
}
