package interp

import (
	"fmt"

	"goreify/reify/ir"
)

// pointers evaluates two pointers to one type.
func (m *machine) pointers(a, b ir.Expr) (x, y address, t ir.Pointer, err error) {
	if x, t, err = m.pointer(a); err != nil {
		return x, y, t, err
	}
	y, ty, err := m.pointer(b)
	if err == nil && t.Elem != ty.Elem {
		panic(fmt.Sprintf("interp: operands are %s and %s", t, ty))
	}
	return x, y, t, err
}

// sameArray reports whether x and y, of type t, point into one array or behind
// it.
func (m *memory) sameArray(x, y address, t ir.Pointer) bool {
	if x == 0 || y == 0 || x.object() != y.object() {
		return false
	}
	first, _, _, ok := m.arrayAt(x, t)
	other, _, _, too := m.arrayAt(y, t)
	return ok && too && first == other
}

// comparePointers evaluates e (6.5.8p5, 6.5.9p6).
func (m *machine) comparePointers(e *ir.Binary) (int64, error) {
	x, y, t, err := m.pointers(e.X, e.Y)
	if err != nil {
		return 0, err
	}
	if x != y || e.Op != ir.Eq && e.Op != ir.Ne {
		if err := m.comparable(e.Op, x, y, t); err != nil {
			return 0, err
		}
	}
	// Where they point into one object this is the order of its parts.
	return compare(e.Op, ir.I64, int64(x), int64(y)), nil
}

// comparable returns an error unless the result of x op y, which are not equal
// or compared by size, is known.
func (m *storage) comparable(op ir.Op, x, y address, t ir.Pointer) error {
	related := true
	switch {
	case x == 0 || y == 0 || x.object() != y.object():
		related = op == ir.Eq || op == ir.Ne
		if x != 0 && y != 0 && x.behind() != y.behind() {
			related = false
		}
	case x.behind() != y.behind():
		related = m.sameArray(x, y, t)
	default:
		last := func(x address) int {
			if x.behind() {
				return x.cell() - 1
			}
			return x.cell()
		}
		related = !overlap(m.objects[x.object()].v.Type, last(x), last(y))
	}
	if !related {
		return m.ub(UnrelatedPointers, "%s %s %s", m.pointed(x), op, m.pointed(y))
	}
	return nil
}

// subtractPointers evaluates e (6.5.6p9).
func (m *machine) subtractPointers(e *ir.Binary) (int64, error) {
	x, y, t, err := m.pointers(e.X, e.Y)
	if err != nil {
		return 0, err
	}
	if !m.sameArray(x, y, t) {
		return 0, m.ub(UnrelatedPointers, "%s - %s", m.pointed(x), m.pointed(y))
	}
	return int64((x.cell() - y.cell()) / ir.Count(t.Elem)), nil
}
