package core

import (
	"goreify/reify/choice"
	"goreify/reify/ir"
)

// maxBuffer bounds the subtrees that are kept: the older ones stay, to be common with
// later ones.
const maxBuffer = 16

// keep puts a subtree that has no symbols and reads nothing volatile into the
// buffer of common subexpressions.
func (w *Exprs) keep(e ir.Expr) {
	if w.Policy.Reuse > 0 && len(w.buffer) < maxBuffer {
		w.buffer = append(w.buffer, e)
	}
}

// reuse returns a copy of a subtree in the buffer as a value of type t, mostly of one
// that has that type already; nil if the buffer is empty.
func (w *Exprs) reuse(t ir.Int) ir.Expr {
	if len(w.buffer) == 0 {
		return nil
	}
	e := choice.Pick(w.S, w.buffer)
	for range 3 {
		if ir.IntOf(e) == t {
			break
		}
		e = choice.Pick(w.S, w.buffer)
	}
	return Convert(t, ir.CopyExpr(e))
}
