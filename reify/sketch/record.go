package sketch

import (
	"strconv"

	"goreify/reify/choice"
	"goreify/reify/ir"
)

// newStruct adds a variable that is a struct or an array of structs.
func (sc *scope) newStruct() {
	t := sc.structType()
	of := ir.Type(t)
	if sc.roll(sc.o.Arrays) {
		of = ir.Array{Elem: t, Len: sc.s.Range(2, 4)}
	}
	v := sc.newVar(sc.kind(), of)
	v.Volatile = sc.roll(sc.o.Volatile)
	v.Const = sc.roll(sc.p.Const)
	sc.initialise(v)
	s := newSource(v)
	sc.register(s)
	if !v.Volatile {
		sc.structs = append(sc.structs, s)
	}
	sc.summed = append(sc.summed, v)
}

// structType returns a struct, mostly an existing one, so that structs can be assigned
// to each other.
func (sc *scope) structType() *ir.Record {
	var have []*ir.Record
	for _, t := range sc.f.Types {
		if !t.Union {
			have = append(have, t)
		}
	}
	if len(have) > 0 && sc.s.Chance(2, 3) {
		return choice.Pick(sc.s, have)
	}
	r := &ir.Record{Name: "S" + strconv.Itoa(len(sc.f.Types))}
	for i := range sc.s.Range(2, 5) {
		f := sc.field(i, have)
		if i > 0 && sc.s.Chance(1, 3) {
			// Like the one before it: passes look for adjacent members.
			f.Type, f.Bits = r.Fields[i-1].Type, r.Fields[i-1].Bits
		}
		r.Fields = append(r.Fields, f)
	}
	sc.f.Types = append(sc.f.Types, r)
	return r
}

// maxInner bounds the scalars of a member, so that structs in structs come to
// an end.
const maxInner = 12

// field returns a member of a struct: an integer, a bit-field, an array or one
// of the structs.
func (sc *scope) field(i int, structs []*ir.Record) ir.Field {
	f := ir.Field{Name: "m" + strconv.Itoa(i)}
	t := sc.scalarType()
	f.Type = t
	switch {
	case sc.roll(sc.p.Bitfield):
		f.Bits = t.Bits
		if t != ir.Bool {
			f.Bits = min(sc.s.Range(1, t.Bits), sc.s.Range(1, t.Bits))
		}
	case sc.roll(sc.p.Inner):
		if len(structs) > 0 && sc.s.Chance(1, 2) {
			f.Type = choice.Pick(sc.s, structs)
		}
		if f.Type == ir.Type(t) || ir.Count(f.Type) > maxInner {
			f.Type = ir.Array{Elem: t, Len: sc.s.Range(2, 4)}
		}
	}
	return f
}

// copyStruct returns v = w for two structs of one type, or nil.
func (w *stmtWriter) copyStruct() []ir.Stmt {
	dst := choice.Pick(w.s, w.structs)
	if dst.v.Const {
		return nil
	}
	var from []*source
	for _, v := range w.structs {
		if recordOf(v.v.Type) == recordOf(dst.v.Type) && (v != dst || v.v.Type != ir.Type(recordOf(v.v.Type))) {
			from = append(from, v)
		}
	}
	if len(from) == 0 {
		return nil
	}
	return []ir.Stmt{&ir.Copy{Dst: w.record(dst.v), Src: w.record(choice.Pick(w.s, from).v)}}
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
func neighbours(w *exprWriter, t ir.Int, v *source) ir.Expr {
	cond := w.compare(v)
	for _, s := range w.structs {
		if s.v.Kind == ir.Local && w.s.Chance(3, 4) {
			continue // they do not stay in memory
		}
		for k := 1; k < len(s.leaves); k++ {
			a, b := s.leaves[k-1], s.leaves[k]
			if a.t != b.t || len(a.steps) != 1 || len(b.steps) != 1 || s.v.Volatile {
				continue
			}
			r := recordOf(s.v.Type)
			if r.Fields[a.steps[0].field].Bits > 0 || r.Fields[b.steps[0].field].Bits > 0 {
				continue
			}
			// Only the loads may be between the branch and its end.
			at := func(l *leaf) ir.Expr { return convert(promote(l.t), nodeLoad(l.place(nil))) }
			return convert(t, nodeSelect(cond, at(a), at(b)))
		}
	}
	return nodeSelect(cond, w.any(t), w.any(t))
}

// record returns a struct that is v or an element of it.
func (sc *scope) record(v *ir.Var) ir.Place {
	var p ir.Place = nodeRef(v)
	if a, ok := v.Type.(ir.Array); ok {
		p = nodeElem(p, sc.index(a.Len))
	}
	return p
}
