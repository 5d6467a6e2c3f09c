package crosscheck

import (
	"fmt"

	"goreify/reify/choice"
	"goreify/reify/ir"
)

// A language says what is drawn besides integers, and what it means where C leaves
// it undefined.
type language struct {
	overflow, facts, records, pointers, floats, vectors, bytes bool

	wides     int  // bits of the widest of the wide integers, 0 for none
	wideLanes bool // lanes of vectors have 128 bits, too

	under ir.Under
}

// whole is all that there is.
var whole = language{overflow: true, facts: true, records: true, pointers: true, floats: true, vectors: true, bytes: true, wides: 128, wideLanes: true}

// draw adds n defined expressions or other computations to the room.
func (r *room) draw(l language, n int) {
	for len(r.made) < n {
		m := r.computation(l)
		if r.defined(m) {
			r.made = append(r.made, m)
		}
	}
}

// computation draws an expression, of any kind, and what stores its value.
func (r *room) computation(l language) made {
	share := func(on bool, weight int) int {
		if on {
			return weight
		}
		return 0
	}
	depth := r.s.Range(1, 5)
	switch r.s.Weighted(20, share(l.overflow, 2), share(l.records, 3), share(l.records, 1), share(l.pointers, 4), share(l.floats, 4), share(l.vectors, 6), share(l.facts, 2), share(l.bytes, 4), share(l.wides > 0, 6)) {
	case 0:
		return r.store(r.integer(choice.Pick(r.s, integers), depth))
	case 1:
		return r.overflow(depth)
	case 2:
		return r.bitField(r.integer(choice.Pick(r.s, integers), depth))
	case 3:
		return r.copyRecord()
	case 4:
		return r.pointer(depth)
	case 5:
		return r.float(depth)
	case 6:
		return r.vector(depth)
	case 7:
		return r.fact(depth)
	case 8:
		return r.bytes(depth)
	default:
		return r.wide(depth)
	}
}

// fact draws an assumption, about values that are also stored.
func (r *room) fact(depth int) made {
	t := choice.Pick(r.s, wide)
	x, y := r.store(r.integer(t, depth-1)), r.store(r.integer(t, depth-1))
	cond := &ir.Binary{Op: choice.Pick(r.s, []ir.Op{ir.Lt, ir.Le, ir.Gt, ir.Ge, ir.Ne})}
	cond.X, cond.Y = &ir.Load{Place: &ir.VarRef{Var: x.out[0]}}, &ir.Load{Place: &ir.VarRef{Var: y.out[0]}}
	says := &ir.Assume{Cond: cond, Guard: r.s.Chance(1, 2)}
	return made{stmts: append(append(x.stmts, y.stmts...), says), out: append(x.out, y.out...)}
}

// overflow draws a computation that tells whether its result fits.
func (r *room) overflow(depth int) made {
	t := choice.Pick(r.s, integers)
	for t == ir.Bool {
		t = choice.Pick(r.s, integers)
	}
	dst := &ir.Var{Kind: ir.Local, Type: t}
	flag := &ir.Var{Kind: ir.Local, Type: choice.Pick(r.s, []ir.Int{ir.I32, ir.Bool})}
	s := &ir.Overflow{
		Flag: &ir.VarRef{Var: flag},
		Dst:  &ir.VarRef{Var: dst},
		Op:   choice.Pick(r.s, []ir.Op{ir.Add, ir.Sub, ir.Mul}),
		X:    r.integer(choice.Pick(r.s, wide), depth-1),
		Y:    r.integer(choice.Pick(r.s, wide), depth-1),
	}
	return made{stmts: []ir.Stmt{s}, out: []*ir.Var{dst, flag}}
}

// addRecords declares a struct with all that a struct may have, another that is
// part of it, and a union.
func (r *room) addRecords() {
	inner := &ir.Record{Name: "inner"}
	for i := range r.s.Range(1, 3) {
		inner.Fields = append(inner.Fields, r.field(i))
	}
	outer := &ir.Record{Name: "outer", Fields: []ir.Field{{Name: "in", Type: inner}}}
	for i := range r.s.Range(3, 9) {
		outer.Fields = append(outer.Fields, r.field(i))
	}
	// Not at the end, where clang takes it for one of unknown length.
	outer.Fields = append(outer.Fields, ir.Field{Name: "a", Type: ir.Array{Elem: choice.Pick(r.s, integers), Len: 2}}, ir.Field{Name: "z", Type: ir.U8})
	union := &ir.Record{Name: "either", Union: true}
	for i := range r.s.Range(1, 3) {
		union.Fields = append(union.Fields, ir.Field{Name: fmt.Sprintf("m%d", i), Type: choice.Pick(r.s, integers)})
	}
	r.types = append(r.types, inner, outer, union)
	r.variable(outer)
	r.variable(ir.Array{Elem: inner, Len: 2})
	r.variable(union)
}

// field draws a member: mostly a bit-field, of any width.
func (r *room) field(i int) ir.Field {
	f := ir.Field{Name: fmt.Sprintf("m%d", i), Type: choice.Pick(r.s, integers)}
	if r.s.Chance(2, 3) {
		f.Bits = r.s.Range(1, f.Type.(ir.Int).Bits)
	}
	return f
}

// dropUnions removes the initial values of all members of a union but the
// first. Unions are not part of other types here.
func dropUnions(t ir.Type, init []ir.Expr) {
	if u, ok := t.(*ir.Record); ok && u.Union {
		for i := ir.Count(u.Fields[0].Type); i < len(init); i++ {
			init[i] = nil
		}
	}
}

// bitField stores a value into a bit-field and reads it again, with neighbours
// that are not to change.
func (r *room) bitField(e ir.Expr) made {
	rec := &ir.Record{Name: fmt.Sprintf("out%d", len(r.types))}
	r.types = append(r.types, rec)
	for i := range 3 {
		t := choice.Pick(r.s, integers)
		rec.Fields = append(rec.Fields, ir.Field{Name: fmt.Sprintf("m%d", i), Type: t, Bits: r.s.Range(1, t.Bits)})
	}
	out := &ir.Var{Kind: ir.Static, Type: rec}
	for i := range 3 {
		out.Init = append(out.Init, r.initial(ir.Cell(rec, i)))
	}
	member := func() ir.Place { return &ir.Member{Base: &ir.VarRef{Var: out}, Field: 1} }
	t := member().Type().(ir.Int)
	again := &ir.Var{Kind: ir.Local, Type: ir.I64}
	return made{
		stmts: []ir.Stmt{
			&ir.Assign{Dst: member(), Src: r.as(t, e)},
			&ir.Assign{Dst: &ir.VarRef{Var: again}, Src: r.as(ir.I64, &ir.Load{Place: member()})},
		},
		out: []*ir.Var{out, again},
	}
}

// copyRecord copies a record to another.
func (r *room) copyRecord() made {
	var records []ir.Place
	for _, v := range r.vars {
		if _, ok := v.Type.(*ir.Record); ok {
			records = append(records, &ir.VarRef{Var: v})
		}
	}
	src := choice.Pick(r.s, records)
	out := &ir.Var{Kind: choice.Pick(r.s, []ir.Kind{ir.Local, ir.Static}), Type: src.Type()}
	return made{stmts: []ir.Stmt{&ir.Assign{Dst: &ir.VarRef{Var: out}, Src: &ir.Load{Place: src}}}, out: []*ir.Var{out}}
}
