package interp

import (
	"math"
	"math/big"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"goreify/reify/choice"
	"goreify/reify/ir"
)

const (
	minI32, maxI32 = math.MinInt32, math.MaxInt32
	minI64, maxI64 = math.MinInt64, math.MaxInt64
	maxU32         = math.MaxUint32
	maxU64         = -1 // as ir.Const represents it
)

func TestArithmetic(t *testing.T) {
	for _, c := range []struct {
		t    ir.Int
		x    int64
		op   ir.Op
		y    int64
		want int64
	}{
		// Division truncates towards zero, the remainder has the sign of the
		// dividend (6.5.5p6).
		{ir.I32, 7, ir.Div, 2, 3},
		{ir.I32, -7, ir.Div, 2, -3},
		{ir.I32, 7, ir.Div, -2, -3},
		{ir.I32, -7, ir.Div, -2, 3},
		{ir.I32, 7, ir.Rem, 2, 1},
		{ir.I32, -7, ir.Rem, 2, -1},
		{ir.I32, 7, ir.Rem, -2, 1},
		{ir.I32, -7, ir.Rem, -2, -1},
		{ir.I64, -7, ir.Div, 2, -3},
		{ir.I64, -7, ir.Rem, 2, -1},
		// The extremes that still fit.
		{ir.I32, maxI32 - 1, ir.Add, 1, maxI32},
		{ir.I32, minI32 + 1, ir.Sub, 1, minI32},
		{ir.I32, minI32 / 2, ir.Mul, 2, minI32},
		{ir.I32, minI32, ir.Div, 1, minI32},
		{ir.I32, minI32 + 1, ir.Div, -1, maxI32},
		{ir.I64, maxI64 - 1, ir.Add, 1, maxI64},
		{ir.I64, minI64 + 1, ir.Sub, 1, minI64},
		{ir.I64, -1, ir.Sub, maxI64, minI64},
		{ir.I64, minI64 / 2, ir.Mul, 2, minI64},
		{ir.I64, -1, ir.Mul, maxI64, -maxI64},
		{ir.I64, minI64, ir.Rem, minI64, 0},
		// Unsigned arithmetic is modulo 2^Bits (6.2.5p9).
		{ir.U32, maxU32, ir.Add, 1, 0},
		{ir.U32, 0, ir.Sub, 1, maxU32},
		{ir.U32, maxU32, ir.Mul, maxU32, 1},
		{ir.U32, maxU32, ir.Div, 2, maxU32 / 2},
		{ir.U32, maxU32, ir.Rem, 10, 5},
		{ir.U64, maxU64, ir.Add, 1, 0},
		{ir.U64, 0, ir.Sub, 1, maxU64},
		{ir.U64, maxU64, ir.Mul, maxU64, 1},
		{ir.U64, maxU64, ir.Div, 2, maxI64},
		{ir.U64, maxU64, ir.Rem, 10, 5},
		{ir.U64, 5, ir.Div, maxU64, 0},
		// Comparisons follow the type.
		{ir.I32, -1, ir.Lt, 1, 1},
		{ir.I64, -1, ir.Lt, 1, 1},
		{ir.U64, maxU64, ir.Lt, 1, 0},
		{ir.U64, maxU64, ir.Ge, 1, 1},
		{ir.U64, 1, ir.Gt, maxU64, 0},
		{ir.U32, 3, ir.Le, 3, 1},
		{ir.I32, 3, ir.Eq, 3, 1},
		{ir.I32, 3, ir.Ne, 3, 0},
	} {
		m := testMachine()
		got, typ, err := m.at.binary(c.op, c.t, c.x, c.y)
		if assert.NoError(t, err, "%s: %d %s %d", c.t, c.x, c.op, c.y) {
			assert.Equal(t, c.want, got, "%s: %d %s %d", c.t, c.x, c.op, c.y)
			if c.op.Compares() {
				assert.Equal(t, ir.I32, typ)
			} else {
				assert.Equal(t, c.t, typ)
			}
		}
	}
}

func TestArithmeticUndefined(t *testing.T) {
	for _, c := range []struct {
		t    ir.Int
		x    int64
		op   ir.Op
		y    int64
		want Kind
	}{
		{ir.I32, maxI32, ir.Add, 1, SignedOverflow},
		{ir.I32, minI32, ir.Add, -1, SignedOverflow},
		{ir.I32, minI32, ir.Sub, 1, SignedOverflow},
		{ir.I32, 0, ir.Sub, minI32, SignedOverflow},
		{ir.I32, 1 << 16, ir.Mul, 1 << 15, SignedOverflow},
		{ir.I32, minI32, ir.Mul, -1, SignedOverflow},
		{ir.I32, minI32, ir.Div, -1, SignedOverflow},
		{ir.I32, minI32, ir.Rem, -1, SignedOverflow},
		{ir.I64, maxI64, ir.Add, 1, SignedOverflow},
		{ir.I64, minI64, ir.Add, minI64, SignedOverflow},
		{ir.I64, minI64, ir.Sub, 1, SignedOverflow},
		{ir.I64, 0, ir.Sub, minI64, SignedOverflow},
		{ir.I64, 1 << 32, ir.Mul, 1 << 31, SignedOverflow},
		{ir.I64, minI64, ir.Mul, -1, SignedOverflow},
		{ir.I64, 1 << 62, ir.Mul, 2, SignedOverflow},                    // 2^63
		{ir.I64, 3, ir.Mul, -3_074_457_345_618_258_603, SignedOverflow}, // -2^63 - 1
		{ir.I64, minI64, ir.Mul, minI64, SignedOverflow},
		{ir.I64, minI64, ir.Div, -1, SignedOverflow},
		{ir.I64, minI64, ir.Rem, -1, SignedOverflow},
		{ir.I32, 5, ir.Div, 0, DivisionByZero},
		{ir.I32, 5, ir.Rem, 0, DivisionByZero},
		{ir.U32, 5, ir.Div, 0, DivisionByZero},
		{ir.U64, 5, ir.Rem, 0, DivisionByZero},
	} {
		m := testMachine()
		_, _, err := m.at.binary(c.op, c.t, c.x, c.y)
		var ub *UB
		if assert.ErrorAs(t, err, &ub, "%s: %d %s %d", c.t, c.x, c.op, c.y) {
			assert.Equal(t, c.want, ub.Kind, "%s: %d %s %d", c.t, c.x, c.op, c.y)
		}
	}
}

func TestConvert(t *testing.T) {
	for _, c := range []struct {
		to   ir.Int
		v    int64
		want int64
	}{
		{ir.U8, 200, 200},
		{ir.U8, 256, 0},
		{ir.U8, -1, 255},
		{ir.I8, 127, 127},
		{ir.I8, 128, -128},
		{ir.I8, 200, -56},
		{ir.I8, -129, 127},
		{ir.U16, -1, 65535},
		{ir.I16, 40000, 40000 - 65536},
		{ir.U32, -1, maxU32},
		{ir.I32, maxU32, -1},
		{ir.I32, 1 << 31, minI32},
		{ir.I32, 1 << 32, 0},
		{ir.U64, -1, maxU64}, // from any signed type
		{ir.I64, maxU64, -1}, // from u64
		{ir.I64, maxU32, maxU32},
	} {
		assert.Equal(t, c.want, convert(c.to, c.v), "%d to %s", c.v, c.to)
	}
	assert.Panics(t, func() { convert(ir.Int{Bits: 65}, 0) })
}

// Arithmetic as the standard words it: the exact result, then what its type
// makes of it.
func TestArithmeticAgreesWithExact(t *testing.T) {
	s := choice.New([]byte("exact"))
	for range 50_000 {
		typ := choice.Pick(s, []ir.Int{ir.I32, ir.U32, ir.I64, ir.U64})
		op := choice.Pick(s, []ir.Op{ir.Add, ir.Sub, ir.Mul, ir.Div, ir.Rem})
		x, y := anyValue(s, typ), anyValue(s, typ)
		if (op == ir.Div || op == ir.Rem) && y == 0 {
			continue
		}
		bx, by, want := exact(typ, x), exact(typ, y), new(big.Int)
		switch op {
		case ir.Add:
			want.Add(bx, by)
		case ir.Sub:
			want.Sub(bx, by)
		case ir.Mul:
			want.Mul(bx, by)
		case ir.Div, ir.Rem:
			want.Quo(bx, by)
		}
		lo, hi := exact(typ, typ.Min()), exact(typ, typ.Max())
		fits := want.Cmp(lo) >= 0 && want.Cmp(hi) <= 0
		if op == ir.Rem {
			want.Rem(bx, by)
		}
		m := testMachine()
		got, _, err := m.at.binary(op, typ, x, y)
		if !typ.Signed {
			want.Mod(want, new(big.Int).Lsh(big.NewInt(1), uint(typ.Bits)))
			fits = true
		}
		require.Equal(t, fits, err == nil, "%s: %s %s %s", typ, bx, op, by)
		if fits {
			require.Equal(t, want.String(), exact(typ, got).String(), "%s: %s %s %s", typ, bx, op, by)
		}
	}
}

func exact(t ir.Int, v int64) *big.Int {
	if t.Signed {
		return big.NewInt(v)
	}
	return new(big.Int).SetUint64(uint64(v))
}

// anyValue draws a value of t, often near a power of two or a bound.
func anyValue(s *choice.Stream, t ir.Int) int64 {
	v := int64(s.Uint64())
	switch s.Intn(4) {
	case 0:
		v = int64(s.Intn(7)) - 3
	case 1:
		v = 1<<s.Intn(64) + int64(s.Intn(3)) - 1
	case 2:
		v = t.Max() - int64(s.Intn(3))
	}
	return t.Wrap(v)
}
