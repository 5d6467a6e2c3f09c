package core

import (
	"strconv"

	"goreify/reify/choice"
	"goreify/reify/ir"
)

// newUnion adds a union of integers and arrays of them. A union is not a source: only
// the member that was written last may be read. Thus it is written wherever it is to be
// read, and the result does not depend on its last value.
func (sc *scope) newUnion() {
	r := &ir.Record{Name: "U" + strconv.Itoa(len(sc.Func.Types)), Union: true}
	for i := range sc.S.Range(2, 4) {
		t := ir.Type(sc.ScalarType())
		if sc.S.Chance(1, 3) {
			t = ir.Array{Elem: t, Len: sc.S.Range(2, 4)}
		}
		r.Fields = append(r.Fields, ir.Field{Name: "m" + strconv.Itoa(i), Type: t})
	}
	sc.Func.Types = append(sc.Func.Types, r)
	v := sc.NewVar(sc.Kind(), r)
	v.Init = make([]ir.Expr, ir.Count(r))
	for i := range ir.Count(r.Fields[0].Type) {
		v.Init[i] = sc.Symbol(ir.Scalar(r.Fields[0].Type))
	}
	sc.unions = append(sc.unions, v)
}

// useUnion returns u.m = ε and v = u.m ⊗ s.
func (w *stmtWriter) useUnion() []ir.Stmt {
	u := choice.Pick(w.S, w.unions)
	r := u.Type.(*ir.Record)
	k := w.S.Intn(len(r.Fields))
	t := ir.Scalar(r.Fields[k].Type)
	at := 0
	if a, ok := r.Fields[k].Type.(ir.Array); ok {
		at = w.S.Intn(a.Len)
	}
	part := func() ir.Place {
		var p ir.Place = Member(Ref(u), k)
		if _, ok := r.Fields[k].Type.(ir.Array); ok {
			p = Elem(p, Const(ir.I32, int64(at)))
		}
		return p
	}
	e := w.sum(Promote(t), choice.Pick(w.S, w.Vars), 1, false)
	write := Assign(part(), Convert(t, e))

	w.Begin()
	l := choice.Pick(w.S, w.Dest().Writables)
	c := Promote(l.T)
	op := w.opOf(w.Region())
	e = Bin(op, Convert(c, Load(part())), w.Symbol(c))
	return []ir.Stmt{write, Assign(w.Place(l), Convert(l.T, e))}
}
