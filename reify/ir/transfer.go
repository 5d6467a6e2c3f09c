package ir

// A Transfer copies N elements of an array, from the one that Src points to on, to
// where Dst points: memcpy, or memmove if Move is set. An object that is not an element
// of an array counts as an array of one element. Elements that do not lie in the array
// are out of bounds, and so are those of null. Integers may differ in their sign from
// what they are pointed to as, as for PtrCast. The bytes that a memcpy reads and writes
// do not overlap. Scalars that have no value leave those without one that they are
// copied to.
type Transfer struct {
	Move     bool
	Dst, Src Expr // to one type, not volatile; the target of Dst is not const
	N        Expr
}

// A Fill sets all bytes of N elements to the low 8 bits of Byte: memset. The elements
// are as for Transfer. Scalars whose value follows from their bytes on all targets get
// it: integers; bit-fields of zeros or of ones; a bool of 0 or 1; floating-point
// numbers of zeros. All other scalars are undefined here.
type Fill struct {
	Dst     Expr // to a type without pointers and unions, not volatile or const
	Byte, N Expr
}

func (*Transfer) isStmt() {}
func (*Fill) isStmt()     {}

// Name returns the name of the function in C.
func (s *Transfer) Name() string {
	if s.Move {
		return "memmove"
	}
	return "memcpy"
}

// Bytewise reports whether a Fill may set the bytes of a t: it contains no pointer and
// no union.
func Bytewise(t Type) bool {
	switch t := t.(type) {
	case Array:
		return Bytewise(t.Elem)
	case Pointer:
		return false
	case *Record:
		for _, f := range t.Fields {
			if t.Union || !Bytewise(f.Type) {
				return false
			}
		}
	}
	return true
}
