package ir

import (
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

// What holds of an operation does not depend on how it is computed.
func TestPromised(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	seen := map[Promise]int{}
	for range 300_000 {
		of := Int{Bits: 1 + r.IntN(64), Signed: r.IntN(2) == 0}
		if of.Bits == 1 {
			of.Signed = false
		}
		draw := func() int64 {
			v := r.Uint64() >> r.IntN(64)
			if r.IntN(2) == 0 {
				v = -v
			}
			return of.Wrap(int64(v))
		}
		x, y := draw(), draw()
		op := Op(r.IntN(int(LAnd)))
		if op.Shifts() {
			y = int64(r.IntN(of.Bits))
		}
		if of.Wrap(y) != y || op.Divides() && (y == 0 || of.Signed && y == -1) {
			continue
		}
		number := func(v int64) *big.Int {
			if of.Signed {
				return big.NewInt(v)
			}
			return new(big.Int).SetUint64(uint64(v))
		}
		got := Promised(op, of, x, y)
		require.Equal(t, PromisedWide(op, Wide{Bits: of.Bits, Signed: of.Signed}, number(x), number(y)), got, "%v: %d %v %d", of, x, op, y)
		seen[got]++
		to := 1 + r.IntN(64)
		got = PromisedOf(of.Bits, to, x)
		require.Equal(t, PromisedOfWide(of.Bits, to, number(x)), got, "%d from %v to %d", x, of, to)
		seen[got]++
	}
	require.Len(t, seen, 8, "%v", seen)
}
