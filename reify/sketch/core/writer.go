// Package core fills graphs: with variables, statements, terms and branches of all types,
// and with the parts of shapes, of which it knows only the interface Part. Rooms of shapes
// are made of its layers; see Writer and Base.
package core

import (
	"slices"
	"sync"

	"goreify/reify/cfg"
	"goreify/reify/choice"
	"goreify/reify/ir"
)

// A Writer fills a graph in the whole language, as a Policy says. Its blocks
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
// A Writer consists of layers, each of which knows those before it only:
//
//	draws       numbers, symbols and constants, as the policy says
//	scope       the variables, and what may be read
//	Exprs       values and conditions
//	stmtWriter  statements
//	Writer      variables and blocks of a function, and its shapes
type Writer struct {
	stmtWriter
	plan
	// Hashed functions return a value that all bits of all variables matter for.
	Hashed bool
}

// Write fills g in the whole language: it turns f, which has a name only, into a
// function with the blocks and edges of g.
func Write(f *ir.Function, g *cfg.Graph, c *Config, s *choice.Stream) {
	w := writers.Get().(*Writer)
	defer writers.Put(w)
	w.begin(f, c, s)
	if w.parts != nil {
		w.find(g)
	}
	w.declare()
	w.weighKinds()
	w.blocks(g)
}

// The writers are those that have written. The room that their lists take is used again.
var writers = sync.Pool{New: func() any { return new(Writer) }}

// NewWriter returns the writer of f, which has a name only.
func NewWriter(f *ir.Function, c Config, s *choice.Stream) *Writer {
	w := new(Writer)
	w.begin(f, &c, s)
	return w
}

// begin makes w the writer of f, as if it had written nothing before.
func (w *Writer) begin(f *ir.Function, c *Config, s *choice.Stream) {
	old := w.scope
	*w = Writer{}
	w.scope = scope{
		scalars: old.scalars, Vars: old.Vars[:0], dests: old.dests[:0], Counts: old.Counts[:0], Summed: old.Summed[:0],
	}
	w.scalars.reset()
	m := c.Memory
	if m == nil {
		m = new(Memory)
	}
	m.reset()
	w.draws = draws{Memory: m, Options: c.Options, Policy: c.Policy, S: s, Func: f, paper: c.Shapes == nil}
	w.usual = w.weights(&everything)
	w.forms = positive(w.usual[:])
	for _, shape := range c.Shapes {
		if p := shape.New(w); p != nil {
			w.parts = append(w.parts, p)
		}
	}
}

// declare makes the variables: parameters first, at least one, and then the others,
// each of one of the sorts that the policy has. Pointers come last: they need targets.
func (w *Writer) declare() {
	params := 1
	for range w.Options.Vars - 1 {
		if w.S.Chance(1, 3) {
			params++
		}
	}
	for i := range params {
		v := w.NewVar(ir.Param, w.ScalarType())
		if i > 0 { // a variable must be left to read twice, and to assign to
			v.Const = w.Roll(w.Policy.ConstParams)
			v.Volatile = !v.Const && w.Roll(w.Policy.VolatileParams)
		}
		w.Register(w.Source(v))
		w.Summed = append(w.Summed, v)
	}
	if len(w.Counts) == 0 {
		panic("sketch: no parameter is a source")
	}
	sorts := [...]int{0, w.Policy.Ptr, w.Policy.Struct, w.Policy.Union, w.Policy.Float, w.Policy.Vector}
	sorts[0] = max(50, 100-w.Policy.Ptr-w.Policy.Struct-w.Policy.Union-w.Policy.Float-w.Policy.Vector)
	pointers := 0
	for range w.Options.Vars - params {
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
func (w *Writer) blocks(g *cfg.Graph) {
	n := g.Len()
	blocks := make([]ir.Block, n)
	w.Func.Blocks = make([]*ir.Block, n)
	for i, name := range blockNames(n) {
		blocks[i] = ir.Block{Name: name, Index: i}
		w.Func.Blocks[i] = &blocks[i]
	}
	for i, succs := range g.Succs {
		b := w.Func.Blocks[i]
		inner := 0 < i && i < n-1
		var pilot *Source
		if inner && len(succs) >= 2 && w.Options.Assigns > 0 && w.S.Chance(w.Options.Piloted, 100) {
			pilot = choice.Pick(w.S, w.Counts)
			if !pilot.Writable() || pilot.Leaves[0].T.Bits == 1 {
				pilot = nil
			}
		}
		w.context, w.pilot = nil, pilot
		if w.Roll(w.Policy.Region) {
			w.context = w.drawContext()
		}
		if w.Write != nil && w.Write[i] != nil {
			w.Write[i](b)
			continue
		}
		if inner {
			if slices.ContainsFunc(w.parts, func(p Part) bool { return p.Block(b) }) {
				continue
			}
			if list := w.Statements(pilot); b.Stmts == nil {
				b.Stmts = list
			} else {
				b.Stmts = append(b.Stmts, list...)
			}
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

func (w *Writer) term(pilot *Source, succs []int) ir.Term {
	to := func(i int) *ir.Block { return w.Func.Blocks[succs[i]] }
	switch {
	case len(succs) == 0:
		return &ir.Return{Val: w.result()}
	case len(succs) == 1:
		t := w.gotos.new()
		t.To = to(0)
		return t
	case len(succs) > 2 || w.Roll(w.Policy.Switch):
		return w.switchTo(pilot, succs)
	}
	t := w.ifs.new()
	t.Cond, t.Then, t.Else = w.ConditionOf(pilot), to(0), to(1)
	return t
}

// mostSummed bounds the scalars of a sum: of more, an expression would be too deep.
const mostSummed = 200

// result returns the operand of the return: the checksum of the variables, or their
// sum.
func (w *Writer) result() ir.Expr {
	cells := 0
	for _, v := range w.Summed {
		cells += ir.Count(v.Type)
	}
	if !w.Options.Sum || cells > mostSummed {
		return &ir.Checksum{Of: slices.Clone(w.Summed)}
	}
	// The sum wraps: it need not be kept from overflowing.
	w.Func.Result = w.ScalarType()
	join := ir.Add
	if w.Hashed {
		w.Func.Result = ir.U64
		join = choice.Pick(w.S, []ir.Op{ir.Add, ir.Xor, ir.Mul})
	}
	t := Promote(w.Func.Result)
	t.Signed = false
	var sum ir.Expr
	for _, v := range w.Summed {
		for i := range ir.Count(v.Type) {
			if _, ok := ir.Cell(v.Type, i).(ir.Int); !ok {
				continue
			}
			x := Convert(t, Load(Cell(v, i)))
			switch {
			case sum == nil:
				sum = x
			case join == ir.Mul: // as in hashes
				sum = Bin(ir.Add, Bin(ir.Mul, sum, Const(t, 31)), x)
			default:
				sum = Bin(join, sum, x)
			}
		}
	}
	return Convert(w.Func.Result, sum)
}

// Cell returns scalar i of v in the order of ir.Count.
func Cell(v *ir.Var, i int) ir.Place {
	var p ir.Place = Ref(v)
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
			p = Member(p, k)
			i -= t.Offset(k)
			continue
		default:
			return p
		}
		size := ir.Count(elem)
		p = Elem(p, Const(ir.I32, int64(i/size)))
		i %= size
	}
}
