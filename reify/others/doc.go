// Package others is the seam of C that others wrote: outside of this folder no package
// imports one below it.
//
//	files, csmith ─csource, pool→ programs with their output ─text→ variants
//	files ─csource, foreign→ functions with their answers ─inject→ programs of ours that call them
//
// For the rest of the house a program is a subject of a source, and a function is an
// ir.Function with a text (ir.Foreign): a table answers its calls, and writers of C copy
// the text. This package opens pools and databases, makes their sources, has compilers
// judge what is added, and cuts text for reductions.
//
// # Decisions
//
// Others' C is a wing behind one seam. Outside of its folder only reify/others is imported,
// and others/database by hunts, whose state is SQLite, too. For the house its programs are
// subjects of a source, its functions ir.Function with a table of answers.
//
// Others' functions are leaves without a body. ir.Function.Foreign is text, and answers to
// some arguments; the interpreter looks them up, and a call without an answer ends a run as
// undefined behaviour does. So programs with them are linked, mutated, reduced and replayed
// as ours are, and the interpreter stays the only judge of all that is ours. Their trust is
// recorded: a contradiction sets the functions aside. They are never declared pure, as a
// compiler may then call them where they do not end.
//
// Text of others is reduced last, and asked anew. First their functions are thrown out as a
// whole. Then the text of those that are left is cut (csource.ReduceUnit), and of each
// candidate one witness says what it answers, the interpreter what the program then does,
// the compiler that failed whether it still does, and all witnesses whether that was
// defined. So no candidate is undefined, and answers may change on the way (others/cut.go).
package others
