// Package csource edits C programs that others wrote, as text. It finds their
// statements and the names in scope there, and changes them such that the output stays
// the same on the inputs that were tried (equivalence modulo inputs, Le, Afshari and
// Su, PLDI 2014). It runs no compiler.
//
// A program is preprocessed first, then parsed. A run of an instrumented copy shows
// which statements are executed. An edit replaces a piece of the text and leaves the
// rest unchanged:
//
//	text, err := csource.Preprocess("seed.c", source, csource.LP64) // our own small headers, no others
//	p, err := csource.Parse("seed.c", text, csource.LP64)
//	// compile and run p.Counters(), a program that also tells what it executed
//	printed, hits, err := p.Hits(output)
//	edits := csource.Prune(p, hits, csource.Orion, choice.From(1))
//	variant := p.Apply(edits) // prints what the seed prints, whoever compiles it
//
// For example, of
//
//	int main(void) { int x = 1; if (x > 2) { x = f(x); g(x); } return 0; }
//
// two variants are
//
//	int main(void) { int x = 1; if (x > 2) ; return 0; }
//	int main(void) { int x = 1; if (x > 2) { x = f(x); ; } return 0; }
//
// The functions that make edits, or a text:
//
//	Prune    deletes statements that are never executed (Orion, Algorithm 2)
//	Insert   puts statements where nothing is ever executed
//	Guard    puts code where something is, under conditions that the values
//	         of an instrumented run (Values) show to be always true or false
//	Rename   makes names those of this program alone
//	Link     finds what a function needs, and makes of it a text with names of its own
//	Declared adds declarations that old C leaves out: int, and prototypes of the library
//	Drive    puts inputs into a program, and runs its main once with each
//	Join     runs several programs that stand in one text
//	Reduce   cuts a text down while a predicate holds
//
// These programs are not proved. A program has undefined behaviour if its author left
// some in, and a variant has no more than its seed.
//
// # Tried without effect
//
// A guide for variants of texts. Metropolis-Hastings over the edits of a seed, 60 steps of
// up to four edits each, accepted with min(1, exp(10·ΔD)); D is how far the variant is from
// its seed in branches, loops, jumps, calls, assignments and statements, counted in the text
// of the edits. In 15 CPU s of gcc-12 -O3 its variants of 12 csmith programs raised 164, 164
// and 162 different counters of optimisations, those without a guide 157, 160 and 157. But
// the same steps, all of them accepted, raised 164: it is that a variant has more edits, not
// which ones. No bug was among them.
package csource
