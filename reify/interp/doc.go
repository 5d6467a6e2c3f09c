// Package interp is the strict interpreter of ir, which judges every case.
//
// Its rules are those of ISO/IEC 9899:2011 ("C11"), whose clauses the comments name. Other
// languages define more; the table of semantics.go says where their rules differ, with the
// clauses of their specifications. The interpreter shares no evaluation code with the
// solvers, whose answers it judges. For a function and its arguments it determines the
// visited blocks and the returned value, or the first undefined behaviour or trap and its
// place:
//
//	func @f(%a i32) i32 {
//	  entry:
//	    if %a < 3 goto small else exit
//	  small:
//	    %a = %a * 1000
//	    goto exit
//	  exit:
//	    return %a
//	}
//
//	Run(f, []int64{2}, Options{})                 // Value 2000, Path entry small exit
//	Run(f, []int64{-1 << 30}, Options{})          // *UB: SignedOverflow in block small
//	Run(f, []int64{-1 << 30}, Options{Under: Go}) // Value 0: products wrap in Go
//
// Three points that C leaves to the implementation are fixed as gcc and clang document
// them. Integers are two's complement. A conversion to a signed type wraps (6.3.1.3p3).
// A volatile object changes only when the program stores to it. Expressions have no
// side effects except those of calls and volatile reads, of which two on one object are
// undefined. The order of evaluation, which C leaves unspecified (6.5p3), is left to
// right here. If the order could decide more than which of several undefined behaviours
// is reported, because calls depend on each other, the run fails with UnspecifiedOrder.
//
// Memory consists of objects, and objects of scalars; there are no bytes. A pointer
// consists of an object in one of its lifetimes, the number of a scalar in it, and
// whether it is the place behind an array. Thus each use of a pointer that is null, out
// of bounds, dangling, or of a wrong type is reported, and no program can tell how
// objects are laid out. Each member of a union has scalars of its own, and a store to
// one takes the value from the others. Floating-point arithmetic is exact or an error.
//
// Functions must have passed the checker of ir. A function that has not makes the
// interpreter panic where it notices.
//
// # Decisions
//
// Every language has its own rules. A claim is under a semantics: C's, under which it holds
// in every language, or one that defines what C leaves undefined (interp.Options.Under; a
// row of the table in semantics.go for each). There a call may end in a trap of a known
// kind, which is an answer. Orders that a language leaves open too, as Go does that of two
// operands that trap, has no answer.
//
// Answers tell no more apart than engines do: an overflow of a division and of a conversion
// are one kind of trap there.
package interp
