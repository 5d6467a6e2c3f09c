package reduce

import (
	"slices"

	"goreify/reify/ir"
)

// unrecorded puts the type of the first member in the place of records whose other members
// are only read: from the first one then, converted.
func unrecorded(p *ir.Program, _ *run) []edit {
	var list []edit
	for _, f := range ours(p) {
		for _, r := range f.Types {
			if t, ok := r.Fields[0].Type.(ir.Int); ok && r.Fields[0].Bits == 0 && (!r.Union || r.Cast) && onlyRead(f, r) {
				list = append(list, func() { unrecord(f, r, t) })
			}
		}
	}
	return list
}

// memberOf returns the member of a record that p is, or is a part of, or nil.
func memberOf(r *ir.Record, p ir.Place) *ir.Member {
	for {
		switch q := p.(type) {
		case *ir.Elem:
			p = q.Base
		case *ir.Member:
			if q.Base.Type() == ir.Type(r) {
				return q
			}
			p = q.Base
		default:
			return nil
		}
	}
}

// onlyRead reports whether all members of a record after the first are read as integers,
// and nothing else is done with them; and whether the record is a part of no other.
func onlyRead(f *ir.Function, r *ir.Record) bool {
	later := func(p ir.Place) bool {
		m := memberOf(r, p)
		return m != nil && m.Field > 0
	}
	wrong := func(n ir.Node) bool {
		switch n := n.(type) {
		case ir.Stmt:
			return slices.ContainsFunc(ir.Stored(n), later)
		case *ir.AddrOf:
			return later(n.Place)
		case *ir.Load:
			return later(n.Place) && !ir.IsInt(n)
		}
		return false
	}
	for n := range f.Nodes() {
		if ir.Any(n, wrong) {
			return false
		}
	}
	for _, v := range f.Vars {
		for _, e := range slices.Concat(v.Init, v.Ptrs) {
			if e != nil && ir.Any(e, wrong) {
				return false
			}
		}
	}
	return !slices.ContainsFunc(f.Types, func(o *ir.Record) bool {
		return slices.ContainsFunc(o.Fields, func(field ir.Field) bool { return ir.Innermost(field.Type) == ir.Type(r) })
	})
}

// unrecord does so for one record.
func unrecord(f *ir.Function, r *ir.Record, t ir.Int) {
	v := &slots{
		expr: func(at *ir.Expr, _ slot) {
			load, ok := (*at).(*ir.Load)
			if !ok {
				return
			}
			if m := memberOf(r, load.Place); m != nil && m.Field > 0 {
				of, first := ir.IntOf(load), ir.Expr(&ir.Load{Place: m.Base})
				if *at = first; of != t {
					*at = &ir.Convert{T: of.Boxed(), X: first}
				}
			}
		},
		place: func(at *ir.Place) {
			if m, ok := (*at).(*ir.Member); ok && m.Base.Type() == ir.Type(r) && m.Field == 0 {
				*at = m.Base
			}
		},
	}
	v.code(f)
	for _, x := range f.Vars {
		if ir.Innermost(x.Type) != ir.Type(r) || x.Init == nil {
			continue
		}
		n := ir.Count(r)
		for i := range len(x.Init) / n {
			x.Init[i] = x.Init[i*n]
		}
		x.Init = x.Init[:len(x.Init)/n]
		x.Ptrs = nil
	}
	eachType(f, func(u ir.Type) ir.Type {
		if u == ir.Type(r) {
			return t
		}
		return u
	})
}
