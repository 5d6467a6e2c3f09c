package ir

import "fmt"

// A Vector is a GNU vector of integers: Lanes, a power of two from 2 to 64, of a
// type of 8 to 64 bits. Operators work on each lane by itself, without
// promotion. An Elem of a vector is a lane.
type Vector struct {
	Elem  Int
	Lanes int
}

func (Vector) isType() {}

// String returns the type as the text form writes it, for example "<4>i32".
func (t Vector) String() string { return fmt.Sprintf("<%d>%s", t.Lanes, t.Elem) }

// A VecExpr is an expression whose value is a vector.
type VecExpr interface {
	fmt.Stringer
	Type() Vector
	isVec()
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
	X  VecExpr
}

// A VecBinary is Op on each pair of lanes: arithmetic, bitwise or a shift, as for
// Binary but in the type of the lanes, or a comparison, which gives -1 or 0 in
// the signed type of that width.
type VecBinary struct {
	Op   Op
	X, Y VecExpr
}

// A VecShuffle takes lane Index[i] of the lanes of X followed by those of Y as
// its lane i. X and Y have one type, and there are as many indices as lanes.
type VecShuffle struct {
	X, Y  VecExpr
	Index []int
}

// A VecConvert converts each lane as Convert does. T has as many lanes as X.
type VecConvert struct {
	T Vector
	X VecExpr
}

func (*VecLoad) isVec()    {}
func (*VecOf) isVec()      {}
func (*VecUnary) isVec()   {}
func (*VecBinary) isVec()  {}
func (*VecShuffle) isVec() {}
func (*VecConvert) isVec() {}

// Type returns the type of the place.
func (e *VecLoad) Type() Vector { return e.Place.Type().(Vector) }

// Type returns T.
func (e *VecOf) Type() Vector { return e.T }

// Type returns the type of X.
func (e *VecUnary) Type() Vector { return e.X.Type() }

// Type returns the type of the operands, for a comparison with signed lanes.
func (e *VecBinary) Type() Vector {
	t := e.X.Type()
	if e.Op.Compares() {
		t.Elem.Signed = true
	}
	return t
}

// Type returns the type of the operands.
func (e *VecShuffle) Type() Vector { return e.X.Type() }

// Type returns T.
func (e *VecConvert) Type() Vector { return e.T }

// An AssignVec stores a vector. Src has the type of Dst.
type AssignVec struct {
	Dst Place
	Src VecExpr
}

func (*AssignVec) isStmt() {}
