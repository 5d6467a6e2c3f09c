package jvm

import (
	"goreify/reify/ir"
	"goreify/reify/lower"
)

// stmts writes the statements of a block. Those that do the same with elements side by
// side, as the lanes of vectors are, are a loop if the style says so, which HotSpot may
// turn into instructions on several elements at a time.
func (w *function) stmts(list []ir.Stmt) {
	index := &ir.Var{Name: "lane", Type: ir.I32, Index: len(w.vars)}
	for len(list) > 0 {
		if w.style.Loops {
			if s, from, n := lower.Roll(list, index); n > 0 {
				w.loop(s, index, int32(from), n)
				list = list[n:]
				continue
			}
		}
		w.stmt(list[0])
		list = list[1:]
	}
}

// loop writes a statement for n values of an index.
func (w *function) loop(s ir.Stmt, index *ir.Var, from int32, n int) {
	c := w.c
	i := w.temp("I")
	w.vars = append(w.vars, variable{v: index, cols: []*column{{t: ir.I32, whole: true, slot: i, descriptor: "I"}}})
	col := w.vars[index.Index].cols[0]
	w.vars[index.Index].shape = &shape{t: ir.I32, col: col}
	loop, done := c.label(), c.label()
	c.int(from)
	c.store(i, "I")
	c.place(loop)
	c.load(i, "I")
	c.int(from + int32(n))
	c.jump(opIfIcmpeq+conditions[ir.Ge], done)
	w.stmt(s)
	c.add(instr{op: opIinc, a: int32(i), b: 1})
	c.jump(opGoto, loop)
	c.place(done)
	w.vars = w.vars[:index.Index]
	w.release(i, "I")
}

// rolled reports whether an index is that of a loop over elements, which is in bounds.
func (w *function) rolled(e ir.Expr) bool {
	load, ok := e.(*ir.Load)
	if !ok {
		return false
	}
	v, ok := load.Place.(*ir.VarRef)
	return ok && v.Var.Index >= len(w.f.Vars)
}
