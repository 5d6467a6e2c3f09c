package choice_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"

	"goreify/reify/choice"
)

func TestBytesAreSpentFirst(t *testing.T) {
	s := choice.New([]byte{3, 200, 1, 1})
	assert.Equal(t, 3, s.Intn(4))
	assert.Equal(t, 200%7, s.Intn(7))
	assert.Equal(t, 257, s.Intn(1000), "two bytes, little endian")
	assert.Equal(t, 3, s.Draws())
}

func TestOneValueNeedsNoByte(t *testing.T) {
	s := choice.New([]byte{9})
	assert.Equal(t, 0, s.Intn(1))
	assert.Equal(t, 9, s.Intn(10))
}

// The numbers are part of the format: if they change, every recipe means
// another program.
func TestGeneratorIsPinned(t *testing.T) {
	s := choice.New([]byte("goreify"))
	var got []int
	for range 10 {
		got = append(got, s.Intn(1000))
	}
	assert.Equal(t, []int{519, 970, 217, 99, 504, 536, 928, 898, 562, 684}, got)
}

func TestStreamsAreIndependent(t *testing.T) {
	a, b := choice.New([]byte{1, 2, 3}), choice.New([]byte{1, 2, 3})
	a.Uint64()
	assert.Equal(t, a.Fork("x").Uint64(), b.Fork("x").Uint64(), "a fork does not depend on the draws made")
	assert.NotEqual(t, b.Fork("x").Uint64(), b.Fork("y").Uint64())
}

func TestNamesTellEqualBytesApart(t *testing.T) {
	a, b := choice.Named("graph", []byte{7}), choice.Named("path", []byte{7})
	assert.Equal(t, a.Intn(256), b.Intn(256), "the byte")
	assert.NotEqual(t, a.Uint64(), b.Uint64(), "the generator")
	assert.NotEqual(t, choice.Named("a", nil).Uint64(), choice.Named("b", nil).Uint64())
}

func TestInt64Bounds(t *testing.T) {
	s := choice.New([]byte{7})
	for range 1000 {
		v := s.Int64(math.MinInt64, math.MaxInt64-1)
		assert.NotEqual(t, int64(math.MaxInt64), v)
		w := s.Int64(-3, 3)
		assert.True(t, -3 <= w && w <= 3)
	}
	assert.Panics(t, func() { s.Int64(1, 0) })
	assert.Panics(t, func() { s.Intn(0) })
}

func TestWeighted(t *testing.T) {
	s := choice.New([]byte{1})
	var n [3]int
	for range 3000 {
		n[s.Weighted(1, 0, 2)]++
	}
	assert.Zero(t, n[1])
	assert.InDelta(t, 1000, n[0], 150)
}

func TestEdge(t *testing.T) {
	s := choice.New([]byte("edges"))
	seen := map[int64]bool{}
	for range 2000 {
		seen[s.Edge(1)] = true
	}
	for _, v := range []int64{127, 128, 129, 255, 256, 257, 1<<15 - 1, 1 << 16, 1<<31 - 1, 1 << 31, 1<<32 + 1, math.MaxInt64, math.MinInt64, math.MinInt64 + 1} {
		assert.True(t, seen[v], v)
	}
	assert.Len(t, seen, 7*3)
}
