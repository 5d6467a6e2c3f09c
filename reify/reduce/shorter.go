package reduce

import (
	"slices"

	"goreify/reify/ir"
)

// plainer writes expressions in a shorter way that has the same value as long
// as nothing overflows.
func plainer(p *ir.Program, r *run) []edit {
	list := expressions(p, func(e ir.Expr, s slot) ir.Expr {
		v, known := r.values[e]
		if list := operands(e); known && len(list) > 0 && !slices.ContainsFunc(list, func(x ir.Expr) bool { return !isConst(x) }) && constable(e, s) {
			if _, call := e.(*ir.Call); !call {
				return &ir.Const{T: ir.IntOf(e), V: v}
			}
		}
		return shorter(e, s)
	})
	return append(list, expressions(p, withoutSign)...)
}

// shorter returns a shorter form of e, an integer, or nil.
func shorter(e ir.Expr, s slot) ir.Expr {
	switch e := e.(type) {
	case *ir.Convert:
		if !ir.IsInt(e.X) {
			return shorterScalar(e)
		}
		return shorterConvert(e, s)
	case *ir.Unary:
		return shorterUnary(e, s)
	case *ir.Binary:
		switch of := e.Of(); {
		case of == ir.Floats, of == ir.Wides:
			return shorterRelation(e)
		case of != ir.Integers:
			return nil
		case e.Op.Compares():
			return shorterCompare(e, s)
		case e.Op == ir.Mul && isMinusOne(e.Y):
			return &ir.Unary{Op: ir.Neg, X: e.X}
		}
		return shorterSum(e)
	}
	return nil
}

// shorterScalar leaves out a scalar of another family between two integers, if that has no
// fewer bits than the result.
func shorterScalar(e *ir.Convert) ir.Expr {
	of, ok := e.X.(*ir.Convert)
	if !ok || !ir.IsInt(of.X) {
		return nil
	}
	if between, wide := of.T.(ir.Wide); wide && between.Bits < e.T.(ir.Int).Bits {
		return nil
	}
	return &ir.Convert{T: e.T, X: of.X}
}

// shorterRelation compares integers instead of what is converted from them.
func shorterRelation(e *ir.Binary) ir.Expr {
	x, ok1 := e.X.(*ir.Convert)
	y, ok2 := e.Y.(*ir.Convert)
	if ok1 && ok2 && ir.IsInt(x.X) && ir.IsInt(y.X) && ir.IntOf(x.X) == ir.IntOf(y.X) && wide(ir.IntOf(x.X)) {
		return &ir.Binary{Op: e.Op, X: x.X, Y: y.X}
	}
	return nil
}

func isMinusOne(e ir.Expr) bool {
	k, ok := e.(*ir.Const)
	return ok && k.T.Signed && k.V == -1
}

// wide reports whether operators take operands of type t.
func wide(t ir.Int) bool { return t.Bits >= 32 && t.Standard() }

func shorterConvert(e *ir.Convert, s slot) ir.Expr {
	t := e.T.(ir.Int)
	switch x := e.X.(type) {
	case *ir.Const:
		return &ir.Const{T: t, V: t.Wrap(x.V)}
	case *ir.Convert:
		if ir.IsInt(x.X) {
			return &ir.Convert{T: e.T, X: x.X}
		}
	}
	if ir.IntOf(e.X) == t || s == loose {
		return e.X
	}
	return nil
}

func shorterUnary(e *ir.Unary, s slot) ir.Expr {
	switch x := e.X.(type) {
	case *ir.Unary:
		if x.Op == e.Op && (e.Op != ir.LNot || s == loose) {
			return x.X // --x, ~~x, and !!x where it is a condition
		}
	case *ir.Binary:
		if e.Op == ir.LNot && x.Op.Compares() && x.Of() == ir.Integers {
			return &ir.Binary{Op: x.Op.Negated(), X: x.X, Y: x.Y}
		}
	case *ir.Const:
		if e.Op == ir.Neg && x.V != x.T.Min() {
			return &ir.Const{T: x.T, V: x.T.Wrap(-x.V)}
		}
	}
	return nil
}

// shorterCompare moves constants on the left of a comparison to the one on its right: x
// - 3 <= 4 is x <= 7, x * -2 < 6 is x > -3, and x - y <= 0 is x <= y.
func shorterCompare(e *ir.Binary, s slot) ir.Expr {
	if left, ok := e.X.(*ir.Const); ok && !isConst(e.Y) {
		return shorterCompare(&ir.Binary{Op: e.Op.Swapped(), X: e.Y, Y: left}, s)
	}
	right, ok := e.Y.(*ir.Const)
	if !ok {
		return nil
	}
	if right.V == 0 && e.Op == ir.Ne && s == loose {
		return e.X
	}
	t := right.T
	if rest, v, ok := withoutTerm(e.X); ok {
		if k, fits := sum(t, ir.Sub, right.V, v); fits {
			return &ir.Binary{Op: e.Op, X: rest, Y: &ir.Const{T: t, V: k}}
		}
	}
	x, ok := e.X.(*ir.Binary)
	if !ok {
		return nil
	}
	k, ok := x.Y.(*ir.Const)
	if ok && x.Op == ir.Mul && t.Signed && k.V != 0 && k.V != -1 && right.V%k.V == 0 {
		op := e.Op
		if k.V < 0 {
			op = op.Swapped()
		}
		return &ir.Binary{Op: op, X: x.X, Y: &ir.Const{T: t, V: right.V / k.V}}
	}
	if x.Op == ir.Sub && right.V == 0 {
		return &ir.Binary{Op: e.Op, X: x.X, Y: x.Y}
	}
	return nil
}

// shorterSum adds up two constants of a sum: x - (y + 3) - 5 is x - y - 8.
func shorterSum(e *ir.Binary) ir.Expr {
	k, ok := e.Y.(*ir.Const)
	if !ok || e.Op != ir.Add && e.Op != ir.Sub {
		return nil
	}
	if rest, v, ok := withoutTerm(e.X); ok {
		if v, fits := sum(k.T, e.Op, v, k.V); fits {
			return &ir.Binary{Op: ir.Add, X: rest, Y: &ir.Const{T: k.T, V: v}}
		}
	}
	return nil
}

// withoutSign writes x - -5 as x + 5, and x + 4294967295 as x - 1.
func withoutSign(e ir.Expr, _ slot) ir.Expr {
	b, ok := e.(*ir.Binary)
	if !ok || b.Op != ir.Add && b.Op != ir.Sub {
		return nil
	}
	k, ok := b.Y.(*ir.Const)
	if !ok {
		return nil
	}
	v, fits := sum(k.T, ir.Sub, 0, k.V)
	if !fits || cost(v) >= cost(k.V) {
		return nil
	}
	return &ir.Binary{Op: ir.Add + ir.Sub - b.Op, X: b.X, Y: &ir.Const{T: k.T, V: v}}
}

// withoutTerm leaves a constant out of a sum, and returns the rest and the constant as
// a summand. It does not change e.
func withoutTerm(e ir.Expr) (rest ir.Expr, v int64, ok bool) {
	b, is := e.(*ir.Binary)
	if !is || b.Op != ir.Add && b.Op != ir.Sub {
		return nil, 0, false
	}
	if k, is := b.Y.(*ir.Const); is {
		v, ok := sum(k.T, b.Op, 0, k.V)
		return b.X, v, ok
	}
	if rest, v, ok := withoutTerm(b.X); ok {
		return &ir.Binary{Op: b.Op, X: rest, Y: b.Y}, v, true
	}
	if rest, v, ok := withoutTerm(b.Y); ok {
		v, ok = sum(ir.IntOf(b), b.Op, 0, v)
		return &ir.Binary{Op: b.Op, X: b.X, Y: rest}, v, ok
	}
	return nil, 0, false
}

// sum returns a + b or a - b, and whether the type holds it or wraps.
func sum(t ir.Int, op ir.Op, a, b int64) (v int64, ok bool) {
	grows := b > 0
	if v = a + b; op == ir.Sub {
		v, grows = a-b, b < 0
	}
	if t.Signed && (!t.Holds(v) || b != 0 && (v > a) != grows) {
		return 0, false
	}
	return t.Wrap(v), true
}
