package ir

// AsInt returns the type of e, which is no vector, if e is an integer. It is IsInt and
// IntOf in one walk.
func AsInt(e Expr) (t Int, ok bool) {
	distance := false
	for {
		switch x := e.(type) {
		case *Const:
			return x.T, true
		case *Sym:
			return x.T, true
		case *Load:
			if t, ok = x.Place.Type().(Int); ok {
				return t, true
			}
		case *Convert:
			if t, ok = x.T.(Int); ok {
				return t, true
			}
		case *Binary:
			if x.Op.Yields01() {
				return I32, true
			}
			distance = distance || x.Op == Sub
			e = x.X
			continue
		case *Unary:
			if x.Op == LNot {
				return I32, true
			}
			e = x.X
			continue
		case *Select:
			e = x.X
			continue
		}
		switch FamilyOf(e) {
		case Integers:
			t, ok = e.Type().(Int)
			return t, ok
		case Pointers:
			return I64, distance
		}
		return Int{}, false
	}
}
