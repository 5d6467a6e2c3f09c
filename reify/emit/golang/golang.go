// Package golang writes cases as Go: one file of package main that checks itself, for
// the compilers of cmd/compile and all others of Go 1.17.
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
//	var f_g [2]int32 = [2]int32{5, 6}
//
//	// f(7) returns 3945841318 by way of entry b1 b1 b1 exit.
//	func f(a int32) uint32 {
//		var crc uint32
//		goto b1
//	b1:
//		a = a*3 - 4
//		if a <= 99 {
//			goto b1
//		}
//		goto exit
//	exit:
//		crc = crc32(0, uint64(a), 4)
//		for _, e := range f_g {
//			crc = crc32(crc, uint64(e), 4)
//		}
//		return crc
//	}
//
// In every Style the function has the blocks and edges of its graph, each block under
// its label if a jump leads to it.
//
// Go computes constants itself and rejects those that overflow, so an operator has a
// variable among its operands. Operations that C leaves undefined are defined in Go, or
// panic: the text has the semantics interp.Go. A claim under C's rules, which meets
// nothing undefined, holds as well. A claim that ends in a trap prints its kind.
package golang

import (
	"strings"

	"goreify/reify/emit/frame"
)

// A Unit is a function whose Supports accepts it, with its claims. A function that it
// calls, and that has no style, may be inlined.
type Unit = frame.Unit[Style]

// Emit returns a file with the functions of all the units, those that they call, and a
// main. It calls the function of each unit once for each of its cases, in order. All
// globals and statics that the call may reach have their initial values. It prints the
// name and the answer on a line of their own. The program exits with status 0 if all
// answers are right and 1 if one is wrong. If there are several units, the program
// takes the index of a unit as an optional argument, and then runs that one alone.
//
// Want knows the names used. Equal units give equal text. Emit panics without units, or
// on a node that Supports rejects.
func Emit(units []Unit) string {
	if len(units) == 0 {
		panic("emit/golang: no units")
	}
	w := &writer{helpers: map[string]bool{}, file: newFile(units)}
	for i := range w.file.units {
		w.function(i).write()
	}
	w.values()
	if short(units) {
		return formatted(w.shortHead() + string(w.buf) + w.shortMain())
	}
	w.cases()
	return spaced(w.head(units) + string(w.buf))
}

// spaced returns a text without two blank lines after each other.
func spaced(text string) string {
	for strings.Contains(text, "\n\n\n") {
		text = strings.ReplaceAll(text, "\n\n\n", "\n\n")
	}
	return text
}
