package core

import (
	"slices"

	"goreify/reify/choice"
	"goreify/reify/ir"
)

// Target returns a variable that a shape assigns to, or a part of one. It prefers
// memory: stores become unconditional for members and elements only.
func (sc *scope) Target() *Leaf {
	var l *Leaf
	for range 12 {
		l = choice.Pick(sc.S, sc.Dest().Writables)
		pointed := slices.ContainsFunc(l.Steps, func(s Step) bool { return s.Kind == ToPointee || s.Kind == toNeighbour })
		if !pointed && !l.Root.Volatile && (len(l.Steps) > 0 || sc.S.Chance(1, 4)) {
			return l
		}
	}
	return sc.Vars[0].Leaves[0] // a parameter
}

// Store returns v = e for a leaf; of arrays it is the first element.
func Store(l *Leaf, e ir.Expr) *ir.Assign {
	first := func(int) ir.Expr { return Zero(ir.I32) }
	return Assign(l.Place(first), Convert(l.T, e))
}

// ConstantFor returns a constant for a place of type t, which may be that of a
// bit-field.
func (d *draws) ConstantFor(t ir.Int) ir.Expr {
	n := t.Wrap(d.Number(t.Bits))
	if !t.Standard() {
		t = Promote(t)
	}
	return Const(t, n)
}
