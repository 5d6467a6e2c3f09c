package interp

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"goreify/reify/choice"
	"goreify/reify/ir"
)

// anyFloat draws a finite number: often one of few digits, sometimes near the
// ends of the type.
func anyFloat(s *choice.Stream) float64 {
	switch s.Intn(6) {
	case 0:
		return float64(s.Range(-100, 100))
	case 1:
		return float64(s.Range(-1<<30, 1<<30))
	case 2:
		return math.Ldexp(float64(s.Range(-1<<20, 1<<20)), s.Range(-60, 40))
	case 3:
		return math.Ldexp(1+float64(s.Intn(8))/8, s.Range(-1080, 1023))
	case 4:
		return math.Ldexp(float64(s.Uint64()>>11), s.Range(-1100, 960))
	}
	for {
		if v := math.Float64frombits(s.Uint64()); !math.IsNaN(v) && !math.IsInf(v, 0) {
			return v
		}
	}
}

// What the fast way calls exact is what rational arithmetic does.
func TestIsExact(t *testing.T) {
	s := choice.New([]byte("floats"))
	exact, inexact := map[ir.Op]int{}, map[ir.Op]int{}
	for range 60_000 {
		x, y := anyFloat(s), anyFloat(s)
		op := choice.Pick(s, []ir.Op{ir.Add, ir.Sub, ir.Mul, ir.Div})
		if s.Chance(1, 3) && y != 0 { // a quotient that is often exact
			x, op = x*y, ir.Div
		}
		if math.IsInf(x, 0) || op == ir.Div && y == 0 {
			continue
		}
		v := map[ir.Op]float64{ir.Add: x + y, ir.Sub: x - y, ir.Mul: x * y, ir.Div: x / y}[op]
		if math.IsInf(v, 0) {
			continue
		}
		want := isExactRat(op, x, y, v)
		require.Equal(t, want, isExact(op, x, y, v), "%v %s %v = %v", x, op, y, v)
		if want {
			exact[op]++
		} else {
			inexact[op]++
		}
	}
	for op := ir.Add; op <= ir.Div; op++ {
		assert.Greater(t, exact[op], 500, "%s", op)
		assert.Greater(t, inexact[op], 500, "%s", op)
	}
}

// No operation makes a zero whose sign compilers disagree on.
func TestSignOfZero(t *testing.T) {
	m := testMachine()
	for _, c := range []struct {
		op   ir.Op
		x, y float64
		ok   bool
	}{
		{ir.Add, 0, 0, true},
		{ir.Sub, 3, 3, true},
		{ir.Sub, 0, 3, true},
		{ir.Mul, 0, 1, true},
		{ir.Div, 0, 1, true},
		{ir.Sub, 0, 0, false},
		{ir.Mul, 0, -1, false},
		{ir.Div, 0, -1, false},
	} {
		for _, typ := range []ir.Float{ir.F32, ir.F64} {
			got, err := m.at.floatBinary(c.op, typ, c.x, c.y)
			if !c.ok {
				assert.ErrorContains(t, err, "Inexact", "%v %s %v", c.x, c.op, c.y)
				continue
			}
			require.NoError(t, err)
			assert.False(t, math.Signbit(got) && got == 0, "%v %s %v", c.x, c.op, c.y)
		}
	}
	_, _, err := m.float(&ir.Unary{Op: ir.Neg, X: &ir.FloatConst{T: ir.F64}})
	assert.ErrorContains(t, err, "Inexact")
	_, _, err = m.float(&ir.FloatConst{T: ir.F64, V: math.Copysign(0, -1)})
	assert.ErrorContains(t, err, "Inexact")
}

// Conversions between the types, on both sides of each bound.
func TestFloatConversions(t *testing.T) {
	m := testMachine()
	for _, typ := range []ir.Int{ir.I8, ir.U8, ir.I16, ir.U16, ir.I32, ir.U32, ir.I64, ir.U64} {
		high := math.Ldexp(1, typ.Bits)
		low := 0.0
		if typ.Signed {
			low, high = -high/2, high/2
		}
		for _, v := range []float64{low, low + 1, high / 2, high - 0.5, math.Nextafter(high, 0), math.Nextafter(low-1, 0), 0.75} {
			got, err := m.at.floatToInt(typ, v)
			if v >= high || math.Trunc(v) < low { // rounded
				assert.ErrorContains(t, err, "ConversionOutOfRange", "%v to %s", v, typ)
				continue
			}
			require.NoError(t, err)
			whole := exact(typ, got)
			f, _ := whole.Float64()
			assert.Equal(t, math.Trunc(v), f, "%v to %s", v, typ)
		}
		for _, v := range []float64{high, math.Nextafter(low-1, math.Inf(-1)) - 1, 2 * high} {
			_, err := m.at.floatToInt(typ, v)
			assert.ErrorContains(t, err, "ConversionOutOfRange", "%v to %s", v, typ)
		}
		s := choice.New([]byte(typ.String()))
		for range 2000 {
			x := anyValue(s, typ)
			for _, to := range []ir.Float{ir.F32, ir.F64} {
				got, err := m.at.floatOf(to, typ, x)
				want, accuracy := exact(typ, x).Float64()
				if int(accuracy) != 0 || !holdsFloat(to, want) {
					require.ErrorContains(t, err, "Inexact")
					continue
				}
				require.NoError(t, err)
				require.Equal(t, want, got)
			}
		}
	}
}
