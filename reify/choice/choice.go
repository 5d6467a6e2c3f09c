// Package choice turns the bytes of a fuzzing engine into decisions.
//
// A Stream first spends the bytes it was given, so that a mutated byte changes one
// decision. Then it goes on with a generator seeded by the hash of those bytes, so that
// an input of any length decides everything:
//
//	s := choice.New([]byte{3, 200})
//	s.Intn(4)     // 3, from the first byte
//	s.Chance(1, 2) // from the second byte
//	s.Intn(1000)  // from the generator
//
// Streams made from different bytes, or forked under different names, share nothing.
// Thus mutating the bytes of the path leaves the graph alone. The same bytes give the
// same decisions in every process and on every machine.
package choice

import (
	"encoding/binary"
	"math/bits"
	"math/rand/v2"

	"github.com/cespare/xxhash/v2"
)

// A Stream is a deterministic sequence of decisions. It is not safe for
// concurrent use.
type Stream struct {
	data  []byte // bytes not spent yet
	seed  uint64 // hash of all the bytes the stream was made from
	rng   rand.PCG
	draws int
}

// New returns the stream of decisions that data stands for. The stream keeps
// a reference to data, which must not change while the stream is in use.
func New(data []byte) *Stream {
	seed := xxhash.Sum64(data)
	return &Stream{data: data, seed: seed, rng: *rand.NewPCG(seed, uint64(len(data)))}
}

// Named returns the stream of decisions that data stands for under a name:
// equal bytes under other names are other streams once the bytes are spent.
func Named(name string, data []byte) *Stream {
	s := New(data)
	s.seed = mix(s.seed, name)
	s.rng.Seed(s.seed, uint64(len(data)))
	return s
}

// From returns the stream whose first number, as Uint64 has it, is v.
func From(v uint64) *Stream { return New(binary.LittleEndian.AppendUint64(nil, v)) }

// Fork returns an independent stream that depends on the bytes of s and on
// name, not on how many decisions s has made.
func (s *Stream) Fork(name string) *Stream {
	return New(Derive(s.seed, name))
}

// Derive returns the eight bytes that stand for name under seed: a tool numbers its
// streams by them when there is no fuzzing engine to give it bytes.
func Derive(seed uint64, name string) []byte {
	return binary.LittleEndian.AppendUint64(nil, mix(seed, name))
}

func mix(seed uint64, name string) uint64 {
	buf := binary.LittleEndian.AppendUint64(make([]byte, 0, 64), seed)
	return xxhash.Sum64(append(buf, name...))
}

// Draws returns how many decisions have been made.
func (s *Stream) Draws() int { return s.draws }

// Uint64 returns 64 bits: eight of the bytes if as many are left, else the
// generator's.
func (s *Stream) Uint64() uint64 {
	s.draws++
	if len(s.data) >= 8 {
		v := binary.LittleEndian.Uint64(s.data)
		s.data = s.data[8:]
		return v
	}
	return s.rng.Uint64()
}

// Intn returns a number in [0, n). It spends as few bytes as can tell n
// numbers apart. It panics if n <= 0.
func (s *Stream) Intn(n int) int {
	if n <= 0 {
		panic("choice: Intn of a number that is not positive")
	}
	s.draws++
	if len(s.data) > 0 { // seldom: most draws are made when the bytes are spent
		if v, ok := s.spend(n); ok {
			return v
		}
	}
	hi, _ := bits.Mul64(s.rng.Uint64(), uint64(n))
	return int(hi)
}

// spend returns a number in [0, n) from the bytes, if enough are left.
func (s *Stream) spend(n int) (v int, ok bool) {
	need := (bits.Len64(uint64(n-1)) + 7) / 8
	if need > len(s.data) {
		return 0, false
	}
	var u uint64
	for i := range need {
		u |= uint64(s.data[i]) << (8 * i)
	}
	s.data = s.data[need:]
	return int(u % uint64(n)), true
}

// Range returns a number in [lo, hi]. It panics if lo > hi.
func (s *Stream) Range(lo, hi int) int {
	if lo > hi {
		panic("choice: Range of an empty interval")
	}
	return lo + s.Intn(hi-lo+1)
}

// Int64 returns a number in [lo, hi], which may be the whole of int64. It
// panics if lo > hi.
func (s *Stream) Int64(lo, hi int64) int64 {
	if lo > hi {
		panic("choice: Int64 of an empty interval")
	}
	span := uint64(hi) - uint64(lo) // the number of values, less one
	if span < 1<<62 {
		return lo + int64(s.Intn(int(span)+1))
	}
	v := s.Uint64()
	if span != 1<<64-1 {
		v %= span + 1
	}
	return int64(uint64(lo) + v)
}

// Chance returns true num times in den.
func (s *Stream) Chance(num, den int) bool { return s.Intn(den) < num }

// Weighted returns an index of weights, each drawn in proportion to its
// weight. It panics if the weights are negative or all zero.
func (s *Stream) Weighted(weights ...int) int {
	sum := 0
	for _, w := range weights {
		if w < 0 {
			panic("choice: negative weight")
		}
		sum += w
	}
	at := s.Intn(sum)
	for i, w := range weights {
		if at < w {
			return i
		}
		at -= w
	}
	panic("unreachable")
}

// Shuffle puts n elements in random order by swapping them.
func (s *Stream) Shuffle(n int, swap func(i, j int)) {
	for i := n - 1; i > 0; i-- {
		swap(i, s.Intn(i+1))
	}
}

// Pick returns one of the elements of xs, which must not be empty.
func Pick[T any](s *Stream, xs []T) T { return xs[s.Intn(len(xs))] }
