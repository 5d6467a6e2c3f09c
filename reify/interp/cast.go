package interp

import (
	"math"

	"goreify/reify/ir"
)

// All members of a union by which bits are cast have values, which are the same bits
// (C11 6.5.2.3, footnote 95). The first element of an array has the low ones.

// cast gives the other members of unions by which bits are cast the bits that have been
// stored in n scalars at l, a part of one.
func (m *storage) cast(l location, n int) {
	l.unions(l.addr, func(u *ir.Record, first, k int) bool {
		if u.Cast {
			m.spread(l, u, first, k, l.addr-first-u.Offset(k), n)
		}
		return true
	})
}

// castFirst does the same for all unions in v that have just been given their initial
// values, which are those of their first members.
func (m *storage) castFirst(v *ir.Var) {
	tells := m.tells
	m.tells = false // of statements alone
	m.castFirstIn(m.scalarAt(v, 0), v.Type, m.at.base[v.Index])
	m.tells = tells
}

func (m *storage) castFirstIn(l location, t ir.Type, first int) {
	switch t := t.(type) {
	case ir.Array:
		if !ir.HasUnion(t.Elem) {
			return
		}
		for k := range t.Len {
			m.castFirstIn(l, t.Elem, first+k*ir.Count(t.Elem))
		}
	case *ir.Record:
		if t.Cast {
			m.spread(l, t, first, 0, 0, 1)
			return
		}
		for k := range t.Fields {
			m.castFirstIn(l, t.Member(k), first+t.Offset(k))
			if t.Union {
				return
			}
		}
	}
}

// spread gives the members of u other than k the bits of n elements of that member,
// from one on. The union starts at scalar first and is a part of l.
func (m *storage) spread(l location, u *ir.Record, first, k, from, n int) {
	base, width := first+u.Offset(k), u.Fields[k].ScalarBits()
	for j, f := range u.Fields {
		if j == k {
			continue
		}
		size := f.ScalarBits()
		for i := from * width / size; i*size < (from+n)*width; i++ {
			addr := first + u.Offset(j) + i
			bits, ok := m.mem.bitsAt(base, ir.Innermost(u.Fields[k].Type), i*size, size)
			value, normal := fromBits(ir.Innermost(f.Type), bits)
			m.put(location{v: l.v, base: l.base, addr: addr, via: l.via}, 0, value, ok && normal)
			if m.shared(l) {
				m.wrote(addr)
			}
		}
	}
}

// bitsAt returns n bits, from one on, of scalars of type t that begin at base, and
// whether all of these have a value.
func (m *memory) bitsAt(base int, t ir.Type, from, n int) (bits uint64, ok bool) {
	width := ir.Field{Type: t}.ScalarBits()
	ok = true
	for at := from; at < from+n; at += min(n, width) {
		cell := base + at/width
		ok = ok && m.defined[cell]
		bits |= toBits(t, m.cells[cell]) >> (at % width) << (at - from)
	}
	return bits << (64 - n) >> (64 - n), ok
}

// toBits returns the bits of a scalar of type t, those beyond its width 0.
func toBits(t ir.Type, v int64) uint64 {
	switch t := t.(type) {
	case ir.Int:
		return uint64(v) << (64 - t.Bits) >> (64 - t.Bits)
	case ir.Float:
		if t.Bits == 32 {
			return uint64(math.Float32bits(float32(math.Float64frombits(uint64(v)))))
		}
		return uint64(v)
	}
	panic("interp: the bits of a scalar that is not a number")
}

// fromBits returns the scalar of type t that has the bits, and whether it is a value:
// not all floating-point numbers are.
func fromBits(t ir.Type, bits uint64) (v int64, ok bool) {
	switch t := t.(type) {
	case ir.Int:
		return convert(t, int64(bits)), true
	case ir.Float:
		x, least := math.Float64frombits(bits), 0x1p-1022
		if t.Bits == 32 {
			x, least = float64(math.Float32frombits(uint32(bits))), 0x1p-126
		}
		return int64(math.Float64bits(x)), holdsFloat(t, x) && !negativeZero(x) && (x == 0 || math.Abs(x) >= least)
	}
	panic("interp: the bits of a scalar that is not a number")
}
