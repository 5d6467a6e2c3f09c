// Package c writes cases as C: one self-contained translation unit that checks
// itself, for gcc and clang with 32-bit int.
//
// The case
//
//	func @f(%a i32) u32 {
//	    static @g [2]i32 = {5, 6}
//	  entry:
//	    goto b1
//	  b1:
//	    %a = %a * 3 - 4
//	    if %a <= 99 goto b1 else exit
//	  exit:
//	    return checksum(%a, @g)
//	}
//	case f(a = 7) = 3945841318 path entry b1 b1 b1 exit
//
// becomes, apart from the checksum function and main,
//
//	static int f_g[2] = {5, 6};
//
//	/* f(7) returns 3945841318 by way of entry b1 b1 b1 exit. */
//	static unsigned f(int a)
//	{
//	    unsigned crc;
//
//	entry:
//	    goto b1;
//
//	b1:
//	    a = a * 3 - 4;
//	    if (a <= 99)
//	        goto b1;
//	    goto exit;
//
//	exit:
//	    crc = crc32(0, a, 4);
//	    crc = crc32(crc, f_g[0], 4);
//	    crc = crc32(crc, f_g[1], 4);
//	    return crc;
//	}
//
// In every Style the function has exactly the blocks and edges of its graph, each block
// under its label: it has no other jumps, and no loops that the graph does not have.
// The only conditional expressions are those of the representation, which are values
// (&&, || and ?:), one that checks the index of a computed goto, and branches around
// unreachable code.
//
// The text has the same meaning on all processors, with gcc from version 11 and clang
// from version 14 on. It depends on no byte order, sign of char, size of long or of
// pointers, or alignment.
//
// Emit writes cases of functions that call none of ours. EmitProgram writes whole
// programs of functions that call each other, in one file or several; these have the
// same definitions, and also prototypes and one answer. EmitTest writes one call of a
// program as the short test of a bug report, where blocks are merged and edges are not
// kept one by one.
package c

import (
	"sync"

	"goreify/reify/ir"
)

// A Unit is a claim to write and its style. The claim has passed ir.Check, and its
// function is concrete: it holds no symbols.
type Unit struct {
	Claim *ir.Claim
	Style Style
	More  []*ir.Claim // further ones about the function of Claim, if any
	// Foreign holds the functions of others that it calls. Emit writes them once.
	Foreign []*ir.Function
	// Stored holds the variables that the calls store to, or nil if that is not known.
	Stored map[*ir.Var]bool
}

// Watched returns the unit with the variables that its calls store to, as a run of its
// claims shows them, if the text depends on these.
func (u Unit) Watched(run func(claims ...*ir.Claim) map[*ir.Var]bool) Unit {
	if u.Style.Restrict && len(restrictable(u)) > 0 {
		u.Stored = run(u.claims()...)
	}
	return u
}

// claims returns all claims of the unit.
func (u Unit) claims() []*ir.Claim { return append([]*ir.Claim{u.Claim}, u.More...) }

// Emit returns a translation unit with the functions of all the units and a main. The
// main calls each function once for each of its cases, in order, and prints its name
// and its answer on a line of their own. The program exits with status 0 if all answers
// are right and 1 if one is wrong. If there are several units, the program takes the
// index of a unit as an optional argument, and then runs that one alone.
//
// Functions of others that the units call come first, each in the linkage of the
// first unit that calls it.
//
// The functions keep their names unless two units clash or C forbids the name; Want
// knows the names used. Equal units give equal text. Emit panics without units, if a
// function holds a symbol, or if cases of two functions are in one unit.
func Emit(units []Unit) string {
	if len(units) == 0 {
		panic("emit/c: no units")
	}
	p := newPrinter()
	defer printers.Put(p)
	p.foreigners(units)
	named := nameUnits(units)
	p.preamble(units)
	for i, u := range units {
		f := newFunction(p, u, named[i])
		f.restrict = restricted(u)
		f.structs()
		f.globals()
		f.define()
		if !inRows(u) {
			f.test()
		}
	}
	if anyInRows(units) {
		p.rows(units, named)
	} else {
		p.main(named)
	}
	if bits := p.needsBits(); bits > 0 {
		return guarded(string(p.buf), bits, true, Want(units))
	}
	return string(p.buf)
}

// The printers are those that have printed. The room that their text took is used again.
var printers = sync.Pool{New: func() any { return new(printer) }}

func newPrinter() *printer {
	p := printers.Get().(*printer)
	*p = printer{buf: p.buf[:0]}
	return p
}
