package ir

import (
	"math"
	"strconv"
)

// A Float is float (32 bits) or double (64 bits) of IEEE 754. The language has exact
// arithmetic only: an operation whose result the type does not hold, or that is NaN or
// infinite, is an error of the program, as if it were undefined. Then compilers agree,
// whatever precision they compute in. The same holds for negative zero, and for the
// difference of two zeros: gcc-12.2, at -O0 too, takes 0.0 - (double)i for -(double)i,
// which is -0 if i is 0.
type Float struct{ Bits int }

// The floating-point types.
var (
	F32 = Float{32}
	F64 = Float{64}
)

func (Float) isType() {}

// String returns "f32" or "f64".
func (t Float) String() string { return "f" + strconv.Itoa(t.Bits) }

// holds reports whether v is a value of the type, and finite.
func (t Float) holds(v float64) bool {
	if math.IsInf(v, 0) || math.IsNaN(v) {
		return false
	}
	return t == F64 || float64(float32(v)) == v
}
