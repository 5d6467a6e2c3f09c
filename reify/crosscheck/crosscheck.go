// Package crosscheck makes functions by which the interpreter is compared with real
// compilers, expression by expression. Package prove asks these.
//
// A room holds variables of all types, which the expressions drawn in it read:
//
//	param %a, %b ...            integers of random types
//	local %i8, static %u64 ...  a scalar and an array of each integer type
//	static %s                   a struct with bit-fields, arrays and a struct in it
//	local %p ...                pointers to all of these
//	%f32, %v ...                floating-point numbers, vectors
//
// Expressions grow from their leaves. The interpreter tries each operator that is
// drawn for operands; one that is defined for their values is taken. So expressions
// can be deep, and still nearly all of them are defined. An operator that is
// undefined serves another test: it is the last one of its expression, and clang's
// sanitizer must see it, too.
//
//	room -> expressions -> a function of some, each stored in a variable of its own
//	     -> interp.Run  -> the checksum of these variables
//	     -> emit/c -> gcc -O0, clang -O0 -> the same
//
// A function that differs is taken apart, such that an objection names the
// expression.
package crosscheck
