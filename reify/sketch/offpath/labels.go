package offpath

import "goreify/reify/ir"

// A labelSpan is the values of a label in the order of their type.
type labelSpan struct{ lo, hi uint64 }

// rank returns the position of v among the values of t.
func rank(t ir.Int, v int64) uint64 {
	if t.Signed {
		return uint64(v) ^ 1<<63
	}
	return uint64(v)
}

// labels fills those of a switch: small ones, close together or far apart. If one end
// of a range is known the other one is the same.
func (fl filler) labels(sw *ir.Switch) {
	t := ir.IntOf(sw.X)
	var taken []labelSpan
	for _, c := range sw.Cases {
		if c.Hi != nil {
			fl.steady(c)
		}
		if lo, hi, ok := fl.bounds(c); ok {
			taken = append(taken, labelSpan{rank(t, lo), rank(t, hi)})
		}
	}
	user := func(v int64) int {
		for i, s := range taken {
			if r := rank(t, v); s.lo <= r && r <= s.hi {
				return i
			}
		}
		return -1
	}
	dense := fl.s.Chance(1, 2)
	for _, c := range sw.Cases {
		if _, _, ok := fl.bounds(c); ok {
			continue
		}
		v := int64(fl.s.Range(0, 3))
		if !dense {
			v = constant(fl.s, t)
		}
		for i := user(v); i >= 0; i = user(v) {
			v = t.Wrap(v + int64(taken[i].hi-rank(t, v)) + int64(fl.s.Range(1, 3)))
		}
		s := labelSpan{rank(t, v), rank(t, v)}
		fl.set(c.Lo, v)
		if c.Hi != nil {
			s.hi = fl.stretch(t, s.lo, taken)
			fl.set(c.Hi, v+int64(s.hi-s.lo))
		}
		taken = append(taken, s)
	}
}

// stretch draws the last value of a range of type t that begins at lo and contains none
// of the taken ones.
func (fl filler) stretch(t ir.Int, lo uint64, taken []labelSpan) uint64 {
	most := rank(t, t.Max()) - lo
	for _, s := range taken {
		if s.lo > lo {
			most = min(most, s.lo-lo-1)
		}
	}
	return lo + min(most, uint64(fl.s.Range(0, 40)))
}

// set gives a symbol its value.
func (fl filler) set(e ir.Expr, v int64) {
	fl.m.Syms[e.(*ir.Sym).ID] = v
}

// steady gives a range one end of which is known the other one as well.
func (fl filler) steady(c ir.SwitchCase) {
	lo, okLo := fl.label(c.Lo)
	hi, okHi := fl.label(c.Hi)
	switch {
	case okLo && !okHi:
		fl.set(c.Hi, lo)
		fl.m.Set[c.Hi.(*ir.Sym).ID] = true
	case okHi && !okLo:
		fl.set(c.Lo, hi)
		fl.m.Set[c.Lo.(*ir.Sym).ID] = true
	}
}

// bounds returns the first and last value of a label, if they are known.
func (fl filler) bounds(c ir.SwitchCase) (lo, hi int64, ok bool) {
	lo, ok = fl.label(c.Lo)
	if c.Hi == nil || !ok {
		return lo, lo, ok
	}
	hi, ok = fl.label(c.Hi)
	return lo, hi, ok
}

// label returns the value of one end of a label, if it is known.
func (fl filler) label(e ir.Expr) (v int64, ok bool) {
	switch e := e.(type) {
	case *ir.Const:
		return e.V, true
	case *ir.Sym:
		return fl.m.Syms[e.ID], fl.m.Set[e.ID]
	}
	return 0, false
}
