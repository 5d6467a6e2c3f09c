package sketch

import (
	"goreify/reify/choice"
	"goreify/reify/ir"
)

// spaceship is (x == y ? 0 : x < y ? -1 : 1) < 0.
func spaceship(w *writer, t ir.Int, v *source) ir.Expr {
	c := promote(v.leaves[0].t)
	c.Signed = true
	x1, x2 := w.twice(c, v)
	y1, y2 := w.twice(c, choice.Pick(w.s, w.vars))
	three := &ir.Select{
		If: bin(ir.Eq, x1, y1),
		X:  constant0(ir.I32),
		Y:  &ir.Select{If: bin(ir.Lt, x2, y2), X: constantOf(ir.I32, -1), Y: constantOf(ir.I32, 1)},
	}
	op := choice.Pick(w.s, []ir.Op{ir.Lt, ir.Le, ir.Gt, ir.Ge})
	return convert(t, bin(op, three, constant0(ir.I32)))
}

// cancelling is a sum, without a sign, parts of which are subtracted again.
func cancelling(w *writer, t ir.Int, v *source) ir.Expr {
	u := unsigned(t)
	x, x2 := w.twice(u, v)
	y, y2 := w.twice(u, choice.Pick(w.s, w.vars))
	z := w.any(u)
	e := bin(ir.Sub, bin(ir.Add, bin(ir.Add, x, y), bin(ir.Sub, z, x2)), y2)
	if w.s.Chance(1, 2) {
		op := choice.Pick(w.s, []ir.Op{ir.And, ir.Or})
		e = bin(op, bin(op, duplicate(x), w.any(u)), bin(op, duplicate(y), &ir.Unary{Op: ir.Not, X: duplicate(x)}))
	}
	return convert(t, e)
}

// neighbours is c ? s.a : s.b for members next to each other, or a choice
// between elements where there is no struct.
func neighbours(w *writer, t ir.Int, v *source) ir.Expr {
	cond := w.compare(v)
	for _, s := range w.structs {
		for k := 1; k < len(s.leaves); k++ {
			a, b := s.leaves[k-1], s.leaves[k]
			if a.t != b.t || len(a.steps) != 1 || len(b.steps) != 1 || s.v.Volatile {
				continue
			}
			r := recordOf(s.v.Type)
			if r.Fields[a.steps[0].field].Bits > 0 || r.Fields[b.steps[0].field].Bits > 0 {
				continue
			}
			// Nothing but the loads may stand between the branch and where it ends.
			at := func(l *leaf) ir.Expr { return convert(promote(l.t), &ir.Load{Place: l.place(nil)}) }
			return convert(t, &ir.Select{If: cond, X: at(a), Y: at(b)})
		}
	}
	return &ir.Select{If: cond, X: w.any(t), Y: w.any(t)}
}
