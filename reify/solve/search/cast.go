package search

import (
	"math"

	"goreify/reify/ir"
)

// cast gives the other members of a union by which bits are cast the bits of the member
// that has just been stored to, if that is a part of such a union.
func (l *layout) cast(at int, state []int64) {
	v := l.vars[l.varAt(at)]
	t, first := v.Type, l.offset[v.Index]
	for {
		switch u := t.(type) {
		case ir.Array:
			n := ir.Count(u.Elem)
			first += (at - first) / n * n
			t = u.Elem
			continue
		case *ir.Record:
			k, from := u.At(at - first)
			if u.Cast {
				l.castTo(u, first, k, at-first-from, state)
				return
			}
			t, first = u.Fields[k].Type, first+from
			continue
		}
		return
	}
}

// castInitial does so for all unions in a t that starts at first and whose first
// members have got their initial values.
func (l *layout) castInitial(t ir.Type, first int, state []int64) {
	switch u := t.(type) {
	case ir.Array:
		for k := range u.Len {
			l.castInitial(u.Elem, first+k*ir.Count(u.Elem), state)
		}
	case *ir.Record:
		if u.Cast {
			l.castTo(u, first, 0, 0, state)
			return
		}
		for k, field := range u.Fields {
			l.castInitial(field.Type, first+u.Offset(k), state)
			if u.Union {
				return
			}
		}
	}
}

// castTo casts element i of member k of u, which starts at first.
func (l *layout) castTo(u *ir.Record, first, k, i int, state []int64) {
	own := u.Fields[k].ScalarBits()
	for j, field := range u.Fields {
		if j == k {
			continue
		}
		size := field.ScalarBits()
		to := first + u.Offset(j)
		for at := i * own / size * size; at < (i+1)*own; at += size {
			word, valid := int64(0), int64(1)
			for bit := at; bit < at+size; bit += min(own, size) {
				from := first + u.Offset(k) + bit/own
				valid &= state[l.cells+from]
				part := bitsOf(u.Fields[k].Type, state[from]) >> (bit % own)
				if size > own {
					part &= 1<<own - 1
				}
				word |= part << (bit - at)
			}
			x, ok := numberOf(field.Type, word)
			if !ok {
				valid = 0
			}
			state[to+at/size], state[l.cells+to+at/size] = x, valid
		}
	}
}

// bitsOf returns the bits of a scalar, the low ones of an int64.
func bitsOf(t ir.Type, v int64) int64 {
	if f, ok := ir.Innermost(t).(ir.Float); ok && f.Bits == 32 {
		return int64(math.Float32bits(float32(math.Float64frombits(uint64(v)))))
	}
	return v
}

// numberOf returns the scalar that has the low bits of word, and whether it is one
// of those that programs may have.
func numberOf(t ir.Type, word int64) (int64, bool) {
	switch t := ir.Innermost(t).(type) {
	case ir.Float:
		mantissa := 52
		if t.Bits == 32 {
			mantissa = 23
			word &= 1<<32 - 1
		}
		most := int64(1)<<(t.Bits-1-mantissa) - 1
		exponent := word >> mantissa & most
		x := word
		if t.Bits == 32 {
			x = int64(math.Float64bits(float64(math.Float32frombits(uint32(word)))))
		}
		return x, word == 0 || exponent != 0 && exponent != most
	case ir.Int:
		return t.Wrap(word), true
	}
	return 0, false
}
