package ir

// A Pointer points to an object of type Elem, or to the place behind the last element
// of an array, or is null. It is a type of 64 bits, or 32 with -m32: no program can
// tell.
type Pointer struct {
	Elem     Type
	Const    bool // its target cannot be assigned through it
	Volatile bool // its target is volatile
}

func (Pointer) isType() {}

// String returns the type as the text form writes it, for example "*const i32".
func (t Pointer) String() string {
	s := "*"
	if t.Const {
		s += "const "
	}
	if t.Volatile {
		s += "volatile "
	}
	if t.Elem == nil { // as in types that the checker rejects
		return s + "<nil>"
	}
	return s + t.Elem.String()
}

// An AddrOf is the address of a place that is not a bit-field. Its indices are
// evaluated, and the place is not read; an index may be that behind the last element.
type AddrOf struct{ Place Place }

// A LoadPtr is the value of a place that holds a pointer.
type LoadPtr struct{ Place Place }

// A Null is the null pointer of type T.
type Null struct{ T Pointer }

// A PtrAdd is the pointer that is Index elements further on in the same array. It is
// undefined beyond the ends of the array, except for the place behind the last element.
type PtrAdd struct {
	X     Expr
	Index Expr
}

// A PtrCast changes the type of a pointer, not its target. To access an integer through
// it is defined if T.Elem differs from the type of the object in its sign alone
// (6.5p7), or in qualifiers.
type PtrCast struct {
	T Pointer
	X Expr
}

// A PtrSelect is X if If is not zero, else Y. Only the chosen operand is evaluated. X
// and Y point to the same type, qualifiers apart.
type PtrSelect struct {
	If   Expr
	X, Y Expr
}

func (*AddrOf) isExpr()    {}
func (*LoadPtr) isExpr()   {}
func (*Null) isExpr()      {}
func (*PtrAdd) isExpr()    {}
func (*PtrCast) isExpr()   {}
func (*PtrSelect) isExpr() {}

// Type returns the pointer to the type of the place, with the qualifiers of the object
// that contains the place.
func (e *AddrOf) Type() Type {
	t := Pointer{Elem: e.Place.Type()}
	t.Const, t.Volatile = qualifiers(e.Place)
	return t
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

// Type returns the type of the place, which is a pointer.
func (e *LoadPtr) Type() Type { return e.Place.Type() }

// Type returns T.
func (e *Null) Type() Type { return e.T }

// Type returns the type of X.
func (e *PtrAdd) Type() Type { return e.X.Type() }

// Type returns T.
func (e *PtrCast) Type() Type { return e.T }

// Type returns the type of X, with the qualifiers of Y added.
func (e *PtrSelect) Type() Type {
	t, u := TypeOf[Pointer](e.X), TypeOf[Pointer](e.Y)
	t.Const, t.Volatile = t.Const || u.Const, t.Volatile || u.Volatile
	return t
}

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

// A PtrCompare is 1 if the pointers compare as Op says, else 0. Their types
// point to the same type, qualifiers apart. Other comparisons than Eq and Ne are
// undefined unless both point into one array or one object.
type PtrCompare struct {
	Op   Op
	X, Y Expr
}

// A PtrDiff is the distance in elements from Y to X, which point into one array.
type PtrDiff struct{ X, Y Expr }

func (*PtrCompare) isExpr() {}
func (*PtrDiff) isExpr()    {}

// Type returns i32.
func (e *PtrCompare) Type() Type { return I32 }

// Type returns i64.
func (e *PtrDiff) Type() Type { return I64 }

// An AssignPtr stores a pointer. Src has the type of Dst, except for qualifiers that
// Dst adds to the target.
type AssignPtr struct {
	Dst Place
	Src Expr
}

func (*AssignPtr) isStmt() {}
