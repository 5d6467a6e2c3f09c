// Package text makes variants of C programs that others wrote (equivalence modulo
// inputs), which a pool holds:
//
//	Input ─pool.Seed, Profile→ program, what of it is executed ─csource.Prune, Insert, Guard→ edits → one C file
//
// These programs are not proved. The answer is what compilers of two families agreed on
// when the seed was admitted; a variant must give the seed's.
//
// # Decisions
//
// Inputs are put into the program. A seed that takes arguments or reads becomes a closed
// program: its main is renamed, and another runs it with each input in a process of its own
// (csource.Drive). So targets, reproducers, reduction and reports need not know of inputs.
// The arrays that hold these are volatile: no compiler knows them.
//
// A silent seed says that it ends. Tests of compilers print nothing and abort where
// something is wrong. They get a destructor that prints a line, and no edit takes a call of
// abort away.
//
// Variants of a small seed share a unit. Eight variants of seeds of 846 bytes took gcc-12
// 2.83 CPU s apart and 0.71 together, clang-19 5.71 and 0.90. For csmith's programs of 92 KB
// it is 1.6 times for both; to parse each variant again, for its names, costs what that
// saves, so above 20 KB a variant stays alone. Each runs in a process of its own, as it may
// exit.
package text
