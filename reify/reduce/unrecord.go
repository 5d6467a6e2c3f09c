package reduce

import "goreify/reify/ir"

// unrecorded puts the type of the first member in the place of records whose other members
// are only read: from the first one then, converted.
func unrecorded(p *ir.Program, _ *run) []edit {
	var list []edit
	for _, f := range ours(p) {
		for _, r := range f.Types {
			if t, ok := r.Fields[0].Type.(ir.Int); ok && r.Fields[0].Bits == 0 {
				list = append(list, func() { unrecord(f, r, t) })
			}
		}
	}
	return list
}

// unrecord does so for one record. A use that it cannot replace fails the check of the program.
func unrecord(f *ir.Function, r *ir.Record, t ir.Int) {
	within := func(p ir.Place) (m *ir.Member) {
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
	v := &slots{
		expr: func(at *ir.Expr, _ slot) {
			load, ok := (*at).(*ir.Load)
			if !ok {
				return
			}
			if m := within(load.Place); m != nil && m.Field > 0 {
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
		if x.Type == ir.Type(r) && x.Init != nil {
			x.Init = x.Init[:1]
			x.Ptrs = nil
		}
	}
	eachType(f, func(u ir.Type) ir.Type {
		if u == ir.Type(r) {
			return t
		}
		return u
	})
}
