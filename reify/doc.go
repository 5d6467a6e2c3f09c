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
package reify

// Version is the version of the generator. The meaning of a recipe may change from one
// version to the next: that is why a reproducer stores its program as well.
const Version = "0.11"
