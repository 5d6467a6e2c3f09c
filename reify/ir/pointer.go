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
