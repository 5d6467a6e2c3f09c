package sketch

import (
	"slices"

	"goreify/reify/choice"
	"goreify/reify/ir"
)

// A scope is the variables of a function, sorted by their possible uses. A variable
// enters each list when it is declared and never leaves it. At least one parameter, and
// thus one count, exists before the first read.
type scope struct {
	draws
	vars    []*source // variables that hold integers, or point to some
	dests   []*source // of these the ones that can be assigned to
	counts  []*source // scalars other than pointers: operands of indices
	summed  []*ir.Var // variables on which the result depends
	structs []*source
	ptrs    []*pointer
	tables  []*ir.Var // arrays with pointers of their own, and no other accesses
	floats  []*ir.Var
	vectors []*ir.Var
	unions  []*ir.Var
	read    []*ir.Var // volatile variables that the full expression at hand reads; see begin
}

// newVar adds a variable.
func (sc *scope) newVar(k ir.Kind, t ir.Type) *ir.Var {
	v := &ir.Var{Name: varName(len(sc.f.Vars)), Type: t, Kind: k, Index: len(sc.f.Vars)}
	sc.f.Vars = append(sc.f.Vars, v)
	return v
}

// newInteger adds an integer or an array of integers.
func (sc *scope) newInteger() {
	t := ir.Type(sc.scalarType())
	if sc.roll(sc.o.Arrays) {
		for range sc.s.Weighted(0, 6, 3, 1) {
			t = ir.Array{Elem: t, Len: sc.s.Range(2, 4)}
		}
		if a := t.(ir.Array); a.Elem == ir.Type(ir.Scalar(t)) && sc.s.Chance(1, 3) {
			// Long enough for a vector to be worth it.
			t = ir.Array{Elem: a.Elem, Len: choice.Pick(sc.s, []int{8, 16, 32})}
		}
	}
	v := sc.newVar(sc.kind(), t)
	v.Volatile = sc.roll(sc.o.Volatile)
	v.Const = sc.roll(sc.p.Const)
	sc.initialise(v)
	sc.register(newSource(v))
	sc.summed = append(sc.summed, v)
}

// initialise gives v a symbol for each scalar; see ir.Var.Init.
func (sc *scope) initialise(v *ir.Var) {
	v.Init = make([]ir.Expr, ir.Count(v.Type))
	for i := range v.Init {
		switch t := ir.Cell(v.Type, i).(type) {
		case ir.Int:
			v.Init[i] = sc.symbol(t)
		case ir.Float:
			v.Init[i] = constantOf(ir.I32, int64(sc.s.Range(-9, 9)))
		}
	}
}

// begin begins a full expression, of which a statement or condition has one: no
// volatile variable has been read yet.
func (sc *scope) begin() { sc.read = sc.read[:0] }

// readable reports whether the full expression at hand may read a leaf, and records the
// read: no volatile variable is to be read twice.
func (sc *scope) readable(l *leaf) bool {
	if !l.root.Volatile {
		return true
	}
	if slices.Contains(sc.read, l.root) {
		return false
	}
	sc.read = append(sc.read, l.root)
	return true
}
