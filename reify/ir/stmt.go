package ir

import "fmt"

// A Stmt is a statement without control flow.
type Stmt interface {
	fmt.Stringer
	isStmt()
}

// An Assign evaluates Src, then stores it. Src has the type of Dst; a pointer may lack
// qualifiers of the target that Dst has. The index expressions of Dst are evaluated
// after Src; neither has side effects other than volatile reads and those of the
// functions that it calls. A record is the source as a Load of a place that is the same
// object as Dst or does not overlap it; scalars of it that have no value leave those
// without one that they are copied to.
type Assign struct {
	Dst Place
	Src Expr
}

// An Overflow computes X Op Y, which is Add, Sub or Mul, as if in a type of unlimited
// width. It stores the result in Dst, wrapped to its type, and then whether the
// wrapping changed it, 1 or 0, in Flag, which is an i32 or a bool. The operands are of
// standard types of at least 32 bits, Dst is of one of 8 to 64, not necessarily all of
// one. Dst and Flag do not overlap. It is __builtin_add_overflow and its like.
type Overflow struct {
	Flag, Dst Place
	Op        Op
	X, Y      Expr
}

// An Unreachable is undefined when it is executed.
type Unreachable struct{}

// An Assume is undefined when it is executed and Cond, which calls nothing and reads
// nothing volatile, is 0. With Guard it is a branch around unreachable code, else a
// builtin that states the condition.
type Assume struct {
	Cond  Expr
	Guard bool
}

// A Transfer copies N elements of an array, from the one that Src points to on, to
// where Dst points: memcpy, or memmove if Move is set. An object that is not an element
// of an array counts as an array of one element. Elements that do not lie in the array
// are out of bounds, and so are those of null. Integers may differ in their sign from
// what they are pointed to as, as for Cast. The bytes that a memcpy reads and writes
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

func (*Assign) isStmt()      {}
func (*Overflow) isStmt()    {}
func (*Transfer) isStmt()    {}
func (*Fill) isStmt()        {}
func (*Unreachable) isStmt() {}
func (*Assume) isStmt()      {}

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

// Stored returns the places that s assigns to.
func Stored(s Stmt) []Place {
	switch s := s.(type) {
	case *Assign:
		return []Place{s.Dst}
	case *Overflow:
		return []Place{s.Dst, s.Flag}
	case *Transfer:
		return []Place{&Deref{X: s.Dst}}
	case *Fill:
		return []Place{&Deref{X: s.Dst}}
	case *Unreachable, *Assume:
		return nil
	}
	panic(fmt.Sprintf("ir: unknown statement %T", s))
}
