package sketch

import (
	"goreify/reify/choice"
	"goreify/reify/ir"
)

// declare makes the variables: parameters first, at least one, and then the
// others, each of one of the sorts that the policy has. Pointers come last:
// they need something to point to.
func (w *writer) declare() {
	params := 1
	for range w.o.Vars - 1 {
		if w.s.Chance(1, 3) {
			params++
		}
	}
	for range params {
		v := w.newVar(ir.Param, w.scalarType())
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
	if w.roll(w.p.Loop) || w.shaped.nests > 0 {
		w.newLoop()
	}
	if w.shaped.nests > 0 {
		w.newNest()
	}
	for range pointers {
		w.newPointer()
	}
}

// newVar adds a variable.
func (w *writer) newVar(k ir.Kind, t ir.Type) *ir.Var {
	v := &ir.Var{Name: varName(w.names), Type: t, Kind: k, Index: len(w.f.Vars)}
	w.names++
	w.f.Vars = append(w.f.Vars, v)
	return v
}

// kind draws where a variable that is no parameter lives.
func (w *writer) kind() ir.Kind {
	if w.roll(w.o.Memory) {
		return choice.Pick(w.s, []ir.Kind{ir.Global, ir.Static})
	}
	return ir.Local
}

// newInteger adds an integer or an array of integers.
func (w *writer) newInteger() {
	t := ir.Type(w.scalarType())
	if w.roll(w.o.Arrays) {
		for range w.s.Weighted(0, 6, 3, 1) {
			t = ir.Array{Elem: t, Len: w.s.Range(2, 4)}
		}
		if a := t.(ir.Array); a.Elem == ir.Type(ir.Scalar(t)) && w.s.Chance(1, 3) {
			// Long enough for a vector to be worth it.
			t = ir.Array{Elem: a.Elem, Len: choice.Pick(w.s, []int{8, 16, 32})}
		}
	}
	v := w.newVar(w.kind(), t)
	v.Volatile = w.roll(w.o.Volatile)
	v.Const = w.roll(w.p.Const)
	w.initialise(v)
	w.register(newSource(v))
	w.summed = append(w.summed, v)
}

// initialise gives v a symbol for each scalar; see ir.Var.Init.
func (w *writer) initialise(v *ir.Var) {
	v.Init = make([]ir.Expr, ir.Count(v.Type))
	for i := range v.Init {
		switch t := ir.Cell(v.Type, i).(type) {
		case ir.Int:
			v.Init[i] = w.symbol(t)
		case ir.Float:
			v.Init[i] = &ir.Const{T: ir.I32, V: int64(w.s.Range(-9, 9))}
		}
	}
}

// scalarType draws the type of an integer variable.
func (w *writer) scalarType() ir.Int {
	if w.roll(w.p.Bool) {
		return ir.Bool
	}
	t := ir.I32
	if w.roll(w.p.Narrow) {
		t.Bits = 8 << w.s.Intn(2)
	} else if w.roll(w.p.Wide) {
		t.Bits = 64
	}
	if w.roll(w.p.Unsigned) {
		t.Signed = false
	}
	return t
}
