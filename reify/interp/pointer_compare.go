package interp

import "goreify/reify/ir"

// relatePointers evaluates a comparison (6.5.8p5, 6.5.9p6) or difference (6.5.6p9).
func (m *machine) relatePointers(e *ir.Binary) (int64, ir.Int, error) {
	x, y, elem, err := operands(e.Op, e.X, e.Y, m.unqualified)
	switch {
	case err != nil:
		return 0, ir.I32, err
	case e.Op != ir.Sub:
		if x != y || e.Op != ir.Eq && e.Op != ir.Ne {
			err = m.comparable(e.Op, x, y, elem)
		}
		// Where they point into one object this is the order of its parts.
		return compare(e.Op, ir.I64, int64(x), int64(y)), ir.I32, err
	case !m.mem.sameArray(x, y, elem):
		return 0, ir.I64, m.at.ub(UnrelatedPointers, "%s - %s", m.mem.pointed(x), m.mem.pointed(y))
	}
	return int64((x.cell() - y.cell()) / ir.Count(elem)), ir.I64, nil
}

// unqualified evaluates a pointer without the qualifiers of its type.
func (m *machine) unqualified(e ir.Expr) (address, ir.Type, error) {
	x, t, err := m.pointer(e)
	return x, t.Elem, err
}

// sameArray reports whether x and y, to a type, point into one array or behind
// it.
func (m *memory) sameArray(x, y address, elem ir.Type) bool {
	if x == 0 || y == 0 || x.object() != y.object() {
		return false
	}
	first, _, _, ok := m.arrayAt(x, elem)
	other, _, _, too := m.arrayAt(y, elem)
	return ok && too && first == other
}

// comparable returns an error unless the result of x op y, which are not equal
// or compared by size, is known.
func (m *storage) comparable(op ir.Op, x, y address, elem ir.Type) error {
	related := true
	switch {
	case x == 0 || y == 0 || x.object() != y.object():
		related = op == ir.Eq || op == ir.Ne
		if x != 0 && y != 0 && x.behind() != y.behind() {
			related = false
		}
	case x.behind() != y.behind():
		related = m.mem.sameArray(x, y, elem)
	default:
		last := func(x address) int {
			if x.behind() {
				return x.cell() - 1
			}
			return x.cell()
		}
		related = !overlap(m.mem.objects[x.object()].v.Type, last(x), last(y))
	}
	if !related {
		return m.at.ub(UnrelatedPointers, "%s %s %s", m.mem.pointed(x), op, m.mem.pointed(y))
	}
	return nil
}
