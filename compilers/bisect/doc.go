// Package bisect says which pass of a compiler is to blame for a failure.
//
//	test := bisect.NewTest(toolchain, workspace, job, limits, first)
//	blame, err := bisect.Find(ctx, test)
//	fmt.Println(blame.Pass, blame.Function, blame.Flags)
//
// clang is asked to stop optimising after so many passes (-opt-bisect-limit):
// the first limit at which the program fails names the pass and the function. If the program
// is right as code generation gets it, that pass only uncovers the fault: the search goes on
// in code generation, by its passes and by the steps of the combiner of instruction
// selection. A pass that is right by itself on the same program only shows the fault of one
// before it.
//
// gcc is asked for its representation after each pass, which is compiled and run: the
// first pass after which it is wrong is to blame. If it is right after the last one, and what is made
// of it alone is wrong, code generation is: a pass on RTL without which the program is right, or
// what nothing tells apart. Where the representation cannot be read back, gcc is asked to
// leave out passes (-fdisable-PASS): the first with which the
// program fails, though it does not if that one and all that follow are left
// out, is to blame if the program is right without it alone. Then it is asked to
// leave out flags: the pass's own, those that the next lower level does without,
// or any, down to the smallest set (delta debugging). If no pass is known yet,
// it is the one that the flags switch off, or the last one without which the
// program is right. Debug counters (-fdbg-cnt) say which transformation goes
// wrong, where there are any.
//
// Go's compiler is asked to leave out phases of its SSA, one by one and then together. If the
// program is right for another processor, these only uncover a fault of code generation; then
// a compiler made of its own source is asked to leave out its rules (gc.Toolchain.Rules). For
// engines of WebAssembly and Java there are switches.
//
// Both ends of every search are looked at, with the commands that users type: a failure
// that no limit, flag or pass has a say in is reported as such and blames no pass. The
// search between makes its programs cheaply, see Test.
//
// # Decisions
//
// Code generation is told from passes. clang's limit of passes names the pass whose work
// shows a bug of the back end. So the program is taken as code generation gets it: right on
// this machine without optimising, and wrong at home with all promises (nsw and the like)
// taken out of it, it accuses code generation. Six of clang's first seven findings do.
//
// A rule, or an operation, is named only if nothing else could be meant. Of the rules of a
// processor without which Go's compiler is right, it is the last that fires. Any change may move values to
// other registers, or to memory, where a value whose upper half is wrong is mended by
// chance. So where whole registers mend the program only rules that take out an extension
// are asked about, and an operation that is to destroy the flags is named if no other one
// mends as well. "Rule not known" is a right answer.
//
// The source is changed as text. The rules of all processors are loops behind comments that
// the generator of Go's compiler writes, so no parser and no copy of the rules is needed. It
// costs 90 s of CPU time for each version, once; the search in a reduced test then 3 to 5 s.
package bisect
