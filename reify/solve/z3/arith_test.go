//go:build cgo && z3

package z3

import (
	"fmt"
	"testing"

	"github.com/aclements/go-z3/z3"
	"github.com/stretchr/testify/require"

	"goreify/reify/ir"
	"goreify/tools/need"
)

// TestArithmeticIsExact tries every pair of operands of 4-bit types, also known
// to have fewer bits: the formula of an operation has a model just if the
// operation is defined, and its models have the right result and no other.
func TestArithmeticIsExact(t *testing.T) {
	need.Long(t)
	for _, signed := range []bool{true, false} {
		typ := ir.Int{Bits: 4, Signed: signed}
		for op := ir.Add; op <= ir.Shr; op++ {
			for _, widths := range [][2]int{{4, 4}, {2, 4}, {4, 2}} {
				t.Run(fmt.Sprint(typ, op, widths), func(t *testing.T) {
					exact(t, typ, op, widths[0], widths[1])
				})
			}
		}
	}
}

func exact(t *testing.T, typ ir.Int, op ir.Op, xWidth, yWidth int) {
	e := newEncoder(newTerms(z3.NewContext(nil)), &ir.Function{}, FullWidth)
	x := value{typ, e.free("x", xWidth), xWidth}
	y := value{typ, e.free("y", yWidth), yWidth}
	result := e.widen(apply(e, op, x, y), 4)
	solver := z3.NewSolver(e.ctx)
	solver.Push()
	for _, c := range e.formula {
		solver.Assert(c)
	}
	check := func(c z3.Bool) bool {
		solver.Push()
		defer solver.Pop()
		solver.Assert(c)
		sat, err := solver.Check()
		require.NoError(t, err)
		return sat
	}
	xType, yType := ir.Int{Bits: xWidth, Signed: typ.Signed}, ir.Int{Bits: yWidth, Signed: typ.Signed}
	wrong := e.eq(e.num(0, 1), e.num(0, 1))
	for a := xType.Min(); a <= xType.Max(); a++ {
		for b := yType.Min(); b <= yType.Max(); b++ {
			here := e.both(e.eq(x.bv, e.num(a, xWidth)), e.eq(y.bv, e.num(b, yWidth)))
			want, defined := evaluate(typ, op, a, b)
			require.Equal(t, defined, check(here), "%d %s %d", a, op, b)
			if defined {
				wrong = e.both(wrong, e.not(e.both(here, e.eq(result, e.num(want, 4)))))
			}
		}
	}
	require.False(t, check(wrong), "a model with a wrong result")
}

func apply(e *encoder, op ir.Op, x, y value) value {
	switch {
	case op <= ir.Rem:
		return e.arith(op, x, y)
	case op.Shifts():
		return e.shift(op, x, y)
	}
	return e.bitwise(op, x, y)
}

func evaluate(typ ir.Int, op ir.Op, a, b int64) (int64, bool) {
	var v int64
	switch op {
	case ir.Add:
		v = a + b
	case ir.Sub:
		v = a - b
	case ir.Mul:
		v = a * b
	case ir.Div, ir.Rem:
		if b == 0 || typ.Signed && a == typ.Min() && b == -1 {
			return 0, false
		}
		if v = a / b; op == ir.Rem {
			v = a % b
		}
	case ir.And:
		v = a & b
	case ir.Or:
		v = a | b
	case ir.Xor:
		v = a ^ b
	case ir.Shl, ir.Shr:
		if b < 0 || b >= int64(typ.Bits) || op == ir.Shl && a < 0 {
			return 0, false
		}
		if v = a << b; op == ir.Shr {
			v = a >> b
		}
	}
	return typ.Wrap(v), !typ.Signed || typ.Holds(v)
}
