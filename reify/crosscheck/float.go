package crosscheck

import (
	"goreify/reify/choice"
	"goreify/reify/ir"
)

// float draws a computation with floating-point numbers.
func (r *room) float(depth int) made {
	t := choice.Pick(r.s, []ir.Float{ir.F32, ir.F64})
	switch r.s.Intn(3) {
	case 0:
		return r.storeFloat(r.floating(t, depth))
	case 1:
		to := choice.Pick(r.s, []ir.Int{ir.I8, ir.I16, ir.I32, ir.I64, ir.U8, ir.U16, ir.U32, ir.U64})
		return r.store(&ir.Convert{T: to, X: r.floating(t, depth)})
	default:
		op := ir.Op(r.s.Range(int(ir.Lt), int(ir.Ne)))
		return r.store(&ir.Binary{Op: op, X: r.floating(t, depth), Y: r.floating(t, depth)})
	}
}

func (r *room) storeFloat(e ir.Expr) made {
	out := &ir.Var{Kind: ir.Static, Type: ir.TypeOf[ir.Float](e)}
	return made{stmts: []ir.Stmt{&ir.Assign{Dst: &ir.VarRef{Var: out}, Src: e}}, out: []*ir.Var{out}}
}

// floating draws an expression of type t that is exact.
func (r *room) floating(t ir.Float, depth int) ir.Expr {
	if depth <= 0 {
		return r.floatLeaf(t)
	}
	for range retries {
		e := r.floatOperation(t, depth)
		if r.defined(r.storeFloat(e)) {
			return e
		}
	}
	return r.floatLeaf(t)
}

func (r *room) floatLeaf(t ir.Float) ir.Expr {
	if r.s.Chance(1, 2) {
		for range 4 {
			if p := choice.Pick(r.s, r.floats); p.Type() == t {
				return &ir.Load{Place: ir.CopyPlace(p)}
			}
		}
	}
	return &ir.FloatConst{T: t, V: float64(r.s.Range(-64, 64)) / choice.Pick(r.s, []float64{1, 1, 2, 4, 1024})}
}

func (r *room) floatOperation(t ir.Float, depth int) ir.Expr {
	operand := func(t ir.Float) ir.Expr { return r.floating(t, r.s.Intn(depth)) }
	switch r.s.Weighted(6, 1, 1, 3) {
	case 0:
		return &ir.Binary{Op: choice.Pick(r.s, []ir.Op{ir.Add, ir.Sub, ir.Mul, ir.Div}), X: operand(t), Y: operand(t)}
	case 1:
		return &ir.Unary{Op: ir.Neg, X: operand(t)}
	case 2:
		return &ir.Convert{T: t, X: operand(ir.Float{Bits: 96 - t.Bits})}
	default:
		return &ir.Convert{T: t, X: r.integer(choice.Pick(r.s, integers), r.s.Intn(depth))}
	}
}
