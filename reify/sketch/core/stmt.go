package core

import (
	"slices"

	"goreify/reify/choice"
	"goreify/reify/ir"
)

// A stmtWriter writes statements, each a full expression of its own.
type stmtWriter struct {
	Exprs
	kindWeights [numStatements]int
	kinds       []int // these, up to the last that is positive
}

const numStatements = 8

// statements is the table of statements beside the assignment of integers, which is the
// first. Each returns some statements, or nil if the function has none of the kind.
var statements = [numStatements]func(*stmtWriter) []ir.Stmt{
	nil, (*stmtWriter).overflow, (*stmtWriter).induction, (*stmtWriter).copyStruct, (*stmtWriter).useUnion,
	(*stmtWriter).repoint, (*stmtWriter).floatStatement, (*stmtWriter).vectorStatement,
}

// weighKinds gives weights to the kinds of statements for which there are variables.
func (w *stmtWriter) weighKinds() {
	p := &w.Policy
	w.kindWeights = [...]int{100, p.Overflow, p.Induction, p.Copy, p.Union, p.Repoint, p.Floats, p.Vectors}
	for i, n := range [...]int{1, 1, 1, len(w.Structs), len(w.unions), len(w.Ptrs), len(w.floats), len(w.vectors)} {
		if n == 0 {
			w.kindWeights[i] = 0
		}
	}
	w.kinds = positive(w.kindWeights[:])
}

// Statements returns those of a block, one of which updates the pilot if there
// is one.
func (w *stmtWriter) Statements(pilot *Source) []ir.Stmt {
	from := len(w.stmts)
	at := -1
	if pilot != nil {
		at = w.S.Intn(w.Options.Assigns)
	}
	for i := range w.Options.Assigns {
		w.Begin()
		if i == at {
			w.stmts = append(w.stmts, w.assign(pilot, true))
			continue
		}
		w.stmts = w.statement(w.stmts)
	}
	return slices.Clip(w.stmts[from:])
}

// statement draws a kind of statement and appends one to the list, or several that
// belong together.
func (w *stmtWriter) statement(list []ir.Stmt) []ir.Stmt {
	for _, p := range w.parts {
		if more := p.Statement(); more != nil {
			return append(list, more...)
		}
	}
	if write := statements[w.weigh(w.kinds)]; write != nil {
		if more := write(w); more != nil {
			return append(list, more...)
		}
	}
	w.Begin()
	return append(list, w.assign(w.Dest(), false))
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
	if t != dst.T {
		e = Convert(dst.T, e)
	}
	return w.Assign(p, e)
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
