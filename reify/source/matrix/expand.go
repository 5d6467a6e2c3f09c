package matrix

import (
	"cmp"
	"fmt"
	"math/big"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"goreify/reify/ir"
)

// A frame is an operation on a type while it is written: its types, and the texts of
// operands and variables.
type frame struct {
	*writer
	op    operation
	t     ir.Type
	names map[string]string // of operands and variables: their texts, promoted
	err   error
}

// typeOf returns the type of a conversion.
func (f *frame) typeOf(letter string) ir.Type {
	switch letter {
	case "T":
		return f.t
	case "P":
		return promoted(f.t)
	case "A":
		return unsigned(f.t)
	case "i32":
		return ir.I32
	}
	t, ok := lettered(letter, f.t)
	if f.t == ir.Bool || !ok {
		f.fail("%s has no type %s", word(f.t), letter)
		return f.t
	}
	return t
}

func (f *frame) fail(format string, args ...any) {
	if f.err == nil {
		f.err = fmt.Errorf("%s.%s: %s", f.op.name, word(f.t), fmt.Sprintf(format, args...))
	}
}

// to returns the conversion of a text to a type, promoted.
func to(t ir.Type, text string) string {
	if v, ok := t.(ir.Vector); ok {
		return "convert(" + v.String() + ", " + text + ")"
	}
	text = t.String() + "(" + unpromoted(text) + ")"
	if p := promoted(t); p != t {
		text = p.String() + "(" + text + ")"
	}
	return text
}

// unpromoted returns a narrow value that was promoted, as it was before, and other texts
// as they are. Converted to any type, both are the same, and compilers see another
// chain of conversions.
func unpromoted(text string) string {
	inner, ok := strings.CutPrefix(text, "i32(")
	if t, _, found := strings.Cut(inner, "("); !ok || !found || !narrow[t] {
		return text
	}
	if args, next := arguments(text, len("i32")); next == len(text) {
		return args[0]
	}
	return text
}

// narrow are the types that C promotes.
var narrow = map[string]bool{"i8": true, "u8": true, "i16": true, "u16": true}

// call returns the text of an abbreviation with its arguments.
func (f *frame) call(name string, args []string) string {
	switch name {
	case "A", "K":
		return f.arithmetic(args[0])
	case "M":
		n := bitsOf(f.t)
		a := f.arithmetic(args[0])
		if n&(n-1) == 0 {
			return "(" + a + " & " + f.constant("A:N-1") + ")"
		}
		return "(" + a + " % " + f.constant("A:N") + ")"
	case "Q", "QA", "QW":
		if classOf(f.t) != vectors {
			return "((" + args[0] + ") ? (" + args[1] + ") : (" + args[2] + "))"
		}
		mask := to(f.typeOf(strings.TrimPrefix(name, "Q")+strings.Repeat("T", 2-len(name))), args[0])
		return "((" + mask + " & (" + args[1] + ")) | (~" + mask + " & (" + args[2] + ")))"
	case "B":
		if classOf(f.t) == vectors {
			return to(f.t, args[0])
		}
		return to(promoted(f.t), args[0])
	case "P":
		return to(promoted(f.t), args[0])
	case "D":
		return "bitcast(" + pairs(f.t).String() + ", " + args[0] + ")"
	case "G":
		return "bitcast(" + f.t.String() + ", " + args[0] + ")"
	}
	return to(f.typeOf(name), args[0])
}

// pairs returns the type whose lanes have 128 bits, those of two lanes.
func pairs(t ir.Type) ir.Vector {
	v := t.(ir.Vector)
	return ir.Vector{Elem: ir.Int{Bits: 128, Signed: v.Elem.Signed}, Lanes: v.Lanes / 2}
}

// arithmetic returns a value modulo the width of the type, in the type that wraps.
func (f *frame) arithmetic(text string) string {
	a := unsigned(f.t)
	if i, ok := f.t.(ir.Int); ok && i.Bits < 32 && i != ir.Bool {
		text = ir.Int{Bits: i.Bits}.String() + "(" + text + ")"
	}
	return to(a, text)
}

// constant returns the text of a constant between braces.
func (f *frame) constant(text string) string {
	letter, name, typed := strings.Cut(text, ":")
	if !typed {
		letter, name = "P", text
	}
	if letter == "D" { // the low half of each is in the first of two lanes
		v := f.t.(ir.Vector)
		return "bitcast(" + pairs(v).String() + ", " + v.String() + braces(v.Lanes, func(i int) string { return []string{name, "0"}[i%2] }) + ")"
	}
	t := promoted(f.typeOf(letter))
	if f.err != nil {
		return "0"
	}
	if classOf(f.t) == floats {
		n, _ := strconv.Atoi(name)
		return literal(t, big.NewInt(int64(n)))
	}
	v := f.value(name)
	if w := wrap(t, v); t == promoted(f.t) && classOf(t) == integers && w.Cmp(v) != 0 && wrap(f.t, v).Cmp(w) != 0 {
		v = wrap(f.t, v)
	}
	return literal(t, v)
}

// units writes operations on each bit or byte of x.
var units = map[string]struct {
	bits int
	join string
	to   func(from, n int) int // the place of a part
}{
	"count":   {1, " + ", func(int, int) int { return 0 }},
	"reverse": {1, " | ", func(from, n int) int { return n - 1 - from }},
	"swap":    {8, " | ", func(from, n int) int { return n - 8 - from }},
}

// units returns the text of the sum, or of the other order, of all parts of x.
func (f *frame) units(name string) string {
	u, n := units[name], bitsOf(f.t)
	var list []string
	for at := 0; at < n; at += u.bits {
		part := fmt.Sprintf("((A(x) >> {A:%d}) & {A:%d})", at, 1<<u.bits-1)
		if to := u.to(at, n); to > 0 {
			part = fmt.Sprintf("(%s << {A:%d})", part, to)
		}
		list = append(list, part)
	}
	for len(list) > 1 { // a tree that is no deeper than it must be
		var next []string
		for pair := range slices.Chunk(list, 2) {
			next = append(next, "("+strings.Join(pair, u.join)+")")
		}
		list = next
	}
	return f.expand(list[0])
}

// value returns the value that a name of a constant has for the type.
func (f *frame) value(name string) *big.Int {
	n := bitsOf(f.t)
	pow := func(k int) *big.Int { return new(big.Int).Lsh(big.NewInt(1), uint(max(k, 0))) }
	low := func(k int) *big.Int { return new(big.Int).Sub(pow(k), big.NewInt(1)) }
	top := func(n int, sign bool) *big.Int {
		if sign {
			return low(n - 1)
		}
		return low(n)
	}
	bottom := func(n int, sign bool) *big.Int {
		if sign {
			return new(big.Int).Neg(pow(n - 1))
		}
		return new(big.Int)
	}
	if f.t == ir.Bool && strings.Contains(name, "N") {
		f.fail("a truth value has no width")
	}
	switch name {
	case "N":
		return big.NewInt(int64(n))
	case "N-1", "N-2", "N-8":
		k, _ := strconv.Atoi(name[1:])
		return big.NewInt(int64(n + k))
	case "N/2", "N/4", "N/8":
		k, _ := strconv.Atoi(name[2:])
		return big.NewInt(int64(n / k))
	case "MAX":
		return top(n, signed(f.t))
	case "MIN":
		return bottom(n, signed(f.t))
	case "HMAX":
		return top(n/2, signed(f.t))
	case "HMIN":
		return bottom(n/2, signed(f.t))
	case "UMAX":
		return low(n)
	case "SMAX":
		return low(n - 1)
	case "LOW":
		return low(n / 2)
	case "MID":
		return new(big.Int).Lsh(low(n/2), uint(n/4))
	}
	if pattern, ok := strings.CutPrefix(name, "P"); ok {
		b, err := strconv.ParseUint(pattern, 16, 8)
		if err != nil || n%8 != 0 {
			panic("matrix: operation " + f.op.name + ": no constant " + name)
		}
		v := new(big.Int)
		for range n / 8 {
			v.Lsh(v, 8).Or(v, new(big.Int).SetUint64(b))
		}
		return v
	}
	v, ok := new(big.Int).SetString(name, 10)
	if !ok {
		panic("matrix: operation " + f.op.name + ": no constant " + name)
	}
	return v
}

// token matches a constant in braces, a name, the type of a constant, or a sign.
var token = regexp.MustCompile(`^(\{[^}]*\}|[A-Za-z]\w*|:[^ )]*|.)`)

// expand returns a text with its abbreviations written out.
func (f *frame) expand(text string) string {
	var out strings.Builder
	for i := 0; i < len(text); {
		word := token.FindString(text[i:])
		i += len(word)
		switch c := word[0]; {
		case c == '{':
			out.WriteString(f.constant(word[1 : len(word)-1]))
		case c >= 'A' && c <= 'Z':
			args, next := arguments(text, i)
			for k := range args {
				args[k] = f.expand(args[k])
			}
			out.WriteString(f.call(word, args))
			i = next
		default:
			out.WriteString(cmp.Or(f.names[word], word))
		}
	}
	return out.String()
}

// arguments returns the arguments of the call whose bracket is at a place of a text,
// and the place after it.
func arguments(text string, at int) (args []string, next int) {
	depth, from := 0, at+1
	for i := at; ; i++ {
		switch text[i] {
		case '(':
			depth++
		case ',':
			if depth == 1 {
				args = append(args, strings.TrimSpace(text[from:i]))
				from = i + 1
			}
		case ')':
			if depth--; depth == 0 {
				return append(args, strings.TrimSpace(text[from:i])), i + 1
			}
		}
	}
}
