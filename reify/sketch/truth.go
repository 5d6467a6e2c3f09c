package sketch

import (
	"goreify/reify/choice"
	"goreify/reify/ir"
)

// A truthJoin combines the truth values x and y, which are 0 or 1 and of type i32, into
// one.
type truthJoin func(w *widths, x, y ir.Expr) ir.Expr

// truthJoins is the table of what truth draws from.
var truthJoins = []truthJoin{
	truthBits, truthBits, truthBits, truthBits, truthEqual, truthLogic, truthSelect, truthSum, truthOrder, truthScaled,
}

// truth returns a value that is 0 or 1, of type i32: comparisons and truth values of
// variables, with at most so many nested operations. It reads no volatile variable
// twice.
func (w *widths) truth(depth int) ir.Expr {
	if depth == 0 || w.s.Chance(1, 6) {
		return w.truthLeaf()
	}
	x, y := w.truth(depth-1), w.truth(depth-1)
	e := choice.Pick(w.s, w.palette.joins)(w, x, y)
	if w.s.Chance(1, 4) {
		return w.opposite(e)
	}
	return e
}

// truthLeaf is a comparison, or a variable that is a truth value.
func (w *widths) truthLeaf() ir.Expr {
	v := w.recent()
	for range 3 {
		if w.s.Chance(1, 2) || v.leaves[0].t == ir.Bool {
			break
		}
		v = w.recent()
	}
	x, _ := w.twice(promote(v.leaves[0].t), v)
	if v.leaves[0].t == ir.Bool {
		if w.s.Chance(1, 4) {
			return w.opposite(x)
		}
		if c, ok := x.(*ir.Convert); ok && ir.IntOf(c.X) == ir.Bool {
			return x
		}
		return bin(ir.Ne, x, constant0(ir.I32))
	}
	switch w.s.Weighted(4, 3, 2, 1) {
	case 0:
		return bin(comparisonOp(w.s), x, w.edge(ir.IntOf(x)))
	case 1:
		return w.order(x, as(ir.IntOf(x), w.variable()))
	case 2:
		if e := w.orderPointers(); e != nil {
			return e
		}
	}
	if w.s.Chance(1, 2) {
		return bin(ir.Ne, bin(ir.And, x, constantOf(ir.IntOf(x), int64(1)<<w.s.Intn(ir.IntOf(x).Bits))), constant0(ir.IntOf(x)))
	}
	return bin(choice.Pick(w.s, equalities), x, constant0(ir.IntOf(x)))
}

// orderPointers returns a comparison of pointers to elements of one array, or of some
// pointers; nil if the function has none.
func (w *widths) orderPointers() ir.Expr {
	var found []*ir.Var
	for _, v := range w.summed {
		if a, ok := v.Type.(ir.Array); ok && !v.Volatile {
			if _, ok := a.Elem.(ir.Int); ok {
				found = append(found, v)
			}
		}
	}
	if len(found) == 0 {
		if len(w.ptrs) > 0 {
			return w.comparePointers()
		}
		return nil
	}
	v := choice.Pick(w.s, found)
	n := v.Type.(ir.Array).Len
	element := func() ir.Expr {
		i := choice.Pick(w.s, w.counts)
		t := unsigned(promote(i.leaves[0].t))
		x := bin(ir.And, scalar(t, i), constantOf(t, mask(n)))
		return nodeAddressOf(nodeElem(nodeRef(v), x))
	}
	return &ir.PtrCompare{Op: comparisonOp(w.s), X: element(), Y: element()}
}

// opposite returns !x, written in some way.
func (w *widths) opposite(x ir.Expr) ir.Expr {
	switch w.s.Weighted(4, 2, 1, 1) {
	case 1:
		return bin(ir.Xor, x, constantOf(ir.I32, 1))
	case 2:
		return bin(ir.Sub, constantOf(ir.I32, 1), x)
	case 3:
		return bin(ir.Eq, x, constant0(ir.I32))
	}
	return nodeUnary(ir.LNot, x)
}

func truthBits(w *widths, x, y ir.Expr) ir.Expr { return bin(bitwiseOp(w.s), x, y) }

func truthEqual(w *widths, x, y ir.Expr) ir.Expr {
	return bin(choice.Pick(w.s, equalities), x, y)
}

func truthOrder(w *widths, x, y ir.Expr) ir.Expr { return bin(choice.Pick(w.s, orders), x, y) }

func truthLogic(w *widths, x, y ir.Expr) ir.Expr {
	return bin(choice.Pick(w.s, []ir.Op{ir.LAnd, ir.LOr}), x, y)
}

func truthSelect(w *widths, x, y ir.Expr) ir.Expr {
	z := w.truthLeaf()
	if w.s.Chance(1, 3) {
		z = constantOf(ir.I32, int64(w.s.Intn(2)))
	}
	return nodeSelect(x, y, z)
}

// truthSum is a comparison of a sum of truth values.
func truthSum(w *widths, x, y ir.Expr) ir.Expr {
	e := bin(additiveOp(w.s), x, y)
	if w.s.Chance(1, 2) {
		e = bin(additiveOp(w.s), e, w.truthLeaf())
	}
	return bin(comparisonOp(w.s), e, constantOf(ir.I32, int64(w.s.Range(-1, 2))))
}

// truthScaled is x * c compared with y * d.
func truthScaled(w *widths, x, y ir.Expr) ir.Expr {
	c := func() ir.Expr { return constantOf(ir.I32, int64(w.s.Range(-3, 5))) }
	return bin(comparisonOp(w.s), bin(ir.Mul, x, c()), bin(ir.Mul, y, c()))
}

// truthNumber returns a truth value as a number of type t: a mask, a power of two,
// a choice between values.
func (w *widths) truthNumber(t ir.Int) ir.Expr {
	e := w.truth(w.s.Range(1, 3))
	u := unsigned(t)
	switch w.s.Weighted(4, 1, 1, 1, 3, 2, 2) {
	case 1:
		return modulo(ir.Sub, t, constant0(t), convert(t, e))
	case 2:
		return convert(t, bin(ir.Shl, convert(u, e), constantOf(u, int64(w.s.Intn(t.Bits)))))
	case 3:
		return modulo(ir.Mul, t, convert(t, e), w.edge(t))
	case 4:
		return nodeSelect(e, as(t, w.variable()), as(t, w.variable()))
	case 5:
		return nodeSelect(e, as(t, w.variable()), w.edge(t))
	case 6:
		return modulo(additiveOp(w.s), t, convert(t, e), as(t, w.variable()))
	}
	return convert(t, e)
}

// truthStatement returns an assignment of a truth value, or a builtin that tells of an overflow.
func (w *widths) truthStatement() []ir.Stmt {
	w.begin()
	if w.s.Chance(1, 3) {
		if list := w.overflowOf(); list != nil {
			return list
		}
	}
	return []ir.Stmt{w.assigned(w.truthNumber(choice.Pick(w.s, w.palette.types)))}
}

// truthCondition returns truth values joined to one. One of them is mostly a comparison
// with a symbol, so that a solver can make the condition go either way.
func (w *widths) truthCondition() ir.Expr {
	w.begin()
	x := w.variable()
	var free ir.Expr = bin(choice.Pick(w.s, orders), x, w.symbol(ir.IntOf(x)))
	e := w.truth(w.s.Range(1, 3))
	switch w.s.Weighted(3, 2, 2) {
	case 0:
		e = bin(ir.Xor, e, free)
	case 1:
		e = bin(choice.Pick(w.s, equalities), e, free)
	default:
		e = choice.Pick(w.s, w.palette.joins)(w, e, free)
	}
	if w.s.Chance(1, 4) {
		return w.opposite(e)
	}
	return e
}
