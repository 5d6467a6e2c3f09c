package reduce

import (
	"slices"

	"goreify/reify/ir"
)

// uses counts the uses of a variable in its function, except those in checksums.
type uses struct {
	elems   []*ir.Place // elements or lanes of it
	members []*ir.Place
	bare    int  // uses of it as a whole
	initial bool // whether a pointer has an initial address in it
}

// usesIn returns the uses of each variable of f.
func usesIn(f *ir.Function) map[*ir.Var]*uses {
	all := make(map[*ir.Var]*uses, len(f.Vars))
	for _, x := range f.Vars {
		all[x] = new(uses)
	}
	parts := make(map[*ir.VarRef]bool) // of a place that has been noted
	v := slots{place: func(at *ir.Place) {
		switch q := (*at).(type) {
		case *ir.Elem:
			if ref, ok := q.Base.(*ir.VarRef); ok {
				parts[ref] = true
				all[ref.Var].elems = append(all[ref.Var].elems, at)
			}
		case *ir.Member:
			if ref, ok := q.Base.(*ir.VarRef); ok {
				parts[ref] = true
				all[ref.Var].members = append(all[ref.Var].members, at)
			}
		case *ir.VarRef:
			if !parts[q] {
				all[q.Var].bare++
			}
		case *ir.Deref:
		}
	}}
	v.function(f)
	for _, x := range f.Vars {
		for _, e := range x.Ptrs {
			if a, ok := e.(*ir.AddrOf); ok {
				all[ir.Root(a.Place)].initial = true
			}
		}
	}
	return all
}

// indexed returns the type of the elements or lanes of t, and their number.
func indexed(t ir.Type) (elem ir.Type, n int) {
	switch t := t.(type) {
	case ir.Array:
		return t.Elem, t.Len
	case ir.Vector:
		return t.Elem, t.Lanes
	}
	return nil, 0
}

// flatter removes the outermost dimension of arrays, and turns vectors into integers:
// all elements become one, that with index 0 or another one that is used.
func flatter(p *ir.Program, _ *run) []edit {
	var list []edit
	for _, f := range ours(p) {
		all := usesIn(f)
		for _, x := range f.Vars {
			if _, n := indexed(x.Type); n == 0 || all[x].bare > 0 {
				continue
			}
			for _, i := range firstIndices(all[x].elems) {
				list = append(list, func() { flatten(f, x, i) })
			}
		}
	}
	return list
}

// firstIndices returns 0 and, if there is one, the first other constant that is an
// index of one of the elements.
func firstIndices(elems []*ir.Place) []int {
	for _, at := range elems {
		if k, ok := (*at).(*ir.Elem).Index.(*ir.Const); ok && k.V != 0 {
			return []int{0, int(k.V)}
		}
	}
	return []int{0}
}

// flatten gives x, which has no uses as a whole, the type of its elements, with the
// initial values of one of them.
func flatten(f *ir.Function, x *ir.Var, i int) {
	elem, n := indexed(x.Type)
	u := usesIn(f)[x]
	if n == 0 || u.bare > 0 {
		return
	}
	for _, at := range u.elems {
		*at = (*at).(*ir.Elem).Base
	}
	if i < 0 || i >= n {
		i = 0
	}
	size := ir.Count(elem)
	x.Type = elem
	cut(x, i*size, (i+1)*size)
}

// cut leaves x its initial values from one to another.
func cut(x *ir.Var, from, to int) {
	if x.Init != nil {
		x.Init = x.Init[from:to:to]
	}
	if x.Ptrs != nil {
		x.Ptrs = x.Ptrs[from:to:to]
		if !slices.ContainsFunc(cellsOf(x.Type, false), func(c cell) bool {
			_, ok := c.t.(ir.Pointer)
			return ok
		}) {
			x.Ptrs = nil
		}
	}
}

// shorterArrays reduces arrays to fewer elements: one, as many as constants index,
// half.
func shorterArrays(p *ir.Program, _ *run) []edit {
	var list []edit
	for _, f := range ours(p) {
		all := usesIn(f)
		for _, x := range f.Vars {
			t, ok := x.Type.(ir.Array)
			if u := all[x]; !ok || u.bare > 0 || u.initial {
				continue
			}
			used := 1
			for _, at := range all[x].elems {
				if k, ok := (*at).(*ir.Elem).Index.(*ir.Const); ok && 0 <= k.V && k.V < int64(t.Len) {
					used = max(used, int(k.V)+1)
				}
			}
			for _, n := range []int{1, used, t.Len / 2} {
				list = append(list, func() {
					t, ok := x.Type.(ir.Array)
					if ok && 1 <= n && n < t.Len {
						x.Type = ir.Array{Elem: t.Elem, Len: n}
						cut(x, 0, n*ir.Count(t.Elem))
					}
				})
			}
		}
	}
	return list
}

// mostPairs bounds the pairs of variables that merged lists for one function.
const mostPairs = 24

// merged replaces a variable by another one of the same type.
func merged(p *ir.Program, _ *run) []edit {
	var list []edit
	for _, f := range ours(p) {
		all := usesIn(f)
		pairs := 0
		for i, x := range f.Vars {
			for _, y := range f.Vars[i+1:] {
				if y.Kind == ir.Param || x.Type != y.Type || x.Volatile != y.Volatile || all[y].initial || pairs == mostPairs {
					continue
				}
				pairs++
				list = append(list, func() { unite(f, x, y) })
			}
		}
	}
	return list
}

// unite replaces y by x.
func unite(f *ir.Function, x, y *ir.Var) {
	if overflowsInto(f, x, y) {
		return
	}
	x.Const = x.Const && y.Const
	v := slots{
		place: func(at *ir.Place) {
			if ref, ok := (*at).(*ir.VarRef); ok && ref.Var == y {
				ref.Var = x
			}
		},
		expr: func(at *ir.Expr, _ slot) {
			sum, ok := (*at).(*ir.Checksum)
			if !ok {
				return
			}
			i := slices.Index(sum.Of, y)
			if i >= 0 && slices.Contains(sum.Of, x) {
				sum.Of = slices.Delete(sum.Of, i, i+1)
			} else if i >= 0 {
				sum.Of[i] = x
			}
		},
	}
	v.function(f)
}

// overflowsInto reports whether a statement of f stores both to x and to y.
func overflowsInto(f *ir.Function, x, y *ir.Var) bool {
	found := false
	v := slots{stmt: func(at *ir.Stmt) {
		if s, ok := (*at).(*ir.Overflow); ok {
			dst, flag := ir.Root(s.Dst), ir.Root(s.Flag)
			found = found || dst == x && flag == y || dst == y && flag == x
		}
	}}
	v.code(f)
	return found
}
