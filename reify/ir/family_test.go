package ir_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"goreify/reify/ir"
)

// The checker and the printer take operands of families that no node has there.
func TestFamilies(t *testing.T) {
	const text = `func @f(%a i32) i32 {
    local %x i32 = 0
    local %p *i32 = &%x
    local %d f64 = 0
    local %v <4>i32 = {0, 0, 0, 0}
    local %w u128
  only:
    %x = %a
    return %x
}
case f(a = 1) = 1 path only
`
	v4 := ir.Vector{Elem: ir.I32, Lanes: 4}
	ptr := ir.Pointer{Elem: ir.I32}
	one := &ir.Const{T: ir.I32, V: 1}
	samples := map[ir.Family]func() ir.Expr{
		ir.Integers: func() ir.Expr { return &ir.Const{T: ir.I32, V: 1} },
		ir.Pointers: func() ir.Expr { return &ir.Null{T: ptr} },
		ir.Floats:   func() ir.Expr { return &ir.FloatConst{T: ir.F64, V: 1} },
		ir.Vectors:  func() ir.Expr { return &ir.VecOf{T: v4, Lanes: []ir.Expr{one, one, one, one}} },
		ir.Wides:    func() ir.Expr { return &ir.Convert{T: ir.U128, X: one} },
	}
	integers, pointers := []ir.Family{ir.Integers}, []ir.Family{ir.Pointers}
	floats, vectors, wides := []ir.Family{ir.Floats}, []ir.Family{ir.Vectors}, []ir.Family{ir.Wides}
	numbers := []ir.Family{ir.Integers, ir.Floats, ir.Wides}
	rows := []struct {
		variable int // that is assigned to
		takes    []ir.Family
		node     func(x ir.Expr) ir.Expr
	}{
		{1, integers, func(x ir.Expr) ir.Expr { return x }},
		{1, integers, func(x ir.Expr) ir.Expr { return &ir.Unary{Op: ir.Neg, X: x} }},
		{1, integers, func(x ir.Expr) ir.Expr { return &ir.Binary{Op: ir.Add, X: one, Y: x} }},
		{1, integers, func(x ir.Expr) ir.Expr { return &ir.Binary{Op: ir.Lt, X: x, Y: one} }},
		{1, integers, func(x ir.Expr) ir.Expr { return &ir.Select{If: x, X: one, Y: &ir.Const{T: ir.I32}} }},
		{1, integers, func(x ir.Expr) ir.Expr { return &ir.Select{If: one, X: x, Y: &ir.Const{T: ir.I32}} }},
		{1, numbers, func(x ir.Expr) ir.Expr { return &ir.Convert{T: ir.I32, X: x} }},
		{1, integers, func(x ir.Expr) ir.Expr { return &ir.Builtin{Fn: ir.Abs, Args: []ir.Expr{x}} }},
		{1, pointers, func(x ir.Expr) ir.Expr { return &ir.Binary{Op: ir.Eq, X: x, Y: &ir.Null{T: ptr}} }},
		{1, pointers, func(x ir.Expr) ir.Expr { return &ir.Load{Place: &ir.Deref{X: x}} }},
		{1, floats, func(x ir.Expr) ir.Expr {
			return &ir.Binary{Op: ir.Lt, X: &ir.FloatConst{T: ir.F64}, Y: x}
		}},
		{1, wides, func(x ir.Expr) ir.Expr { return &ir.Binary{Op: ir.Lt, X: x, Y: &ir.Convert{T: ir.U128, X: one}} }},
		{2, pointers, func(x ir.Expr) ir.Expr { return x }},
		{2, pointers, func(x ir.Expr) ir.Expr { return &ir.PtrAdd{X: x, Index: &ir.Const{T: ir.I32}} }},
		{2, integers, func(x ir.Expr) ir.Expr { return &ir.PtrAdd{X: &ir.Null{T: ptr}, Index: x} }},
		{2, pointers, func(x ir.Expr) ir.Expr { return &ir.Cast{T: ptr, X: x} }},
		{2, pointers, func(x ir.Expr) ir.Expr { return &ir.Select{If: one, X: &ir.Null{T: ptr}, Y: x} }},
		{3, floats, func(x ir.Expr) ir.Expr { return x }},
		{3, floats, func(x ir.Expr) ir.Expr { return &ir.Unary{Op: ir.Neg, X: x} }},
		{3, floats, func(x ir.Expr) ir.Expr {
			return &ir.Binary{Op: ir.Add, X: x, Y: &ir.FloatConst{T: ir.F64}}
		}},
		{3, []ir.Family{ir.Integers, ir.Floats}, func(x ir.Expr) ir.Expr { return &ir.Convert{T: ir.F64, X: x} }},
		{4, vectors, func(x ir.Expr) ir.Expr { return x }},
		{4, integers, func(x ir.Expr) ir.Expr { return &ir.VecOf{T: v4, Lanes: []ir.Expr{one, x, one, one}} }},
		{4, vectors, func(x ir.Expr) ir.Expr { return &ir.Unary{Op: ir.Not, X: x} }},
		{4, vectors, func(x ir.Expr) ir.Expr { return &ir.Binary{Op: ir.Add, X: x, Y: samples[ir.Vectors]()} }},
		{4, vectors, func(x ir.Expr) ir.Expr {
			return &ir.Shuffle{X: x, Y: samples[ir.Vectors](), Index: []int{0, 1, 2, 3}}
		}},
		{4, vectors, func(x ir.Expr) ir.Expr { return &ir.Convert{T: v4, X: x} }},
		{4, vectors, func(x ir.Expr) ir.Expr { return &ir.Cast{T: v4, X: x} }},
		{4, vectors, func(x ir.Expr) ir.Expr { return &ir.VecCall{X: &ir.Unary{Op: ir.Not, X: x}} }},
		{5, wides, func(x ir.Expr) ir.Expr { return x }},
		{5, wides, func(x ir.Expr) ir.Expr { return &ir.Unary{Op: ir.Not, X: x} }},
		{5, wides, func(x ir.Expr) ir.Expr {
			return &ir.Binary{Op: ir.Add, X: x, Y: &ir.Convert{T: ir.U128, X: one}}
		}},
		{5, []ir.Family{ir.Integers, ir.Wides}, func(x ir.Expr) ir.Expr { return &ir.Convert{T: ir.U128, X: x} }},
		{5, wides, func(x ir.Expr) ir.Expr {
			return &ir.Select{If: one, X: x, Y: &ir.Convert{T: ir.U128, X: one}}
		}},
	}
	for i, row := range rows {
		for family, sample := range samples {
			p := ir.MustParse(text)
			f := p.Funcs[0]
			e, dst := row.node(sample()), &ir.VarRef{Var: f.Vars[row.variable]}
			f.Blocks[0].Stmts = append(f.Blocks[0].Stmts, &ir.Assign{Dst: dst, Src: e})
			err := p.Check()
			if slices.Contains(row.takes, family) {
				require.NoError(t, err, "row %d: %v", i, e)
				again, err := ir.Parse(p.String())
				require.NoError(t, err, "row %d", i)
				assert.Equal(t, p.String(), again.String())
				continue
			}
			assert.Error(t, err, "row %d: %v", i, e)
			_, _ = ir.Parse(p.String()) // may be read as another node
		}
	}
}
