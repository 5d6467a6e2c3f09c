package search

import "goreify/reify/ir"

// transfer executes s. Objects with unions in them are left alone.
func (ev *evaluator) transfer(s *ir.Transfer, state []int64, pol *policy) bool {
	x, ok := ev.pointer(s.Dst, state, pol)
	if !ok {
		return false
	}
	y, ok := ev.pointer(s.Src, state, pol)
	if !ok {
		return false
	}
	elem := ir.TypeOf[ir.Pointer](s.Dst).Elem
	dst, room, ok := ev.rest(x, elem)
	if !ok {
		return false
	}
	src, left, ok := ev.rest(y, elem)
	if !ok {
		return false
	}
	n, ok := ev.many(s.N, min(room, left), state, pol)
	if !ok || n == 0 {
		return ok
	}
	n *= ir.Count(elem)
	to, from := ev.vars[ev.varAt(dst)], ev.vars[ev.varAt(src)]
	overlap := src < dst+n && dst < src+n
	if overlap && !s.Move || to.Const || ir.HasUnion(to.Type) || ir.HasUnion(from.Type) {
		return false
	}
	for i := range n {
		if src < dst {
			i = n - 1 - i
		}
		ev.put(dst+i, state[src+i], state)
		if ev.unions {
			state[ev.cells+dst+i] = state[ev.cells+src+i]
		}
	}
	return true
}

// fill executes s, but not in objects with unions.
func (ev *evaluator) fill(s *ir.Fill, state []int64, pol *policy) bool {
	x, ok := ev.pointer(s.Dst, state, pol)
	if !ok {
		return false
	}
	b, ok := ev.number(s.Byte, state, all(ir.IntOf(s.Byte)), pol)
	if !ok {
		return false
	}
	elem := ir.TypeOf[ir.Pointer](s.Dst).Elem
	dst, room, ok := ev.rest(x, elem)
	if !ok {
		return false
	}
	n, ok := ev.many(s.N, room, state, pol)
	if !ok || n == 0 {
		return ok
	}
	to := ev.vars[ev.varAt(dst)]
	if !fits(elem, 0, byte(b)) || to.Const || ir.HasUnion(to.Type) {
		return false
	}
	for i := range n * ir.Count(elem) {
		ev.put(dst+i, int64(byte(b))*0x0101010101010101, state)
		if ev.unions {
			state[ev.cells+dst+i] = 1
		}
	}
	return true
}

// rest returns where x points to and how many elements there are from there on.
func (ev *evaluator) rest(x int64, elem ir.Type) (at, n int, ok bool) {
	k, n, ok := ev.within(x, elem)
	if !ok {
		return 0, 0, false
	}
	at, _ = target(x)
	return at, n - k, true
}

// many returns the value of e, which must be in [0, most].
func (ev *evaluator) many(e ir.Expr, most int, state []int64, pol *policy) (int, bool) {
	n, ok := ev.number(e, state, interval{0, int64(most)}, pol)
	return int(n), ok && 0 <= n && n <= int64(most)
}

// put stores a scalar, of which its type holds the low bits.
func (l *layout) put(at int, v int64, state []int64) {
	to := l.vars[l.varAt(at)]
	if t, ok := ir.Cell(to.Type, at-l.offset[to.Index]).(ir.Int); ok {
		v = t.Wrap(v)
	}
	state[at] = v
}

// fits reports whether the value of a t, a bit-field if it has bits, follows from
// its bytes, which are b.
func fits(t ir.Type, bits int, b byte) bool {
	switch t := t.(type) {
	case ir.Int:
		if bits > 0 {
			return b == 0 || b == 0xff
		}
		return t != ir.Bool || b <= 1
	case ir.Float:
		return b == 0
	case ir.Array:
		return fits(t.Elem, 0, b)
	case ir.Vector:
		return fits(t.Elem, 0, b)
	case *ir.Record:
		for _, f := range t.Fields {
			if !fits(f.Type, f.Bits, b) {
				return false
			}
		}
		return true
	}
	return false
}
