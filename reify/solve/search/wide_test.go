package search

import (
	"testing"

	"goreify/reify/choice"
	"goreify/reify/ir"
)

// Operators in all widths agree with the interpreter.
func TestWidesAgreeWithTheInterpreter(t *testing.T) {
	s := choice.New([]byte("wide"))
	constant := func(of ir.Wide) ir.Expr {
		part := func() ir.Expr {
			return &ir.Const{T: ir.I64, V: choice.Pick(s, []int64{int64(s.Uint64()), s.Edge(1), int64(s.Intn(9)), -1})}
		}
		most := ir.Wide{Bits: ir.MaxWide, BitInt: true}
		var e ir.Expr = &ir.Convert{T: most, X: part()}
		for range most.Cells() - 1 {
			high := &ir.Binary{Op: ir.Shl, X: e, Y: &ir.Convert{T: most, X: &ir.Const{T: ir.I32, V: 64}}}
			e = &ir.Binary{Op: ir.Or, X: high, Y: &ir.Convert{T: most, X: &ir.Convert{T: ir.U64, X: part()}}}
		}
		return &ir.Convert{T: of, X: e}
	}
	for range 100000 {
		of := ir.Wide{Bits: s.Range(2, ir.MaxWide), Signed: s.Chance(1, 2), BitInt: true}
		x, y := constant(of), constant(of)
		var e ir.Expr
		switch op := ir.Op(s.Range(int(ir.Add), int(ir.Ne))); {
		case op.Compares():
			agrees(t, &ir.Binary{Op: op, X: x, Y: y})
			continue
		case op.Shifts():
			y = &ir.Convert{T: of, X: &ir.Const{T: ir.I32, V: int64(s.Intn(of.Bits))}}
			fallthrough
		default:
			e = &ir.Binary{Op: op, X: x, Y: y}
		}
		if s.Chance(1, 8) {
			e = &ir.Unary{Op: choice.Pick(s, []ir.UnOp{ir.Neg, ir.Not}), X: x}
		}
		if of.Bits > 64 && s.Chance(1, 2) {
			count := choice.Pick(s, []int{64, of.Bits - 64, s.Intn(of.Bits)})
			e = &ir.Binary{Op: ir.Shr, X: e, Y: &ir.Convert{T: of, X: &ir.Const{T: ir.I32, V: int64(count)}}}
		}
		agrees(t, &ir.Convert{T: choice.Pick(s, []ir.Int{ir.U64, ir.I64, ir.I16, ir.Bool}), X: e})
	}
	for range 10000 {
		fn, of := choice.Pick(s, []ir.Fn{ir.AddOverflows, ir.SubOverflows, ir.MulOverflows}), choice.Pick(s, []ir.Wide{ir.I128, ir.U128})
		agrees(t, &ir.Builtin{Fn: fn, Args: []ir.Expr{constant(of), constant(of)}})
	}
}
