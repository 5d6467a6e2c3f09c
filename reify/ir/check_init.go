package ir

import (
	"errors"
	"fmt"
	"slices"
)

// initial checks the initial values of v.
func (c *checker) initial(v *Var) error {
	if v.Init == nil {
		if v.Ptrs != nil {
			return errors.New("pointers as initial values without others")
		}
		return nil
	}
	n := c.sizes.of(v.Type)
	if len(v.Init) != n.cells {
		return fmt.Errorf("%d initial values for %d scalars", len(v.Init), n.cells)
	}
	want := 0
	if n.pointers {
		want = n.cells
	}
	if len(v.Ptrs) != want {
		return fmt.Errorf("%d pointers among the initial values, want %d", len(v.Ptrs), want)
	}
	for j, at := range cellsOf(v.Type, n.cells) {
		var ptr Expr
		if n.pointers {
			ptr = v.Ptrs[j]
		}
		if err := c.initialCell(v, at, v.Init[j], ptr); err != nil {
			return fmt.Errorf("initial value %d%w", j, err)
		}
	}
	return nil
}

// initialCell checks the initial value of one cell of v, which is e or ptr. Its errors
// follow the words "initial value n".
func (c *checker) initialCell(v *Var, at cell, e Expr, ptr Expr) error {
	want, isInt := at.t.(Int)
	to, isPtr := at.t.(Pointer)
	switch {
	case (isPtr || at.hidden) && e != nil, (!isPtr || at.hidden) && ptr != nil:
		return errors.New(" is not of the kind of its scalar")
	case at.hidden:
		return nil
	case isPtr:
		if ptr == nil {
			return nil
		}
		return c.initialPtr(v, ptr, to)
	case !isInt:
		want = I32
	}
	if !isLeaf(e) && (v.Kind != Local || !isInt || !onlyCalls(e)) {
		return errors.New(" is neither constant nor symbol")
	}
	c.odd = true
	t, err := c.integer(e, 1)
	if err != nil {
		return fmt.Errorf(": %w", err)
	}
	if t != want {
		return fmt.Errorf(" is %s, want %s", t, want)
	}
	if k, ok := e.(*Const); ok && !isInt && !at.t.(Float).holds(float64(k.V)) {
		return fmt.Errorf(": constant %d does not fit %s", k.V, at.t)
	}
	return nil
}

// initialPtr checks the initial address of a pointer of type to in v.
func (c *checker) initialPtr(v *Var, ptr Expr, to Pointer) error {
	a, ok := ptr.(*AddrOf)
	if !ok {
		return errors.New(" is neither null nor an address")
	}
	t, err := c.ptr(a, 1)
	if err != nil {
		return fmt.Errorf(": %w", err)
	}
	if !converts(t, to) {
		return fmt.Errorf(" is %s, want %s", t, to)
	}
	last := true
	for p := a.Place; ; {
		switch q := p.(type) {
		case *VarRef:
			if !q.Var.Kind.Lasts() && (v.Kind != Local || q.Var.Index >= v.Index) {
				return fmt.Errorf(" is the address of %s", q.Var)
			}
			return nil
		case *Elem:
			i, ok := q.Index.(*Const)
			limit := q.Base.Type().(Array).Len // no lane: it has an address
			if last {
				limit++ // the place behind the last element
			}
			if !ok || i.V < 0 || i.V >= int64(limit) {
				return fmt.Errorf(": index %s is not a constant in range", q.Index)
			}
			p, last = q.Base, false
		case *Member:
			p, last = q.Base, false
		case *Deref:
			return errors.New(" reads a pointer")
		default:
			panic(unknown(p))
		}
	}
}

// A span is a range of values, both ends included.
type span struct{ lo, hi uint64 }

// disjoint returns an error if two of the labels of a switch share a value.
func disjoint(list []span) error {
	slices.SortFunc(list, func(a, b span) int {
		switch {
		case a.lo < b.lo:
			return -1
		case a.lo > b.lo:
			return 1
		}
		return 0
	})
	for i := range list {
		if i > 0 && list[i].lo <= list[i-1].hi {
			return errors.New("two labels share a value")
		}
	}
	return nil
}
