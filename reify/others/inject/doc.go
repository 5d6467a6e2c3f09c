// Package inject makes programs that call functions which others wrote (Creal; Li,
// Theodoridis, Su, PLDI 2024), of a database of package foreign:
//
//	Input ─program.MakeWith→ whole programs, which pass what was recorded: fixed
//	Input ─reify.Make, mutate.Inject, Settle→ functions, which pass what they hold: rows and free
//
// The answers of foreign functions are recorded from compilers under sanitizers. All
// else is proved by the interpreter on top of these. The functions of a program that
// the witnesses contradict are removed from the database.
//
// # Decisions
//
// Questions are asked together, and guessed first. Arguments of functions in loops are known
// from runs; their answers lead to further questions. One witness guesses, in up to seven
// rounds for all functions of a batch; at the end all witnesses are asked what the programs
// rest on, and the programs are run again on that alone. Eight batches in a row share
// functions, whose drivers are built once.
//
// Where nothing comes, anything may be called. Functions of class dead have no answers:
// link.NewDead calls them off the path alone, mutate.Inject in blocks that no case visits,
// or behind a condition that hardly ever holds. Where it does, the call is taken out as one
// without an answer is.
//
// A database of functions that does not answer says nothing of an input. A function that is
// gone from it spoils the inputs that name it; a file that is gone, locked or damaged
// (foreign.ErrUnusable) ends the hunt, whose batches run again when it is back.
package inject
