// Package reduce shrinks a program while a predicate holds, typically that a
// compiler still gets it wrong.
//
// It works on the representation, not on text, and knows nothing of compilers or of C.
// Each candidate is first run by the interpreter. One that meets undefined behaviour,
// reads uninitialised memory or does not end is dropped before a compiler is asked. The
// path and the answer of the others are computed anew. Thus a path may get shorter on
// the way, and this
//
//	func @f(%a i32, %b i32) u32 {
//	    local %x i32 = 7
//	  entry:
//	    goto b1
//	  b1:
//	    %x = %x + %b * 3
//	    %a = %a + 1
//	    if %a < 2 goto b1 else b2
//	  b2:
//	    %b = %a / %x
//	    goto exit
//	  exit:
//	    return checksum(%a, %b, %x)
//	}
//	case f(a = 0, b = 1) = 1703182381 path entry b1 b1 b2 exit
//
// with the predicate "a block is visited twice in succession" ends as
//
//	func @f() i32 {
//	    local %a i32 = 0
//	  entry:
//	    goto b1
//	  b1:
//	    %a = %a + 1
//	    if %a < 2 goto b1 else exit
//	  exit:
//	    return 0
//	}
//	case f() = 0 path entry b1 b1 exit
//
// The passes are in a table, from coarse to fine. A pass lists edits of a program; the
// engine tries many at once, then fewer, as delta debugging does, and goes through the
// table until a round of it brings nothing. A candidate must be smaller than its
// original, in a measure that the passes share, so the reduction ends.
//
// # Decisions
//
// Reduction works on the representation. Every candidate is interpreted before a compiler
// sees it, and its path and answer are computed anew. So nothing undefined is ever asked
// about.
package reduce
