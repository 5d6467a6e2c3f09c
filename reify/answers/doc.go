// Package answers is what programs print of the calls that they make: a line for each, in
// their order.
//
//	f 17                       a call of f returns 17
//	f#2 -4 state 145329873     the second one; what lasts has that checksum afterwards
//	g traps divide-by-zero     a call of g traps
//
// Writers of programs make the lines that are right, and those who run programs make and
// read those that were printed. In programs that print them by themselves, and in what
// other engines are told to run, the same is written in their languages.
//
// # Decisions
//
// Garbage is no answer. An answer of an engine has a line for each call, in their order: the
// name of the call, and a number or a trap. A compiler that gives up names an error, or
// dies; what else it says, or that it writes nothing, is no answer.
package answers
