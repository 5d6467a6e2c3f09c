package interp

import (
	"fmt"

	"goreify/reify/ir"
)

// A Kind is a kind of undefined behaviour. The kinds are the rows of the first table of
// section 4.4 of the paper, without infinite recursion, which ErrDepth and ErrFuel are
// for, and the faults of the language beyond the paper's subset. A few are not
// undefined in C and as useless; their comments say so.
type Kind int

// The kinds of undefined behaviour.
const (
	// UninitializedRead is the use of a variable or element that has not been assigned:
	// an object with automatic storage duration that is not initialised has an
	// indeterminate value (6.7.9p10), whose use is undefined (6.3.2.1p2, J.2). C leaves
	// a gap for elements of arrays, whose address is taken. Here is no gap, as their
	// value could not be predicted either.
	UninitializedRead Kind = iota
	// SignedOverflow is a result that its signed type does not hold (6.5p5),
	// the quotient and remainder of Min / -1 among them (6.5.5p6).
	SignedOverflow
	// DivisionByZero is a zero divisor of / or % (6.5.5p5).
	DivisionByZero
	// OutOfBounds is an index outside its own dimension of an array, even if
	// it is still inside the whole (6.5.6p8, J.2).
	OutOfBounds
	// EndlessLoop is a loop that provably never ends and has no side effects: the whole
	// state came back with no access to a volatile object in between. A compiler may
	// assume that such a loop ends (6.8.5p6). C exempts loops whose condition is a
	// constant, and does not mention loops made of goto. Here they count as well: the
	// back end chooses the form of a loop, and no case can have an endless path.
	EndlessLoop
	// UnsequencedAccess is a second read of a volatile object, a scalar or an element,
	// in one statement, condition or returned expression. Such a read is a side effect
	// (5.1.2.3p2), and two unsequenced side effects on one object are undefined
	// (6.5p2). Those of operands (6.5p3) and of the two sides of an assignment
	// (6.5.16p3) are unsequenced, unless one of them is the first operand of &&, || or
	// ?: and the other in the second or third. A read that another one's index depends
	// on counts as well: 6.5p1 orders no more than their values. A store does not
	// count, since it comes after both sides (6.5.16p3), nor does a Checksum, which
	// reads each volatile scalar in a call of its own. A read of the object that the
	// builtin stores to counts, too, while the flag of an Overflow is located. Nothing
	// else can be unsequenced in ir: only statements modify objects, most of them a
	// single one, and the calls in them are sequenced one way or the other.
	UnsequencedAccess
	// InvalidValue is a value that its type cannot hold, as an argument, an initial
	// value or a constant. C calls it a trap representation (6.2.6.1p5), and the paper
	// an invalid scalar value. The results of memset in scalars whose value does not
	// follow from their bytes on all targets are such values, too.
	InvalidValue
	// UnspecifiedOrder is a full expression in which a call writes a global or static
	// that another call, or the expression itself, reads, if C does not order the two
	// (6.5.2.2p10). A later read of an object that two such calls have written counts,
	// too. It is not undefined but unspecified, and as useless: compilers may answer
	// differently. Since functions cannot name each other's globals and statics, the
	// two calls must come to the same function, or one of them back to the function
	// that makes it.
	UnspecifiedOrder
	// ShiftAmount is a right operand of << or >> that is negative, or not less
	// than the width of the left one (6.5.7p3).
	ShiftAmount
	// ShiftOverflow is << of a negative value, or of one that loses bits or
	// changes the sign because its signed type does not hold the product
	// (6.5.7p4).
	ShiftOverflow
	// BuiltinArgument is the zero of clz and ctz. No clause: the manual of gcc
	// says that "the result is undefined". Abs of the smallest value is a
	// SignedOverflow.
	BuiltinArgument
	// UnreachableReached is the execution of an Unreachable, or of an Assume whose
	// condition does not hold. No clause, again:
	// "if control flow reaches the point of the __builtin_unreachable, the
	// program is undefined".
	UnreachableReached
	// NullDereference is the use of a null pointer for its target: an access, the
	// address of a part of it (6.5.3.2p4), or arithmetic (6.5.6p8), even by zero.
	NullDereference
	// DanglingPointer is the use of a pointer, even to compare it, to a local or
	// parameter whose function has returned (6.2.4p2).
	DanglingPointer
	// Misaligned is the conversion of a pointer to a type with a stricter alignment
	// than its target is known to have (6.3.2.3p7).
	Misaligned
	// StrictAliasing is an access through a pointer by a type that is not that of the
	// object, its sign and qualifiers apart (6.5p7). C allows one by a character type;
	// here it is reported, as memory is made of scalars, not of bytes. The same holds
	// for arithmetic on such a pointer, and for a store through a pointer that would
	// change the active member of a union around its target: C's rules for that are in
	// doubt, and compilers differ.
	StrictAliasing
	// UnrelatedPointers is a comparison by size of pointers into different objects
	// (6.5.8p5), or the difference of pointers into different arrays (6.5.6p9). The
	// equality of a pointer behind an array and one to another object is unspecified
	// and as useless: it depends on the object behind the array (6.5.9p6). The same
	// holds for pointers into different members of a union.
	UnrelatedPointers
	// ConstWrite is a store to an object that is declared const (6.7.3p6), or through a
	// pointer to const.
	ConstWrite
	// VolatileAccess is an access to a volatile object through a pointer to a type that
	// is not volatile (6.7.3p6).
	VolatileAccess
	// InactiveMember is a read of a member of a union which is not the one that
	// was last written. C lets it see the other's bytes (6.5.2.3p3 and its note);
	// ir has no bytes.
	InactiveMember
	// OverlappingStore is the assignment of the value of one member of a union to
	// another one (6.5.16.1p3), or a memcpy with overlapping source and destination
	// (7.24.2.1p2).
	OverlappingStore
	// ConversionOutOfRange is a floating-point number whose integral part the
	// integer type does not hold (6.3.1.4p1).
	ConversionOutOfRange
	// Inexact is a floating-point result that its type does not hold, an
	// infinity or NaN. Not all of these are undefined: they are as useless, as
	// C leaves the precision of operations open (5.2.4.2.2p9).
	Inexact

	numKinds
)

var kindNames = [numKinds]string{
	"UninitializedRead", "SignedOverflow", "DivisionByZero", "OutOfBounds", "EndlessLoop", "UnsequencedAccess", "InvalidValue",
	"UnspecifiedOrder", "ShiftAmount", "ShiftOverflow", "BuiltinArgument", "UnreachableReached",
	"NullDereference", "DanglingPointer", "Misaligned", "StrictAliasing", "UnrelatedPointers",
	"ConstWrite", "VolatileAccess", "InactiveMember", "OverlappingStore", "ConversionOutOfRange", "Inexact",
}

// String returns the name of the constant, for example "SignedOverflow".
func (k Kind) String() string {
	if 0 <= k && k < numKinds {
		return kindNames[k]
	}
	return fmt.Sprintf("Kind(%d)", int(k))
}

// A UB is the first undefined behaviour that a run met.
type UB struct {
	Kind   Kind
	Func   string // name of the function, without sigil
	Block  string // name of the block, or "" while variables are initialised
	Stmt   string // the statement or terminator, or "" outside of them
	Step   int    // index into the path of this call of Func, or 0 before the first block
	Detail string // the values at fault, for example "2147483647 + 1 does not fit i32"
}

// Error says in one line what happened and where.
func (u *UB) Error() string {
	return u.said("undefined behaviour", u.Kind)
}

// said writes u as an end of a kind.
func (u *UB) said(end string, kind any) string {
	s := fmt.Sprintf("%s: %s: %s: in @%s", end, kind, u.Detail, u.Func)
	if u.Block != "" {
		s += fmt.Sprintf(" block %s (step %d)", u.Block, u.Step)
	}
	if u.Stmt != "" {
		s += ": " + u.Stmt
	}
	return s
}

// A Trap is the defined end of a run in which C would meet undefined behaviour. Its
// other fields are those of a UB.
type Trap struct {
	Kind                      ir.Trap
	Func, Block, Stmt, Detail string
	Step                      int
}

// Error says in one line what happened and where.
func (t *Trap) Error() string {
	u := UB{Func: t.Func, Block: t.Block, Stmt: t.Stmt, Step: t.Step, Detail: t.Detail}
	return u.said("trap", t.Kind)
}

// ub returns an undefined behaviour at the place where the run is.
func (at *frame) ub(k Kind, format string, args ...any) *UB {
	u := &UB{Kind: k, Func: at.f.Name, Step: max(0, len(at.path)-1)}
	if at.brief {
		return u
	}
	u.Detail = fmt.Sprintf(format, args...)
	if at.block != nil {
		u.Block = at.block.Name
	}
	if at.node != nil {
		u.Stmt = at.node.String()
	}
	return u
}

func (at *frame) invalid(t ir.Int, v int64, what string) *UB {
	return at.ub(InvalidValue, "%s is %d, which %s does not hold", what, v, t)
}

// scalarName writes scalar elem of v, in the order of ir.Count: "%x",
// "@g[1][2]" or "%s.x[3]".
func scalarName(v *ir.Var, elem int) string {
	s := v.String()
	t := v.Type
	for {
		size := 1
		switch u := t.(type) {
		case ir.Array:
			size, t = ir.Count(u.Elem), u.Elem
		case ir.Vector:
			t = u.Elem
		case *ir.Record:
			k, first := u.At(elem)
			s += "." + u.Fields[k].Name
			elem -= first
			t = u.Fields[k].Type
			continue
		default:
			return s
		}
		s += fmt.Sprintf("[%d]", elem/size)
		elem %= size
	}
}
