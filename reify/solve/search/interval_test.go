package search

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"goreify/reify/ir"
)

// Every value of 8-bit operands is tried: what an inversion says must be
// right, and for signed types nothing may be missing, but with ^.
func TestInversionsAgainstBruteForce(t *testing.T) {
	wants := []interval{{-128, 127}, {0, 255}, {-3, 9}, {0, 0}, {1, 1}, {100, 127}, {-128, -120}, {200, 255}, {5, 4}}
	for _, typ := range []ir.Int{ir.I8, ir.U8} {
		for _, op := range []ir.Op{ir.Add, ir.Sub, ir.Mul, ir.Div, ir.Rem, ir.And, ir.Xor, ir.Shl, ir.Shr} {
			for other := typ.Min(); other <= typ.Max(); other++ {
				for _, want := range wants {
					for _, onRight := range []bool{false, true} {
						got, ok := left(op, typ, other, want)
						if onRight {
							got, ok = right(op, typ, other, want)
						}
						if !ok {
							require.False(t, inverts(op, typ, onRight))
							continue
						}
						for v := typ.Min(); v <= typ.Max(); v++ {
							x, y := v, other
							if onRight {
								x, y = other, v
							}
							result, defined := apply(op, typ, x, y)
							is := defined && want.holds(result)
							if is != got.holds(v) && (!is || typ.Signed && op != ir.Xor) {
								require.Fail(t, fmt.Sprintf("%v: %d %v %d in %v is %t, but %d in %v is not", typ, x, op, y, want, is, v, got))
							}
						}
					}
				}
			}
		}
	}
}

func TestInversionsAtTheEndsOfInt64(t *testing.T) {
	everything := all(ir.I64)
	for _, op := range []ir.Op{ir.Add, ir.Sub, ir.Mul, ir.Div} {
		for _, other := range []int64{everything.lo, everything.lo + 1, -1, 0, 1, 7, everything.hi} {
			for _, want := range []interval{everything, {everything.lo, everything.lo}, {everything.hi, everything.hi}, {-5, 5}} {
				got, ok := left(op, ir.I64, other, want)
				require.True(t, ok)
				for _, x := range []int64{got.lo, got.hi} {
					if want.lo != -5 {
						continue // at the ends of the range it may be wrong, and is checked: see exact
					}
					if v, defined := apply(op, ir.I64, x, other); !got.empty() && defined {
						require.True(t, want.holds(v), "%d %v %d = %d, wanted %v", x, op, other, v, want)
					}
				}
			}
		}
	}
	got, _ := left(ir.Add, ir.I64, 10, everything)
	require.Equal(t, interval{everything.lo, everything.hi - 10}, got)
	got, _ = right(ir.Sub, ir.I64, -2, everything)
	require.Equal(t, interval{everything.lo, everything.hi - 1}, got, "-2 - Min fits, -2 - Max stops at the end")
}
