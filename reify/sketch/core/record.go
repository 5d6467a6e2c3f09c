package core

import (
	"strconv"

	"goreify/reify/choice"
	"goreify/reify/ir"
)

// newStruct adds a variable that is a struct or an array of structs.
func (sc *scope) newStruct() {
	t := sc.structType()
	of := ir.Type(t)
	if sc.Roll(sc.Options.Arrays) {
		of = ir.Array{Elem: t, Len: sc.S.Range(2, 4)}
	}
	v := sc.NewVar(sc.Kind(), of)
	v.Volatile = sc.Roll(sc.Options.Volatile)
	v.Const = sc.Roll(sc.Policy.Const)
	sc.Initialise(v)
	s := NewSource(v)
	sc.Register(s)
	if !v.Volatile {
		sc.Structs = append(sc.Structs, s)
	}
	sc.Summed = append(sc.Summed, v)
}

// structType returns a struct, mostly an existing one, so that structs can be assigned
// to each other.
func (sc *scope) structType() *ir.Record {
	var have []*ir.Record
	for _, t := range sc.Func.Types {
		if !t.Union {
			have = append(have, t)
		}
	}
	if len(have) > 0 && sc.S.Chance(2, 3) {
		return choice.Pick(sc.S, have)
	}
	r := &ir.Record{Name: "S" + strconv.Itoa(len(sc.Func.Types))}
	for i := range sc.S.Range(2, 5) {
		f := sc.field(i, have)
		if i > 0 && sc.S.Chance(1, 3) {
			// Like the one before it: passes look for adjacent members.
			f.Type, f.Bits = r.Fields[i-1].Type, r.Fields[i-1].Bits
		}
		r.Fields = append(r.Fields, f)
	}
	sc.Func.Types = append(sc.Func.Types, r)
	return r
}

// maxInner bounds the scalars of a member, so that structs in structs come to
// an end.
const maxInner = 12

// field returns a member of a struct: an integer, a bit-field, an array or one
// of the structs.
func (sc *scope) field(i int, structs []*ir.Record) ir.Field {
	f := ir.Field{Name: "m" + strconv.Itoa(i)}
	t := sc.ScalarType()
	f.Type = t
	switch {
	case sc.Roll(sc.Policy.Bitfield):
		f.Bits = t.Bits
		if t != ir.Bool {
			f.Bits = min(sc.S.Range(1, t.Bits), sc.S.Range(1, t.Bits))
		}
	case sc.Roll(sc.Policy.Inner):
		if len(structs) > 0 && sc.S.Chance(1, 2) {
			f.Type = choice.Pick(sc.S, structs)
		}
		if f.Type == ir.Type(t) || ir.Count(f.Type) > maxInner {
			f.Type = ir.Array{Elem: t, Len: sc.S.Range(2, 4)}
		}
	}
	return f
}

// copyStruct returns v = w for two structs of one type, or nil.
func (w *stmtWriter) copyStruct() []ir.Stmt {
	dst := choice.Pick(w.S, w.Structs)
	if dst.V.Const {
		return nil
	}
	var from []*Source
	for _, v := range w.Structs {
		if recordOf(v.V.Type) == recordOf(dst.V.Type) && (v != dst || v.V.Type != ir.Type(recordOf(v.V.Type))) {
			from = append(from, v)
		}
	}
	if len(from) == 0 {
		return nil
	}
	return []ir.Stmt{Assign(w.record(dst.V), Load(w.record(choice.Pick(w.S, from).V)))}
}

// recordOf returns the struct that t is, or of which t is an array.
func recordOf(t ir.Type) *ir.Record {
	if a, ok := t.(ir.Array); ok {
		t = a.Elem
	}
	r, _ := t.(*ir.Record)
	return r
}

// neighbours is c ? s.a : s.b for adjacent members, or of any two values if the
// function has no such struct.
func neighbours(w *Exprs, t ir.Int, v *Source) ir.Expr {
	cond := w.Compare(v)
	for _, s := range w.Structs {
		if s.V.Kind == ir.Local && w.S.Chance(3, 4) {
			continue // they do not stay in memory
		}
		for k := 1; k < len(s.Leaves); k++ {
			a, b := s.Leaves[k-1], s.Leaves[k]
			if a.T != b.T || len(a.Steps) != 1 || len(b.Steps) != 1 || s.V.Volatile {
				continue
			}
			r := recordOf(s.V.Type)
			if r.Fields[a.Steps[0].field].Bits > 0 || r.Fields[b.Steps[0].field].Bits > 0 {
				continue
			}
			// Only the loads may be between the branch and its end.
			at := func(l *Leaf) ir.Expr { return Convert(Promote(l.T), Load(l.Place(nil))) }
			return Convert(t, Select(cond, at(a), at(b)))
		}
	}
	return Select(cond, w.Any(t), w.Any(t))
}

// record returns a struct that is v or an element of it.
func (sc *scope) record(v *ir.Var) ir.Place {
	var p ir.Place = Ref(v)
	if a, ok := v.Type.(ir.Array); ok {
		p = Elem(p, sc.index(a.Len))
	}
	return p
}
