package interp

import (
	"fmt"

	"goreify/reify/ir"
)

// transfer executes memcpy or memmove (7.24.2.1, 7.24.2.2). Like the assignment of a
// record, it may copy scalars without a value.
func (m *machine) transfer(s *ir.Transfer) error {
	x, dt, err := m.pointer(s.Dst)
	if err != nil {
		return err
	}
	y, st, err := m.pointer(s.Src)
	if err != nil {
		return err
	}
	if dt.Elem != st.Elem {
		panic(fmt.Sprintf("interp: %s copied to %s in %q", st, dt, s))
	}
	dst, n, err := m.elementsAt(x, dt, s.N)
	if err != nil {
		return err
	}
	src, err := m.reach(y, st, n)
	if err != nil || n == 0 {
		return err
	}
	size := ir.Count(dt.Elem)
	if !s.Move && dst.addr < src.addr+n*size && src.addr < dst.addr+n*size {
		return m.at.ub(OverlappingStore, "memcpy to %s of %s, which overlap", dst.name(dst.addr), src.name(src.addr))
	}
	if err := m.loadAll(src, n*size, len(m.order.accesses)); err != nil {
		return err
	}
	for k := range n {
		if from := src.element(k, size); m.mem.inactive(from, from.addr) {
			return m.noValue(from, from.addr)
		}
	}
	values := append([]int64(nil), m.mem.cells[src.addr:src.addr+n*size]...)
	defined := append([]bool(nil), m.mem.defined[src.addr:src.addr+n*size]...)
	for k := range n {
		to := dst.element(k, size)
		if to.union {
			if err := m.moved(to, src.addr+k*size); err != nil {
				return err
			}
		}
		if err := m.storeAll(to, values[k*size:][:size], defined[k*size:][:size]); err != nil {
			return err
		}
	}
	return nil
}

// fill executes memset (7.24.6.1).
func (m *machine) fill(s *ir.Fill) error {
	x, t, err := m.pointer(s.Dst)
	if err != nil {
		return err
	}
	b, _, err := m.eval(s.Byte)
	if err != nil {
		return err
	}
	dst, n, err := m.elementsAt(x, t, s.N)
	if err != nil || n == 0 {
		return err
	}
	var values []int64
	if values, err = m.filled(nil, t.Elem, byte(b)); err != nil {
		return err
	}
	for k := range n {
		if err := m.storeAll(dst.element(k, len(values)), values, nil); err != nil {
			return err
		}
	}
	return nil
}

// filled appends the scalars of a t of which each byte is b.
func (m *machine) filled(list []int64, t ir.Type, b byte) ([]int64, error) {
	var err error
	each := func(elem ir.Type, n int) ([]int64, error) {
		for range n {
			if list, err = m.filled(list, elem, b); err != nil {
				return list, err
			}
		}
		return list, nil
	}
	switch t := t.(type) {
	case ir.Array:
		return each(t.Elem, t.Len)
	case ir.Vector:
		return each(t.Elem, t.Lanes)
	case *ir.Record:
		for i, f := range t.Fields {
			if f.Bits > 0 && (b == 0 || b == 0xff) {
				list = append(list, convert(t.Member(i).(ir.Int), -int64(b&1)))
			} else if f.Bits > 0 {
				return list, m.at.ub(InvalidValue, "bytes of %#x in the bit-field %s", b, f.Name)
			} else if list, err = m.filled(list, f.Type, b); err != nil {
				return list, err
			}
		}
		return list, nil
	case ir.Int:
		if t != ir.Bool {
			return append(list, convert(t, int64(b)*0x0101010101010101)), nil
		}
		if b <= 1 {
			return append(list, int64(b)), nil
		}
	case ir.Float:
		if b == 0 {
			return append(list, 0), nil
		}
	}
	return list, m.at.ub(InvalidValue, "bytes of %#x in a %s", b, t)
}

// elementsAt evaluates the number of elements that a function works on, and returns
// where they start if x, of type t, points to them.
func (m *machine) elementsAt(x address, t ir.Pointer, count ir.Expr) (location, int, error) {
	c, ct, err := m.eval(count)
	if err != nil {
		return location{}, 0, err
	}
	if c < 0 || c > cellMask {
		return location{}, 0, m.at.ub(OutOfBounds, "%s elements", ct.Format(c))
	}
	l, err := m.reach(x, t, int(c))
	return l, int(c), err
}

// reach returns where the n elements start that x, of type t, points to. If there
// are none, x must be a valid pointer all the same (7.24.1p2).
func (m *machine) reach(x address, t ir.Pointer, n int) (location, error) {
	if n == 0 {
		if x == 0 {
			return location{}, m.at.ub(NullDereference, "a pointer to %s is null", t.Elem)
		}
		return location{}, nil
	}
	l, err := m.follow(x, t)
	if err != nil {
		return l, err
	}
	if _, k, length, _ := m.mem.arrayAt(x, t.Elem); n > length-k {
		return l, m.at.ub(OutOfBounds, "%d elements from element %d of %d on", n, k, length)
	}
	l.via.to = l.addr + n*ir.Count(t.Elem)
	return l, nil
}

// element returns element k from l on, each of which has size scalars.
func (l location) element(k, size int) location {
	l.addr += k * size
	return l
}
