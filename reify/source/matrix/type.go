package matrix

import (
	"fmt"
	"math/big"
	"strconv"
	"strings"

	"goreify/reify/ir"
)

// A class is a set of types that operations treat alike, by its letter in the table of
// operations.
type class byte

const (
	integers class = 'i' // standard integers and _Bool
	wides    class = 'w' // those of other widths
	vectors  class = 'v'
	floats   class = 'f'
)

func classOf(t ir.Type) class {
	switch t.(type) {
	case ir.Int:
		return integers
	case ir.Wide:
		return wides
	case ir.Vector:
		return vectors
	case ir.Float:
		return floats
	}
	panic(fmt.Sprintf("matrix: no cell has values of type %v", t))
}

// word returns the name of a type in the names of cells: u8, i128, u17, f64, v4u16.
func word(t ir.Type) string {
	switch t := t.(type) {
	case ir.Wide:
		return integer(t.Bits, t.Signed)
	case ir.Vector:
		return "v" + strconv.Itoa(t.Lanes) + t.Elem.String()
	}
	return t.String()
}

func integer(bits int, signed bool) string {
	if signed {
		return "i" + strconv.Itoa(bits)
	}
	return "u" + strconv.Itoa(bits)
}

// typeNamed returns the type of such a word.
func typeNamed(name string) (ir.Type, bool) {
	switch name {
	case "bool":
		return ir.Bool, true
	case "f32":
		return ir.F32, true
	case "f64":
		return ir.F64, true
	}
	if rest, ok := strings.CutPrefix(name, "v"); ok {
		i := strings.IndexAny(rest, "iu")
		if i < 0 {
			return nil, false
		}
		lanes, err := strconv.Atoi(rest[:i])
		of, ok := typeNamed(rest[i:])
		e, small := lane(of)
		t := ir.Vector{Elem: e, Lanes: lanes}
		return t, err == nil && ok && small && lanes >= 2 && lanes <= 64 && word(t) == name
	}
	if name == "" {
		return nil, false
	}
	bits, err := strconv.Atoi(name[1:])
	signed := name[0] == 'i'
	if err != nil || !signed && name[0] != 'u' || bits < 1 || bits > 128 || signed && bits < 2 || integer(bits, signed) != name {
		return nil, false
	}
	return integerType(bits, signed), true
}

// integerType returns the type of so many bits: a standard one, __int128 or _BitInt.
func integerType(bits int, signed bool) ir.Type {
	switch bits {
	case 8, 16, 32, 64:
		return ir.Int{Bits: bits, Signed: signed}
	}
	return ir.Wide{Bits: bits, Signed: signed, BitInt: bits != 128}
}

// elem returns the type of the lanes of a vector as scalars, and other types as they are.
func elem(t ir.Type) ir.Type {
	if v, ok := t.(ir.Vector); ok {
		return integerType(v.Elem.Bits, v.Elem.Signed)
	}
	return t
}

// lane returns the type of lanes whose values are those of a scalar type, or false if there
// is none.
func lane(t ir.Type) (ir.Int, bool) {
	switch t := t.(type) {
	case ir.Int:
		return t, t != ir.Bool
	case ir.Wide:
		return ir.Int{Bits: t.Bits, Signed: t.Signed}, 2 <= t.Bits && t.Bits <= 64
	}
	return ir.Int{}, false
}

// like returns a type with the lanes of another: of a scalar the scalar itself.
func like(t, of ir.Type) (ir.Type, bool) {
	v, ok := of.(ir.Vector)
	if !ok {
		return t, true
	}
	e, ok := lane(t)
	return ir.Vector{Elem: e, Lanes: v.Lanes}, ok
}

// bitsOf returns the width of an integer type or of the lanes of a vector, and signed
// whether these have a sign.
func bitsOf(t ir.Type) int {
	switch t := elem(t).(type) {
	case ir.Int:
		return t.Bits
	case ir.Wide:
		return t.Bits
	case ir.Float:
		return t.Bits
	}
	panic(fmt.Sprintf("matrix: %v has no width", t))
}

func signed(t ir.Type) bool {
	switch t := elem(t).(type) {
	case ir.Int:
		return t.Signed
	case ir.Wide:
		return t.Signed
	}
	return true
}

// withWidth returns the integer type like t with another width and sign, or false if
// there is none.
func withWidth(t ir.Type, bits int, signed bool) (ir.Type, bool) {
	if bits < 1 || bits > 128 || signed && bits < 2 || classOf(t) == floats {
		return nil, false
	}
	return like(integerType(bits, signed), t)
}

// lettered returns the integer type like t that a letter of a conversion stands for, or
// false if there is none: see operation.body.
func lettered(letter string, t ir.Type) (ir.Type, bool) {
	bits, sign := bitsOf(t), signed(t)
	switch letter {
	case "U":
		return withWidth(t, bits, false)
	case "S":
		return withWidth(t, bits, true)
	case "W":
		return withWidth(t, 2*bits, sign)
	case "V":
		return withWidth(t, 2*bits, false)
	case "H":
		return withWidth(t, bits/2, sign)
	case "L":
		return withWidth(t, bits/2, true)
	}
	panic("matrix: no type " + letter)
}

// promoted returns the type in which C computes: int for narrower standard integers.
func promoted(t ir.Type) ir.Type {
	if i, ok := t.(ir.Int); ok && i.Bits < 32 {
		return ir.I32
	}
	return t
}

// unsigned returns the type in which arithmetic wraps, of 32 bits at least.
func unsigned(t ir.Type) ir.Type {
	if i, ok := t.(ir.Int); ok {
		return ir.Int{Bits: max(i.Bits, 32)}
	}
	u, _ := withWidth(t, bitsOf(t), false)
	return u
}

// convert returns the text of a conversion of a value to a type. A scalar becomes a
// vector of equal lanes.
func convert(to, from ir.Type, text string) (string, bool) {
	v, toVector := to.(ir.Vector)
	w, fromVector := from.(ir.Vector)
	switch {
	case to == from:
		return text, true
	case toVector && fromVector:
		return "convert(" + to.String() + ", " + text + ")", v.Lanes == w.Lanes
	case toVector && classOf(from) != floats:
		lane, ok := convert(v.Elem, from, text)
		if wide := (ir.Int{Bits: 64, Signed: v.Elem.Signed}); !v.Elem.Standard() {
			lane, ok = convert(wide, from, text)
			lane = v.Elem.String() + "(" + lane + ")"
		}
		return splat(v, lane), ok
	case fromVector || toVector:
		return "", false
	case classOf(to) == wides && classOf(from) == floats || classOf(to) == floats && classOf(from) == wides:
		return "", false
	}
	return to.String() + "(" + text + ")", true
}

func splat(t ir.Vector, lane string) string {
	return t.String() + braces(t.Lanes, func(int) string { return lane })
}

// braces returns a list of n texts in braces.
func braces(n int, nth func(int) string) string {
	list := make([]string, n)
	for i := range list {
		list[i] = nth(i)
	}
	return "{" + strings.Join(list, ", ") + "}"
}

// literal returns the text of a constant, which is taken modulo the width of the type.
func literal(t ir.Type, value *big.Int) string {
	v := wrap(t, value)
	switch t := t.(type) {
	case ir.Int:
		return v.String() + ":" + t.String()
	case ir.Wide:
		if v.IsInt64() {
			return t.String() + "(" + v.String() + ":i64)"
		}
		low, high := halves(v)
		u := ir.U128.String()
		text := fmt.Sprintf("%s(%d:u64) << %s(64:i64) | %s(%d:u64)", u, high, u, u, low)
		if t.Bits <= 64 {
			text = strconv.FormatUint(low, 10) + ":u64"
		}
		return t.String() + "(" + text + ")"
	case ir.Vector:
		return splat(t, v.String())
	case ir.Float:
		return v.String() + ".0:" + t.String()
	}
	panic(fmt.Sprintf("matrix: no constant of type %v", t))
}

// wrap returns a value modulo the width of an integer type or of a vector's lanes.
func wrap(t ir.Type, value *big.Int) *big.Int {
	if classOf(t) == floats {
		return value
	}
	if t == ir.Bool {
		return big.NewInt(int64(value.Bit(0)))
	}
	n := uint(bitsOf(t))
	size := new(big.Int).Lsh(big.NewInt(1), n)
	v := new(big.Int).Mod(value, size)
	if signed(t) && v.Bit(int(n)-1) == 1 {
		v.Sub(v, size)
	}
	return v
}

// halves returns the two's complement of a value in 128 bits.
func halves(v *big.Int) (low, high uint64) {
	m := new(big.Int).Mod(v, new(big.Int).Lsh(big.NewInt(1), 128))
	low = new(big.Int).And(m, new(big.Int).SetUint64(1<<64-1)).Uint64()
	return low, new(big.Int).Rsh(m, 64).Uint64()
}
