package search

import (
	"fmt"
	"math"

	"goreify/reify/ir"
)

// A state holds the scalars of all variables, and if some are parts of unions,
// then for each scalar whether it has a value: the members of a union have
// scalars of their own, and a store to one takes the value from the others.

// locate returns where in a state the place p begins. If m is not nil, symbols
// in it that have no value get one.
func (r *run) locate(p ir.Place, state []int64, m *policy) (int, bool) {
	switch p := p.(type) {
	case *ir.VarRef:
		return r.offset[p.Var.Index], true
	case *ir.Elem:
		at, ok := r.locate(p.Base, state, m)
		if !ok {
			return 0, false
		}
		size, n := elements(p.Base.Type())
		i, ok := r.number(p.Index, state, interval{0, int64(n) - 1}, m)
		if !ok || i < 0 || i >= int64(n) {
			return 0, false
		}
		return at + int(i)*size, true
	case *ir.Member:
		at, ok := r.locate(p.Base, state, m)
		return at + p.Base.Type().(*ir.Record).Offset(p.Field), ok
	case *ir.Deref:
		x, ok := r.pointer(p.X, state, m)
		if !ok {
			return 0, false
		}
		return r.follow(x, p.X.Type().Elem)
	}
	panic(fmt.Sprintf("search: unknown place %T", p))
}

// number is eval, or choose if m is not nil.
func (r *run) number(e ir.Expr, state []int64, want interval, m *policy) (int64, bool) {
	if m == nil {
		return r.eval(e, state)
	}
	return r.choose(e, state, want, *m)
}

// elements returns how many scalars an element of an array or vector has, and
// how many elements there are.
func elements(t ir.Type) (size, n int) {
	switch t := t.(type) {
	case ir.Array:
		return ir.Count(t.Elem), t.Len
	case ir.Vector:
		return 1, t.Lanes
	}
	panic(fmt.Sprintf("search: elements of %v", t))
}

// load returns the scalar at a place in a state, or false if it has no value.
func (r *run) load(p ir.Place, at int, state []int64) (int64, bool) {
	if r.unions && state[r.cells+at] == 0 {
		return 0, false
	}
	if d, ok := p.(*ir.Deref); ok {
		if t, ok := d.Type().(ir.Int); ok {
			return t.Wrap(state[at]), true // the object may have the other sign
		}
	}
	return state[at], true
}

// store puts a scalar where place p is, or returns false if that is undefined.
func (r *run) store(p ir.Place, at int, v int64, state []int64) bool {
	if _, ok := p.(*ir.Deref); ok {
		to := r.f.Vars[r.varAt(at)]
		if t, ok := ir.Cell(to.Type, at-r.offset[to.Index]).(ir.Int); ok {
			v = t.Wrap(v)
		}
		if to.Const || r.unions && state[r.cells+at] == 0 {
			return false
		}
	}
	if r.unions {
		r.activate(at, state)
	}
	state[at] = v
	return true
}

// activate takes their values from the members of unions that a store to one
// scalar ends.
func (r *run) activate(at int, state []int64) {
	v := r.f.Vars[r.varAt(at)]
	valid := state[r.cells:]
	t, first := v.Type, r.offset[v.Index]
	for {
		switch u := t.(type) {
		case ir.Array:
			n := ir.Count(u.Elem)
			first += (at - first) / n * n
			t = u.Elem
			continue
		case *ir.Record:
			k, from := u.At(at - first)
			from += first
			if u.Union {
				to := from + ir.Count(u.Fields[k].Type)
				clear(valid[first:from])
				clear(valid[to : first+ir.Count(u)])
			}
			t, first = u.Fields[k].Type, from
			continue
		}
		valid[at] = 1
		return
	}
}

// varAt returns the variable that a scalar of a state belongs to.
func (r *run) varAt(at int) int {
	if r.owners == nil {
		r.owners = make([]int32, 0, r.cells)
		for i, v := range r.f.Vars {
			for range ir.Count(v.Type) {
				r.owners = append(r.owners, int32(i))
			}
		}
	}
	return int(r.owners[at])
}

// copyRecord executes s.
func (r *run) copyRecord(s *ir.Copy, state []int64, m *policy) bool {
	src, ok := r.locate(s.Src, state, m)
	if !ok {
		return false
	}
	dst, ok := r.locate(s.Dst, state, m)
	if !ok {
		return false
	}
	if src == dst {
		return true
	}
	n := ir.Count(s.Dst.Type())
	if src < dst+n && dst < src+n || r.f.Vars[r.varAt(dst)].Const {
		return false
	}
	for i := range n {
		if r.unions && state[r.cells+src+i] == 0 {
			state[r.cells+dst+i] = 0
			continue
		}
		if r.unions {
			r.activate(dst+i, state)
		}
		state[dst+i] = state[src+i]
	}
	return true
}

// valued reports whether what a checksum covers has a value.
func (r *run) valued(of []*ir.Var, state []int64) bool {
	if !r.unions {
		return true
	}
	for _, v := range of {
		ok := true
		inUse(v.Type, r.offset[v.Index], func(i int) { ok = ok && state[r.cells+i] != 0 })
		if !ok {
			return false
		}
	}
	return true
}

// inUse calls f for the scalars of a t that starts at first, but of a union only
// for those of its first member.
func inUse(t ir.Type, first int, f func(i int)) {
	switch u := t.(type) {
	case ir.Array:
		n := ir.Count(u.Elem)
		for k := range u.Len {
			inUse(u.Elem, first+k*n, f)
		}
	case ir.Vector:
		for k := range u.Lanes {
			f(first + k)
		}
	case *ir.Record:
		for _, field := range u.Fields {
			inUse(field.Type, first, f)
			if u.Union {
				return
			}
			first += ir.Count(field.Type)
		}
	default:
		f(first)
	}
}

// integers reports whether all scalars of t are integers of one type.
func integers(t ir.Type) bool {
	switch ir.Innermost(t).(type) {
	case ir.Int, ir.Vector:
		return true
	}
	return false
}

// initializeParts is initialize for variables whose scalars are not all
// integers of one type.
func (r *run) initializeParts(v *ir.Var) {
	state := r.state(0)
	from, n := r.offset[v.Index], ir.Count(v.Type)
	if r.unions {
		valid := state[r.cells:]
		clear(valid[from : from+n])
		inUse(v.Type, from, func(i int) { valid[i] = 1 })
	}
	clear(state[from : from+n])
	if v.Kind == ir.Param {
		state[from] = r.drawInitial(r.roomFor(v.Type.(ir.Int)))
		return
	}
	for i, e := range v.Init {
		switch t := ir.Cell(v.Type, i).(type) {
		case ir.Pointer:
			if v.Ptrs != nil && v.Ptrs[i] != nil {
				x, ok := r.pointer(v.Ptrs[i], state, nil)
				if !ok {
					panic("search: a pointer starts with no address")
				}
				state[from+i] = x
			}
		case ir.Int:
			state[from+i] = r.initial(e, r.roomFor(t))
		case ir.Float:
			x := r.initial(e, interval{-1 << 12, 1 << 12})
			state[from+i] = int64(math.Float64bits(float64(x)))
		}
	}
}

// initial returns the value that a scalar starts with: one of a room if it is a
// symbol.
func (r *run) initial(e ir.Expr, room interval) int64 {
	switch e := e.(type) {
	case *ir.Const:
		return e.V
	case *ir.Sym:
		return r.assign(e, r.drawInitial(room.and(all(e.T))))
	}
	return 0
}
