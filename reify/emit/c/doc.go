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
//
// # Decisions
//
// Vectors mean the same everywhere. A cast is of lanes whose low byte comes first; where the
// high one does, the C writer swaps lanes that share bytes (LOW_FIRST). Three lanes are four
// in gcc, which knows powers of two only. Lanes beyond them, and those with an index of -1,
// may be anything, so ir.Check lets no operator on them that could trap or be reported, and
// nothing that is assigned be made of them. Nor are lanes with an index of -1 passed to
// functions or returned, which clang takes for undefined (noundef). gcc 11, to which
// shuffles have one length, gets a loop.
//
// One text for all, where not all have a type. __int128 is missing on processors of 32 bits,
// _BitInt from old compilers. Types are typedefs, and conversions to a _BitInt macros, which
// are pairs of shifts and masks where there is none. A compiler that has nothing of 128 bits
// gets a program that only prints the answers: it is asked in vain, and vouches for nothing.
// Its traits differ from those of compilers that have them, except for gcc beside clang with
// -m32.
//
// Bits are cast with the low ones first. In a union of kind cast all members have the same
// bits, the first element of an array the low ones; the interpreter keeps all members up to
// date. Where the high byte comes first in memory, the C writer counts elements from the
// other end (LOW_INDEX), so answers are the same everywhere. Structs and bit-fields are no
// members, and parts have no address.
//
// Calls of small functions go through a table (emit/c/rows.go). A function that makes eight
// calls took compilers one to six times what a function of one operation takes them. The
// compiler sees neither inputs nor callees, so tables need no volatile variables; what a
// function may change is copied before its first call and put back before each other one.
package c
