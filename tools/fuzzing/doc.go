// Package fuzzing is what the fuzz targets that ask compilers have in common:
//
//	go test -fuzz ─ coordinator ─ starts a worker for each core ─ Bench.Fuzz
//	                    └ Main: shows what workers write into the directory of the run ┘
//
// The bytes of an input are hashed, and the hash decides all: of what the batch is
// made, which compiler is asked, and in which mode. So the same bytes always ask the
// same, and each execution asks something new. That the engine should choose bytes
// with an eye on what they reach was tried, and brought nothing: see DESIGN.md.
//
// A new finding is saved in FoundDir, one that has the fingerprint of a reproducer
// in CorpusDir or FoundDir in AgainDir, one that is not confirmed in DoubtedDir.
//
// # Decisions
//
// An input of make fuzz is hashed. The hash decides the batch and the one compiler and mode
// that are asked, so an execution is one compilation, and guidance by coverage, which
// brought nothing, costs nothing. A finding is known if one in corpus/ has its fingerprint;
// flags that mend it are not asked, as that would take triage and SQLite into what the
// engine compiles anew.
package fuzzing
