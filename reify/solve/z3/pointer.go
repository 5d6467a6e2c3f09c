//go:build cgo && z3

package z3

import (
	"fmt"

	"goreify/reify/ir"
	"goreify/reify/solve"
)

// Pointers are followed if their target is known on the path without any solving, and
// are not encoded otherwise.

// A pointer points to an element of an array that is a part of a variable; an object
// that is not an element counts as an array of one. It is null if v is nil.
type pointer struct {
	v             *ir.Var
	first         int // scalar of the array
	stride        int // scalars of an element
	index, length int // of the element, and their number
}

func (p pointer) cell() int { return p.first + p.index*p.stride }

// pointer returns the pointer that is the value of x.
func (e *encoder) pointer(x ir.Expr) (pointer, error) {
	switch x := x.(type) {
	case *ir.Null:
		return pointer{}, nil
	case *ir.Cast:
		p, err := e.pointer(x.X)
		if err == nil && p.v != nil && !sameObject(ir.TypeOf[ir.Pointer](x.X).Elem, ir.TypeOf[ir.Pointer](x).Elem) {
			err = notEncoded("pointers to objects of another type are")
		}
		return p, err
	case *ir.Select:
		c, err := e.number(x.If)
		switch {
		case err != nil:
			return pointer{}, err
		case c != 0:
			return e.pointer(x.X)
		}
		return e.pointer(x.Y)
	case *ir.AddrOf:
		return e.address(x.Place)
	case *ir.PtrAdd:
		p, err := e.pointer(x.X)
		if err != nil {
			return p, err
		}
		i, err := e.number(x.Index)
		if err != nil {
			return p, err
		}
		return p.plus(i)
	case *ir.Load:
		to, err := e.place(x.Place)
		if err != nil {
			return pointer{}, err
		}
		c, ok := e.only(to)
		switch {
		case !ok:
			return pointer{}, notEncoded("pointers in elements that are chosen by symbols are")
		case c.state == unset:
			return pointer{}, fmt.Errorf("%s is read before it is initialised: %w", to.v.Name, solve.ErrUnsat)
		case c.state == perhaps || c.ptr == nil:
			return pointer{}, notEncoded("pointers that symbols decide on are")
		}
		return *c.ptr, nil
	}
	panic(fmt.Sprintf("z3: unknown pointer %T", x))
}

// only returns the cell that a place is, if it is known which.
func (m *memory) only(to target) (cell, bool) {
	part, ok := to.known(&m.arithmetic)
	return m.cells[to.v.Index][part.cell], ok
}

// known returns the part that the place is.
func (to target) known(a *arithmetic) (candidate, bool) {
	for _, part := range to.part {
		if part.always {
			return part, true
		}
		if holds, known := a.known(part.when); known && holds {
			return part, true
		}
	}
	return to.part[0], false
}

// number returns the value of x, if it is known.
func (e *encoder) number(x ir.Expr) (int64, error) {
	v, err := e.expr(x)
	if err != nil {
		return 0, err
	}
	n := e.folded(v.t, v.bv)
	if n == nil || !n.IsInt64() {
		return 0, notEncoded("indices of pointers that symbols decide on are")
	}
	return n.Int64(), nil
}

// address returns the pointer to a place. An index may be that behind the last
// element.
func (e *encoder) address(p ir.Place) (pointer, error) {
	if p, ok := p.(*ir.Deref); ok {
		return e.pointer(p.X) // &*x is x
	}
	elem, ok := p.(*ir.Elem)
	if !ok {
		to, err := e.place(p)
		if err != nil {
			return pointer{}, err
		}
		part, ok := to.known(&e.arithmetic)
		if !ok {
			return pointer{}, notEncoded("addresses that symbols decide on are")
		}
		return pointer{v: to.v, first: part.cell, stride: ir.Count(p.Type()), length: 1}, nil
	}
	base, err := e.place(elem.Base)
	if err != nil {
		return pointer{}, err
	}
	i, err := e.number(elem.Index)
	if err != nil {
		return pointer{}, err
	}
	part, ok := base.known(&e.arithmetic)
	if !ok {
		return pointer{}, notEncoded("addresses that symbols decide on are")
	}
	stride := ir.Count(p.Type())
	array := pointer{v: base.v, first: part.cell, stride: stride, length: ir.Count(elem.Base.Type()) / stride}
	return array.plus(i)
}

func (p pointer) plus(n int64) (pointer, error) {
	i := int64(p.index) + n
	if p.v == nil || n < -1<<32 || n > 1<<32 || i < 0 || i > int64(p.length) {
		return p, fmt.Errorf("pointer outside its array: %w", solve.ErrUnsat)
	}
	p.index = int(i)
	return p, nil
}

// pointee returns the target of the pointer of p.
func (e *encoder) pointee(p *ir.Deref) (target, error) {
	at, err := e.pointer(p.X)
	if err != nil {
		return target{}, err
	}
	if at.v == nil || at.index == at.length {
		return target{}, fmt.Errorf("nothing to point to: %w", solve.ErrUnsat)
	}
	switch {
	case ir.HasUnion(at.v.Type):
		return target{}, notEncoded("pointers to members of unions are")
	case at.v.Volatile && !ir.TypeOf[ir.Pointer](p.X).Volatile:
		return target{}, notEncoded("accesses to a volatile object as if it were none are")
	}
	return target{at.v, []candidate{{cell: at.cell(), always: true}}}, nil
}

// sameObject reports whether an object of type t may be accessed as one of type
// as: they are the same, or integers that differ in their sign (6.5p7).
func sameObject(t, as ir.Type) bool {
	a, ok := t.(ir.Int)
	b, ok2 := as.(ir.Int)
	return t == as || ok && ok2 && a.Bits == b.Bits && a != ir.Bool && b != ir.Bool
}

// onPointers returns the distance of pointers, or the truth of a comparison.
func (e *encoder) onPointers(x *ir.Binary) (value, error) {
	p, err := e.pointer(x.X)
	if err != nil {
		return value{}, err
	}
	q, err := e.pointer(x.Y)
	if err != nil {
		return value{}, err
	}
	a, b := int64(p.index), int64(q.index)
	equality := x.Op == ir.Eq || x.Op == ir.Ne
	switch {
	case x.Op == ir.Sub && (p.v == nil || !p.sameArray(q)):
		return value{}, notEncoded("differences of pointers to different arrays are")
	case x.Op == ir.Sub:
		return e.constant(ir.I64, a-b), nil
	case p.sameArray(q):
	case equality && p.points() && q.points() && p.v != q.v:
		a, b = 0, 1
	default:
		return value{}, notEncoded("comparisons of pointers to different arrays are")
	}
	return e.truth(e.compare(x.Op, e.constant(ir.I64, a), e.constant(ir.I64, b))), nil
}

// sameArray reports whether both point into one array.
func (p pointer) sameArray(q pointer) bool {
	q.index = p.index
	return p == q
}

// points reports whether p is null or points to an object, and not behind one.
func (p pointer) points() bool { return p.v == nil || p.index < p.length }
