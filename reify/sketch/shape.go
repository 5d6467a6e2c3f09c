package sketch

import (
	"slices"

	"goreify/reify/choice"
	"goreify/reify/ir"
)

// target returns a variable that a shape assigns to, or a part of one. It prefers
// memory: stores become unconditional for members and elements only.
func (sc *scope) target() *leaf {
	var l *leaf
	for range 12 {
		l = choice.Pick(sc.s, sc.dest().writables)
		pointed := slices.ContainsFunc(l.steps, func(s step) bool { return s.kind == toPointee || s.kind == toNeighbour })
		if !pointed && !l.root.Volatile && (len(l.steps) > 0 || sc.s.Chance(1, 4)) {
			return l
		}
	}
	return sc.vars[0].leaves[0] // a parameter
}

// store returns v = e for a leaf; of arrays it is the first element.
func store(l *leaf, e ir.Expr) *ir.Assign {
	first := func(int) ir.Expr { return constant0(ir.I32) }
	return nodeAssign(l.place(first), convert(l.t, e))
}

// constantFor returns a constant for a place of type t, which may be that of a
// bit-field.
func (d *draws) constantFor(t ir.Int) ir.Expr {
	n := t.Wrap(d.number(t.Bits))
	if !t.Standard() {
		t = promote(t)
	}
	return constantOf(t, n)
}
