//go:build cgo && z3

package z3

import (
	"fmt"
	"math/bits"
	"testing"

	"github.com/aclements/go-z3/z3"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"goreify/reify/ir"
)

// unaryCases are the operators and builtins of one operand, as Go has them, and
// the width that they are tried at.
var unaryCases = []struct {
	name  string
	t     ir.Int
	build func(e *encoder, x value) value
	want  func(x int64) (v int64, defined bool)
}{
	{"-", ir.I8, neg, func(x int64) (int64, bool) { return -x, x != -128 }},
	{"- unsigned", ir.U8, neg, func(x int64) (int64, bool) { return -x & 255, true }},
	{"~", ir.I8, not, func(x int64) (int64, bool) { return ^x, true }},
	{"~ unsigned", ir.U8, not, func(x int64) (int64, bool) { return ^x & 255, true }},
	{"abs", ir.I8, builtin(ir.Abs), func(x int64) (int64, bool) { return max(x, -x), x != -128 }},
	{"popcount", ir.U8, builtin(ir.Popcount), func(x int64) (int64, bool) { return int64(bits.OnesCount8(uint8(x))), true }},
	{"parity", ir.U8, builtin(ir.Parity), func(x int64) (int64, bool) { return int64(bits.OnesCount8(uint8(x)) % 2), true }},
	{"clz", ir.U8, builtin(ir.Clz), func(x int64) (int64, bool) { return int64(bits.LeadingZeros8(uint8(x))), x != 0 }},
	{"ctz", ir.U8, builtin(ir.Ctz), func(x int64) (int64, bool) { return int64(bits.TrailingZeros8(uint8(x))), x != 0 }},
	{"ffs", ir.I8, builtin(ir.Ffs), func(x int64) (int64, bool) { return int64(bits.TrailingZeros8(uint8(x))+1) % 9, true }},
	{"expect", ir.I8, builtin(ir.Expect), func(x int64) (int64, bool) { return x, true }},
	{"to bool", ir.I8, to(ir.Bool), func(x int64) (int64, bool) { return int64(min(1, max(x, -x))), true }},
	{"unsigned to bool", ir.U8, to(ir.Bool), func(x int64) (int64, bool) { return min(1, x), true }},
	{"from bool", ir.Bool, to(ir.I8), func(x int64) (int64, bool) { return x, true }},
	{"from bool to bool", ir.Bool, to(ir.Bool), func(x int64) (int64, bool) { return x, true }},
	{"to i1", ir.I8, to(ir.Int{Bits: 1, Signed: true}), func(x int64) (int64, bool) { return -(x & 1), true }},
	{"from i1 to bool", ir.Int{Bits: 1, Signed: true}, to(ir.Bool), func(x int64) (int64, bool) { return -x, true }},
	{"to i3", ir.U8, to(ir.Int{Bits: 3, Signed: true}), func(x int64) (int64, bool) { return x << 61 >> 61, true }},
	{"from i3", ir.Int{Bits: 3, Signed: true}, to(ir.U8), func(x int64) (int64, bool) { return x & 255, true }},
}

func neg(e *encoder, x value) value { return e.unary(ir.Neg, x) }
func not(e *encoder, x value) value { return e.unary(ir.Not, x) }

func builtin(fn ir.Fn) func(*encoder, value) value {
	return func(e *encoder, x value) value { return e.builtin(fn, x) }
}

func to(t ir.Int) func(*encoder, value) value {
	return func(e *encoder, x value) value { return e.convert(x, t) }
}

func TestUnaryIsExact(t *testing.T) {
	for _, c := range unaryCases {
		for width := max(1, c.t.Bits-3); width <= c.t.Bits; width += 3 {
			e := newEncoder(newTerms(z3.NewContext(nil)), &ir.Function{}, FullWidth)
			x := value{c.t, e.free("x", width), width}
			result := c.build(e, x)
			require.LessOrEqual(t, result.width, result.t.Bits, c.name)
			number := e.widen(result, result.t.Bits)
			solver := z3.NewSolver(e.ctx)
			for _, f := range e.formula {
				solver.Assert(f)
			}
			narrow := ir.Int{Bits: width, Signed: c.t.Signed}
			for v := narrow.Min(); v <= narrow.Max(); v++ {
				want, defined := c.want(v)
				here := e.eq(x.bv, e.num(v, width))
				assert.Equal(t, defined, solvable(t, solver, here), "%s %d", c.name, v)
				wrong := e.not(e.eq(number, e.num(want, result.t.Bits)))
				assert.False(t, solvable(t, solver, here, wrong), "%s %d is not %d", c.name, v, want)
			}
		}
	}
}

func solvable(t *testing.T, solver *z3.Solver, conditions ...z3.Bool) bool {
	t.Helper()
	solver.Push()
	defer solver.Pop()
	for _, c := range conditions {
		solver.Assert(c)
	}
	sat, err := solver.Check()
	require.NoError(t, err)
	return sat
}

func TestBswapIsExact(t *testing.T) {
	e := newEncoder(newTerms(z3.NewContext(nil)), &ir.Function{}, FullWidth)
	for _, v := range []uint64{0, 1, 0x0123456789abcdef, 1 << 63} {
		got := e.builtin(ir.Bswap, e.constant(ir.U64, int64(v)))
		assert.Equal(t, bits.ReverseBytes64(v), e.folded(ir.U64, got.bv).Uint64())
		got = e.builtin(ir.Bswap, e.constant(ir.U32, int64(uint32(v))))
		assert.Equal(t, uint64(bits.ReverseBytes32(uint32(v))), e.folded(ir.U32, got.bv).Uint64())
	}
}

// What __builtin_mul_overflow and its like say of operands and a result of
// three types.
func TestOverflowIsExact(t *testing.T) {
	types := []ir.Int{{Bits: 3, Signed: true}, {Bits: 3}, {Bits: 4, Signed: true}, {Bits: 4}}
	e := newEncoder(newTerms(z3.NewContext(nil)), &ir.Function{}, FullWidth)
	for _, xt := range types {
		for _, yt := range types {
			for _, dst := range types[:2] {
				for op := ir.Add; op <= ir.Mul; op++ {
					overflowIsExact(t, e, op, xt, yt, dst)
				}
			}
		}
	}
}

func overflowIsExact(t *testing.T, e *encoder, op ir.Op, xt, yt, dst ir.Int) {
	for x := xt.Min(); x <= xt.Max(); x++ {
		for y := yt.Min(); y <= yt.Max(); y++ {
			exact := map[ir.Op]int64{ir.Add: x + y, ir.Sub: x - y, ir.Mul: x * y}[op]
			result, flag := e.overflow(op, e.constant(xt, x), e.constant(yt, y), dst)
			n := e.folded(dst, result.bv).Int64()
			over, known := e.known(flag)
			ok := known && n == dst.Wrap(exact) && over == (n != exact)
			require.True(t, ok, fmt.Sprint(xt, x, op, yt, y, dst, n, over))
		}
	}
}
