package core

import (
	"goreify/reify/choice"
	"goreify/reify/ir"
)

// A stmtWriter writes statements, each a full expression of its own.
type stmtWriter struct{ Exprs }

// Statements returns those of a block, one of which updates the pilot if there
// is one.
func (w *stmtWriter) Statements(pilot *Source) []ir.Stmt {
	var list []ir.Stmt
	at := -1
	if pilot != nil {
		at = w.S.Intn(w.Options.Assigns)
	}
	for i := range w.Options.Assigns {
		w.Begin()
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
		{w.Policy.Overflow, true, (*stmtWriter).overflow},
		{w.Policy.Induction, true, (*stmtWriter).induction},
		{w.Policy.Copy, len(w.Structs) > 0, (*stmtWriter).copyStruct},
		{w.Policy.Union, len(w.unions) > 0, (*stmtWriter).useUnion},
		{w.Policy.Repoint, len(w.Ptrs) > 0, (*stmtWriter).repoint},
		{w.Policy.Floats, len(w.floats) > 0, (*stmtWriter).floatStatement},
		{w.Policy.Vectors, len(w.vectors) > 0, (*stmtWriter).vectorStatement},
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
	w.Begin()
	return []ir.Stmt{w.assign(w.Dest(), false)}
}

// assign returns v := ε. It begins with v itself if it moves, and mostly otherwise.
func (w *stmtWriter) assign(v *Source, moves bool) *ir.Assign {
	dst := choice.Pick(w.S, v.Writables)
	first := choice.Pick(w.S, w.Vars)
	if moves || w.S.Chance(w.Options.SelfUpdate, 100) {
		first = v
	}
	p := w.Place(dst)
	t := Promote(dst.T)
	if w.Roll(w.Policy.Mixed) {
		t = choice.Pick(w.S, Computed[:])
	}
	e := w.sum(t, first, w.Options.AssignTerms, moves)
	return Assign(p, Convert(dst.T, e))
}

// Computed are the types that C computes in.
var Computed = [...]ir.Int{ir.I32, ir.U32, ir.I64, ir.U64}

// Promote returns the type that C computes a value of type t in.
func Promote(t ir.Int) ir.Int {
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
