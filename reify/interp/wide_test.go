package interp

import (
	"math/big"
	"testing"

	"github.com/stretchr/testify/require"

	"goreify/reify/choice"
	"goreify/reify/ir"
)

// Operators in all widths are those on numbers without bounds, wrapped without a
// sign and undefined with one where the type does not hold the result.
func TestWideOperators(t *testing.T) {
	s := choice.New([]byte("wide"))
	draw := func(of ir.Wide) *big.Int {
		v := new(big.Int)
		for range of.Cells() {
			cell := choice.Pick(s, []int64{int64(s.Uint64()), s.Edge(1), 0})
			v.Add(v.Lsh(v, 64), bigOf(choice.Pick(s, []ir.Int{ir.I64, ir.U64}), cell))
		}
		return cut(of, v.Rsh(v, uint(choice.Pick(s, []int{0, s.Intn(ir.MaxWide)}))))
	}
	f := &frame{f: new(ir.Function), rules: under[ir.C]}
	for range 200000 {
		of := ir.Wide{Bits: s.Range(2, ir.MaxWide), Signed: s.Chance(1, 2), BitInt: true}
		op := ir.Op(s.Range(int(ir.Add), int(ir.Shr)))
		x, y := draw(of), draw(of)
		require.Zero(t, x.Cmp(joined(of, split(of, x))), "%v in %v", x, of)
		if op.Shifts() && s.Chance(3, 4) {
			y = cut(of, big.NewInt(int64(s.Intn(of.Bits))))
		}
		want, defined := exactWide(op, of, x, y)
		got, err := f.wideBinary(op, of, x, y)
		require.Equal(t, defined, err == nil, "%v %v %v in %v: %v", x, op, y, of, err)
		if defined {
			require.Zero(t, want.Cmp(got), "%v %v %v in %v", x, op, y, of)
		}
	}
}

// exactWide is x op y by C's rules, or false if that is undefined.
func exactWide(op ir.Op, t ir.Wide, x, y *big.Int) (*big.Int, bool) {
	size := new(big.Int).Lsh(big.NewInt(1), uint(t.Bits))
	least, most := new(big.Int), new(big.Int).Sub(size, big.NewInt(1))
	if t.Signed {
		least.Neg(new(big.Int).Rsh(size, 1))
		most.Add(least, most)
	}
	in := func(v *big.Int) bool { return v.Cmp(least) >= 0 && v.Cmp(most) <= 0 }
	v := new(big.Int)
	switch op {
	case ir.Add:
		v.Add(x, y)
	case ir.Sub:
		v.Sub(x, y)
	case ir.Mul:
		v.Mul(x, y)
	case ir.Div, ir.Rem:
		if y.Sign() == 0 {
			return nil, false
		}
		rest := new(big.Int)
		v.QuoRem(x, y, rest)
		if op == ir.Rem && in(v) {
			v = rest
		}
	case ir.And:
		v.And(x, y)
	case ir.Or:
		v.Or(x, y)
	case ir.Xor:
		v.Xor(x, y)
	case ir.Shl, ir.Shr:
		if y.Sign() < 0 || y.Cmp(big.NewInt(int64(t.Bits))) >= 0 || op == ir.Shl && x.Sign() < 0 {
			return nil, false
		}
		if op == ir.Shl {
			v.Lsh(x, uint(y.Uint64()))
		} else {
			v.Rsh(x, uint(y.Uint64()))
		}
	}
	if !t.Signed {
		return v.Mod(v, size), true
	}
	return v, in(v)
}
