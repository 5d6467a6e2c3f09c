package ir

import "fmt"

// A Place is the destination of an assignment: a variable, an element or lane, a
// member, or the target of a pointer.
type Place interface {
	fmt.Stringer
	Type() Type
	isPlace()
}

// A VarRef is a variable as a place.
type VarRef struct{ Var *Var }

// An Elem is an element of Base, which is an array, or a lane of a vector. Index is
// undefined outside [0, Len).
type Elem struct {
	Base  Place
	Index Expr
}

func (*VarRef) isPlace() {}
func (*Elem) isPlace()   {}

// Type returns the type of the variable.
func (p *VarRef) Type() Type { return p.Var.Type }

// Type returns the type of the element.
func (p *Elem) Type() Type {
	switch t := p.Base.Type().(type) {
	case Array:
		return t.Elem
	case Vector:
		return t.Elem
	default:
		panic(fmt.Sprintf("ir: element of a %v", t))
	}
}

// Root returns the variable that p is, or is a part of, or nil if p is reached
// through a pointer.
func Root(p Place) *Var {
	for {
		switch q := p.(type) {
		case *VarRef:
			return q.Var
		case *Elem:
			p = q.Base
		case *Member:
			p = q.Base
		case *Deref:
			return nil
		default:
			panic("ir: unknown place")
		}
	}
}

// A Member is a field of Base, which is a record.
type Member struct {
	Base  Place
	Field int
}

func (*Member) isPlace() {}

// Type returns the type of the field; see Record.Member.
func (p *Member) Type() Type { return p.Base.Type().(*Record).Member(p.Field) }

// A Deref is the object that X points to.
type Deref struct{ X Expr }

func (*Deref) isPlace() {}

// Type returns the type that X points to.
func (p *Deref) Type() Type {
	base := pointerBase(p.X)
	if a, ok := base.(*AddrOf); ok {
		// Not a.Type, which looks for qualifiers, too: together the two would take
		// twice as long for each level of *&*&x.
		return a.Place.Type()
	}
	return TypeOf[Pointer](base).Elem
}

// pointerBase returns the pointer that e is so many elements away from, which is
// of the same type.
func pointerBase(e Expr) Expr {
	for {
		add, ok := e.(*PtrAdd)
		if !ok {
			return e
		}
		e = add.X
	}
}

// qualifiers returns those of the object that p is a part of.
func qualifiers(p Place) (constant, volatile bool) {
	for {
		switch q := p.(type) {
		case *VarRef:
			return q.Var.Const, q.Var.Volatile
		case *Elem:
			p = q.Base
		case *Member:
			p = q.Base
		case *Deref:
			base := pointerBase(q.X)
			if a, ok := base.(*AddrOf); ok {
				p = a.Place
				continue
			}
			t := TypeOf[Pointer](base)
			return t.Const, t.Volatile
		default:
			panic(unknown(p))
		}
	}
}

// addressable returns an error if p, which is valid, has no address in C.
func addressable(p Place) error {
	if _, ok := p.Type().(Wide); ok {
		return fmt.Errorf("%v is %s, whose address is not taken", p, p.Type())
	}
	if r := castPart(p); r != nil {
		return fmt.Errorf("%v is a part of %s, by which bits are cast, and has no address", p, r)
	}
	switch p := p.(type) {
	case *Member:
		if r := p.Base.Type().(*Record); r.Fields[p.Field].Bits > 0 {
			return fmt.Errorf("%v is a bit-field, which has no address", p)
		}
	case *Elem:
		if _, ok := p.Base.Type().(Vector); ok {
			return fmt.Errorf("%v is a lane, which has no address", p)
		}
	}
	return nil
}
