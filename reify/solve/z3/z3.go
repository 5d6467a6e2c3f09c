// Package z3 is the paper's own way through step S4 (section 4.2, Table 1 and appendix
// B). It runs a symbolic function along a path, writes down the conditions for every
// operation to be defined and every branch to go the right way, and asks Z3 for a
// model.
//
// The path is flattened: a block that is visited twice is encoded twice, and a
// variable is the term last assigned to it, which is SSA form. Off the path
// nothing is encoded. For
//
//	b1: %x = %a * ?0 + ?1
//	    if %x < 10 goto b1 else exit
//
// and the path b1 b1 exit the formula is, with x1 = a*s0 + s1,
//
//	a*s0 fits, x1 fits, x1 < 10    // the second visit shares the terms
//	not x1 < 10
//
// and unsatisfiable, as it should be.
//
// Terms are bit-vectors of any width up to 64, signed or not. Three points differ from
// the table. Products are tested for overflow exactly (one bit more does not hold a
// product). Divisions need not be exact (v/s*s = v is not a condition of C). A CRC-32
// that is returned is not encoded at all, because any of its values will do.
//
// Operands that && || and ?: may leave out are required only under a guard, where they
// are evaluated. The symbols among the labels of a switch are unknowns that have to
// differ, and a path through it says which of them equals the value. Structs and unions
// are the cells of their members. Pointers are followed if their target is known and
// the same for all values of the symbols. Otherwise, and for floating point, vectors
// and calls, the answer is solve.ErrUnknown.
//
// Z3 needs cgo and libz3, and is built with the build tag z3 alone. Otherwise New returns
// ErrUnavailable.
package z3

import (
	"errors"
	"fmt"
)

// ErrUnavailable is returned by New in a program that was built without Z3.
var ErrUnavailable = errors.New("built without Z3; build with -tags z3, which needs cgo and libz3-dev")

// Options configure a Solver. The zero value is valid.
type Options struct {
	// RLimit bounds the work on one Problem, in Z3's own resource units, so
	// that the same problem gets the same answer on every machine. Zero means
	// DefaultRLimit.
	RLimit uint

	// SymbolBits, if not zero, adds an attempt with narrow symbols, which makes
	// products cheaper: symbols that are factors, divisors or dividends of remainders
	// are the signed (for unsigned types: the unsigned) numbers of that many bits. At
	// least 2. The last attempt is always at full width, so that solve.ErrUnsat means
	// that no model exists at all.
	SymbolBits int
}

const (
	// DefaultRLimit is up to four seconds or so.
	DefaultRLimit = 12_000_000
	// FullWidth is the width of the widest type, and the meaning of a SymbolBits of
	// zero. It is the default since narrow coefficients found no model that pinned or
	// full ones had not.
	FullWidth = 64
)

func (o Options) withDefaults() (Options, error) {
	if o.RLimit == 0 {
		o.RLimit = DefaultRLimit
	}
	if o.SymbolBits == 0 {
		o.SymbolBits = FullWidth
	}
	if o.SymbolBits < 2 || o.SymbolBits > FullWidth {
		return o, fmt.Errorf("z3: SymbolBits is %d, not in [2, %d]", o.SymbolBits, FullWidth)
	}
	return o, nil
}
