// Package repair makes an undefined operation defined by a local change, as
// YARPGen does (Livinskii, Babokin, Regehr: Random Testing for C and C++
// Compilers with YARPGen, OOPSLA 2020, section 3.1 and Table 1).
//
// The operands' values are known, because the path evaluates the operation. Operation
// looks up a replacement:
//
//	%a + %b    where %a is 2147483647 and %b is 1     %a - %b
//	%a / %b    where %b is 0                          %a * %b
//	%a << %b   where %a is 3 and %b is -2             %a << (%b + 30)
//
// The replacement is an operation much like the original, with the operands unchanged,
// so that the expression still looks like the one that was drawn. It is defined for
// these values only. If a statement is executed with so many values that no such change
// suits all of them, Always gives a form that is defined for all values:
//
//	%a + %b    i32(u32(%a) + u32(%b))
//	%a / %b    %a / (%b & 2147483647 | 1)
//	%a << %b   i32(u32(%a) << (%b & 31))
//	@g[%a]     @g[u32(%a) % 3]            // Index
//
// No function here changes its arguments. The results hold the operands themselves and
// not copies: a result takes the place of the expression from which the operands were
// taken, and which is then no longer used.
//
// # Decisions
//
// An operation that cannot be solved for is repaired. An undefined operation on the path
// gives way to one of YARPGen's rewrites (its Table 1), or at last to a form that is always
// defined. Each rule was tried for all values of 8 bits and proved by Z3 for 16.
package repair
