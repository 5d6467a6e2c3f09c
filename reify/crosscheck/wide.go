package crosscheck

import (
	"goreify/reify/choice"
	"goreify/reify/ir"
)

// wideType draws a type of any width.
func (r *room) wideType() ir.Wide {
	if r.s.Chance(1, 2) {
		return choice.Pick(r.s, []ir.Wide{ir.I128, ir.U128})
	}
	t := ir.Wide{Bits: r.s.Range(2, r.wides), Signed: r.s.Chance(1, 2), BitInt: true}
	if r.s.Chance(1, 3) {
		t.Bits = choice.Pick(r.s, []int{2, 3, 8, 31, 32, 33, 63, 64, 65, r.wides - 1, r.wides})
	}
	return t
}

// wide draws a computation with wide integers: a value, of which all words are
// stored, or a comparison.
func (r *room) wide(depth int) made {
	t := r.wideType()
	if r.s.Chance(1, 3) {
		op := ir.Op(r.s.Range(int(ir.Lt), int(ir.Ne)))
		return r.store(&ir.Binary{Op: op, X: r.wideExpr(t, depth), Y: r.wideExpr(t, depth)})
	}
	return r.storeWide(r.wideExpr(t, depth))
}

func (r *room) storeWide(e ir.Expr) made {
	v := &ir.Var{Kind: ir.Local, Type: ir.TypeOf[ir.Wide](e)}
	load := func() ir.Expr { return &ir.Load{Place: &ir.VarRef{Var: v}} }
	m := r.store(&ir.Convert{T: ir.U64, X: load()})
	for t, at := ir.TypeOf[ir.Wide](e), 64; at < t.Bits; at += 64 {
		count := &ir.Convert{T: t, X: &ir.Const{T: ir.I32, V: int64(at)}}
		high := r.store(&ir.Convert{T: choice.Pick(r.s, integers), X: &ir.Binary{Op: ir.Shr, X: load(), Y: count}})
		m.stmts, m.out = append(m.stmts, high.stmts...), append(m.out, high.out...)
	}
	m.stmts = append([]ir.Stmt{&ir.Assign{Dst: &ir.VarRef{Var: v}, Src: e}}, m.stmts...)
	m.out = append(m.out, v)
	return m
}

// wideExpr draws an expression of type t that is defined. One that is not does not
// serve the sanitizer, which knows no _BitInt that is written as pairs of shifts.
func (r *room) wideExpr(t ir.Wide, depth int) ir.Expr {
	for range retries {
		if depth <= 0 {
			break
		}
		if e := r.wideOperation(t, depth); r.try(r.storeWide(e)) == nil {
			return e
		}
	}
	return &ir.Convert{T: t, X: r.leaf(choice.Pick(r.s, integers))}
}

func (r *room) wideOperation(t ir.Wide, depth int) ir.Expr {
	operand := func(t ir.Wide) ir.Expr { return r.wideExpr(t, r.s.Intn(depth)) }
	switch r.s.Weighted(6, 1, 2, 2) {
	case 0:
		e := &ir.Binary{Op: ir.Op(r.s.Range(int(ir.Add), int(ir.Shr))), X: operand(t), Y: operand(t)}
		if e.Op.Shifts() && r.s.Chance(3, 4) {
			e.Y = &ir.Convert{T: t, X: r.count(t)}
		}
		return e
	case 1:
		return &ir.Unary{Op: choice.Pick(r.s, []ir.UnOp{ir.Neg, ir.Not}), X: operand(t)}
	case 2:
		return &ir.Convert{T: t, X: operand(r.wideType())}
	default:
		return &ir.Convert{T: t, X: r.integer(choice.Pick(r.s, integers), r.s.Intn(depth))}
	}
}

// count draws a count for a shift in type t.
func (r *room) count(t ir.Wide) ir.Expr {
	of := choice.Pick(r.s, wide)
	k := &ir.Const{T: of, V: int64(r.s.Intn(t.Bits))}
	if r.s.Chance(1, 2) {
		return k
	}
	return &ir.Binary{Op: ir.And, X: r.integer(of, 1), Y: k}
}
