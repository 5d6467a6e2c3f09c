//go:build cgo && z3

package z3

import (
	"fmt"

	"goreify/reify/ir"
)

// A role is the use of a symbol.
type role int

const (
	additive    role = iota // or a comparand or an index
	coefficient             // an operand of *, / or %
	initial                 // the value that a variable starts with
)

// The magnitudes of what is chosen for pinned symbols. Coefficients have to be
// small, or loops overflow.
const (
	largestCoefficient = 4
	largestInitial     = 100
)

// symbol is the rule SYMBOL. One that a Binary holds keeps the role in which it
// is met first; it stands in one place only.
func (e *encoder) symbol(x *ir.Sym, r role) value {
	s := &e.syms[x.ID]
	if s.met {
		return s.value
	}
	s.met = true
	if e.pins != nil && r != additive {
		e.complete = false
		s.value = e.constant(x.T, x.T.Wrap(e.pin(x.T, r)))
		return s.value
	}
	width := x.T.Bits
	if r == coefficient && e.symbolBits < width {
		width = e.symbolBits
		e.complete = false
	}
	s.value = value{x.T, e.free(fmt.Sprintf("s%d", x.ID), width), width}
	return s.value
}

// pin draws a small number that is not zero.
func (e *encoder) pin(t ir.Int, r role) int64 {
	largest := largestInitial
	if r == coefficient {
		largest = largestCoefficient
	}
	v := int64(e.pins.Range(1, largest))
	if t.Signed && e.pins.Chance(1, 2) {
		v = -v
	}
	return v
}
