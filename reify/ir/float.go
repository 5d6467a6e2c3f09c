package ir

import (
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

// A FloatConst is a value of its type.
type FloatConst struct {
	T Float
	V float64
}

// A FloatLoad is the value of a place of a floating-point type.
type FloatLoad struct{ Place Place }

// A FloatBinary is Add, Sub, Mul or Div on operands of one type.
type FloatBinary struct {
	Op   Op
	X, Y Expr
}

// A FloatNeg is the value of X with the other sign. X is not zero.
type FloatNeg struct{ X Expr }

// A FloatConvert changes the type of X. The value must be one of T.
type FloatConvert struct {
	T Float
	X Expr
}

// A FloatOf is the value of an integer, which must be one of T.
type FloatOf struct {
	T Float
	X Expr
}

func (*FloatConst) isExpr()   {}
func (*FloatLoad) isExpr()    {}
func (*FloatBinary) isExpr()  {}
func (*FloatNeg) isExpr()     {}
func (*FloatConvert) isExpr() {}
func (*FloatOf) isExpr()      {}

// Type returns T.
func (e *FloatConst) Type() Type { return e.T }

// Type returns the type of the place.
func (e *FloatLoad) Type() Type { return e.Place.Type() }

// Type returns the type of the operands.
func (e *FloatBinary) Type() Type { return e.X.Type() }

// Type returns the type of X.
func (e *FloatNeg) Type() Type { return e.X.Type() }

// Type returns T.
func (e *FloatConvert) Type() Type { return e.T }

// Type returns T.
func (e *FloatOf) Type() Type { return e.T }

// A FloatToInt is X truncated towards zero. It is undefined if T does not hold
// that (6.3.1.4p1).
type FloatToInt struct {
	T Int
	X Expr
}

// A FloatCompare is 1 if the operands, of one type, compare as Op says, else 0.
type FloatCompare struct {
	Op   Op
	X, Y Expr
}

func (*FloatToInt) isExpr()   {}
func (*FloatCompare) isExpr() {}

// Type returns T.
func (e *FloatToInt) Type() Type { return e.T }

// Type returns i32.
func (e *FloatCompare) Type() Type { return I32 }

// An AssignFloat stores a floating-point number. Src has the type of Dst.
type AssignFloat struct {
	Dst Place
	Src Expr
}

func (*AssignFloat) isStmt() {}
