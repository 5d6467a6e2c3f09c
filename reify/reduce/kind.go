package reduce

import "goreify/reify/ir"

// unqualified removes const and volatile: from all of a function, pointers included,
// and from each variable.
func unqualified(p *ir.Program, _ *run) []edit {
	var list []edit
	for _, f := range ours(p) {
		if qualified(f) {
			list = append(list, func() { plainPointers(f) })
		}
	}
	for _, f := range ours(p) {
		for _, x := range f.Vars {
			if x.Volatile || x.Const {
				list = append(list, func() { x.Volatile, x.Const = false, false })
			}
		}
	}
	return list
}

// qualified reports whether anything in f is const or volatile.
func qualified(f *ir.Function) bool {
	found := false
	note := func(t ir.Type) ir.Type {
		if p, ok := t.(ir.Pointer); ok && (p.Const || p.Volatile) {
			found = true
		}
		return t
	}
	eachType(f, note)
	for _, x := range f.Vars {
		found = found || x.Const || x.Volatile
	}
	return found
}

// plainPointers removes const and volatile from all of f.
func plainPointers(f *ir.Function) {
	for _, x := range f.Vars {
		x.Const, x.Volatile = false, false
	}
	eachType(f, func(t ir.Type) ir.Type {
		if p, ok := t.(ir.Pointer); ok {
			return ir.Pointer{Elem: p.Elem}
		}
		return t
	})
}

// eachType replaces all types that are written down in f by the result of with, inner
// types before those that contain them. Types of expressions follow from these, except
// those of constants and conversions of integers.
func eachType(f *ir.Function, with func(ir.Type) ir.Type) {
	for _, r := range f.Types {
		for i := range r.Fields {
			r.Fields[i].Type = mapType(r.Fields[i].Type, with)
		}
	}
	for _, x := range f.Vars {
		x.Type = mapType(x.Type, with)
	}
	of(ir.Pointers, func(at *ir.Expr) {
		switch e := (*at).(type) {
		case *ir.Null:
			e.T = mapType(e.T, with).(ir.Pointer)
		case *ir.Cast:
			e.T = mapType(e.T, with)
		}
	}).code(f)
}

// mapType returns the result of with for t, after its inner types have been mapped.
// Records are mapped where they stand.
func mapType(t ir.Type, with func(ir.Type) ir.Type) ir.Type {
	switch u := t.(type) {
	case ir.Array:
		t = ir.Array{Elem: mapType(u.Elem, with), Len: u.Len}
	case ir.Pointer:
		u.Elem = mapType(u.Elem, with)
		t = u
	}
	return with(t)
}

// locals makes globals and statics locals that begin with the same values.
func locals(p *ir.Program, _ *run) []edit {
	var list []edit
	for _, f := range ours(p) {
		for _, x := range f.Vars {
			if x.Kind.Lasts() {
				list = append(list, func() {
					if x.Kind != ir.Local && !held(f, x) {
						x.Kind = ir.Local
						zero(x)
					}
				})
			}
		}
	}
	return list
}

// held reports whether a global or static of f starts with the address of x.
func held(f *ir.Function, x *ir.Var) bool {
	for _, v := range f.Vars {
		for _, e := range v.Ptrs {
			if a, ok := e.(*ir.AddrOf); ok && v.Kind.Lasts() && ir.Root(a.Place) == x {
				return true
			}
		}
	}
	return false
}

// zero gives x initial values unless it has some.
func zero(x *ir.Var) {
	if x.Init != nil {
		return
	}
	x.Init = make([]ir.Expr, ir.Count(x.Type))
	pointers := false
	for i, c := range cellsOf(x.Type, false) {
		switch t := c.t.(type) {
		case ir.Int:
			if !c.hidden {
				x.Init[i] = &ir.Const{T: t}
			}
		case ir.Float:
			if !c.hidden {
				x.Init[i] = &ir.Const{T: ir.I32}
			}
		case ir.Pointer:
			pointers = true
		}
	}
	if pointers {
		x.Ptrs = make([]ir.Expr, len(x.Init))
	}
}

// A cell is one of the scalars of a type; hidden are those in members of unions that
// are not the first, which have no initial values.
type cell struct {
	t      ir.Type
	hidden bool
}

// cellsOf returns the cells of t, in the order of ir.Count.
func cellsOf(t ir.Type, hidden bool) []cell {
	var list []cell
	switch t := t.(type) {
	case ir.Int, ir.Float, ir.Pointer:
		return []cell{{t, hidden}}
	case ir.Vector:
		for range t.Lanes {
			list = append(list, cell{t.Elem, hidden})
		}
	case ir.Array:
		for range t.Len {
			list = append(list, cellsOf(t.Elem, hidden)...)
		}
	case *ir.Record:
		for i := range t.Fields {
			list = append(list, cellsOf(t.Member(i), hidden || t.Union && i > 0)...)
		}
	}
	return list
}
