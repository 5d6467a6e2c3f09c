package core

import (
	"goreify/reify/choice"
	"goreify/reify/ir"
)

// overflow returns flag = __builtin_add_overflow(x, y, &v) or a similar builtin, or nil
// if two variables for its results are missing.
func (w *stmtWriter) overflow() []ir.Stmt {
	var flags, wide []*Source
	for _, v := range w.Counts {
		if !v.Writable() {
			continue
		}
		if v.Leaves[0].T == ir.I32 {
			flags = append(flags, v)
		}
		if v.Leaves[0].T.Bits >= 32 {
			wide = append(wide, v)
		}
	}
	if len(flags) == 0 || len(wide) < 2 {
		return nil
	}
	flag, dst := choice.Pick(w.S, flags), choice.Pick(w.S, wide)
	if flag == dst {
		return nil
	}
	op := choice.Pick(w.S, []ir.Op{ir.Add, ir.Add, ir.Sub, ir.Mul})
	x := w.Any(choice.Pick(w.S, Computed[:]))
	t := choice.Pick(w.S, Computed[:])
	var y ir.Expr
	if w.S.Chance(1, 2) {
		y = w.Leaf(t)
	} else {
		y = w.Any(t)
	}
	return []ir.Stmt{&ir.Overflow{
		Flag: Ref(flag.V), Dst: Ref(dst.V), Op: op, X: x, Y: y,
	}}
}
