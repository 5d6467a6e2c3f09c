package interp

import (
	"fmt"

	"goreify/reify/ir"
)

// An address is a pointer in memory: 0 is null. Else it is the number of the object
// plus one, the number of a scalar in it, and whether the pointer is behind an array
// which ends there.
type address int64

const (
	objectShift = 32
	cellMask    = 1<<(objectShift-1) - 1
)

func makeAddress(object, cell int, behind bool) address {
	x := address(object+1)<<objectShift | address(cell)<<1
	if behind {
		x |= 1
	}
	return x
}

func (x address) object() int  { return int(x>>objectShift) - 1 }
func (x address) cell() int    { return int(x>>1) & cellMask }
func (x address) behind() bool { return x&1 != 0 }

// An object is a variable in one of its lifetimes (6.2.4), to which a pointer
// has been made.
type object struct {
	v     *ir.Var
	base  int // where it starts in machine.mem
	ended bool
}

// objectOf returns the number of the variable v that starts at base.
func (m *memory) objectOf(v *ir.Var, base int) int {
	if n := len(m.cells) - len(m.objectAt); n > 0 {
		m.objectAt = append(m.objectAt, make([]int, n)...)
	}
	if i := m.objectAt[base] - 1; i >= 0 && m.objects[i].v == v && !m.objects[i].ended {
		return i
	}
	m.objects = append(m.objects, object{v: v, base: base})
	m.objectAt[base] = len(m.objects)
	if !v.Kind.Lasts() {
		m.exposed = true
	}
	return len(m.objects) - 1
}

// endLifetimes ends the lifetimes of the variables from address start on, to which
// pointers were made from object first on.
func (m *memory) endLifetimes(first, start int) {
	for i := first; i < len(m.objects); i++ {
		if o := &m.objects[i]; o.base >= start {
			o.ended = true
		}
	}
}

// public returns x as the callers of this package see it; see Result.Vars.
func (m *memory) public(x address) int64 {
	if x == 0 {
		return 0
	}
	o := m.objects[x.object()]
	if o.ended {
		return -1
	}
	return int64(makeAddress(o.v.Index, x.cell(), x.behind()))
}

// publish replaces pointers in the scalars of v by what public returns.
func (m *memory) publish(v *ir.Var, scalars []int64) {
	for i := range scalars {
		if _, ok := ir.Cell(v.Type, i).(ir.Pointer); ok {
			scalars[i] = m.public(address(scalars[i]))
		}
	}
}

// pointer evaluates a pointer expression.
func (m *machine) pointer(e ir.Expr) (address, ir.Pointer, error) {
	switch e := e.(type) {
	case *ir.AddrOf:
		return m.addressOf(e.Place)
	case *ir.Load:
		l, t, err := load[ir.Pointer](m, e.Place)
		if err != nil {
			return 0, t, err
		}
		x := address(m.mem.cells[l.addr])
		if x != 0 && m.mem.objects[x.object()].ended {
			return 0, t, m.at.ub(DanglingPointer, "%s points to %s of a function that has returned",
				l.name(l.addr), m.mem.objects[x.object()].v)
		}
		return x, t, nil
	case *ir.Null:
		return 0, e.T, nil
	case *ir.PtrAdd:
		x, t, err := m.pointer(e.X)
		if err != nil {
			return 0, t, err
		}
		i, ti, err := m.eval(e.Index)
		if err != nil {
			return 0, t, err
		}
		x, err = m.advance(x, t, i, ti)
		return x, t, err
	case *ir.Cast:
		to := e.T.(ir.Pointer)
		x, _, err := m.pointer(e.X)
		if err != nil {
			return 0, to, err
		}
		return x, to, m.castPointer(x, to)
	case *ir.Select:
		// 6.5.15p6: the type has the qualifiers of both operands.
		x, t, err := selected(m, e, m.pointer)
		of := ir.TypeOf[ir.Pointer](e)
		if err == nil && of.Elem != t.Elem {
			panic(fmt.Sprintf("interp: %s chosen as %s", t, of))
		}
		return x, of, err
	}
	panic(fmt.Sprintf("interp: unknown pointer expression %T", e))
}

// addressOf evaluates &p (6.5.3.2p3), where the last index may be that behind
// the last element.
func (m *machine) addressOf(p ir.Place) (address, ir.Pointer, error) {
	var l location
	var err error
	behind := false
	switch p := p.(type) {
	case *ir.Deref:
		return m.pointer(p.X) // &*x is x, and neither operator is evaluated
	case *ir.Elem:
		if l, err = m.locate(p.Base); err != nil {
			return 0, ir.Pointer{}, err
		}
		a, ok := l.t.(ir.Array)
		if !ok {
			panic(fmt.Sprintf("interp: address of an element of %s of type %s", l.v, l.t))
		}
		i, ti, err := m.eval(p.Index)
		if err != nil {
			return 0, ir.Pointer{}, err
		}
		if uint64(i) > uint64(a.Len) {
			return 0, ir.Pointer{}, m.at.ub(OutOfBounds, "index %s into %s in %s", ti.Format(i), a, l.v)
		}
		behind = i == int64(a.Len)
		l.addr += int(i) * ir.Count(a.Elem)
		l.t = a.Elem
	case *ir.Member:
		if l, err = m.locate(p.Base); err != nil {
			return 0, ir.Pointer{}, err
		}
		if l.record().Fields[p.Field].Bits > 0 {
			panic(fmt.Sprintf("interp: address of the bit-field %s", p))
		}
		l = l.member(p.Field)
	default:
		if l, err = m.locate(p); err != nil {
			return 0, ir.Pointer{}, err
		}
	}
	t := ir.Pointer{Elem: l.t, Const: l.v.Const, Volatile: l.v.Volatile}
	var o int
	if l.via != nil {
		t.Const, t.Volatile = l.via.constant, l.via.volatile
		o = l.via.object
	} else {
		o = m.mem.objectOf(l.v, m.at.base[l.v.Index])
	}
	return makeAddress(o, l.addr-l.base, behind), t, nil
}

// pointed writes the target of x.
func (m *memory) pointed(x address) string {
	if x == 0 {
		return "null"
	}
	v := m.objects[x.object()].v
	if x.behind() {
		return "behind " + scalarName(v, x.cell()-1)
	}
	return scalarName(v, x.cell())
}

// arrayAt is arrayAt for the target of x, of type elem, or the place behind it: x points
// to element k of the array.
func (m *memory) arrayAt(x address, elem ir.Type) (first, k, length int, ok bool) {
	cell, n := x.cell(), ir.Count(elem)
	if x.behind() {
		cell -= n
	}
	if cell < 0 {
		return 0, 0, 0, false
	}
	first, length, ok = arrayAt(m.objects[x.object()].v.Type, cell, elem)
	return first, (x.cell() - first) / n, length, ok
}

// follow returns the target of x, of type t, as a location to access.
func (m *storage) follow(x address, t ir.Pointer) (location, error) {
	if x == 0 {
		return location{}, m.at.wrong(NullDereference, "a pointer to %s is null", t.Elem)
	}
	o := m.mem.objects[x.object()]
	if x.behind() {
		return location{}, m.at.ub(OutOfBounds, "a pointer points %s", m.mem.pointed(x))
	}
	if _, _, _, ok := m.mem.arrayAt(x, t.Elem); !ok {
		return location{}, m.at.ub(StrictAliasing, "%s is %s, accessed as %s",
			m.mem.pointed(x), ir.Cell(o.v.Type, x.cell()), t.Elem)
	}
	addr := o.base + x.cell()
	via := &pointee{
		object: x.object(), from: addr, to: addr + ir.Count(t.Elem),
		constant: t.Const, volatile: t.Volatile,
	}
	if _, ok := t.Elem.(ir.Int); ok {
		via.declared = ir.Cell(o.v.Type, x.cell()).(ir.Int)
	}
	return location{v: o.v, base: o.base, addr: addr, t: t.Elem, union: ir.HasUnion(o.v.Type), via: via}, nil
}

// advance computes x + i (6.5.6p8), where x is of type t and i of type ti.
func (m *storage) advance(x address, t ir.Pointer, i int64, ti ir.Int) (address, error) {
	if x == 0 {
		return 0, m.at.ub(NullDereference, "null + %s", ti.Format(i))
	}
	_, k, length, ok := m.mem.arrayAt(x, t.Elem)
	if !ok {
		return 0, m.at.ub(StrictAliasing, "arithmetic as for %s on a pointer to %s", t.Elem, m.mem.pointed(x))
	}
	if i < int64(-k) || i > int64(length-k) || !ti.Signed && i < 0 {
		return 0, m.at.ub(OutOfBounds, "pointer to element %d of %d, + %s", k, length, ti.Format(i))
	}
	return makeAddress(x.object(), x.cell()+int(i)*ir.Count(t.Elem), k+int(i) == length), nil
}

// castPointer checks the conversion of x to the type t (6.3.2.3p7).
func (m *storage) castPointer(x address, t ir.Pointer) error {
	if x == 0 {
		return nil
	}
	if _, _, _, ok := m.mem.arrayAt(x, t.Elem); ok {
		return nil
	}
	if x.behind() {
		// A pointer of the new type could not come back to the array, whose elements
		// are of another type.
		return m.at.ub(StrictAliasing, "a pointer that points %s, as one to %s", m.mem.pointed(x), t.Elem)
	}
	if is := ir.Cell(m.mem.objects[x.object()].v.Type, x.cell()); alignment(t.Elem) > leastAlignment(is) {
		return m.at.ub(Misaligned, "%s is %s, converted to a pointer to %s", m.mem.pointed(x), is, t.Elem)
	}
	return nil
}

// alignment returns the strictest of t on any target, in bytes. Larger scalars are
// aligned no less, on every target.
func alignment(t ir.Type) int {
	switch t := t.(type) {
	case ir.Int:
		return t.Bytes()
	case ir.Float:
		return t.Bits / 8
	case ir.Pointer:
		return 8
	case ir.Vector:
		return 2 * t.Padded() * t.Elem.Bytes() // no alignment is known beyond its size
	case ir.Array:
		return alignment(t.Elem)
	case *ir.Record:
		a := 1
		for _, f := range t.Fields {
			a = max(a, alignment(f.Type))
		}
		return a
	}
	panic(fmt.Sprintf("interp: unknown type %T", t))
}

// leastAlignment returns the least that a scalar of type t has on any target,
// compared with those of others.
func leastAlignment(t ir.Type) int {
	if _, ok := t.(ir.Pointer); ok {
		return 4
	}
	return alignment(t)
}
