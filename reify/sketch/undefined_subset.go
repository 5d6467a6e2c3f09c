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

	binaries slab[ir.Binary]
	loads    slab[ir.Load]
	refs     slab[ir.VarRef]
	assigns  slab[ir.Assign]
	consts   slab[ir.Const]
}

func (u *undefinedSubset) statement(certain bool) ir.Stmt {
	v := choice.Pick(u.s, u.f.Vars)
	dst := u.target(v, false)
	if certain {
		switch u.s.Intn(5) {
		case 0:
			return u.store(dst, u.binary(ir.Div, u.any(), u.i32(0)))
		case 1:
			return u.store(dst, u.binary(ir.Rem, u.any(), u.i32(0)))
		case 2:
			return u.store(dst, u.binary(ir.Div, u.i32(ir.I32.Min()), u.i32(-1)))
		case 3:
			return u.store(dst, u.binary(ir.Add, u.i32(ir.I32.Max()), u.i32(u.s.Int64(1, 9))))
		case 4:
			return u.store(u.target(v, true), u.any())
		}
	}
	src := ir.Expr(u.any())
	for range u.s.Range(1, 5) {
		op := choice.Pick(u.s, []ir.Op{ir.Add, ir.Sub, ir.Mul, ir.Mul, ir.Div, ir.Rem})
		var y ir.Expr = u.any()
		if u.s.Chance(1, 2) {
			y = u.i32(factor(u.s, ir.I32))
		}
		src = u.binary(op, src, y)
	}
	return u.store(dst, src)
}

func (u *undefinedSubset) any() *ir.Load {
	return u.load(u.target(choice.Pick(u.s, u.f.Vars), false))
}

// target returns v or an element of it, whose indices are unchecked variables
// or, if outside is set, constants out of bounds.
func (u *undefinedSubset) target(v *ir.Var, outside bool) ir.Place {
	var p ir.Place = u.ref(v)
	for {
		array, ok := p.Type().(ir.Array)
		if !ok {
			return p
		}
		index := ir.Expr(u.i32(int64(u.s.Intn(array.Len))))
		if w := choice.Pick(u.s, u.f.Vars); outside {
			index = u.i32(choice.Pick(u.s, []int64{-1, int64(array.Len), int64(array.Len) + 1, farIndex, -farIndex}))
		} else if w.Type == ir.Type(ir.I32) && u.s.Chance(1, 2) {
			index = u.load(u.ref(w))
		}
		p = &ir.Elem{Base: p, Index: index}
	}
}

func (u *undefinedSubset) binary(op ir.Op, x, y ir.Expr) *ir.Binary {
	e := u.binaries.new()
	*e = ir.Binary{Op: op, X: x, Y: y}
	return e
}

func (u *undefinedSubset) store(p ir.Place, e ir.Expr) *ir.Assign {
	a := u.assigns.new()
	*a = ir.Assign{Dst: p, Src: e}
	return a
}

func (u *undefinedSubset) i32(v int64) *ir.Const {
	c := u.consts.new()
	*c = ir.Const{T: ir.I32, V: v}
	return c
}

func (u *undefinedSubset) load(p ir.Place) *ir.Load {
	e := u.loads.new()
	e.Place = p
	return e
}

func (u *undefinedSubset) ref(v *ir.Var) *ir.VarRef {
	p := u.refs.new()
	p.Var = v
	return p
}
