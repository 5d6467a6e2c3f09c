// Package csource knows C programs that others wrote, as text: where their
// statements are, what is in scope there, and how to change them so that they
// do the same on the inputs that were tried (equivalence modulo inputs, Le,
// Afshari and Su, PLDI 2014). It runs no compiler.
//
// A program is made to stand alone first, then parsed; what was executed is
// found by running an instrumented copy; an edit replaces a piece of the text
// and leaves the rest as it was written:
//
//	text, err := csource.Preprocess("seed.c", source, csource.LP64) // our own small headers, no others
//	p, err := csource.Parse("seed.c", text, csource.LP64)
//	// compile and run p.Counters(), a program that also tells what it executed
//	printed, hits, err := p.Hits(output)
//	edits := csource.Prune(p, hits, csource.Orion, choice.From(1))
//	variant := p.Apply(edits) // prints what the seed prints, whoever compiles it
//
// So of
//
//	int main(void) { int x = 1; if (x > 2) { x = f(x); g(x); } return 0; }
//
// two variants are
//
//	int main(void) { int x = 1; if (x > 2) ; return 0; }
//	int main(void) { int x = 1; if (x > 2) { x = f(x); ; } return 0; }
//
// What makes edits, or a text:
//
//	Prune    deletes statements that are never executed (Orion, Algorithm 2)
//	Insert   puts statements where nothing is ever executed
//	Guard    puts code where something is, under conditions that the values
//	         of an instrumented run (Values) show to be always true or false
//	Rename   makes names those of this program alone
//	Slice    leaves some functions and what they need
//	Link     finds what a function needs, and makes of it a text with names of its own
//	Declared has what old C leaves out: int, and prototypes of the library
//	Drive    has inputs in it, and runs what was main with each
//	Join     runs several programs that stand in one text
//	Reduce   cuts a text down while a predicate holds
//
// What a program is not: one that was proved. It has undefined behaviour if its
// author left some in, and a variant has no more than its seed.
package csource
