package repair

import (
	"math/bits"

	"goreify/reify/ir"
)

// Always returns an expression of the type of e that is defined for all defined values
// of e's operands, and that holds each of them once. It equals e wherever e is defined,
// except for a division or remainder. The divisor b of these becomes (b & Max) | 1, so
// that they equal e where b is positive and odd. The result is nil if e is no
// operation, or one that is never undefined.
func Always(e ir.Expr) ir.Expr {
	switch e := e.(type) {
	case *ir.Binary:
		return alwaysBinary(e)
	case *ir.Unary:
		if t := ir.IntOf(e.X); e.Op == ir.Neg && t.Signed {
			return &ir.Convert{T: t, X: &ir.Unary{Op: ir.Neg, X: unsigned(e.X)}}
		}
	case *ir.Builtin:
		return alwaysBuiltin(e)
	}
	return nil
}

func alwaysBinary(e *ir.Binary) ir.Expr {
	t := ir.IntOf(e.X)
	switch e.Op {
	case ir.Add, ir.Sub, ir.Mul:
		if t.Signed {
			return &ir.Convert{T: t, X: &ir.Binary{Op: e.Op, X: unsigned(e.X), Y: unsigned(e.Y)}}
		}
	case ir.Div, ir.Rem:
		y := e.Y
		if t.Signed {
			y = with(ir.And, y, t.Max())
		}
		return &ir.Binary{Op: e.Op, X: e.X, Y: with(ir.Or, y, 1)}
	case ir.Shl, ir.Shr:
		// The mask is the width less one where that is a power of two.
		count := with(ir.And, e.Y, 1<<(bits.Len(uint(t.Bits))-1)-1)
		if e.Op == ir.Shl && t.Signed {
			return &ir.Convert{T: t, X: &ir.Binary{Op: ir.Shl, X: unsigned(e.X), Y: unsigned(count)}}
		}
		return &ir.Binary{Op: e.Op, X: e.X, Y: count}
	}
	return nil
}

func alwaysBuiltin(e *ir.Builtin) ir.Expr {
	x := e.Args[0]
	t := ir.IntOf(x)
	switch e.Fn {
	case ir.Clz: // the lowest bit matters only if no other bit is set
		x = with(ir.Or, x, 1)
	case ir.Ctz: // and so does the highest bit
		x = with(ir.Or, x, t.Wrap(1<<(t.Bits-1)))
	case ir.Abs: // x % Min is x, except for Min itself
		x = with(ir.Rem, x, t.Min())
	default:
		return nil
	}
	return &ir.Builtin{Fn: e.Fn, Args: []ir.Expr{x}}
}

// Index returns an expression that is a valid index of an array of n elements
// whatever the value of x is, and equal to x where that is one. x is of any
// integer type, n is at least 1.
func Index(x ir.Expr, n int) ir.Expr {
	if t := ir.IntOf(x); t.Bits < 32 {
		x = &ir.Convert{T: ir.U32, X: x} // operators have no narrower operands
	} else {
		x = unsigned(x)
	}
	if n&(n-1) == 0 {
		return with(ir.And, x, int64(n-1))
	}
	return with(ir.Rem, x, int64(n))
}

// with returns x op v.
func with(op ir.Op, x ir.Expr, v int64) ir.Expr {
	return &ir.Binary{Op: op, X: x, Y: &ir.Const{T: ir.IntOf(x), V: v}}
}

// unsigned returns x converted to the unsigned type of its width.
func unsigned(x ir.Expr) ir.Expr {
	t := ir.IntOf(x)
	if !t.Signed {
		return x
	}
	return &ir.Convert{T: ir.Int{Bits: t.Bits}, X: x}
}
