package ir

import (
	"fmt"
	"strconv"
	"strings"
)

// A Wide is an integer type that computes in its own width: _BitInt(Bits) of 1 to MaxWide
// bits, or from 2 on with a sign, or __int128. C promotes neither; all conversions are
// written. A variable of the type is a local that starts at 0, has no address and is in
// no checksum. In memory it is cells of 64 bits, the low one first, which hold the value
// sign- or zero-extended.
type Wide struct {
	Bits   int
	Signed bool
	BitInt bool // _BitInt(Bits), else __int128
}

// MaxWide is how many bits a Wide may have.
const MaxWide = 128

// The types of 128 bits other than _BitInt.
var (
	I128 = Wide{Bits: 128, Signed: true}
	U128 = Wide{Bits: 128}
)

func (Wide) isType() {}

// Cells returns the number of cells, two or as many as it takes.
func (t Wide) Cells() int { return max(2, (t.Bits+63)/64) }

// String returns the type as the text form writes it: "i128", "u128", "bit37" or
// "ubit37".
func (t Wide) String() string {
	name := "i"
	if t.BitInt {
		name = "bit"
	}
	if !t.Signed {
		name = "u" + strings.TrimPrefix(name, "i")
	}
	return name + strconv.Itoa(t.Bits)
}

// wideNamed returns the type of such a name.
func wideNamed(name string) (Wide, bool) {
	switch name {
	case "i128":
		return I128, true
	case "u128":
		return U128, true
	}
	digits, unsigned := strings.CutPrefix(name, "u")
	digits, ok := strings.CutPrefix(digits, "bit")
	n, err := strconv.Atoi(digits)
	t := Wide{Bits: n, Signed: !unsigned, BitInt: true}
	return t, ok && err == nil && t.String() == name && checkWide(t) == nil
}

// checkWide returns an error unless t is a type that a compiler can have.
func checkWide(t Wide) error {
	least := 1
	if t.Signed {
		least = 2 // C23 6.2.5p5
	}
	if t.Bits < least || t.Bits > MaxWide || !t.BitInt && t.Bits != 128 {
		return fmt.Errorf("unknown integer type %s", t)
	}
	return nil
}
