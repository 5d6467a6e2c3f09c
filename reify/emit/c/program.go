package c

import (
	"slices"

	"goreify/reify/ir"
)

// Names at file scope of every program.
const (
	crcFunc       = "crc32"
	crcArrayFunc  = "crc32_array"
	crcPoly       = "crc32_polynomial"
	noipaMacro    = "NOIPA"
	noinlineMacro = "NOINLINE"
)

// preamble writes the text before the functions.
func (p *printer) preamble(units []Unit) {
	if slices.ContainsFunc(units, func(u Unit) bool { return len(u.More) > 0 }) {
		p.str(`/*
 * A program that checks itself. It prints a line for each call of its functions: the name, the
 * number of the call unless it is the first, and the answer. It exits with status 0 if all
 * answers are right, and 1 if one is wrong.
`)
	} else {
		p.str(`/*
 * A program that checks itself. It prints a line for each of its functions: the name and the
 * answer. It exits with status 0 if all answers are right, and 1 if one is wrong.
`)
	}
	if len(units) > 1 {
		p.str(` * With an argument, a number from 0, it runs the function of that number alone.
`)
	}
	p.str(` */

int printf(const char *, ...);
`)
	if len(units) > 1 || anyInRows(units) {
		p.str("int atoi(const char *);\n")
	}
	p.macros(units)
	if sums(units) {
		p.crc("static ", units)
	}
}

func (p *printer) macros(units []Unit) {
	noinline := slices.ContainsFunc(units, func(u Unit) bool { return u.Style.NoInline })
	var macros []macro
	if noinline {
		macros = append(macros, macro{noinlineMacro, "noinline", "noinline, noclone"})
	}
	if sums(units) || anyInRows(units) || slices.ContainsFunc(units, func(u Unit) bool { return u.Style.Getters }) {
		macros = append(macros, macro{noipaMacro, "noinline", "noipa"})
	}
	p.define(macros)
}

// A macro stands for attributes, which differ between clang and gcc.
type macro struct{ name, clang, gcc string }

func (p *printer) define(macros []macro) {
	if len(macros) == 0 {
		return
	}
	write := func(name, attributes string) {
		p.str("#define " + name)
		if attributes != "" {
			p.str(" __attribute__((" + attributes + "))")
		}
		p.str("\n")
	}
	p.str("\n#if defined(__clang__)\n")
	for _, m := range macros {
		write(m.name, m.clang)
	}
	p.str("#else\n")
	for _, m := range macros {
		write(m.name, m.gcc)
	}
	p.str("#endif\n")
}

// crc writes the functions that compute the checksums of units.
func (p *printer) crc(linkage string, units []Unit) {
	p.str(crcVariable)
	p.str(noipaMacro + " " + linkage + crcHead + crcBody)
	if sumsArrays(units) {
		p.str("\n/* Extends a CRC-32 by each of some integers in memory, which have so many bytes. */\n")
		p.str(noipaMacro + " " + linkage + crcArrayHead + crcArrayBody)
	}
}

// sums reports whether some unit computes a checksum.
func sums(units []Unit) bool {
	return slices.ContainsFunc(units, func(u Unit) bool { return len(checksums(u.Claim.Func)) > 0 })
}

// sumsArrays reports whether some unit adds arrays to a checksum by one call.
func sumsArrays(units []Unit) bool {
	return slices.ContainsFunc(units, func(u Unit) bool {
		return slices.ContainsFunc(checksums(u.Claim.Func), func(c *ir.Checksum) bool {
			return slices.ContainsFunc(c.Of, u.Style.sumsArray)
		})
	})
}

// sumsArray reports whether v is added to a checksum by one call. A small array may be
// kept in registers, and cannot if a call gets its address. Vectors of an array may have
// bytes between them.
func (s Style) sumsArray(v *ir.Var) bool {
	const least = 8
	inMemory := s.Rows && v.Kind.Lasts()
	if !s.ArraySums || v.Volatile || ir.Count(v.Type) < least && !inMemory {
		return false
	}
	switch t := ir.Innermost(v.Type).(type) {
	case ir.Int:
		return v.Type != t
	case ir.Vector:
		return inMemory && (v.Type == t || t.Padded() == t.Lanes)
	}
	return false
}

// The checksum reads a volatile variable so that no compiler can compute it in advance,
// even if it knows the arguments.
const crcVariable = `
static volatile unsigned crc32_polynomial = 0xedb88320u;

/* Extends a CRC-32 by the lowest bytes of value, the least significant first. */
`

const crcHead = "unsigned " + crcFunc + "(unsigned crc, unsigned long long value, int bytes)"

const crcBody = `
{
    unsigned polynomial = crc32_polynomial;

    crc = ~crc;
    for (int bit = 0; bit < 8 * bytes; bit++) {
        unsigned odd = (crc ^ (unsigned)(value >> bit)) & 1;
        crc >>= 1;
        if (odd)
            crc ^= polynomial;
    }
    return ~crc;
}
`

const crcArrayHead = "unsigned " + crcArrayFunc + "(unsigned crc, const void *memory, int length, int bytes)"

// The least significant byte of an integer comes first in the sum, wherever it
// stands in memory. The number of bytes is a power of two.
const crcArrayBody = `
{
    const unsigned char *byte = memory;
    int least = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ ? bytes - 1 : 0;

    for (int i = 0; i < length * bytes; i++)
        crc = crc32(crc, byte[i ^ least], 1);
    return crc;
}
`

// checksums returns the checksums that f stores or returns.
func checksums(f *ir.Function) []*ir.Checksum {
	var all []*ir.Checksum
	add := func(e ir.Expr) {
		if c, ok := e.(*ir.Checksum); ok {
			all = append(all, c)
		}
	}
	for _, b := range f.Blocks {
		for _, s := range b.Stmts {
			if a, ok := s.(*ir.Assign); ok {
				add(a.Src)
			}
		}
		if r, ok := b.Term.(*ir.Return); ok {
			add(r.Val)
		}
	}
	return all
}

// main calls the tests through an array: gcc assumes that a function that is called
// from main alone runs once, and optimises it less.
func (p *printer) main(named []names) {
	if len(named) == 1 {
		p.str("\nint main(void)\n{\n    return " + named[0].test + "();\n}\n")
		return
	}
	p.str("\nint main(int argc, char **argv)\n{\n    int (*tests[])(void) = {")
	for i, n := range named {
		if i > 0 {
			p.str(",")
			p.space(blanks[:2*indentWidth])
		}
		p.str(n.test)
	}
	p.str("};\n    int wrong = 0;\n    int only;\n\n    if (argc > 1) {\n        only = atoi(argv[1]);\n        if (only < 0 || only >= ")
	p.int(len(named))
	p.str(")\n            return 2;\n        return tests[only]();\n    }\n    for (int i = 0; i < ")
	p.int(len(named))
	p.str("; i++)\n        wrong |= tests[i]();\n    return wrong;\n}\n")
}

// verb returns how printf writes a value of type t.
func verb(t ir.Int) string {
	switch t {
	case ir.U32:
		return "%u"
	case ir.I64:
		return "%lld"
	case ir.U64:
		return "%llu"
	}
	return "%d" // narrower types are promoted to int
}
