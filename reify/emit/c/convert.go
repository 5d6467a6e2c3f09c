package c

import (
	"math"

	"goreify/reify/ir"
)

// With the style ImplicitCasts, a Convert is written as a cast only if C would not
// convert by itself to the same value. C does so
//
//   - to the type of the object in assignments and initialisers, of the
//     parameter in calls, and of the result in returns: see assigned;
//   - from types narrower than int to int in any operand: see promote;
//   - to the common type of the two operands of arithmetic, comparisons and
//     ?:, if the one whose conversion is left out has a type which converts to
//     that of the other, and the other is written with its type (6.3.1.8): see
//     balance.
//
// The conversion may also be left out if it does not change the relevant value: of a
// shift count and an index, any; in a condition, whether the value is zero. A bit-field
// of 33 to 63 bits is always converted explicitly, because gcc computes in that width
// and clang does not.

// promoted returns the type that t is promoted to (6.3.1.1).
func promoted(t ir.Int) ir.Int {
	if t.Bits < 32 {
		return ir.I32
	}
	return t
}

// usual returns the common type of operands of types a and b.
func usual(a, b ir.Int) ir.Int {
	a, b = promoted(a), promoted(b)
	if a.Bits > b.Bits || a.Bits == b.Bits && !a.Signed {
		return a
	}
	return b
}

// odd reports whether t is the type of a bit-field that compilers promote differently.
func odd(t ir.Int) bool { return t.Bits > 32 && t.Bits < 64 }

// A conversion is that of an integer to another type of integers.
type conversion struct {
	x        ir.Expr
	from, to ir.Int
}

// conversionOf returns the conversion that e is; false if it is another expression.
func conversionOf(e ir.Expr) (conversion, bool) {
	c, ok := e.(*ir.Convert)
	if !ok {
		return conversion{}, false
	}
	to, ok := c.T.(ir.Int)
	if !ok {
		return conversion{}, false
	}
	from, ok := c.X.Type().(ir.Int)
	return conversion{c.X, from, to}, ok
}

// assigned returns the expression to write for e where C converts it to type to.
func (f *function) assigned(e ir.Expr, to ir.Int) ir.Expr {
	if !f.unit.Style.ImplicitCasts {
		return e
	}
	if c, ok := conversionOf(e); ok && c.to == to {
		return c.x
	}
	return f.bare(e)
}

// bare returns the expression to write for e where its type does not matter: only the
// value does, or C converts it. In the short form, a constant that fits is an int.
func (f *function) bare(e ir.Expr) ir.Expr {
	if f.short == nil {
		return e
	}
	c, ok := e.(*ir.Const)
	if !ok || c.T.Bits < 32 || c.V > math.MaxInt32 || c.V <= math.MinInt32 || c.V < 0 && !c.T.Signed {
		return e
	}
	return &ir.Const{T: ir.I32, V: c.V}
}

// promote returns the expression to write for e where C promotes it.
func (f *function) promote(e ir.Expr) ir.Expr {
	if _, ok := e.(*ir.Convert); ok && f.unit.Style.ImplicitCasts {
		if c, ok := conversionOf(e); ok && c.to == ir.I32 && c.from.Bits < 32 {
			return c.x
		}
	}
	return e
}

// balance returns the expressions to write for operands of one type where C converts
// them to their common type.
func (f *function) balance(x, y ir.Expr) (ir.Expr, ir.Expr) {
	if !f.unit.Style.ImplicitCasts {
		return x, y
	}
	// Written without a cast, an operand narrower than int is promoted to int, so that
	// the other operand may be converted to that type.
	x, y = f.promote(x), f.promote(y)
	if c, ok := x.(*ir.Convert); ok && yields(c, y) {
		return c.X, y
	}
	if c, ok := y.(*ir.Convert); ok && yields(c, x) {
		return x, c.X
	}
	// Beside a constant as an int, the other operand has the type of both.
	if _, ok := x.(*ir.Const); ok {
		if _, ok := y.(*ir.Const); !ok {
			return f.bare(x), y
		}
		return x, y
	}
	return x, f.bare(y)
}

// yields reports whether the operand of e, beside other, is converted as by e.
func yields(e *ir.Convert, other ir.Expr) bool {
	if e.T == ir.F32 || e.T == ir.F64 {
		return e.T == ir.F64 || ir.IsInt(e.X)
	}
	c, ok := conversionOf(e)
	return ok && c.to == promoted(ir.IntOf(other)) && !odd(c.from) && usual(c.from, c.to) == c.to
}

// widened returns the expression to write for e where only its value matters.
func (f *function) widened(e ir.Expr) ir.Expr {
	if f.unit.Style.ImplicitCasts {
		if c, ok := conversionOf(e); ok && (c.from == c.to || c.from.Bits < c.to.Bits && (c.to.Signed || !c.from.Signed)) {
			return c.x
		}
	}
	return f.bare(e)
}

// count returns the expression to write for a shift count. A count that is neither
// negative nor too large after the conversion was neither before.
func (f *function) count(e ir.Expr) ir.Expr {
	if w, ok := wideCount(e); ok {
		return f.promote(w)
	}
	if f.unit.Style.ImplicitCasts {
		if c, ok := conversionOf(e); ok && c.from.Bits <= c.to.Bits {
			return c.x
		}
	}
	return f.bare(e)
}

// wideCount returns the operand of a conversion to a wide type, as which it is a count of
// the same value.
func wideCount(e ir.Expr) (ir.Expr, bool) {
	c, ok := e.(*ir.Convert)
	if !ok {
		return nil, false
	}
	t, ok := c.T.(ir.Wide)
	if !ok {
		return nil, false
	}
	if k, ok := c.X.(*ir.Const); ok && 0 <= k.V && k.V < int64(t.Bits) {
		return k, true
	}
	from, ok := c.X.Type().(ir.Int)
	return c.X, ok && from.Bits < t.Bits && (t.Signed || !from.Signed)
}

// truth returns the expression to write for e where only its truth matters.
func (f *function) truth(e ir.Expr) ir.Expr {
	if f.unit.Style.ImplicitCasts {
		for {
			c, ok := conversionOf(e)
			if !ok || c.to != ir.Bool && c.to.Bits < c.from.Bits {
				break
			}
			e = c.x
		}
	}
	return f.bare(e)
}
