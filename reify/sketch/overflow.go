package sketch

import (
	"goreify/reify/choice"
	"goreify/reify/ir"
)

// overflow returns flag = __builtin_add_overflow(x, y, &v) or a similar builtin, or nil
// if two variables for its results are missing.
func (w *stmtWriter) overflow() []ir.Stmt {
	var flags, wide []*source
	for _, v := range w.counts {
		if !v.writable() {
			continue
		}
		if v.leaves[0].t == ir.I32 {
			flags = append(flags, v)
		}
		if v.leaves[0].t.Bits >= 32 {
			wide = append(wide, v)
		}
	}
	if len(flags) == 0 || len(wide) < 2 {
		return nil
	}
	flag, dst := choice.Pick(w.s, flags), choice.Pick(w.s, wide)
	if flag == dst {
		return nil
	}
	op := choice.Pick(w.s, []ir.Op{ir.Add, ir.Add, ir.Sub, ir.Mul})
	x := w.any(choice.Pick(w.s, computed[:]))
	t := choice.Pick(w.s, computed[:])
	var y ir.Expr
	if w.s.Chance(1, 2) {
		y = w.leaf(t)
	} else {
		y = w.any(t)
	}
	return []ir.Stmt{&ir.Overflow{
		Flag: nodeRef(flag.v), Dst: nodeRef(dst.v), Op: op, X: x, Y: y,
	}}
}
