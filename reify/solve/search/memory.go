package search

import (
	"fmt"

	"goreify/reify/ir"
)

// A state holds the scalars of all variables. If some are parts of unions, it also
// records for each scalar whether it has a value. The members of a union have scalars
// of their own, and a store to one takes the value from the others, or casts its bits
// to them.

// A layout says where the scalars of each variable are in a state. It stays as
// newLayout made it; owners is made when it is first needed.
type layout struct {
	vars   []*ir.Var
	offset []int   // by variable: where its scalars begin in a state
	cells  int     // scalars
	unions bool    // the state tells which scalars have a value
	owners []int32 // by scalar: the variable that it belongs to; see varAt
}

func newLayout(vars []*ir.Var) layout {
	l := layout{vars: vars, offset: make([]int, len(vars))}
	for i, v := range vars {
		l.offset[i] = l.cells
		l.cells += ir.Count(v.Type)
		l.unions = l.unions || ir.HasUnion(v.Type)
	}
	return l
}

// locate returns where in a state the place p begins. If pol is not nil, symbols
// in it that have no value get one.
func (ev *evaluator) locate(p ir.Place, state []int64, pol *policy) (int, bool) {
	switch p := p.(type) {
	case *ir.VarRef:
		return ev.offset[p.Var.Index], true
	case *ir.Elem:
		at, ok := ev.locate(p.Base, state, pol)
		if !ok {
			return 0, false
		}
		size, n := elements(p.Base.Type())
		i, ok := ev.number(p.Index, state, interval{0, int64(n) - 1}, pol)
		if !ok || i < 0 || i >= int64(n) {
			return 0, false
		}
		return at + int(i)*size, true
	case *ir.Member:
		at, ok := ev.locate(p.Base, state, pol)
		return at + p.Base.Type().(*ir.Record).Offset(p.Field), ok
	case *ir.Deref:
		x, ok := ev.pointer(p.X, state, pol)
		if !ok {
			return 0, false
		}
		return ev.follow(x, ir.TypeOf[ir.Pointer](p.X).Elem)
	}
	panic(fmt.Sprintf("search: unknown place %T", p))
}

// read returns the scalar at the place p, or false if that is undefined or has no value.
// If pol is not nil, symbols in it that have no value get one.
func (ev *evaluator) read(p ir.Place, state []int64, pol *policy) (int64, bool) {
	at, ok := ev.locate(p, state, pol)
	if !ok {
		return 0, false
	}
	return ev.load(p, at, state)
}

// number is eval, or choose if pol is not nil.
func (ev *evaluator) number(e ir.Expr, state []int64, want interval, pol *policy) (int64, bool) {
	if pol == nil {
		return ev.eval(e, state)
	}
	return ev.choose(e, state, want, pol)
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
func (l *layout) load(p ir.Place, at int, state []int64) (int64, bool) {
	if l.unions && state[l.cells+at] == 0 {
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
func (l *layout) store(p ir.Place, at int, v int64, state []int64) bool {
	if _, ok := p.(*ir.Deref); ok {
		to := l.vars[l.varAt(at)]
		if t, ok := ir.Cell(to.Type, at-l.offset[to.Index]).(ir.Int); ok {
			v = t.Wrap(v)
		}
		if to.Const || l.unions && state[l.cells+at] == 0 {
			return false
		}
	}
	if l.unions {
		l.activate(at, state)
	}
	state[at] = v
	if l.unions {
		l.cast(at, state)
	}
	return true
}

// activate takes the values from the members of unions that a store to one scalar ends.
func (l *layout) activate(at int, state []int64) {
	v := l.vars[l.varAt(at)]
	valid := state[l.cells:]
	t, first := v.Type, l.offset[v.Index]
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
			if u.Union && !u.Cast {
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
func (l *layout) varAt(at int) int {
	if l.owners == nil {
		l.owners = make([]int32, 0, l.cells)
		for i, v := range l.vars {
			for range ir.Count(v.Type) {
				l.owners = append(l.owners, int32(i))
			}
		}
	}
	return int(l.owners[at])
}

// copyRecord executes s, the assignment of a record.
func (ev *evaluator) copyRecord(s *ir.Assign, state []int64, pol *policy) bool {
	src, ok := ev.locate(s.Src.(*ir.Load).Place, state, pol)
	if !ok {
		return false
	}
	dst, ok := ev.locate(s.Dst, state, pol)
	if !ok {
		return false
	}
	if src == dst {
		return true
	}
	n := ir.Count(s.Dst.Type())
	if src < dst+n && dst < src+n || ev.vars[ev.varAt(dst)].Const {
		return false
	}
	for i := range n {
		if ev.unions && state[ev.cells+src+i] == 0 {
			state[ev.cells+dst+i] = 0
			continue
		}
		if ev.unions {
			ev.activate(dst+i, state)
		}
		state[dst+i] = state[src+i]
	}
	return true
}

// valued reports whether the operands of a checksum have values.
func (l *layout) valued(of []*ir.Var, state []int64) bool {
	if !l.unions {
		return true
	}
	for _, v := range of {
		ok := true
		inUse(v.Type, l.offset[v.Index], func(i int) { ok = ok && state[l.cells+i] != 0 })
		if !ok {
			return false
		}
	}
	return true
}

// inUse calls f for the scalars of a t that starts at first; of a union only for those
// of its first member.
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
	case ir.Wide: // starts at 0, and is in no checksum
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

// same reports whether two states agree on the variables that a site reads.
func (l *layout) same(at *site, x, y []int64) bool {
	for _, v := range at.reads {
		from := l.offset[v]
		to := l.cells
		if int(v)+1 < len(l.offset) {
			to = l.offset[v+1]
		}
		for i := from; i < to; i++ {
			if x[i] != y[i] {
				return false
			}
		}
	}
	return true
}
