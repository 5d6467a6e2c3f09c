// Package pool keeps C programs that others wrote, as seeds of variants. Compilers of
// two families run each program before it is admitted, so that its output and its
// executed code are known, and are not checked again.
//
//	text ─csource.Preprocess, Parse→ program ─gcc and clang -O0, twice→ answer
//	     ─csource.Counters, Values→ profile → a row of the database
//
// For example
//
//	p, err := pool.Open("out/pool.db")
//	j, err := pool.NewJudge(targets, sanitizers, space)
//	seed, err := j.Admit(ctx, pool.Candidate{Name: "a.c", Text: text})
//	added, err := p.Add(seed)
//
// A program with Inputs becomes one that holds them, and runs its main once with each
// in a process of its own. Thus a reproducer is one file, and needs neither arguments
// nor standard input. Code counts as executed if any input executes it.
//
// Refusals are counted by reason, and a refused program is not checked again either. If
// a compiler with -m32 is among the targets, a program with another output there is
// refused, too. A pool may be filled while hunts read it.
//
// # Decisions
//
// C of other people is admitted once. A pool keeps the answer of each seed, and what of it
// is executed. So making a variant costs no compiler, and what compilers are asked about is
// only the variant.
package pool
