package ir

// A cell is one of the scalars that a type is made of.
type cell struct {
	t      Type // an Int, a Float or a Pointer
	hidden bool // in a member of a union that is not its first
}

// cellsOf returns the cells of t in the order of Count, at most limit of them. It
// accepts types that are incomplete.
func cellsOf(t Type, limit int) []cell {
	return appendCells(make([]cell, 0, min(limit, 1024)), t, false, limit, 0)
}

func appendCells(list []cell, t Type, hidden bool, limit, depth int) []cell {
	if depth > 2*MaxDepth {
		return list // a record that is a part of itself
	}
	switch t := t.(type) {
	case nil:
	case Int, Float, Pointer:
		if len(list) < limit {
			list = append(list, cell{t, hidden})
		}
	case Array:
		before := -1
		for i := 0; i < t.Len && len(list) < limit && len(list) != before; i++ {
			before = len(list)
			list = appendCells(list, t.Elem, hidden, limit, depth+1)
		}
	case Wide:
		for i := 0; i < t.Cells() && len(list) < limit; i++ {
			list = append(list, cell{U64, hidden})
		}
	case Vector:
		for i := 0; i < t.Lanes && len(list) < limit; i++ {
			list = append(list, cell{t.Elem, hidden})
		}
	case *Record:
		if t == nil {
			break
		}
		for i := range t.Fields {
			list = appendCells(list, t.Member(i), hidden || t.Union && i > 0, limit, depth+1)
		}
	default:
		panic(unknown(t))
	}
	return list
}

// isScalar reports whether t is one cell, and not an array, vector or record of one.
func isScalar(t Type) bool {
	switch t.(type) {
	case Int, Float, Pointer:
		return true
	}
	return false
}
