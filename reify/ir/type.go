package ir

import (
	"fmt"
	"math"
	"strconv"
)

// A Type is a value: types are equal when they compare equal with ==.
type Type interface {
	fmt.Stringer
	isType()
}

// An Int is an integer type in two's complement. Variables have 8, 16, 32 or 64
// bits or are a Bool; bit-fields have 1 to 64.
type Int struct {
	Bits   int
	Signed bool
}

// The integer types.
var (
	I8  = Int{8, true}
	I16 = Int{16, true}
	I32 = Int{32, true}
	I64 = Int{64, true}
	U8  = Int{8, false}
	U16 = Int{16, false}
	U32 = Int{32, false}
	U64 = Int{64, false}

	// Bool is _Bool, a byte in memory. A conversion to it, and to a bit-field
	// of one unsigned bit, asks whether the value is other than zero.
	Bool = Int{1, false}
)

// An Array has Len elements, at least one. Arrays of arrays are
// multi-dimensional, outermost dimension first: [2][3]i32 is
// Array{Array{I32, 3}, 2}.
type Array struct {
	Elem Type
	Len  int
}

func (Int) isType()   {}
func (Array) isType() {}

// boxed holds the integer types as values of Type, by sign and width.
var boxed = func() (table [2][65]Type) {
	for bits := range table[0] {
		table[0][bits], table[1][bits] = Int{bits, false}, Int{bits, true}
	}
	return table
}()

// Boxed returns t as a Type without an allocation.
func (t Int) Boxed() Type {
	if uint(t.Bits) >= uint(len(boxed[0])) {
		return t // which the checker rejects
	}
	if t.Signed {
		return boxed[1][t.Bits]
	}
	return boxed[0][t.Bits]
}

// Standard reports whether a variable can have the type: bit-fields alone have
// others.
func (t Int) Standard() bool {
	switch t.Bits {
	case 8, 16, 32, 64:
		return true
	}
	return t == Bool
}

// Bytes returns the size of a variable of the type, and for a bit-field that of
// the smallest type which holds it: 1, 2, 4 or 8.
func (t Int) Bytes() int {
	switch {
	case t.Bits <= 8:
		return 1
	case t.Bits <= 16:
		return 2
	case t.Bits <= 32:
		return 4
	}
	return 8
}

// String returns the type as the text form writes it, for example "i32".
func (t Int) String() string {
	if t == Bool {
		return "bool"
	}
	if t.Signed {
		return "i" + strconv.Itoa(t.Bits)
	}
	return "u" + strconv.Itoa(t.Bits)
}

// String returns the type as the text form writes it, for example "[2][3]i32".
func (t Array) String() string { return fmt.Sprintf("[%d]%s", t.Len, t.Elem) }

// Min returns the smallest value of the type.
func (t Int) Min() int64 {
	if !t.Signed {
		return 0
	}
	return math.MinInt64 >> (64 - t.Bits)
}

// Max returns the largest value of the type, in the representation described
// at Const: for u64 it is -1.
func (t Int) Max() int64 {
	if t.Signed {
		return math.MaxInt64 >> (64 - t.Bits)
	}
	return int64(uint64(math.MaxUint64) >> (64 - t.Bits))
}

// Wrap reduces v modulo 2^Bits to a value of the type, or for Bool to whether
// it is other than zero.
func (t Int) Wrap(v int64) int64 {
	if t == Bool && v != 0 {
		return 1
	}
	shift := 64 - t.Bits
	if t.Signed {
		return v << shift >> shift
	}
	return int64(uint64(v) << shift >> shift)
}

// Holds reports whether v is a value of the type. Every int64 is one of u64.
func (t Int) Holds(v int64) bool { return t.Wrap(v) == v }

// Format returns v in decimal.
func (t Int) Format(v int64) string {
	if t == U64 {
		return strconv.FormatUint(uint64(v), 10)
	}
	return strconv.FormatInt(v, 10)
}

// Innermost returns the element type of an array of arrays, which is not an array
// itself. It returns t itself if t is not an array.
func Innermost(t Type) Type {
	for {
		a, ok := t.(Array)
		if !ok {
			return t
		}
		t = a.Elem
	}
}

// Scalar returns the type of the scalars of t, which are all integers of one type: t
// contains no pointer, floating-point type or record. Cell accepts these types, too.
func Scalar(t Type) Int {
	switch t := t.(type) {
	case Int:
		return t
	case Array:
		return Scalar(t.Elem)
	case Vector:
		return t.Elem
	}
	panic(fmt.Sprintf("ir: %v has no scalars of one type", t))
}

// Count returns the number of scalars in t: 6 for [2][3]i32. A pointer is one,
// so is each lane of a vector, a Wide is two, and the members of a union count
// like those of a struct.
func Count(t Type) int {
	switch t := t.(type) {
	case Int, Float, Pointer:
		return 1
	case Array:
		return t.Len * Count(t.Elem)
	case Vector:
		return t.Lanes
	case Wide:
		return t.Cells()
	case *Record:
		n := 0
		for i := range t.Fields {
			n += Count(t.Fields[i].Type)
		}
		return n
	}
	panic(fmt.Sprintf("ir: unknown type %T", t))
}

// Cell returns the type of scalar i of t, in the order of Count: an Int, a Float
// or a Pointer. That of a bit-field has its width.
func Cell(t Type, i int) Type {
	for {
		switch u := t.(type) {
		case Int, Float, Pointer:
			return u
		case Vector:
			return u.Elem
		case Wide:
			return U64
		case Array:
			i %= Count(u.Elem)
			t = u.Elem
		case *Record:
			k, first := u.At(i)
			i -= first
			t = u.Member(k)
		default:
			panic(fmt.Sprintf("ir: unknown type %T", t))
		}
	}
}
