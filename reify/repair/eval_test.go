package repair

import (
	"math/bits"

	"goreify/reify/ir"
)

// The variables that the operands of the operations under test are loaded from.
func operand(name string, t ir.Int) *ir.Load {
	return &ir.Load{Place: &ir.VarRef{Var: &ir.Var{Name: name, Type: t, Kind: ir.Param}}}
}

// eval is C's meaning of the integer operators, in types of at most 32 bits. It
// reports false if e is undefined.
func eval(e ir.Expr, vars map[string]int64) (v int64, ok bool) {
	switch e := e.(type) {
	case *ir.Const:
		return e.V, e.T.Holds(e.V)
	case *ir.Load:
		return vars[ir.Root(e.Place).Name], true
	case *ir.Convert:
		v, ok := eval(e.X, vars)
		return e.T.(ir.Int).Wrap(v), ok
	case *ir.Unary:
		x, ok := eval(e.X, vars)
		if e.Op != ir.Neg || !ok {
			panic("not needed")
		}
		return fits(ir.IntOf(e), -x)
	case *ir.Builtin:
		x, ok := eval(e.Args[0], vars)
		if !ok {
			return 0, false
		}
		return evalBuiltin(e.Fn, ir.IntOf(e.Args[0]), x)
	case *ir.Binary:
		x, ok := eval(e.X, vars)
		y, ok2 := eval(e.Y, vars)
		if !ok || !ok2 {
			return 0, false
		}
		return evalBinary(e.Op, ir.IntOf(e.X), x, y)
	}
	panic("not needed")
}

// fits returns v in type t: wrapped, or undefined if t is signed and does not
// hold it.
func fits(t ir.Int, v int64) (int64, bool) { return t.Wrap(v), !t.Signed || t.Holds(v) }

func evalBuiltin(fn ir.Fn, t ir.Int, x int64) (int64, bool) {
	switch fn {
	case ir.Popcount:
		return int64(bits.OnesCount64(uint64(x))), true
	case ir.Parity:
		return int64(bits.OnesCount64(uint64(x)) % 2), true
	case ir.Clz:
		return int64(t.Bits - bits.Len64(uint64(x))), x != 0
	case ir.Ctz:
		return int64(bits.TrailingZeros64(uint64(x))), x != 0
	case ir.Abs:
		return max(x, -x), x != t.Min()
	}
	panic("not needed")
}

func evalBinary(op ir.Op, t ir.Int, x, y int64) (int64, bool) {
	switch op {
	case ir.Add:
		return fits(t, x+y)
	case ir.Sub:
		return fits(t, x-y)
	case ir.Mul:
		return fits(t, x*y)
	case ir.Div:
		if y == 0 {
			return 0, false
		}
		return fits(t, x/y)
	case ir.Rem:
		if y == 0 {
			return 0, false
		}
		_, ok := fits(t, x/y)
		return x % y, ok
	case ir.And:
		return x & y, true
	case ir.Or:
		return x | y, true
	case ir.Shl:
		if y < 0 || y >= int64(t.Bits) || x < 0 {
			return 0, false
		}
		return fits(t, x<<y)
	case ir.Shr:
		if y < 0 || y >= int64(t.Bits) {
			return 0, false
		}
		return x >> y, true
	}
	panic("not needed")
}

// spelt writes e with all parentheses and the operands' names.
func spelt(e ir.Expr) string {
	switch e := e.(type) {
	case *ir.Const:
		return e.T.Format(e.V)
	case *ir.Load:
		return ir.Root(e.Place).Name
	case *ir.Convert:
		return e.T.String() + "(" + spelt(e.X) + ")"
	case *ir.Unary:
		return e.Op.String() + spelt(e.X)
	case *ir.Builtin:
		return e.Fn.String() + "(" + spelt(e.Args[0]) + ")"
	case *ir.Binary:
		return "(" + spelt(e.X) + " " + e.Op.String() + " " + spelt(e.Y) + ")"
	}
	panic("not needed")
}
