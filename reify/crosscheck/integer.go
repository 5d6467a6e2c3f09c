package crosscheck

import (
	"goreify/reify/choice"
	"goreify/reify/ir"
)

// retries is how many operators are tried on operands before they are left as
// they are.
const retries = 4

// integer draws an expression of type t that is defined, with about depth
// operators on the way to a leaf.
func (r *room) integer(t ir.Int, depth int) ir.Expr {
	if depth <= 0 {
		return r.leaf(t)
	}
	if t.Bits < 32 {
		return &ir.Convert{T: t, X: r.integer(choice.Pick(r.s, integers), depth-r.s.Intn(2))}
	}
	for range retries {
		if e := r.operation(t, depth); r.defined(r.store(e)) {
			return e
		}
	}
	return r.leaf(t)
}

// leaf draws a constant or a variable, converted if need be.
func (r *room) leaf(t ir.Int) ir.Expr {
	if r.s.Chance(1, 4) {
		return &ir.Const{T: t, V: r.value(t)}
	}
	p := choice.Pick(r.s, r.ints)
	for range 3 { // prefer one that needs no conversion
		if p.Type() != t {
			p = choice.Pick(r.s, r.ints)
		}
	}
	return r.as(t, &ir.Load{Place: ir.CopyPlace(p)})
}

// element draws an element of an array or, if it happens on none, a constant. Its
// index is computed, and may be one too far.
func (r *room) element(operand func(ir.Int) ir.Expr) ir.Expr {
	for range 10 {
		el, ok := choice.Pick(r.s, r.ints).(*ir.Elem)
		if !ok {
			continue
		}
		a, ok := el.Base.Type().(ir.Array)
		if !ok {
			continue
		}
		t := choice.Pick(r.s, wide)
		var index ir.Expr
		if r.s.Chance(1, 2) {
			index = &ir.Binary{Op: ir.Rem, X: operand(t), Y: &ir.Const{T: t, V: int64(a.Len)}}
		} else {
			zero := &ir.Binary{Op: ir.And, X: operand(t), Y: &ir.Const{T: t}}
			index = &ir.Binary{Op: choice.Pick(r.s, []ir.Op{ir.Add, ir.Or, ir.Xor}), X: zero, Y: &ir.Const{T: t, V: int64(r.s.Range(0, a.Len))}}
		}
		return &ir.Load{Place: &ir.Elem{Base: ir.CopyPlace(el.Base), Index: index}}
	}
	return r.leaf(ir.I32)
}

// as converts an expression to a type that it may have already.
func (r *room) as(t ir.Int, e ir.Expr) ir.Expr {
	if ir.IntOf(e) == t {
		return e
	}
	return &ir.Convert{T: t, X: e}
}

// operation draws an operator of type t, which is at least 32 bits wide, and its
// operands. They are defined; what it makes of them need not be.
func (r *room) operation(t ir.Int, depth int) ir.Expr {
	operand := func(t ir.Int) ir.Expr { return r.integer(t, depth-r.s.Range(1, 3)) }
	if t == ir.I32 && r.s.Chance(1, 3) {
		return r.truth(operand)
	}
	switch r.s.Weighted(8, 4, 3, 2, 2, 3, 1) {
	case 0:
		op := ir.Op(r.s.Range(int(ir.Add), int(ir.Xor)))
		return &ir.Binary{Op: op, X: operand(t), Y: operand(t)}
	case 1:
		op := choice.Pick(r.s, []ir.Op{ir.Shl, ir.Shr})
		amount := ir.Expr(&ir.Const{T: t, V: t.Wrap(int64(r.s.Range(-1, t.Bits)))})
		switch r.s.Weighted(2, 2, 1) {
		case 0:
			amount = operand(t)
		case 1:
			amount = &ir.Binary{Op: ir.And, X: operand(t), Y: &ir.Const{T: t, V: int64(t.Bits - 1)}}
		}
		return &ir.Binary{Op: op, X: operand(t), Y: amount}
	case 2:
		return &ir.Unary{Op: choice.Pick(r.s, []ir.UnOp{ir.Neg, ir.Not}), X: operand(t)}
	case 3:
		return &ir.Select{If: operand(choice.Pick(r.s, wide)), X: operand(t), Y: operand(t)}
	case 4:
		return r.builtin(t, operand)
	case 5:
		return &ir.Convert{T: t, X: operand(choice.Pick(r.s, integers))}
	default:
		return r.as(t, r.element(operand))
	}
}

// truth draws an operator that yields 0 or 1.
func (r *room) truth(operand func(ir.Int) ir.Expr) ir.Expr {
	of := choice.Pick(r.s, wide)
	switch r.s.Weighted(4, 2, 1) {
	case 0:
		return &ir.Binary{Op: ir.Op(r.s.Range(int(ir.Lt), int(ir.Ne))), X: operand(of), Y: operand(of)}
	case 1:
		if r.s.Chance(1, 3) {
			return r.lazy(of)
		}
		e := &ir.Binary{Op: choice.Pick(r.s, []ir.Op{ir.LAnd, ir.LOr}), X: operand(of), Y: operand(of)}
		return e
	default:
		return &ir.Unary{Op: ir.LNot, X: operand(of)}
	}
}

// lazy draws an operator that must not evaluate one of its operands, since that
// is undefined.
func (r *room) lazy(t ir.Int) ir.Expr {
	bad := &ir.Binary{Op: choice.Pick(r.s, []ir.Op{ir.Div, ir.Rem}), X: r.leaf(t), Y: &ir.Const{T: t}}
	no := &ir.Binary{Op: ir.And, X: r.leaf(t), Y: &ir.Const{T: t}}
	yes := &ir.Binary{Op: ir.Or, X: r.leaf(t), Y: &ir.Const{T: t, V: 1}}
	switch r.s.Intn(4) {
	case 0:
		return &ir.Binary{Op: ir.LAnd, X: no, Y: bad}
	case 1:
		return &ir.Binary{Op: ir.LOr, X: yes, Y: bad}
	case 2:
		return r.as(ir.I32, &ir.Select{If: no, X: bad, Y: r.leaf(t)})
	default:
		return r.as(ir.I32, &ir.Select{If: yes, X: r.leaf(t), Y: bad})
	}
}

// builtin draws the call of a builtin function, converted to t.
func (r *room) builtin(t ir.Int, operand func(ir.Int) ir.Expr) ir.Expr {
	fn := ir.Fn(r.s.Intn(int(ir.ExpectProbably) + 1))
	of := choice.Pick(r.s, []ir.Int{ir.U32, ir.U64})
	of.Signed = fn.Signed()
	if fn.Hints() {
		of = ir.I32
	}
	e := &ir.Builtin{Fn: fn, Args: []ir.Expr{operand(of)}}
	if fn.Hints() {
		e.Args = append(e.Args, &ir.Const{T: ir.I32, V: int64(r.s.Range(-1, 2))})
	}
	return r.as(t, e)
}
