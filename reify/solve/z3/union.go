//go:build cgo && z3

package z3

import (
	"slices"

	"github.com/aclements/go-z3/z3"

	"goreify/reify/ir"
)

// The members of a union have cells of their own, of which those of one member
// at most have values.

// deactivate takes the value from the members of unions other than the one that has
// just been written to, as a whole or in a part of type t.
func (m *memory) deactivate(v *ir.Var, part candidate, t ir.Type) {
	for _, i := range rivals(v.Type, part.cell, t) {
		m.forget(v, part, i)
	}
}

// forget takes the value from cell i if a place is that part.
func (m *memory) forget(v *ir.Var, part candidate, i int) {
	at := &m.cells[v.Index][i]
	if part.always {
		*at = cell{}
	} else {
		*at = m.merge(part.when, cell{}, *at)
	}
}

// active requires that no other member of a union than the one with the place,
// which is of type t, has a value. Of a scalar that is read this follows.
func (m *memory) active(to target, t ir.Type) {
	for _, part := range to.part {
		for _, i := range rivals(to.v.Type, part.cell, t) {
			if c := m.cells[to.v.Index][i]; c.state != unset {
				m.require(m.not(m.both(m.isPart(part), m.isSet(c))))
			}
		}
	}
}

// apart requires that the loaded place, of type t, is not in a member of a union of
// which dst is another (6.5.16.1p3).
func (m *memory) apart(dst, from target, t ir.Type) {
	if dst.v != from.v {
		return
	}
	for _, x := range from.part {
		others := rivals(from.v.Type, x.cell, t)
		for _, y := range dst.part {
			if slices.Contains(others, y.cell) {
				m.require(m.not(m.both(m.isPart(x), m.isPart(y))))
			}
		}
	}
}

func (m *memory) isPart(c candidate) z3.Bool {
	if c.always {
		return m.keepBool(m.ctx.FromBool(true))
	}
	return c.when
}

// loaded returns the place whose value, converted at most, x is, or nil.
func loaded(x ir.Expr) ir.Place {
	for {
		switch u := x.(type) {
		case *ir.Load:
			return u.Place
		case *ir.Convert:
			x = u.X
		default:
			return nil
		}
	}
}

// first reports whether scalar i of t is in no member of a union other than the first.
func first(t ir.Type, i int) bool {
	ok := true
	members(t, i, nil, func(r *ir.Record, field, _ int) { ok = ok && (!r.Union || field == 0) })
	return ok
}

// rivals returns the scalars of t that have no value once its part of type want
// that starts at scalar i has been written to.
func rivals(t ir.Type, i int, want ir.Type) (list []int) {
	members(t, i, want, func(r *ir.Record, field, start int) {
		if !r.Union {
			return
		}
		for f := range r.Fields {
			for k := range ir.Count(r.Fields[f].Type) {
				if f != field {
					list = append(list, start+r.Offset(f)+k)
				}
			}
		}
	})
	return list
}

// members calls f for each record that contains scalar i of t, from the outside inwards
// up to one of type want, with the field that contains it and the record's first
// scalar.
func members(t ir.Type, i int, want ir.Type, f func(r *ir.Record, field, start int)) {
	start := 0
	for t != want {
		switch u := t.(type) {
		case ir.Array:
			n := ir.Count(u.Elem)
			start += (i - start) / n * n
			t = u.Elem
		case *ir.Record:
			field, first := u.At(i - start)
			f(u, field, start)
			start += first
			t = u.Fields[field].Type
		default:
			return
		}
	}
}
