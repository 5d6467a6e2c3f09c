package interp

import (
	"fmt"
	"math/big"
	"math/bits"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"goreify/reify/choice"
	"goreify/reify/ir"
)

// narrowTypes are of widths that lanes of vectors and bit-fields have.
var narrowTypes = []ir.Int{{Bits: 8, Signed: true}, {Bits: 8}, {Bits: 4, Signed: true}, {Bits: 4}}

// arithmetic is what C11 says of op on unlimited integers. What is not defined
// has a kind of its own.
func arithmetic(op ir.Op, t ir.Int, x, y int64) (v int64, kind Kind, defined bool) {
	lo, hi := int64(0), int64(1)<<t.Bits
	if t.Signed {
		lo, hi = -hi/2, hi/2
	}
	fit := func(v int64, kind Kind) (int64, Kind, bool) {
		if t.Signed {
			return v, kind, lo <= v && v < hi
		}
		return ((v % hi) + hi) % hi, 0, true
	}
	is := func(b bool) (int64, Kind, bool) {
		if b {
			return 1, 0, true
		}
		return 0, 0, true
	}
	switch op {
	case ir.Add:
		return fit(x+y, SignedOverflow)
	case ir.Sub:
		return fit(x-y, SignedOverflow)
	case ir.Mul:
		return fit(x*y, SignedOverflow)
	case ir.Div, ir.Rem:
		if y == 0 {
			return 0, DivisionByZero, false
		}
		q := new(big.Int).Quo(big.NewInt(x), big.NewInt(y)).Int64()
		if q >= hi {
			return 0, SignedOverflow, false
		}
		if op == ir.Div {
			return q, 0, true
		}
		return x - q*y, 0, true
	case ir.And, ir.Or, ir.Xor:
		// Bit by bit, in two's complement of t.
		for i := range t.Bits {
			a, b := (x>>i)&1, (y>>i)&1
			on := a+b == 2
			if op == ir.Or {
				on = a+b >= 1
			}
			if op == ir.Xor {
				on = a+b == 1
			}
			if on && t.Signed && i == t.Bits-1 {
				v -= 1 << i
			} else if on {
				v += 1 << i
			}
		}
		return v, 0, true
	case ir.Shl:
		if y < 0 || y >= int64(t.Bits) {
			return 0, ShiftAmount, false
		}
		if x < 0 {
			return 0, ShiftOverflow, false
		}
		for range y {
			x *= 2
		}
		return fit(x, ShiftOverflow)
	case ir.Shr:
		if y < 0 || y >= int64(t.Bits) {
			return 0, ShiftAmount, false
		}
		for range y {
			x = (x - (x & 1)) / 2
		}
		return x, 0, true
	case ir.Lt:
		return is(x < y)
	case ir.Le:
		return is(x <= y)
	case ir.Gt:
		return is(x > y)
	case ir.Ge:
		return is(x >= y)
	case ir.Eq:
		return is(x == y)
	case ir.Ne:
		return is(x != y)
	}
	panic("no arithmetic operator")
}

func testMachine() *machine {
	m := new(machine)
	m.at.f, m.at.rules = &ir.Function{Name: "f"}, under[ir.C]
	return m
}

// Every binary operator on all pairs of values of 4 and 8 bits.
func TestBinaryExhaustively(t *testing.T) {
	m := testMachine()
	for _, typ := range narrowTypes {
		for op := ir.Add; op <= ir.Ne; op++ {
			differ := 0
			for x := typ.Min(); x <= typ.Max(); x++ {
				for y := typ.Min(); y <= typ.Max(); y++ {
					want, kind, defined := arithmetic(op, typ, x, y)
					got, _, err := m.at.binary(op, typ, x, y)
					var same bool
					if ub, undefined := err.(*UB); undefined {
						same = !defined && ub.Kind == kind
					} else {
						same = defined && got == want
					}
					if !same {
						if differ++; differ < 5 {
							t.Errorf("%s: %d %s %d = %d, %v; want %d, %v %v", typ, x, op, y, got, err, want, defined, kind)
						}
					}
				}
			}
		}
	}
}

func TestUnaryExhaustively(t *testing.T) {
	m := testMachine()
	for _, typ := range narrowTypes {
		for x := typ.Min(); x <= typ.Max(); x++ {
			want, _, defined := arithmetic(ir.Sub, typ, 0, x)
			got, _, err := m.at.unary(ir.Neg, typ, x)
			if defined {
				assert.NoError(t, err)
				assert.Equal(t, want, got, "-(%d) in %s", x, typ)
			} else {
				assert.ErrorContains(t, err, "SignedOverflow", "-(%d) in %s", x, typ)
			}
			want, _, _ = arithmetic(ir.Xor, typ, x, typ.Wrap(-1))
			got, of, err := m.at.unary(ir.Not, typ, x)
			assert.NoError(t, err)
			assert.Equal(t, typ, of)
			assert.Equal(t, want, got, "~(%d) in %s", x, typ)
			got, of, err = m.at.unary(ir.LNot, typ, x)
			assert.NoError(t, err)
			assert.Equal(t, ir.I32, of)
			assert.Equal(t, x == 0, got == 1, "!(%d)", x)
		}
	}
}

// All values of 8 bits to types of all widths, and values of all widths to 8
// bits: congruent modulo 2^Bits, or for _Bool whether they are zero.
func TestConvertExhaustively(t *testing.T) {
	congruent := func(to ir.Int, v, got int64) bool {
		size := new(big.Int).Lsh(big.NewInt(1), uint(to.Bits))
		low := new(big.Int)
		high := new(big.Int).Sub(size, big.NewInt(1))
		if to.Signed {
			half := new(big.Int).Rsh(size, 1)
			low.Neg(half)
			high.Sub(half, big.NewInt(1))
		}
		value := big.NewInt(got)
		if !to.Signed {
			value.SetUint64(uint64(got))
		}
		rest := new(big.Int).Sub(value, big.NewInt(v))
		return value.Cmp(low) >= 0 && value.Cmp(high) <= 0 && rest.Mod(rest, size).Sign() == 0
	}
	for bits := 1; bits <= 64; bits++ {
		for _, signed := range []bool{false, true} {
			to := ir.Int{Bits: bits, Signed: signed}
			for v := int64(-128); v < 256; v++ {
				got := convert(to, v)
				if to == ir.Bool {
					assert.Equal(t, v != 0, got == 1)
					continue
				}
				if !congruent(to, v, got) {
					t.Errorf("%s(%d) = %d", to, v, got)
				}
				if v := v<<(bits-1) + v; !congruent(to, v, convert(to, v)) {
					t.Errorf("%s(%d) = %d", to, v, convert(to, v))
				}
			}
		}
	}
}

// The operators agree with unlimited integers where those of 32 and 64 bits are
// too many to try them all.
func TestWideShiftsAgreeWithExact(t *testing.T) {
	m := testMachine()
	s := choice.New([]byte("shifts"))
	defined := 0
	for range 50_000 {
		typ := choice.Pick(s, []ir.Int{ir.I32, ir.U32, ir.I64, ir.U64})
		x, y := anyValue(s, typ), int64(s.Range(-2, 66))
		if !typ.Signed && y < 0 {
			continue
		}
		op := choice.Pick(s, []ir.Op{ir.Shl, ir.Shr})
		got, _, err := m.at.binary(op, typ, x, y)
		var kind Kind = -1
		if ub, ok := err.(*UB); ok {
			kind = ub.Kind
		}
		if y < 0 || y >= int64(typ.Bits) {
			require.Equal(t, ShiftAmount, kind)
			continue
		}
		z := exact(typ, x)
		if op == ir.Shr {
			z.Rsh(z, uint(y)) // big.Int rounds down
		} else if z.Lsh(z, uint(y)); typ.Signed {
			if x < 0 || z.Cmp(exact(typ, typ.Max())) > 0 {
				require.Equal(t, ShiftOverflow, kind, "%d << %d", x, y)
				continue
			}
		} else {
			z.And(z, exact(typ, typ.Max()))
		}
		require.NoError(t, err)
		require.Zero(t, z.Cmp(exact(typ, got)), "%s: %d %s %d = %d", typ, x, op, y, got)
		defined++
	}
	assert.Greater(t, defined, 20_000)
}

// The builtins agree with what is read off the digits of their arguments.
func TestBuiltins(t *testing.T) {
	s := choice.New([]byte("builtins"))
	for range 4_000 {
		wide := s.Chance(1, 2)
		u, i := ir.U32, ir.I32
		if wide {
			u, i = ir.U64, ir.I64
		}
		x := anyValue(s, u)
		text := fmt.Sprintf("%0*b", u.Bits, uint64(x)) // the bits, the highest first
		ones, first, last := 0, -1, -1
		for k, c := range text {
			if c == '1' {
				ones++
				if last = k; first < 0 {
					first = k
				}
			}
		}
		call := func(fn ir.Fn, t ir.Int, x int64) (int64, ir.Int, error) {
			return testMachine().eval(&ir.Builtin{Fn: fn, Args: []ir.Expr{&ir.Const{T: t, V: x}}})
		}
		check := func(fn ir.Fn, arg, of ir.Int, x, want int64) {
			t.Helper()
			got, typ, err := call(fn, arg, x)
			require.NoError(t, err)
			require.Equal(t, of, typ)
			require.Equal(t, want, got, "%s(%d) of %s", fn, x, arg)
		}
		check(ir.Popcount, u, ir.I32, x, int64(ones))
		check(ir.Parity, u, ir.I32, x, int64(ones%2))
		check(ir.Ffs, i, ir.I32, i.Wrap(x), int64((u.Bits-last)*min(1, ones)))
		if ones == 0 {
			for _, fn := range []ir.Fn{ir.Clz, ir.Ctz} {
				_, _, err := call(fn, u, x)
				require.ErrorContains(t, err, "BuiltinArgument")
			}
		} else {
			check(ir.Clz, u, ir.I32, x, int64(first))
			check(ir.Ctz, u, ir.I32, x, int64(u.Bits-1-last))
		}
		if x := i.Wrap(x); x == i.Min() {
			_, _, err := call(ir.Abs, i, x)
			require.ErrorContains(t, err, "SignedOverflow")
		} else {
			check(ir.Abs, i, i, x, max(x, -x))
		}
		swapped := bits.ReverseBytes64(uint64(x))
		if !wide {
			swapped = uint64(bits.ReverseBytes32(uint32(x)))
		}
		check(ir.Bswap, u, u, x, int64(swapped))
	}
}

// What is computed in 128 bits is what is computed in any number of them.
func TestOverflowOfSmallValues(t *testing.T) {
	types := []ir.Int{ir.I8, ir.U8, ir.I16, ir.U16, ir.I32, ir.U32, ir.I64, ir.U64}
	s := choice.New([]byte("overflow"))
	value := func(t ir.Int) int64 {
		if s.Chance(1, 2) {
			return t.Wrap(s.Constant(ir.I64.Min(), ir.I64.Max()))
		}
		return t.Wrap(int64(1)<<31 + int64(s.Range(-2, 2)))
	}
	for range 100_000 {
		op := choice.Pick(s, []ir.Op{ir.Add, ir.Sub, ir.Mul})
		of, tx, ty := choice.Pick(s, types), choice.Pick(s, types), choice.Pick(s, types)
		x, y := value(tx), value(ty)
		v, over := overflowed(op, of, tx, x, ty, y)
		want, wantOver := wrapped(op, of, unlimited(tx, x), unlimited(ty, y))
		if v != want || over != wantOver {
			t.Fatalf("%d:%s %s %d:%s in %s is %d, %t, want %d, %t", x, tx, op, y, ty, of, v, over, want, wantOver)
		}
	}
}

// unlimited returns the number that v of type t stands for.
func unlimited(t ir.Int, v int64) *big.Int {
	if t.Signed {
		return big.NewInt(v)
	}
	return new(big.Int).SetUint64(uint64(v))
}

// unbounded computes a sum, difference or product in integers without bounds.
func unbounded(op ir.Op, x, y *big.Int) *big.Int {
	return map[ir.Op]func(x, y *big.Int) *big.Int{
		ir.Add: new(big.Int).Add, ir.Sub: new(big.Int).Sub, ir.Mul: new(big.Int).Mul,
	}[op](x, y)
}

// wrapped computes x op y as if in a type of unlimited width. It returns the result in
// type t and whether t does not hold it.
func wrapped(op ir.Op, t ir.Int, x, y *big.Int) (v int64, overflow bool) {
	z := unbounded(op, x, y)
	// In two's complement the low 64 bits are the remainder modulo 2^64.
	low := new(big.Int).And(z, new(big.Int).SetUint64(1<<64-1))
	v = convert(t, int64(low.Uint64()))
	return v, unlimited(t, v).Cmp(z) != 0
}
