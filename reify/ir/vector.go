package ir

import (
	"fmt"
	"math/bits"
)

// A Vector is a GNU vector of integers: Lanes, mostly 2 to 64, of a type of mostly 8 to 64
// bits. Operators work on each lane by itself, without promotion. An Elem of a
// vector is a lane.
//
// LLVM IR alone has lanes of other widths, from 2 to 64 bits: see Function.HasLanes. Vectors of
// these are no members. A lane by itself is converted, as a bit-field is.
//
// Lanes of 128 bits, one of which is enough, are in values alone: a Cast makes them of lanes of
// other widths, and another Cast makes such of the result. Each is two cells, the low one first.
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

// Cells returns the number of cells of 64 bits or less that hold the lanes.
func (t Vector) Cells() int { return t.Lanes * ((t.Elem.Bits + 63) / 64) }

// Wide returns the type of the numbers that lanes of 128 bits are.
func (t Vector) Wide() Wide { return Wide{Bits: t.Elem.Bits, Signed: t.Elem.Signed} }

// Padded returns Lanes, or the next power of two.
func (t Vector) Padded() int { return 1 << bits.Len(uint(t.Lanes-1)) }

// Unsafe reports whether op on lanes of type t could trap or be reported for some
// values, where shifts by any count are taken as they come.
func (t Int) Unsafe(op Op) bool {
	return op.Divides() || t.Signed && op.Overflows()
}

// Undefined returns the set of the lanes of e, a vector, with arbitrary values, lane i as bit i:
// those with an index of -1, and those that are computed from them.
func Undefined(e Expr) uint64 {
	switch e := e.(type) {
	case *Load, *VecOf, *Cast: // of a Cast there must be none
		return 0
	case *Unary:
		return Undefined(e.X)
	case *Binary:
		return Undefined(e.X) | Undefined(e.Y)
	case *Convert:
		return Undefined(e.X)
	case *VecCall:
		return Undefined(e.X)
	case *Shuffle:
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

// HasLanes reports whether the function, or one that it calls, has a vector of lanes of a type
// for which such holds.
func (f *Function) HasLanes(such func(Int) bool) bool {
	odd := func(t Type) bool {
		v, ok := Innermost(t).(Vector)
		return ok && such(v.Elem)
	}
	for _, g := range f.Reached() {
		for _, v := range g.Vars {
			if odd(v.Type) {
				return true
			}
		}
		for n := range g.Nodes() {
			if Any(n, func(n Node) bool { e, ok := n.(Expr); return ok && odd(e.Type()) }) {
				return true
			}
		}
	}
	return false
}
