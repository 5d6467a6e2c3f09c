package search

import "goreify/reify/choice"

// draw returns a value of a, which must not be empty.
func draw(s *choice.Stream, a interval) int64 { return s.Constant(a.lo, a.hi) }

// drawFactor returns a value of a for a multiplier or a divisor. 0, 1 and -1 teach a
// compiler least, so they are rare. Products must not explode in loops, so limit
// bounds the magnitude where it can.
func drawFactor(s *choice.Stream, a interval, limit int64) int64 {
	if tame := a.and(interval{-limit, limit}); !tame.empty() {
		a = tame
	}
	if most := min(a.hi, -a.lo); 1 <= most && most <= 6 && s.Chance(7, 8) {
		least := 1
		if most > 1 && s.Chance(4, 5) {
			least = 2
		}
		return int64(s.Range(least, int(most))) * sign(s)
	}
	var v int64
	switch s.Weighted(14, 36, 25, 25) {
	case 0:
		v = sign(s)
	case 1:
		v = int64(s.Range(2, 6)) * sign(s)
	case 2:
		tame := a.clamp(1 << 16)
		v = s.Magnitude(tame.lo, tame.hi)
	case 3:
		v = draw(s, a)
	}
	if !a.holds(v) {
		v = draw(s, a)
	}
	if v == 0 && s.Chance(15, 16) {
		v = sign(s)
		if !a.holds(v) {
			v = -v
		}
		if !a.holds(v) {
			v = 0
		}
	}
	return v
}

// sign returns 1 or, less often, -1: the variables of a loop should move in one
// direction.
func sign(s *choice.Stream) int64 {
	if s.Chance(2, 3) {
		return 1
	}
	return -1
}

// clamp returns the part of a within limit of zero, or a if that part is empty.
func (a interval) clamp(limit int64) interval {
	if b := a.and(interval{-limit, limit}); !b.empty() {
		return b
	}
	return a
}

// drawInitial draws the initial value of a variable; 0 is rare, because many operations
// stand still on it.
func drawInitial(s *choice.Stream, a interval) int64 {
	v := draw(s, a)
	if v == 0 && s.Chance(3, 4) {
		return draw(s, a)
	}
	return v
}

// drawPivot draws from the values that decide rightly; one in seven is the
// last that does.
func drawPivot(s *choice.Stream, room interval) int64 {
	if s.Chance(1, 7) {
		if s.Chance(1, 2) {
			return room.lo
		}
		return room.hi
	}
	return draw(s, room)
}
