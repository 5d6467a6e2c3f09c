package wasm

import (
	"fmt"

	"goreify/reify/ir"
)

// Types are laid out in memory as C compilers for 32-bit WebAssembly do.

// A spot is a cell of a variable: a scalar or, with bits, a bit-field in it.
type spot struct {
	t      ir.Type // Int, Float or Pointer; of a bit-field as it is declared
	offset uint32
	shift  int
	bits   int // width of the bit-field, or 0
	signed bool
	hidden bool // in a member of a union that is not its first
}

const pointerBytes = 4

// size returns the size and the alignment of a type, in bytes.
func (m *module) size(t ir.Type) (size, align uint32) {
	switch t := t.(type) {
	case ir.Int:
		n := uint32(t.Bytes())
		return n, n
	case ir.Float:
		n := uint32(t.Bits / 8)
		return n, n
	case ir.Pointer:
		return pointerBytes, pointerBytes
	case ir.Array:
		n, a := m.size(t.Elem)
		return n * uint32(t.Len), a
	case ir.Vector:
		n := vectorSize(t)
		return n, min(n, v128Bytes)
	case *ir.Record:
		r := m.record(t)
		return r.size, r.align
	}
	panic(fmt.Sprintf("wasm: size of %v", t))
}

// A record is the layout of a struct or union.
type record struct {
	size, align uint32
	fields      []spot // of a member that is not a scalar, the offset alone
}

func (m *module) record(t *ir.Record) *record {
	if r := m.records[t]; r != nil {
		return r
	}
	r := &record{align: 1}
	bit := uint32(0) // where the next member begins, at the earliest
	for i, f := range t.Fields {
		n, a := m.size(f.Type)
		if t.Union {
			bit = 0
		}
		s := spot{t: f.Type}
		if unit := 8 * n; f.Bits > 0 {
			if bit%unit+uint32(f.Bits) > unit {
				bit = (bit + unit - 1) / unit * unit
			}
			s.offset, s.shift, s.bits = bit/unit*n, int(bit%unit), f.Bits
			s.signed = t.Member(i).(ir.Int).Signed
			bit += uint32(f.Bits)
		} else {
			bit = (bit + 8*a - 1) / (8 * a) * (8 * a)
			s.offset = bit / 8
			bit += 8 * n
		}
		r.fields = append(r.fields, s)
		r.align = max(r.align, a)
		r.size = max(r.size, (bit+7)/8)
	}
	r.size = (r.size + r.align - 1) / r.align * r.align
	m.records[t] = r
	return r
}

// spots appends the cells of a type that begins at an offset, in the order of
// ir.Count.
func (m *module) spots(list []spot, t ir.Type, offset uint32, hidden bool) []spot {
	switch t := t.(type) {
	case ir.Int, ir.Float, ir.Pointer:
		return append(list, spot{t: t, offset: offset, hidden: hidden})
	case ir.Array:
		n, _ := m.size(t.Elem)
		for i := range t.Len {
			list = m.spots(list, t.Elem, offset+uint32(i)*n, hidden)
		}
		return list
	case ir.Vector:
		for i := range t.Lanes {
			list = append(list, spot{t: t.Elem, offset: lane(t, offset, i), hidden: hidden})
		}
		return list
	case *ir.Record:
		for i, f := range m.record(t).fields {
			hidden := hidden || t.Union && i > 0
			if f.bits > 0 {
				f.offset += offset
				f.hidden = hidden
				list = append(list, f)
				continue
			}
			list = m.spots(list, f.t, offset+f.offset, hidden)
		}
		return list
	}
	panic(fmt.Sprintf("wasm: scalars of %v", t))
}

// plain returns the innermost element type of t, if the bytes of its cells are those of
// the memory: integers and floating-point numbers.
func plain(t ir.Type) bool {
	switch ir.Innermost(t).(type) {
	case ir.Int, ir.Float:
		return true
	}
	return false
}

// valueType returns the value type of a scalar.
func valueType(t ir.Type) byte {
	switch t := t.(type) {
	case ir.Int:
		if t.Bits > 32 {
			return typeI64
		}
		return typeI32
	case ir.Float:
		if t.Bits == 64 {
			return typeF64
		}
		return typeF32
	case ir.Pointer:
		return typeI32
	}
	panic(fmt.Sprintf("wasm: no scalar: %v", t))
}
