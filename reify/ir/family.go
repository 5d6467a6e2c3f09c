package ir

// A Family is the expressions whose values are of one kind of type.
type Family int

// The families. Pointers are no numbers; the bits of a float64 are those of any
// floating-point number; Wides are of type Wide. A Load alone can be a record.
const (
	Integers Family = iota
	Pointers
	Floats
	Vectors
	Wides
	Records
)

var familyNames = [...]string{"an integer", "a pointer", "a floating-point number", "a vector", "a wide integer", "a record"}

// String returns the name with an article, for error messages.
func (f Family) String() string { return familyNames[f] }

// FamilyOf returns the family of an expression, which may have operands of wrong types, or none.
func FamilyOf(e Expr) Family {
	distance := false
	for {
		var of Family
		switch x := e.(type) {
		case *Binary:
			switch {
			case constant(x.Y), x.Op.Logical():
				return Integers
			case x.Op.Compares():
				if FamilyOf(x.X) == Vectors {
					return Vectors
				}
				return Integers
			}
			distance = distance || x.Op == Sub
			e = x.X
			continue
		case *Unary:
			if x.Op == LNot {
				return Integers
			}
			e = x.X
			continue
		case *Select:
			e = x.X
			continue
		case *Load:
			of = familyOfType(placeType(x.Place))
		case *Convert:
			of = familyOfType(x.T)
		case *Cast:
			of = familyOfType(x.T)
		case *AddrOf, *Null, *PtrAdd:
			of = Pointers
		case *FloatConst:
			return Floats
		case *VecOf, *Shuffle, *VecCall:
			return Vectors
		}
		if of == Pointers && distance {
			return Integers
		}
		return of
	}
}

// constant reports whether e is an integer that stands for itself.
func constant(e Expr) bool {
	switch e.(type) {
	case *Const, *Sym:
		return true
	}
	return false
}

// Of returns the family of the operands of e, which is an integer.
func (e *Binary) Of() Family {
	switch {
	case constant(e.Y): // as most are, and nearer than the leaves of X
	case e.Op.Compares():
		return FamilyOf(e.X)
	case e.Op == Sub:
		switch e.X.(type) {
		case *Load, *AddrOf, *PtrAdd, *Cast, *Null, *Select: // the nodes that can be pointers
			return FamilyOf(e.X)
		}
	}
	return Integers
}

// IsInt reports whether e is an integer.
func IsInt(e Expr) bool { return FamilyOf(e) == Integers }

func familyOfType(t Type) Family {
	switch t.(type) {
	case Int:
		return Integers
	case Pointer:
		return Pointers
	case Float:
		return Floats
	case Vector:
		return Vectors
	case Wide:
		return Wides
	}
	return Records
}
