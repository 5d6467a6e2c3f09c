package c

import (
	"bytes"
	"slices"
	"strconv"
	"strings"

	"goreify/reify/ir"
)

// Not all compilers have the types of ir.Wide. The same text serves all: it names them
// by typedefs, and conversions to a _BitInt by macros. Without _BitInt, these are pairs
// of shifts and masks in the next wider type. Each result of an unsigned type is cut to
// the width; signed results fit. If the compiler has no type of 128 bits either, the
// file has another text: see guard. All compilers are asked, since a compiler that
// rejects a program counts as wrong.

func isWide(t ir.Type) bool {
	_, ok := t.(ir.Wide)
	return ok
}

// isWideName reports whether name is that of a typedef or macro for a wide type.
func isWideName(name string) bool {
	name = strings.ToLower(name)
	if strings.HasPrefix(name, "i128_") || strings.HasPrefix(name, "u128_") {
		return true
	}
	if name == "i128" || name == "u128" {
		return true
	}
	digits, ok := strings.CutPrefix(strings.TrimPrefix(name, "u"), "bit")
	if !ok {
		return false
	}
	_, err := strconv.Atoi(digits)
	return err == nil
}

// has128 is true for the preprocessor of a compiler with integers of 128 bits. clang
// divides them by a function of libgcc that does not exist for 32 bits.
const has128 = "defined(__SIZEOF_INT128__) || __BITINT_MAXWIDTH__ >= 128 && !defined(__clang__)"

// Without __int128, 128 bits are a _BitInt.
const define128 = `
#ifdef __SIZEOF_INT128__
typedef __int128 i128;
typedef unsigned __int128 u128;
#else
typedef _BitInt(128) i128;
typedef unsigned _BitInt(128) u128;
#endif
`

// defineWides writes the types and macros that have not been written.
func (f *function) defineWides(list []ir.Wide) {
	for _, t := range list {
		if t.Bits > 64 && f.printer.guard().bits == 0 {
			f.str(define128)
		}
		if slices.Contains(f.wides, t) {
			continue
		}
		f.wides = append(f.wides, t)
		if !t.BitInt {
			continue
		}
		unsigned, signed, ones, width := "unsigned long long", "long long", "~0ull", 64
		if t.Bits > width {
			unsigned, signed, ones, width = "u128", "i128", "~(u128)0", 128
		}
		name, macro, of := t.String(), strings.ToUpper(t.String()), "_BitInt("+itoa(t.Bits)+")"
		carrier, lost := signed, itoa(width-t.Bits)
		fallback := "((" + signed + ")((" + unsigned + ")(x) << " + lost + ") >> " + lost + ")"
		if !t.Signed {
			of, carrier = "unsigned "+of, unsigned
			fallback = "((" + unsigned + ")(x) & " + ones + " >> " + lost + ")"
		}
		f.str("\n#if __BITINT_MAXWIDTH__ >= " + itoa(t.Bits) +
			"\ntypedef " + of + " " + name + ";\n#define " + macro + "(x) ((" + name + ")(x))" +
			"\n#else\ntypedef " + carrier + " " + name + ";\n#define " + macro + "(x) " + fallback + "\n#endif\n")
	}
}

// A guard is how many bits an integer must have for a file, 0 if each compiler has them, and
// whether lanes of vectors must have 128. There are no lanes of _BitInt(128).
type guard struct {
	bits  int
	lanes bool
}

func (p *printer) guard() (g guard) {
	for _, t := range p.wides {
		if t.Bits > 64 {
			g.bits = max(g.bits, t.Bits, 128)
		}
	}
	g.lanes = slices.ContainsFunc(p.vectors, func(t ir.Vector) bool { return t.Elem.Bits > 64 })
	return g
}

// nothing begins the text that a compiler without such a type finds.
const nothing = "/* There are no integers of "

// around returns the text of a file such that a compiler without the integers that it needs
// finds other text in its place. In the main file that is a program that prints what is wanted at
// once, else it is empty.
func (g guard) around(text string, main bool, want func() string) string {
	if g.bits == 0 {
		return text
	}
	has := has128
	if g.lanes {
		has = "defined(__SIZEOF_INT128__)"
	}
	other := nothing + itoa(g.bits) + " bits, and so there is nothing to test. */\n"
	if main {
		other += "int printf(const char *, ...);\n\nint main(void)\n{\n    printf(\"%s\", \"\""
		for line := range strings.Lines(want()) {
			other += "\n        " + strconv.Quote(line)
		}
		other += ");\n    return 0;\n}\n"
	}
	return "#if " + has + "\n\n" + text + "\n#else\n\n" + other + "\n#endif\n"
}

// Guarded reports whether a file has nothing to test under a compiler without a type that it needs.
func Guarded(text []byte) bool { return bytes.Contains(text, []byte(nothing)) }

// cut is cast to the type of e for a result that may not fit where the type is represented
// by one of more bits; elsewhere it calls write alone.
func (f *function) cut(text []byte, e ir.Expr, prec int, write func(text []byte, prec int) []byte) []byte {
	if t, ok := e.Type().(ir.Wide); ok && t.BitInt && !t.Signed {
		return f.cast(text, t, prec, write)
	}
	return write(text, prec)
}

// overflowFunc returns the name of the function that e, which asks for an overflow, calls.
func overflowFunc(e *ir.Builtin) string {
	return e.Args[0].Type().String() + "_" + e.Fn.String() + "s"
}

// overflows defines such functions, unless they are defined.
func (f *function) overflows(list []*ir.Builtin) {
	for _, e := range list {
		t, name := e.Args[0].Type().String(), overflowFunc(e)
		if f.defined[name] {
			continue
		}
		if f.defined == nil {
			f.defined = map[string]bool{}
		}
		f.defined[name] = true
		f.str("\nstatic int " + name + "(" + t + " x, " + t + " y)\n{\n    " + t + " result;\n\n    return __builtin_" +
			e.Fn.String() + "(x, y, &result);\n}\n")
	}
}
