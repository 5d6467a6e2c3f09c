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
//
// # Decisions
//
// Structured Go follows the tree of dominators. goto may not enter a block of Go. A block
// that stands in the text of its immediate dominator is only entered from there, so no jump
// is ever in the way; graphs with blocks that cannot be reached are written flat.
//
// Go's pointers are pointers of Go, and what C computes with them is told by package unsafe:
// out of an array there is no answer in either language. After each call a function
// NAME_state sums up what lasts, after a panic, too.
//
// In Go only the order of calls has to stay. A run in which an operand depends on a call
// beside it, or a call traps beside what may trap as well, has no answer (interp:
// UnspecifiedOrder), so calls may stand where they are, before the statement, in function
// literals or behind variables. Writes of several calls of an expression are not compared
// (Options.Callees).
package golang
