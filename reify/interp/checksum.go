package interp

import (
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"slices"

	"goreify/reify/ir"
)

// checksum computes what is documented at ir.Checksum.
func (m *storage) checksum(of []*ir.Var) (int64, error) {
	data := m.summed[:0]
	add := func(v *ir.Var, addr int, t ir.Type) error {
		m.begin() // a call for each
		value, err := m.loadDirect(v, addr, len(m.order.accesses))
		if err != nil {
			return err
		}
		data = appendScalar(data, t, value)
		return nil
	}
	for _, v := range of {
		base := m.at.base[v.Index]
		var err error
		elem := ir.Innermost(v.Type)
		if _, ok := elem.(ir.Int); ok {
			for end, addr := base+ir.Count(v.Type), base; addr < end && err == nil; addr++ {
				err = add(v, addr, elem)
			}
		} else {
			err = inUse(v.Type, base, func(addr int, t ir.Type) error {
				if _, ok := t.(ir.Pointer); ok {
					return nil
				}
				return add(v, addr, t)
			})
		}
		if err != nil {
			return 0, err
		}
	}
	m.summed = data
	return int64(crc32.ChecksumIEEE(data)), nil
}

// appendScalar appends the bytes that a variable of type t has in memory.
func appendScalar(data []byte, t ir.Type, value int64) []byte {
	size := 0
	switch t := t.(type) {
	case ir.Int:
		size = t.Bytes()
	case ir.Float:
		size = t.Bits / 8
		value = int64(toBits(t, value))
	default:
		panic(fmt.Sprintf("interp: checksum of %s", t))
	}
	var all [8]byte
	binary.LittleEndian.PutUint64(all[:], uint64(value))
	return append(data, all[:size]...)
}

// Known reports whether all scalars of v had a value at the end of the run. With
// Options.Callees v may be a variable of a callee, and a value that depends on the
// order in which C makes calls counts as none.
func (r *Result) Known(v *ir.Var) bool { return !slices.Contains(r.cells(v).defined, false) }

// cells returns the scalars of a variable.
func (r *Result) cells(v *ir.Var) cells {
	if c, ok := r.callees[v]; ok {
		return c
	}
	return cells{r.Vars[v.Index], r.defined[v.Index]}
}

// bytes returns those that ir.Checksum takes of a variable at the end of the run. It is
// Known and holds no union; pointers are left out.
func (r *Result) bytes(v *ir.Var) []byte {
	data := []byte{}
	for i, value := range r.cells(v).values {
		t := ir.Cell(v.Type, i)
		if _, ok := t.(ir.Pointer); !ok {
			data = appendScalar(data, t, value)
		}
	}
	return data
}
