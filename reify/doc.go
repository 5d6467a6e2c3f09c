// Package reify turns bytes into a function with a known answer: semantic reification.
// A recipe decides a control-flow graph and a path through it. The graph is filled with
// statements full of unknowns. The unknowns are solved such that, on a known input, the
// function follows exactly that path, free of undefined behaviour, to a known answer.
//
//	recipe ─cfg→ graph ─sketch→ symbolic function ─solve→ path, input, answer ─interp→ proof
//
// The recipe draws a target for the path first: how long it is to be, and how
// often it is to go round a loop. The solver then draws the path while it chooses
// values. In the paper the path comes first instead (cfg.Sample) and is solved
// for; Config.Sampled asks for that. For example, a graph of three blocks with
// one loop, the path once round it, and the solver's choices for what the sketch
// left open:
//
//	entry → b1 ⟲ → exit            path entry b1 b1 exit
//
//	b1: %a = %a * ?0 + ?1          b1: %a = %a * 3 + -8
//	    if %a - ?2 < 0 goto b1         if %a - 9 < 0 goto b1
//	       else exit                      else exit
//
// This gives f(5) = checksum(13). A compiler that gets another answer, at
// whatever level, is wrong.
//
// The rooms below this package, in the order of the flow:
//
//	choice           bytes to decisions
//	cfg              graphs, and paths through them
//	ir               the representation of functions and cases
//	interp           the interpreter, which judges every case
//	sketch           graph to symbolic function
//	repair           what replaces undefined operations
//	solve            symbols to constants, such that a path is taken
//	link             cases that call each other: whole programs
//	emit/c           cases and programs as C
//	subject          what a compiler is asked about, and how far its answer is known
//	source/function  subjects that are batches of functions
//	source/program   subjects that are whole programs
//	oracle           asks compilers about subjects
//	reduce           makes what fails small
//	triage           reduces, blames and sorts what was found
//
// A Config says how large a case is and which parts of the language stand in
// it. A Profile is a table of distributions (profiles.txt) that configurations
// are drawn from; the recipe chooses the profile, or the caller does.
//
// # What functions hold
//
// Functions hold what the paper's hold: 32-bit integers, arrays, arithmetic. Beyond that
// there are features, each of which can be switched on and off:
//
//   - all integer types and _Bool; every operator of C on integers, with short circuit; ?:
//     and casts; builtins, __builtin_add_overflow and its like
//   - switch with ranges; structs with bit-fields; unions, and others by which bits are
//     cast; exact float and double
//   - GNU vectors: all operators, shuffles of two with any mask, conversions, casts, lanes
//     at an index, lengths that are no power of two, vectors as arguments and results
//   - __int128 and _BitInt in between, in locals, with ?: and, of __int128, overflow:
//     inputs, answers and memory have 64 bits at most
//   - facts: assumptions (__builtin_assume, gcc's attribute, branches around
//     __builtin_unreachable) and hints of branches; with them hot, cold, pure, const,
//     nonnull, access, returns_nonnull, assume_aligned where they are true
//   - pointers to scalars, elements, members and pointers, null ones and aliases, ones that
//     a condition chooses; const; restrict where it is true
//   - memcpy, memmove and memset of elements and records. Memory is made of scalars: they
//     copy and set whole ones, as many as they say, and no bytes of them
//
// Some things are only ways to print the same function: compound assignment, ++, casts left
// to C's promotions, computed goto, structs passed and returned by value, local structs and
// arrays on the heap (where realloc moves them), by alloca or as VLAs, while, do, for and
// switch with bodies and fall-through. Programs are written as one file, with the driver
// apart, or as a file a function, with static, inline, noinline, noclone, pure and const
// where they are true.
//
// Off the path stands undefined behaviour on purpose, of 21 of the 23 kinds that the
// interpreter tells apart. The other two need calls, or cannot be written. Package ir has
// the grammar of the text form, package link says how programs are made of functions.
package reify

// Version is the version of the generator. The meaning of a recipe may change from one
// version to the next: that is why a reproducer stores its program as well.
const Version = "0.11"
