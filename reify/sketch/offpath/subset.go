package offpath

import (
	"goreify/reify/choice"
	"goreify/reify/ir"
	"goreify/reify/sketch/core"
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
			return core.Assign(dst, core.Bin(ir.Div, u.any(), core.Const(ir.I32, 0)))
		case 1:
			return core.Assign(dst, core.Bin(ir.Rem, u.any(), core.Const(ir.I32, 0)))
		case 2:
			return core.Assign(dst, core.Bin(ir.Div, core.Const(ir.I32, ir.I32.Min()), core.Const(ir.I32, -1)))
		case 3:
			return core.Assign(dst, core.Bin(ir.Add, core.Const(ir.I32, ir.I32.Max()), core.Const(ir.I32, u.s.Int64(1, 9))))
		case 4:
			return core.Assign(u.target(v, true), u.any())
		}
	}
	src := ir.Expr(u.any())
	for range u.s.Range(1, 5) {
		op := choice.Pick(u.s, []ir.Op{ir.Add, ir.Sub, ir.Mul, ir.Mul, ir.Div, ir.Rem})
		var y ir.Expr = u.any()
		if u.s.Chance(1, 2) {
			y = core.Const(ir.I32, factor(u.s, ir.I32))
		}
		src = core.Bin(op, src, y)
	}
	return core.Assign(dst, src)
}

func (u *undefinedSubset) any() *ir.Load {
	return core.Load(u.target(choice.Pick(u.s, u.f.Vars), false))
}

// target returns v or an element of it, whose indices are unchecked variables
// or, if outside is set, constants out of bounds.
func (u *undefinedSubset) target(v *ir.Var, outside bool) ir.Place {
	var p ir.Place = core.Ref(v)
	for {
		array, ok := p.Type().(ir.Array)
		if !ok {
			return p
		}
		index := ir.Expr(core.Const(ir.I32, int64(u.s.Intn(array.Len))))
		if w := choice.Pick(u.s, u.f.Vars); outside {
			index = core.Const(ir.I32, choice.Pick(u.s, []int64{-1, int64(array.Len), int64(array.Len) + 1, farIndex, -farIndex}))
		} else if w.Type == ir.Type(ir.I32) && u.s.Chance(1, 2) {
			index = core.Load(core.Ref(w))
		}
		p = &ir.Elem{Base: p, Index: index}
	}
}
