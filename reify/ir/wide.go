package ir

import (
	"fmt"
	"strconv"
	"strings"
)

// A Wide is an integer type that computes in its own width: _BitInt(Bits) of 1 to 128
// bits, or 2 to 128 with a sign, or __int128. C promotes neither; all conversions are
// written. A variable of the type is a local that starts at 0, has no address and is in
// no checksum. In memory it is two cells of 64 bits, the low one first, which hold the
// value sign- or zero-extended to 128 bits.
type Wide struct {
	Bits   int
	Signed bool
	BitInt bool // _BitInt(Bits), else __int128
}

// The types of 128 bits other than _BitInt.
var (
	I128 = Wide{Bits: 128, Signed: true}
	U128 = Wide{Bits: 128}
)

func (Wide) isType() {}

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
	if t.Bits < least || t.Bits > 128 || !t.BitInt && t.Bits != 128 {
		return fmt.Errorf("unknown integer type %s", t)
	}
	return nil
}

// A WideLoad is the value of a variable of the type.
type WideLoad struct{ Place Place }

// A WideOf converts an integer, modulo 2^Bits.
type WideOf struct {
	T Wide
	X Expr
}

// A WideConvert converts X, modulo 2^Bits.
type WideConvert struct {
	T Wide
	X Expr
}

// A WideUnary is Neg or Not. Neg is undefined for the smallest value of a type
// with a sign.
type WideUnary struct {
	Op UnOp
	X  Expr
}

// A WideBinary is an arithmetic or bitwise operator on operands of one type, with
// the meaning of Op in that width.
type WideBinary struct {
	Op   Op
	X, Y Expr
}

// A WideSelect is X if If is not zero, else Y. Only the chosen operand is evaluated. X
// and Y have one type.
type WideSelect struct {
	If   Expr
	X, Y Expr
}

func (*WideSelect) isExpr()  {}
func (*WideLoad) isExpr()    {}
func (*WideOf) isExpr()      {}
func (*WideConvert) isExpr() {}
func (*WideUnary) isExpr()   {}
func (*WideBinary) isExpr()  {}

// Type returns the type of the place.
func (e *WideLoad) Type() Type { return e.Place.Type() }

// Type returns T.
func (e *WideOf) Type() Type { return e.T }

// Type returns T.
func (e *WideConvert) Type() Type { return e.T }

// Type returns the type of the operand.
func (e *WideUnary) Type() Type { return e.X.Type() }

// Type returns the type of the operands.
func (e *WideSelect) Type() Type { return e.X.Type() }

// Type returns the type of the operands.
func (e *WideBinary) Type() Type { return e.X.Type() }

// A WideToInt converts X, modulo 2^Bits; to bool it asks whether X is not zero.
type WideToInt struct {
	T Int
	X Expr
}

// A WideCompare is 1 if the operands, of one type, compare as Op says, else 0. If Op is
// Add, Sub or Mul, which only operands of type I128 or U128 may have, it is 1 if that
// type does not hold the result: __builtin_add_overflow and its like.
type WideCompare struct {
	Op   Op
	X, Y Expr
}

func (*WideToInt) isExpr()   {}
func (*WideCompare) isExpr() {}

// Type returns T.
func (e *WideToInt) Type() Type { return e.T }

// Type returns i32.
func (e *WideCompare) Type() Type { return I32 }

// An AssignWide stores a value. Src has the type of Dst.
type AssignWide struct {
	Dst Place
	Src Expr
}

func (*AssignWide) isStmt() {}
