package widths

import (
	"goreify/reify/choice"
	"goreify/reify/ir"
	"goreify/reify/sketch/core"
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
	if depth == 0 || w.S.Chance(1, 6) {
		return w.truthLeaf()
	}
	x, y := w.truth(depth-1), w.truth(depth-1)
	e := choice.Pick(w.S, w.palette.joins)(w, x, y)
	if w.S.Chance(1, 4) {
		return w.opposite(e)
	}
	return e
}

// truthLeaf is a comparison, or a variable that is a truth value.
func (w *widths) truthLeaf() ir.Expr {
	v := w.recent()
	for range 3 {
		if w.S.Chance(1, 2) || v.Leaves[0].T == ir.Bool {
			break
		}
		v = w.recent()
	}
	x, _ := w.Twice(core.Promote(v.Leaves[0].T), v)
	if v.Leaves[0].T == ir.Bool {
		if w.S.Chance(1, 4) {
			return w.opposite(x)
		}
		if c, ok := x.(*ir.Convert); ok && ir.IsInt(c.X) && ir.IntOf(c.X) == ir.Bool {
			return x
		}
		return core.Bin(ir.Ne, x, core.Zero(ir.I32))
	}
	switch w.S.Weighted(4, 3, 2, 1) {
	case 0:
		return core.Bin(core.ComparisonOp(w.S), x, w.Edge(ir.IntOf(x)))
	case 1:
		return w.order(x, core.As(ir.IntOf(x), w.variable()))
	case 2:
		if e := w.orderPointers(); e != nil {
			return e
		}
	}
	if w.S.Chance(1, 2) {
		return core.Bin(ir.Ne, core.Bin(ir.And, x, core.Const(ir.IntOf(x), int64(1)<<w.S.Intn(ir.IntOf(x).Bits))), core.Zero(ir.IntOf(x)))
	}
	return core.Bin(choice.Pick(w.S, core.Equalities), x, core.Zero(ir.IntOf(x)))
}

// orderPointers returns a comparison of pointers to elements of one array, or of some
// pointers; nil if the function has none.
func (w *widths) orderPointers() ir.Expr {
	var found []*ir.Var
	for _, v := range w.Summed {
		if a, ok := v.Type.(ir.Array); ok && !v.Volatile {
			if _, ok := a.Elem.(ir.Int); ok {
				found = append(found, v)
			}
		}
	}
	if len(found) == 0 {
		if len(w.Ptrs) > 0 {
			return w.ComparePointers()
		}
		return nil
	}
	v := choice.Pick(w.S, found)
	n := v.Type.(ir.Array).Len
	element := func() ir.Expr {
		i := choice.Pick(w.S, w.Counts)
		t := core.Unsigned(core.Promote(i.Leaves[0].T))
		x := core.Bin(ir.And, core.Scalar(t, i), core.Const(t, core.Mask(n)))
		return core.AddressOf(core.Elem(core.Ref(v), x))
	}
	return &ir.Binary{Op: core.ComparisonOp(w.S), X: element(), Y: element()}
}

// opposite returns !x, written in some way.
func (w *widths) opposite(x ir.Expr) ir.Expr {
	switch w.S.Weighted(4, 2, 1, 1) {
	case 1:
		return core.Bin(ir.Xor, x, core.Const(ir.I32, 1))
	case 2:
		return core.Bin(ir.Sub, core.Const(ir.I32, 1), x)
	case 3:
		return core.Bin(ir.Eq, x, core.Zero(ir.I32))
	}
	return core.Unary(ir.LNot, x)
}

func truthBits(w *widths, x, y ir.Expr) ir.Expr { return core.Bin(core.BitwiseOp(w.S), x, y) }

func truthEqual(w *widths, x, y ir.Expr) ir.Expr {
	return core.Bin(choice.Pick(w.S, core.Equalities), x, y)
}

func truthOrder(w *widths, x, y ir.Expr) ir.Expr {
	return core.Bin(choice.Pick(w.S, core.Orders), x, y)
}

func truthLogic(w *widths, x, y ir.Expr) ir.Expr {
	return core.Bin(choice.Pick(w.S, []ir.Op{ir.LAnd, ir.LOr}), x, y)
}

func truthSelect(w *widths, x, y ir.Expr) ir.Expr {
	z := w.truthLeaf()
	if w.S.Chance(1, 3) {
		z = core.Const(ir.I32, int64(w.S.Intn(2)))
	}
	return core.Select(x, y, z)
}

// truthSum is a comparison of a sum of truth values.
func truthSum(w *widths, x, y ir.Expr) ir.Expr {
	e := core.Bin(core.AdditiveOp(w.S), x, y)
	if w.S.Chance(1, 2) {
		e = core.Bin(core.AdditiveOp(w.S), e, w.truthLeaf())
	}
	return core.Bin(core.ComparisonOp(w.S), e, core.Const(ir.I32, int64(w.S.Range(-1, 2))))
}

// truthScaled is x * c compared with y * d.
func truthScaled(w *widths, x, y ir.Expr) ir.Expr {
	c := func() ir.Expr { return core.Const(ir.I32, int64(w.S.Range(-3, 5))) }
	return core.Bin(core.ComparisonOp(w.S), core.Bin(ir.Mul, x, c()), core.Bin(ir.Mul, y, c()))
}

// truthNumber returns a truth value as a number of type t: a mask, a power of two,
// a choice between values.
func (w *widths) truthNumber(t ir.Int) ir.Expr {
	e := w.truth(w.S.Range(1, 3))
	u := core.Unsigned(t)
	switch w.S.Weighted(4, 1, 1, 1, 3, 2, 2) {
	case 1:
		return core.Modulo(ir.Sub, t, core.Zero(t), core.Convert(t, e))
	case 2:
		return core.Convert(t, core.Bin(ir.Shl, core.Convert(u, e), core.Const(u, int64(w.S.Intn(t.Bits)))))
	case 3:
		return core.Modulo(ir.Mul, t, core.Convert(t, e), w.Edge(t))
	case 4:
		return core.Select(e, core.As(t, w.variable()), core.As(t, w.variable()))
	case 5:
		return core.Select(e, core.As(t, w.variable()), w.Edge(t))
	case 6:
		return core.Modulo(core.AdditiveOp(w.S), t, core.Convert(t, e), core.As(t, w.variable()))
	}
	return core.Convert(t, e)
}

// truthStatement returns an assignment of a truth value, or a builtin that tells of an overflow.
func (w *widths) truthStatement() []ir.Stmt {
	w.Begin()
	if w.S.Chance(1, 3) {
		if list := w.overflowOf(); list != nil {
			return list
		}
	}
	return []ir.Stmt{w.assigned(w.truthNumber(choice.Pick(w.S, w.palette.types)))}
}

// truthCondition returns truth values joined to one. One of them is mostly a comparison
// with a symbol, so that a solver can make the condition go either way.
func (w *widths) truthCondition() ir.Expr {
	w.Begin()
	x := w.variable()
	var free ir.Expr = core.Bin(choice.Pick(w.S, core.Orders), x, w.Symbol(ir.IntOf(x)))
	e := w.truth(w.S.Range(1, 3))
	switch w.S.Weighted(3, 2, 2) {
	case 0:
		e = core.Bin(ir.Xor, e, free)
	case 1:
		e = core.Bin(choice.Pick(w.S, core.Equalities), e, free)
	default:
		e = choice.Pick(w.S, w.palette.joins)(w, e, free)
	}
	if w.S.Chance(1, 4) {
		return w.opposite(e)
	}
	return e
}
