package choice

import "math/bits"

// Constant returns a number in [lo, hi] from a mixture that favours special cases of
// compilers: small numbers, the ends of the interval, powers of two and their
// neighbours, then every magnitude alike, then every value alike. It panics if lo > hi.
func (s *Stream) Constant(lo, hi int64) int64 {
	if lo > hi {
		panic("choice: Constant of an empty interval")
	}
	switch at := s.Intn(100); {
	case at < 34:
		if a, b := max(lo, -8), min(hi, 8); a <= b {
			return s.Int64(a, b)
		}
	case at < 42:
		if s.Chance(1, 2) {
			return lo
		}
		return hi
	case at < 56:
		n := bits.Len64(max(uint64(max(hi, 0)), uint64(max(-lo, 0))))
		v := int64(1)<<s.Intn(max(1, min(n, 63))) + int64(s.Range(-1, 1))
		if s.Chance(1, 2) {
			v = -v
		}
		if lo <= v && v <= hi {
			return v
		}
	case at < 86:
		return s.Magnitude(lo, hi)
	}
	return s.Int64(lo, hi)
}

// Magnitude returns a number in [lo, hi] whose distance from the number of
// the interval nearest to zero has a uniformly drawn number of bits.
func (s *Stream) Magnitude(lo, hi int64) int64 {
	base := min(max(0, lo), hi)
	up := s.Chance(1, 2)
	room := uint64(base) - uint64(lo)
	if up || room == 0 {
		up, room = true, uint64(hi)-uint64(base)
	}
	n := s.Intn(bits.Len64(room) + 1)
	if n == 0 {
		return base
	}
	d := min(uint64(1)<<(n-1)|s.Uint64()&(1<<(n-1)-1), room)
	if up {
		return base + int64(d)
	}
	return base - int64(d)
}

// Edge returns a number at most d away, modulo 2^64, from a bound of the integer types
// of 8 to 64 bits: 2^7, 2^8, 2^15 and so on to 2^63.
func (s *Stream) Edge(d int) int64 {
	n := Pick(s, []int{7, 8, 15, 16, 31, 32, 63})
	return int64(1)<<n + int64(s.Range(-d, d))
}
