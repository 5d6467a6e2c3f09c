// Package program makes whole programs of functions that call each other (the
// paper's section 4.3), several of them in one artefact since that costs less to
// compile.
//
//	Input ─reify.Make, link.Link for each recipe→ programs ─link.Join, emit/c→ C files, one answer
//
// # Decisions
//
// Programs in other languages are batches, whose members have several functions: each that
// has a claim of its own is a unit, and called by main by itself; before each call all that
// it may reach is as at first, and what lasts of all of that is summed up after it. Style by
// style they are what their recipes draw. Languages with calls are those of the table
// (Language.Calls): a language that learns them has the kinds. C vouches for the first
// function alone, as there nothing sets globals back.
package program
