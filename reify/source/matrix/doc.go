// Package matrix enumerates small functions: each operation and idiom that back ends
// know, on each type, with operands and contexts of all kinds, and compositions of two
// and three of them.
//
//	block number ─enumerate→ names of cells ─text, inputs→ cases ─interp→ function.Batch
//
// A name makes its cell: the same function with the same inputs, everywhere. So a list
// of names that were asked says of all that is small whether a compiler gets it right.
//
// # Decisions
//
// Small things are enumerated. A cell of the matrix is an operation on a type, or two or
// three on each other's results, with kinds of operands and a context. Its name makes it,
// inputs included, so a list of names says what was asked. Single operations and
// compositions take turns; of compositions, a sweep has each pair of operations with each
// link between them (same type, wider, narrower, other sign, another type), on other types
// and operands in each of 16 sweeps. Cells of more than 64 bits stand in blocks of their
// own, since compilers without such a type are asked in vain about a whole file. Inputs are
// edges of the type and drawn ones, smaller where most would be undefined. Calls go through
// a table of inputs (emit/c/rows.go): a function that makes the calls cost compilers more
// than what it tests.
package matrix
