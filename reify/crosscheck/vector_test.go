package crosscheck

import (
	"goreify/reify/choice"
	"goreify/reify/ir"
)

// lanes are the types of the lanes of vectors.
var lanes = []ir.Int{ir.I8, ir.I16, ir.I32, ir.I64, ir.U8, ir.U16, ir.U32, ir.U64}

// addVectors declares two vectors of each of some types.
func (r *room) addVectors() {
	for range 3 {
		t := ir.Vector{Elem: choice.Pick(r.s, lanes), Lanes: 1 << r.s.Range(1, 4)}
		r.variable(t)
		r.variable(t)
	}
}

// vector draws a computation with vectors.
func (r *room) vector(depth int) made {
	return r.storeVec(r.vec(choice.Pick(r.s, r.vecs).Type().(ir.Vector), depth))
}

func (r *room) storeVec(e ir.VecExpr) made {
	out := &ir.Var{Kind: ir.Static, Type: e.Type()}
	return made{stmts: []ir.Stmt{&ir.AssignVec{Dst: &ir.VarRef{Var: out}, Src: e}}, out: []*ir.Var{out}}
}

// vec draws an expression of type t that is defined.
func (r *room) vec(t ir.Vector, depth int) ir.VecExpr {
	if depth <= 0 {
		return r.vecLeaf(t)
	}
	for range retries {
		e := r.vecOperation(t, depth)
		m := r.storeVec(e)
		ub := r.try(m)
		if ub == nil {
			return e
		}
		r.undefined = append(r.undefined, undefined{m, ub})
	}
	return r.vecLeaf(t)
}

func (r *room) vecLeaf(t ir.Vector) ir.VecExpr {
	for range 4 {
		if p := choice.Pick(r.s, r.vecs); p.Type() == t {
			return &ir.VecLoad{Place: copyPlace(p)}
		}
	}
	e := &ir.VecOf{T: t}
	for range t.Lanes {
		e.Lanes = append(e.Lanes, r.leaf(t.Elem))
	}
	return e
}

func (r *room) vecOperation(t ir.Vector, depth int) ir.VecExpr {
	operand := func(t ir.Vector) ir.VecExpr { return r.vec(t, r.s.Intn(depth)) }
	switch r.s.Weighted(6, 2, 1, 2, 2, 1) {
	case 0:
		op := ir.Op(r.s.Range(int(ir.Add), int(ir.Shr)))
		return &ir.VecBinary{Op: op, X: operand(t), Y: operand(t)}
	case 1:
		if t.Elem.Signed {
			of := t
			of.Elem.Signed = r.s.Chance(1, 2)
			return &ir.VecBinary{Op: ir.Op(r.s.Range(int(ir.Lt), int(ir.Ne))), X: operand(of), Y: operand(of)}
		}
		fallthrough
	case 2:
		return &ir.VecUnary{Op: choice.Pick(r.s, []ir.UnOp{ir.Neg, ir.Not}), X: operand(t)}
	case 3:
		e := &ir.VecShuffle{X: operand(t), Y: operand(t)}
		for range t.Lanes {
			e.Index = append(e.Index, r.s.Intn(2*t.Lanes))
		}
		return e
	case 4:
		return &ir.VecConvert{T: t, X: operand(ir.Vector{Elem: choice.Pick(r.s, lanes), Lanes: t.Lanes})}
	default:
		e := &ir.VecOf{T: t}
		for range t.Lanes {
			e.Lanes = append(e.Lanes, r.integer(t.Elem, r.s.Intn(depth)))
		}
		return e
	}
}
