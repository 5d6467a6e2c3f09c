package sketch

import (
	"strconv"

	"goreify/reify/choice"
	"goreify/reify/ir"
)

// newUnion adds a union of integers and arrays of them. A union is not a source: only
// the member that was written last may be read. Thus it is written wherever it is to be
// read, and the result does not depend on its last value.
func (sc *scope) newUnion() {
	r := &ir.Record{Name: "U" + strconv.Itoa(len(sc.f.Types)), Union: true}
	for i := range sc.s.Range(2, 4) {
		t := ir.Type(sc.scalarType())
		if sc.s.Chance(1, 3) {
			t = ir.Array{Elem: t, Len: sc.s.Range(2, 4)}
		}
		r.Fields = append(r.Fields, ir.Field{Name: "m" + strconv.Itoa(i), Type: t})
	}
	sc.f.Types = append(sc.f.Types, r)
	v := sc.newVar(sc.kind(), r)
	v.Init = make([]ir.Expr, ir.Count(r))
	for i := range ir.Count(r.Fields[0].Type) {
		v.Init[i] = sc.symbol(ir.Scalar(r.Fields[0].Type))
	}
	sc.unions = append(sc.unions, v)
}

// useUnion returns u.m = ε and v = u.m ⊗ s.
func (w *stmtWriter) useUnion() []ir.Stmt {
	u := choice.Pick(w.s, w.unions)
	r := u.Type.(*ir.Record)
	k := w.s.Intn(len(r.Fields))
	t := ir.Scalar(r.Fields[k].Type)
	at := 0
	if a, ok := r.Fields[k].Type.(ir.Array); ok {
		at = w.s.Intn(a.Len)
	}
	part := func() ir.Place {
		var p ir.Place = nodeMember(nodeRef(u), k)
		if _, ok := r.Fields[k].Type.(ir.Array); ok {
			p = nodeElem(p, constantOf(ir.I32, int64(at)))
		}
		return p
	}
	e := w.sum(promote(t), choice.Pick(w.s, w.vars), 1, false)
	write := nodeAssign(part(), convert(t, e))

	w.begin()
	l := choice.Pick(w.s, w.dest().writables)
	c := promote(l.t)
	op := w.opOf(w.in())
	e = bin(op, convert(c, nodeLoad(part())), w.symbol(c))
	return []ir.Stmt{write, nodeAssign(w.place(l), convert(l.t, e))}
}
