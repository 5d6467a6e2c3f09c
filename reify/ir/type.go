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

// An Int is an integer type of 8, 16, 32 or 64 bits in two's complement.
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

// String returns the type as the text form writes it, for example "i32".
func (t Int) String() string {
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

// Wrap reduces v modulo 2^Bits to a value of the type.
func (t Int) Wrap(v int64) int64 {
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

// Scalar returns the type of the scalars that t is made of.
func Scalar(t Type) Int {
	switch t := t.(type) {
	case Int:
		return t
	case Array:
		return Scalar(t.Elem)
	}
	panic(fmt.Sprintf("ir: unknown type %T", t))
}

// Count returns the number of scalars in t: 6 for [2][3]i32.
func Count(t Type) int {
	switch t := t.(type) {
	case Int:
		return 1
	case Array:
		return t.Len * Count(t.Elem)
	}
	panic(fmt.Sprintf("ir: unknown type %T", t))
}
