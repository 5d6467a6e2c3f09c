package sketch

import (
	"goreify/reify/choice"
	"goreify/reify/ir"
)

// A stmtWriter writes statements, each a full expression of its own.
type stmtWriter struct{ exprWriter }

// statements returns those of a block, one of which updates the pilot if there
// is one.
func (w *stmtWriter) statements(pilot *source) []ir.Stmt {
	var list []ir.Stmt
	at := -1
	if pilot != nil {
		at = w.s.Intn(w.o.Assigns)
	}
	for i := range w.o.Assigns {
		w.begin()
		if i == at {
			list = append(list, w.assign(pilot, true))
			continue
		}
		list = append(list, w.statement()...)
	}
	return list
}

// statement draws a kind of statement and returns one, or several that belong together.
func (w *stmtWriter) statement() []ir.Stmt {
	for _, p := range w.parts {
		if list := p.Statement(); list != nil {
			return list
		}
	}
	kinds := [...]struct {
		weight int
		has    bool // its features
		write  func(*stmtWriter) []ir.Stmt
	}{
		{100, true, nil},
		{w.p.Overflow, true, (*stmtWriter).overflow},
		{w.p.Induction, true, (*stmtWriter).induction},
		{w.p.Copy, len(w.structs) > 0, (*stmtWriter).copyStruct},
		{w.p.Union, len(w.unions) > 0, (*stmtWriter).useUnion},
		{w.p.Repoint, len(w.ptrs) > 0, (*stmtWriter).repoint},
		{w.p.Floats, len(w.floats) > 0, (*stmtWriter).floatStatement},
		{w.p.Vectors, len(w.vectors) > 0, (*stmtWriter).vectorStatement},
	}
	var weights [len(kinds)]int
	for i, kind := range kinds {
		if kind.has {
			weights[i] = kind.weight
		}
	}
	if write := kinds[w.weigh(weights[:])].write; write != nil {
		if list := write(w); list != nil { // else the function has none of that kind
			return list
		}
	}
	w.begin()
	return []ir.Stmt{w.assign(w.dest(), false)}
}

// assign returns v := ε. It begins with v itself if it moves, and mostly otherwise.
func (w *stmtWriter) assign(v *source, moves bool) *ir.Assign {
	dst := choice.Pick(w.s, v.writables)
	first := choice.Pick(w.s, w.vars)
	if moves || w.s.Chance(w.o.SelfUpdate, 100) {
		first = v
	}
	p := w.place(dst)
	t := promote(dst.t)
	if w.roll(w.p.Mixed) {
		t = choice.Pick(w.s, computed[:])
	}
	e := w.sum(t, first, w.o.AssignTerms, moves)
	return nodeAssign(p, convert(dst.t, e))
}

// computed are the types that C computes in.
var computed = [...]ir.Int{ir.I32, ir.U32, ir.I64, ir.U64}

// promote returns the type that C computes a value of type t in.
func promote(t ir.Int) ir.Int {
	switch {
	case t.Bits < 32 || t.Bits == 32 && t.Signed:
		return ir.I32
	case t.Bits == 32:
		return ir.U32
	case t.Signed:
		return ir.I64
	}
	return ir.U64
}
