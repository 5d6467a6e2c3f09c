package core

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
	Vars    []*Source // variables that hold integers, or point to some
	dests   []*Source // of these the ones that can be assigned to
	Counts  []*Source // scalars other than pointers: operands of indices
	Summed  []*ir.Var // variables on which the result depends
	Structs []*Source
	Ptrs    []*pointer
	tables  []*ir.Var // arrays with pointers of their own, and no other accesses
	floats  []*ir.Var
	vectors []*ir.Var
	unions  []*ir.Var
	read    []*ir.Var // volatile variables that the full expression at hand reads; see Begin
	scalars slab[scalar]
}

// NewVar adds a variable.
func (sc *scope) NewVar(k ir.Kind, t ir.Type) *ir.Var {
	v := sc.vars.new()
	*v = ir.Var{Name: VarName(len(sc.Func.Vars)), Type: t, Kind: k, Index: len(sc.Func.Vars)}
	sc.Func.Vars = append(sc.Func.Vars, v)
	return v
}

// newInteger adds an integer or an array of integers.
func (sc *scope) newInteger() {
	t := ir.Type(sc.ScalarType())
	if sc.Roll(sc.Options.Arrays) {
		for range sc.S.Weighted(0, 6, 3, 1) {
			t = ir.Array{Elem: t, Len: sc.S.Range(2, 4)}
		}
		if a := t.(ir.Array); !sc.paper && a.Elem == ir.Type(ir.Scalar(t)) && sc.S.Chance(1, 3) {
			// Long enough for a vector to be worth it.
			t = ir.Array{Elem: a.Elem, Len: choice.Pick(sc.S, []int{8, 16, 32})}
		}
	}
	v := sc.NewVar(sc.Kind(), t)
	v.Volatile = sc.Roll(sc.Options.Volatile)
	v.Const = sc.Roll(sc.Policy.Const)
	sc.Initialise(v)
	sc.Register(sc.Source(v))
	sc.Summed = append(sc.Summed, v)
}

// Initialise gives v a symbol for each scalar; see ir.Var.Init.
func (sc *scope) Initialise(v *ir.Var) {
	v.Init = make([]ir.Expr, ir.Count(v.Type))
	for i := range v.Init {
		switch t := ir.Cell(v.Type, i).(type) {
		case ir.Int:
			v.Init[i] = sc.Symbol(t)
		case ir.Float:
			v.Init[i] = Const(ir.I32, int64(sc.S.Range(-9, 9)))
		}
	}
}

// Begin begins a full expression, of which a statement or condition has one: no
// volatile variable has been read yet.
func (sc *scope) Begin() { sc.read = sc.read[:0] }

// readable reports whether the full expression at hand may read a leaf, and records the
// read: no volatile variable is to be read twice.
func (sc *scope) readable(l *Leaf) bool {
	if !l.Root.Volatile {
		return true
	}
	if slices.Contains(sc.read, l.Root) {
		return false
	}
	sc.read = append(sc.read, l.Root)
	return true
}
