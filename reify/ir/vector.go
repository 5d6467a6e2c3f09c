package ir

import (
	"fmt"
	"math/bits"
)

// A Vector is a GNU vector of integers: Lanes, 2 to 64, of a type of 8 to 64
// bits. Operators work on each lane by itself, without promotion. An Elem of a
// vector is a lane.
//
// If Lanes is not a power of two, C has such vectors in clang alone. In memory these
// vectors have more lanes, up to the next power of two, with arbitrary values. So no
// operator works on such a vector that could be undefined for some values; see Unsafe.
type Vector struct {
	Elem  Int
	Lanes int
}

func (Vector) isType() {}

// String returns the type as the text form writes it, for example "<4>i32".
func (t Vector) String() string { return fmt.Sprintf("<%d>%s", t.Lanes, t.Elem) }

// Padded returns Lanes, or the next power of two.
func (t Vector) Padded() int { return 1 << bits.Len(uint(t.Lanes-1)) }

// bytes returns the size of the lanes.
func (t Vector) bytes() int { return t.Lanes * t.Elem.Bytes() }

// Unsafe reports whether op on lanes of type t could trap or be reported for some
// values, where shifts by any count are taken as they come.
func (t Int) Unsafe(op Op) bool {
	return op.Divides() || t.Signed && op.Overflows()
}

// A VecLoad is the value of a place that is a vector.
type VecLoad struct{ Place Place }

// A VecOf is the vector of the values of its lanes, which are of type T.Elem.
type VecOf struct {
	T     Vector
	Lanes []Expr
}

// A VecUnary is Neg or Not of each lane.
type VecUnary struct {
	Op UnOp
	X  Expr
}

// A VecBinary is Op on each pair of lanes: arithmetic, bitwise or a shift, as for
// Binary and in the type of the lanes, or a comparison, which gives -1 or 0 in the
// signed type of that width.
type VecBinary struct {
	Op   Op
	X, Y Expr
}

// A VecShuffle takes lane Index[i] of the lanes of X followed by those of Y as its lane
// i. X and Y have one type. There are as many lanes as indices. A lane with the index
// -1 has an arbitrary value, and must not contribute to an assigned value; see
// Undefined.
type VecShuffle struct {
	X, Y  Expr
	Index []int
}

// A VecConvert converts each lane as Convert does. T has as many lanes as X.
type VecConvert struct {
	T Vector
	X Expr
}

// A VecCast is the value of T whose bytes are those of X, the low one first in
// each lane. T has as many bytes as X. If its lanes have other bits than those
// of X, both have a power of two lanes.
type VecCast struct {
	T Vector
	X Expr
}

// A VecCall is X, a VecUnary, VecBinary, VecShuffle, VecConvert or VecCast, which
// a function of its own computes of the operands of X. Neither in these nor in X is
// there a lane in which anything may be: clang takes arguments and results without a
// value for undefined.
type VecCall struct{ X Expr }

func (*VecLoad) isExpr()    {}
func (*VecOf) isExpr()      {}
func (*VecUnary) isExpr()   {}
func (*VecBinary) isExpr()  {}
func (*VecShuffle) isExpr() {}
func (*VecConvert) isExpr() {}
func (*VecCast) isExpr()    {}
func (*VecCall) isExpr()    {}

// Type returns the type of the place.
func (e *VecLoad) Type() Type { return e.Place.Type() }

// Type returns T.
func (e *VecOf) Type() Type { return e.T }

// Type returns the type of X.
func (e *VecUnary) Type() Type { return e.X.Type() }

// Type returns the type of the operands, for a comparison with signed lanes.
func (e *VecBinary) Type() Type {
	t := TypeOf[Vector](e.X)
	if e.Op.Compares() {
		t.Elem.Signed = true
	}
	return t
}

// Type returns a type of the lanes of the operands.
func (e *VecShuffle) Type() Type {
	return Vector{Elem: TypeOf[Vector](e.X).Elem, Lanes: len(e.Index)}
}

// Type returns T.
func (e *VecConvert) Type() Type { return e.T }

// Type returns T.
func (e *VecCast) Type() Type { return e.T }

// Type returns the type of X.
func (e *VecCall) Type() Type { return e.X.Type() }

// Undefined returns the set of the lanes of e with arbitrary values, lane i as bit i:
// those with an index of -1, and those that are computed from them.
func Undefined(e Expr) uint64 {
	switch e := e.(type) {
	case *VecLoad, *VecOf, *VecCast: // of a VecCast there must be none
		return 0
	case *VecUnary:
		return Undefined(e.X)
	case *VecBinary:
		return Undefined(e.X) | Undefined(e.Y)
	case *VecConvert:
		return Undefined(e.X)
	case *VecCall:
		return Undefined(e.X)
	case *VecShuffle:
		n := TypeOf[Vector](e.X).Lanes
		x, y := Undefined(e.X), Undefined(e.Y)
		var set uint64
		for i, k := range e.Index {
			if k < 0 || k < n && x>>k&1 == 1 || k >= n && y>>(k-n)&1 == 1 {
				set |= 1 << i
			}
		}
		return set
	}
	panic(unknown(e))
}

// Callable reports whether a VecCall may be of e, which is an operator: e and its
// operands have no lane with an arbitrary value.
func Callable(e Expr) bool {
	return Undefined(e) == 0 && Parts(e, func(x Node) bool { return Undefined(x.(Expr)) == 0 })
}

// An AssignVec stores a vector. Src has the type of Dst.
type AssignVec struct {
	Dst Place
	Src Expr
}

func (*AssignVec) isStmt() {}
