package c

import (
	"math/big"
	"strconv"
	"strings"

	"goreify/reify/ir"
)

// A Consts is the notation of the integer constants of a function.
type Consts int

// The notations of constants. A constant that a notation cannot express is decimal.
const (
	Decimal Consts = iota
	Hex
	Octal
	Chars // printable characters of type int in quotes, as in 'a'
	numConsts
)

var constsNames = [numConsts]string{"decimal", "hex", "octal", "char"}

// appendConst appends a constant in decimal such that it has type t in C, or int if t
// is narrower: C has no narrower constants, and promotes the values anyway.
func appendConst(text []byte, t ir.Int, v int64) []byte {
	return appendConstBase(text, t, v, Decimal)
}

func appendConstBase(text []byte, t ir.Int, v int64, notation Consts) []byte {
	if t.Signed && t.Bits >= 32 && v == t.Min() {
		// C has no negative constants, and the negated one does not fit.
		text = append(text, '(')
		text = appendConstBase(text, t, v+1, notation)
		return append(text, " - 1)"...)
	}
	base := 10
	switch notation {
	case Chars:
		if (t == ir.I32 || t.Bits < 32) && ' ' <= v && v <= '~' {
			text = append(text, '\'')
			if v == '\'' || v == '\\' {
				text = append(text, '\\')
			}
			return append(text, byte(v), '\'')
		}
	case Hex:
		base = 16
	case Octal:
		base = 8
	}
	magnitude := uint64(v)
	if v < 0 && t != ir.U64 {
		text = append(text, '-')
		magnitude = -magnitude
	}
	switch base {
	case 16:
		text = append(text, "0x"...)
	case 8:
		if magnitude != 0 {
			text = append(text, '0')
		}
	}
	text = strconv.AppendUint(text, magnitude, base)
	switch {
	case t == ir.U32:
		return append(text, 'u')
	case t.Bits > 32 && t.Signed:
		return append(text, "ll"...)
	case t.Bits > 32:
		return append(text, "ull"...)
	}
	return text
}

// constant writes a constant in decimal; see appendConst.
func (p *printer) constant(t ir.Int, v int64) { p.buf = appendConst(p.buf, t, v) }

// appendFloat appends a floating-point constant whose text stands for exactly
// its value: with -m32, compilers may keep more digits of a constant than its
// type has. Where decimal would be long it is hexadecimal.
func appendFloat(text []byte, t ir.Float, v float64, notation Consts) []byte {
	switch {
	case v != v:
		text = append(text, `__builtin_nan("")`...)
		return text
	case v > 0 && v/2 == v:
		return append(text, "__builtin_inf()"...)
	case v < 0 && v/2 == v:
		return append(text, "-__builtin_inf()"...)
	}
	digits := strconv.FormatFloat(v, 'g', -1, 64)
	if exact, ok := new(big.Rat).SetString(digits); notation != Decimal || !ok || exact.Cmp(new(big.Rat).SetFloat64(v)) != 0 {
		digits = strconv.FormatFloat(v, 'x', -1, 64)
	} else if !strings.ContainsAny(digits, ".e") {
		digits += ".0"
	}
	text = append(text, digits...)
	if t == ir.F32 {
		text = append(text, 'f')
	}
	return text
}
