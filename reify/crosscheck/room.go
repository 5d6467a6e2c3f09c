package crosscheck

import (
	"fmt"

	"goreify/reify/choice"
	"goreify/reify/interp"
	"goreify/reify/ir"
)

var (
	// integers are the types of variables.
	integers = []ir.Int{ir.I8, ir.I16, ir.I32, ir.I64, ir.U8, ir.U16, ir.U32, ir.U64, ir.Bool}
	// wide are the types of operands.
	wide = []ir.Int{ir.I32, ir.I64, ir.U32, ir.U64}
)

// A room is the variables that expressions read, and what was drawn there.
type room struct {
	s     *choice.Stream
	name  string
	vars  []*ir.Var // that expressions read
	types []*ir.Record
	args  []int64
	// By what scalars they hold:
	ints, ptrs, floats, vecs []ir.Place

	under     ir.Under
	wides     int  // as of the language
	wideLanes bool // the same
	made      []made
	undefined []undefined
	trapped   []trapped
}

// A made is a defined expression, as the statements that store its value, and
// the variables that they store it in.
type made struct {
	stmts    []ir.Stmt
	out      []*ir.Var
	pointers bool // it is about pointers
}

// An undefined is a made that is undefined, and why.
type undefined struct {
	made
	err *interp.UB
}

// A trapped is a made that ends in a trap of the room's language.
type trapped struct {
	made
	kind ir.Trap
}

// drawRoom returns a room whose variables s decides.
func drawRoom(s *choice.Stream, name string, l language) *room {
	r := &room{s: s, name: name, under: l.under, wides: l.wides, wideLanes: l.wideLanes}
	for range s.Range(1, 4) {
		t := choice.Pick(s, integers)
		r.args = append(r.args, r.value(t))
		r.declare(&ir.Var{Kind: ir.Param, Type: t})
	}
	for _, t := range integers {
		r.variable(t)
		if s.Chance(1, 3) {
			r.variable(ir.Array{Elem: ir.Array{Elem: t, Len: s.Range(1, 3)}, Len: s.Range(1, 3)})
		}
	}
	if l.records {
		r.addRecords()
	}
	if l.floats {
		r.variable(ir.F32)
		r.variable(ir.F64)
	}
	if l.vectors {
		r.addVectors()
	}
	for _, v := range r.vars {
		r.collect(&ir.VarRef{Var: v})
	}
	if l.pointers {
		r.addPointers()
	}
	return r
}

// declare adds a variable, of any name.
func (r *room) declare(v *ir.Var) *ir.Var {
	v.Index = len(r.vars)
	v.Name = fmt.Sprintf("v%d", v.Index)
	r.vars = append(r.vars, v)
	return v
}

// variable declares a variable with initial values.
func (r *room) variable(t ir.Type) *ir.Var {
	v := &ir.Var{Type: t, Kind: ir.Kind(r.s.Range(int(ir.Local), int(ir.Static)))}
	switch r.s.Weighted(6, 1, 1) {
	case 1:
		v.Volatile = true
	case 2:
		v.Const = true
	}
	for i := range ir.Count(t) {
		v.Init = append(v.Init, r.initial(ir.Cell(t, i)))
	}
	dropUnions(t, v.Init)
	return r.declare(v)
}

// initial returns an initial value for a scalar.
func (r *room) initial(t ir.Type) ir.Expr {
	switch t := t.(type) {
	case ir.Int:
		return &ir.Const{T: t, V: r.value(t)}
	case ir.Float:
		return &ir.Const{T: ir.I32, V: int64(r.s.Range(-1000, 1000))}
	}
	return nil
}

// value draws a value of t: mostly small, sometimes near a bound or a power of
// two, sometimes anything.
func (r *room) value(t ir.Int) int64 {
	switch r.s.Weighted(8, 3, 3, 3) {
	case 0:
		return t.Wrap(int64(r.s.Range(-20, 70)))
	case 1:
		return t.Wrap(choice.Pick(r.s, []int64{t.Min(), t.Max()}) + int64(r.s.Range(-1, 1)))
	case 2:
		return t.Wrap(1<<r.s.Intn(64) + int64(r.s.Range(-1, 1)))
	default:
		return t.Wrap(int64(r.s.Uint64()))
	}
}

// collect notes the scalars and vectors of a place, with constant indices.
func (r *room) collect(p ir.Place) {
	switch t := p.Type().(type) {
	case ir.Int:
		r.ints = append(r.ints, p)
	case ir.Float:
		r.floats = append(r.floats, p)
	case ir.Pointer:
		r.ptrs = append(r.ptrs, p)
	case ir.Vector:
		r.vecs = append(r.vecs, p)
		for i := range t.Lanes {
			r.collect(&ir.Elem{Base: p, Index: &ir.Const{T: ir.I32, V: int64(i)}})
		}
	case ir.Array:
		for i := range t.Len {
			r.collect(&ir.Elem{Base: p, Index: &ir.Const{T: ir.I32, V: int64(i)}})
		}
	case *ir.Record:
		for i := range t.Fields {
			if t.Union && i > 0 {
				break // only the first has a value
			}
			r.collect(&ir.Member{Base: p, Field: i})
		}
	}
}

// function returns a function of statements that store into variables of their
// own, and that returns the checksum of these.
func (r *room) function(name string, list ...made) *ir.Function {
	f := &ir.Function{Name: name, Result: ir.U32, Types: r.types, Vars: append([]*ir.Var(nil), r.vars...)}
	b := &ir.Block{Name: "entry"}
	sum := &ir.Checksum{}
	for _, m := range list {
		for _, v := range m.out {
			v.Index = len(f.Vars)
			v.Name = fmt.Sprintf("r%d", v.Index)
			f.Vars = append(f.Vars, v)
			if _, wide := v.Type.(ir.Wide); !wide {
				sum.Of = append(sum.Of, v)
			}
		}
		b.Stmts = append(b.Stmts, m.stmts...)
	}
	b.Term = &ir.Return{Val: sum}
	f.Blocks = []*ir.Block{b}
	return f
}

// try runs what was made. The error is nil, or the undefined behaviour or the trap
// met; any other is our own fault.
func (r *room) try(m made) error {
	f := r.function(r.name, m)
	_, err := interp.Run(f, r.args, interp.Options{Under: r.under})
	switch err.(type) {
	case nil, *interp.UB, *interp.Trap:
		return err
	}
	panic(fmt.Sprintf("crosscheck: %v\n%s", err, f))
}

// defined tells whether what was made has a value. If not it is kept for other tests.
func (r *room) defined(m made) bool {
	switch err := r.try(m).(type) {
	case *interp.UB:
		r.undefined = append(r.undefined, undefined{m, err})
		return false
	case *interp.Trap:
		r.trapped = append(r.trapped, trapped{m, err.Kind})
		return false
	}
	return true
}

// store returns the statement that stores an expression into a new variable.
func (r *room) store(e ir.Expr) made {
	out := &ir.Var{Kind: ir.Static, Type: ir.IntOf(e)}
	return made{stmts: []ir.Stmt{&ir.Assign{Dst: &ir.VarRef{Var: out}, Src: e}}, out: []*ir.Var{out}}
}
