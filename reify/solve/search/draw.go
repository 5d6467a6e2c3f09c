package search

import "goreify/reify/choice"

// draw returns a value of a, which must not be empty.
func draw(s *choice.Stream, a interval) int64 { return s.Constant(a.lo, a.hi) }

// drawFactor returns a value of a for a multiplier or a divisor: 0 and 1 are
// the values that teach a compiler least, so they are rare, and loops want
// factors that do not explode, so limit bounds the magnitude where it can.
func drawFactor(s *choice.Stream, a interval, limit int64) int64 {
	if tame := a.and(interval{-limit, limit}); !tame.empty() {
		a = tame
	}
	if limit == 1 && a.holds(0) && s.Chance(1, 4) {
		return 0
	}
	var v int64
	switch s.Weighted(28, 32, 20, 20) {
	case 0:
		v = 1
		if !s.Chance(3, 4) {
			v = -1
		}
	case 1:
		v = int64(s.Range(2, 6)) * (1 - 2*int64(s.Intn(2)))
	case 2:
		tame := a.clamp(1 << 16)
		v = s.Magnitude(tame.lo, tame.hi)
	case 3:
		v = draw(s, a)
	}
	if !a.holds(v) {
		v = draw(s, a)
	}
	if v == -1 && limit == 1 && a.holds(1) && s.Chance(3, 4) {
		v = 1 // what is to go round many times should move one way
	}
	if v == 0 && limit > 1 && s.Chance(9, 10) {
		if a.holds(1) {
			return 1
		}
		if a.holds(-1) {
			return -1
		}
	}
	return v
}

// clamp returns the part of a within limit of zero, or a if there is none.
func (a interval) clamp(limit int64) interval {
	if b := a.and(interval{-limit, limit}); !b.empty() {
		return b
	}
	return a
}
