package sketch

import (
	"goreify/reify/choice"
	"goreify/reify/ir"
)

// An undefinedSubset is the undefined of the paper's subset, whose scalars are all
// i32.
type undefinedSubset struct {
	s *choice.Stream
	f *ir.Function
}

func (u *undefinedSubset) statement(certain bool) ir.Stmt {
	v := choice.Pick(u.s, u.f.Vars)
	dst := u.target(v, false)
	if certain {
		switch u.s.Intn(5) {
		case 0:
			return nodeAssign(dst, bin(ir.Div, u.any(), constantOf(ir.I32, 0)))
		case 1:
			return nodeAssign(dst, bin(ir.Rem, u.any(), constantOf(ir.I32, 0)))
		case 2:
			return nodeAssign(dst, bin(ir.Div, constantOf(ir.I32, ir.I32.Min()), constantOf(ir.I32, -1)))
		case 3:
			return nodeAssign(dst, bin(ir.Add, constantOf(ir.I32, ir.I32.Max()), constantOf(ir.I32, u.s.Int64(1, 9))))
		case 4:
			return nodeAssign(u.target(v, true), u.any())
		}
	}
	src := ir.Expr(u.any())
	for range u.s.Range(1, 5) {
		op := choice.Pick(u.s, []ir.Op{ir.Add, ir.Sub, ir.Mul, ir.Mul, ir.Div, ir.Rem})
		var y ir.Expr = u.any()
		if u.s.Chance(1, 2) {
			y = constantOf(ir.I32, factor(u.s, ir.I32))
		}
		src = bin(op, src, y)
	}
	return nodeAssign(dst, src)
}

func (u *undefinedSubset) any() *ir.Load {
	return nodeLoad(u.target(choice.Pick(u.s, u.f.Vars), false))
}

// target returns v or an element of it, whose indices are unchecked variables
// or, if outside is set, constants out of bounds.
func (u *undefinedSubset) target(v *ir.Var, outside bool) ir.Place {
	var p ir.Place = nodeRef(v)
	for {
		array, ok := p.Type().(ir.Array)
		if !ok {
			return p
		}
		index := ir.Expr(constantOf(ir.I32, int64(u.s.Intn(array.Len))))
		if w := choice.Pick(u.s, u.f.Vars); outside {
			index = constantOf(ir.I32, choice.Pick(u.s, []int64{-1, int64(array.Len), int64(array.Len) + 1, farIndex, -farIndex}))
		} else if w.Type == ir.Type(ir.I32) && u.s.Chance(1, 2) {
			index = nodeLoad(nodeRef(w))
		}
		p = &ir.Elem{Base: p, Index: index}
	}
}
