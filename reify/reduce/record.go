package reduce

import (
	"slices"
	"strconv"

	"goreify/reify/ir"
)

// split makes variables of the members of records that are used by their members
// only.
func split(p *ir.Program, _ *run) []edit {
	var list []edit
	for _, f := range ours(p) {
		all := usesIn(f)
		for _, x := range f.Vars {
			if splittable(x, all[x]) {
				list = append(list, func() {
					if u := usesIn(f)[x]; u != nil && splittable(x, u) {
						splitVar(f, x, u)
					}
				})
			}
		}
	}
	return list
}

// splittable reports whether x is a record with these uses whose members could
// be variables.
func splittable(x *ir.Var, u *uses) bool {
	r, ok := x.Type.(*ir.Record)
	return ok && u.bare == 0 && !slices.ContainsFunc(u.members, func(at *ir.Place) bool {
		return r.Fields[(*at).(*ir.Member).Field].Bits > 0
	})
}

// splitVar puts a variable in the place of each member of x that is used.
func splitVar(f *ir.Function, x *ir.Var, u *uses) {
	r := x.Type.(*ir.Record)
	parts := make([]*ir.Var, len(r.Fields))
	for _, at := range u.members {
		m := (*at).(*ir.Member)
		if parts[m.Field] == nil {
			parts[m.Field] = part(f, x, m.Field)
		}
		*at = &ir.VarRef{Var: parts[m.Field]}
	}
	parts = slices.DeleteFunc(parts, func(y *ir.Var) bool { return y == nil })
	v := slots{expr: func(at *ir.Expr, _ slot) {
		if sum, ok := (*at).(*ir.Checksum); ok {
			for i := slices.Index(sum.Of, x); i >= 0; i = slices.Index(sum.Of, x) {
				sum.Of = slices.Replace(sum.Of, i, i+1, parts...)
			}
		}
	}}
	v.function(f)
	i := slices.Index(f.Vars, x)
	f.Vars = slices.Replace(f.Vars, i, i+1, parts...)
	number(f)
}

// part returns a variable like a member of x.
func part(f *ir.Function, x *ir.Var, field int) *ir.Var {
	r := x.Type.(*ir.Record)
	y := &ir.Var{
		Name:     fresh(f, x.Name+"_"+r.Fields[field].Name),
		Type:     r.Fields[field].Type,
		Kind:     x.Kind,
		Volatile: x.Volatile,
	}
	if x.Init == nil || r.Union && field > 0 {
		return y
	}
	y.Const, y.Init, y.Ptrs = x.Const, x.Init, x.Ptrs
	from := r.Offset(field)
	cut(y, from, from+ir.Count(y.Type))
	return y
}

// fresh returns a name that no variable of f has.
func fresh(f *ir.Function, name string) string {
	taken := func(name string) bool {
		return slices.ContainsFunc(f.Vars, func(x *ir.Var) bool { return x.Name == name })
	}
	if !taken(name) {
		return name
	}
	for n := 1; ; n++ {
		if s := name + strconv.Itoa(n); !taken(s) {
			return s
		}
	}
}

// fields drops members without uses. Members of unions that hold the initial value
// stay.
func fields(p *ir.Program, _ *run) []edit {
	var list []edit
	for _, f := range ours(p) {
		for _, r := range f.Types {
			for k, m := range r.Fields {
				if !dispensable(f, r, k) {
					continue
				}
				list = append(list, func() {
					k := slices.IndexFunc(r.Fields, func(other ir.Field) bool { return other.Name == m.Name })
					if k >= 0 && dispensable(f, r, k) {
						dropField(f, r, k)
					}
				})
			}
		}
	}
	return list
}

// dispensable reports whether r can do without field k.
func dispensable(f *ir.Function, r *ir.Record, k int) bool {
	if len(r.Fields) == 1 || r.Union && k == 0 {
		return false
	}
	used := false
	v := slots{place: func(at *ir.Place) {
		if m, ok := (*at).(*ir.Member); ok && m.Field == k && m.Base.Type() == ir.Type(r) {
			used = true
		}
	}}
	v.function(f)
	return !used
}

// dropField takes field k from r, and the initial values that are for it.
func dropField(f *ir.Function, r *ir.Record, k int) {
	keep := func(s *ir.Record, field int) bool { return s != r || field != k }
	for _, x := range f.Vars {
		if x.Init != nil {
			filter(x, kept(x.Type, true, keep))
		}
	}
	v := slots{place: func(at *ir.Place) {
		if m, ok := (*at).(*ir.Member); ok && m.Field > k && m.Base.Type() == ir.Type(r) {
			m.Field--
		}
	}}
	// Members of members are asked for their types: outer ones come first.
	v.function(f)
	r.Fields = slices.Delete(slices.Clone(r.Fields), k, k+1)
	for _, x := range f.Vars {
		if x.Ptrs != nil {
			cut(x, 0, len(x.Init)) // there may be no pointers any more
		}
	}
}

// kept returns for each cell of t whether it is in fields that are kept.
func kept(t ir.Type, in bool, keep func(r *ir.Record, field int) bool) []bool {
	var list []bool
	switch t := t.(type) {
	case ir.Array:
		for range t.Len {
			list = append(list, kept(t.Elem, in, keep)...)
		}
	case *ir.Record:
		for i := range t.Fields {
			list = append(list, kept(t.Fields[i].Type, in && keep(t, i), keep)...)
		}
	default:
		for range ir.Count(t) {
			list = append(list, in)
		}
	}
	return list
}

// filter leaves x the initial values that are kept.
func filter(x *ir.Var, keep []bool) {
	var init []ir.Expr
	var ptrs []ir.Expr
	for i, ok := range keep {
		if !ok {
			continue
		}
		init = append(init, x.Init[i])
		if x.Ptrs != nil {
			ptrs = append(ptrs, x.Ptrs[i])
		}
	}
	x.Init, x.Ptrs = init, ptrs
}
