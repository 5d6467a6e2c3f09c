// Package oracle asks targets about subjects, and takes care that only a target can
// fail. Each target builds and runs the subject in each of its modes, and the program
// must print the known answers. When a program does not,
//
//	isolate  finds the members of a group that fail alone, or a smallest part of it
//	confirm  runs it again, built by the commands that users type
//	consult  asks all targets in their reference modes, the sanitizers, and all the others
//
// and only if they stand by the answer is the failure a Finding. If they contradict the
// answer, the subject's trust decides the consequence: see consult. If they contradict
// one another, the failure is a suspicion.
//
// The package generates no programs and knows no source of them.
//
// # What contradicts an unproved answer
//
// A seed of a pool whose variants are contradicted is banned, unless the sanitizers have
// nothing against the seed: then an edit broke the variant, which is a bug of our own.
//
// A failure of an unproved program counts only if every witness is content
// (oracle/strict.go): the seed is right at the same configuration, compilers of two families
// are right in their reference modes, the sanitizers of both are content, filling what is
// not initialised with zeros or with a pattern changes nothing, and -fno-strict-aliasing
// does not mend it. Else it is unconfirmed.
//
// # Decisions
//
// Cheap commands first, the user's command last. Hunts and searches for a culprit call the
// linker without the driver. A finding counts only if the driver's own command shows it.
//
// Endless is ten times the limit, and a hundred times the reference. Where no reference mode
// that makes the same calls, and trains functions as often, ends in a tenth of the limit, a
// subject is too heavy for questions of time. A confirmed failure runs for ten times the
// limit; if it ends it is slow. Neither is a finding. A hunt takes that time for findings
// that it would save; executions of make fuzz are too short for it. First questions give
// programs a tenth of their limit, or ten times what the longest right run took; only a
// right answer counts there. Candidates of triage stay light. Witnesses know the limit
// alone.
//
// Witnesses in another language are the reference modes of its own targets, and the same
// functions in C with sanitizers, if a C compiler is among those that are asked. An answer
// that is wrong there as well is a bug of ours.
//
// Only who was right can regress. A compiler that a reproducer has not heard of also fails;
// one that is listed as right and fails is a regression.
package oracle
