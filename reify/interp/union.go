package interp

import (
	"slices"

	"goreify/reify/ir"
)

// The members of a union have scalars of their own here. A store to one takes the value
// from those of all others, so that at most one member has a value. If bits are cast,
// it gives them values instead; see cast.go.

// unions calls do for each union that contains both the scalar at addr, a part of l,
// and l as a whole, from the outermost on. The arguments are the type of the union,
// where it starts, and the number of the member. It stops when do returns false.
func (l location) unions(addr int, do func(u *ir.Record, first, k int) bool) {
	t, first := l.v.Type, l.base
	for !(first == l.addr && t == l.t) {
		switch u := t.(type) {
		case ir.Array:
			n := ir.Count(u.Elem)
			first += (addr - first) / n * n
			t = u.Elem
		case *ir.Record:
			k, at := u.At(addr - first)
			if u.Union && !do(u, first, k) {
				return
			}
			first += at
			t = u.Member(k)
		default:
			return
		}
	}
}

// definedAround returns, for the scalars before member k of the union u at first and for those
// behind it, whether they have a value, and whether any has.
func (m *memory) definedAround(u *ir.Record, first, k int) (before, behind []bool, anyone bool) {
	from := first + u.Offset(k)
	to := from + ir.Count(u.Fields[k].Type)
	before, behind = m.defined[first:from], m.defined[to:first+ir.Count(u)]
	return before, behind, slices.Contains(before, true) || slices.Contains(behind, true)
}

// activate makes the members of unions that contain l the active ones. The unions must
// be named by the place of l, if l is reached through a pointer.
func (m *storage) activate(l location) error {
	var err error
	l.unions(l.addr, func(u *ir.Record, first, k int) bool {
		if u.Cast {
			return true
		}
		before, behind, others := m.mem.definedAround(u, first, k)
		named := l.via == nil || l.via.from <= first && first+ir.Count(u) <= l.via.to
		if !named && others {
			err = m.at.ub(StrictAliasing, "a store through a pointer makes %s the member in use", l.name(l.addr))
			return false
		}
		clear(before)
		clear(behind)
		return true
	})
	return err
}

// inactive reports whether the scalar at addr, a part of l, lies in a member of
// a union of which another member has a value.
func (m *memory) inactive(l location, addr int) (found bool) {
	l.unions(addr, func(u *ir.Record, first, k int) bool {
		if !u.Cast {
			_, _, found = m.definedAround(u, first, k)
		}
		return !found
	})
	return found
}

// moved checks a store to l of a value that has been read from the scalar at from: they
// must not be in different members of one union (6.5.16.1p3). If both have one type and
// place, C allows it, and compilers hardly do.
func (m *storage) moved(l location, from int) error {
	if from < l.base || from >= l.base+ir.Count(l.v.Type) || !overlap(l.v.Type, from-l.base, l.addr-l.base) {
		return nil
	}
	return m.at.ub(OverlappingStore, "%s is stored to %s", l.name(from), l.name(l.addr))
}

// isDirect reports whether p is a variable or an element of one.
func isDirect(p ir.Place) bool {
	for {
		switch q := p.(type) {
		case *ir.VarRef:
			return true
		case *ir.Elem:
			p = q.Base
		default:
			return false
		}
	}
}

// isLoad reports whether the value of e is that of an object, converted at
// most, which can be a part of a union.
func isLoad(e ir.Expr) bool {
	for {
		switch u := e.(type) {
		case *ir.Load:
			return !isDirect(u.Place)
		case *ir.Convert:
			if _, ok := u.T.(ir.Vector); ok {
				return false
			}
			e = u.X
		default:
			return false
		}
	}
}
