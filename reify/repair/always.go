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
	op, operands := parts(e)
	if operands == nil {
		return nil
	}
	x, y := operands[0], operands[len(operands)-1]
	t := ir.IntOf(x)
	switch op {
	case ir.Neg:
		if t.Signed {
			return convert(t, &ir.Unary{Op: ir.Neg, X: unsigned(x)})
		}
	case ir.Add, ir.Sub, ir.Mul:
		if t.Signed {
			return convert(t, &ir.Binary{Op: op.(ir.Op), X: unsigned(x), Y: unsigned(y)})
		}
	case ir.Div, ir.Rem:
		if t.Signed {
			y = with(ir.And, y, t.Max())
		}
		return &ir.Binary{Op: op.(ir.Op), X: x, Y: with(ir.Or, y, 1)}
	case ir.Shl, ir.Shr:
		// The mask is the width less one where that is a power of two.
		count := with(ir.And, y, 1<<(bits.Len(uint(t.Bits))-1)-1)
		if op == ir.Shl && t.Signed {
			return convert(t, &ir.Binary{Op: ir.Shl, X: unsigned(x), Y: unsigned(count)})
		}
		return &ir.Binary{Op: op.(ir.Op), X: x, Y: count}
	case ir.Clz: // the lowest bit matters only if no other bit is set
		return call(ir.Clz, with(ir.Or, x, 1))
	case ir.Ctz: // and so does the highest bit
		return call(ir.Ctz, with(ir.Or, x, t.Wrap(1<<(t.Bits-1))))
	case ir.Abs: // x % Min is x, except for Min itself
		return call(ir.Abs, with(ir.Rem, x, t.Min()))
	}
	return nil
}

// Index returns an expression that is a valid index of an array of n elements
// whatever the value of x is, and equal to x where that is one. x is of any
// integer type, n is at least 1.
func Index(x ir.Expr, n int) ir.Expr {
	if t := ir.IntOf(x); t.Bits < 32 {
		x = convert(ir.U32, x) // operators have no narrower operands
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
	return convert(ir.Int{Bits: t.Bits}, x)
}

func call(fn ir.Fn, x ir.Expr) ir.Expr { return &ir.Builtin{Fn: fn, Args: []ir.Expr{x}} }

func convert(t ir.Int, x ir.Expr) ir.Expr { return &ir.Convert{T: t.Boxed(), X: x} }
