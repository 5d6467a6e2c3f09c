// Package triage turns a finding into the contents of a bug report: it names the pass
// to blame, reduces the program, asks every compiler about the result, and says which
// bucket the finding belongs in.
//
//	blame     compilers/bisect: the pass, and the flags that mend it
//	reduce    the reducer of the program's source, with the compiler that failed as the predicate
//	llvm      compilers/llvm: the same in LLVM IR, if the compiler is clang
//	matrix    every compiler in every mode, about the original and the reduced test
//	clean     sanitizers and valgrind about the reduced test
//	bucket    FAMILY/VERDICT/CULPRIT/DETAIL
//	same      findings of other buckets that fail by each other's commands
//
// Only compilers of the program's language are asked. How culprits are found is a table
// by family in compilers/bisect, how programs are reduced a table by source here. A
// family or a source that is missing there costs a culprit or a reduced test, and
// nothing else.
//
// The reduced program shows the same bug: the same compiler fails in the same modes
// with the same verdict, and it is mended by the same means, the flags and the omission
// of the pass to blame. Some families mend with flags that mean nothing for another
// program; for these, only flags that mend alone are asked about. The other versions
// that are installed and failed on the original fail, too, unless they fail on no
// program that a reduction can begin with. The predicate is asked of every few steps of
// the reduction, there of two other versions at most, and once more of the result, by
// the command that users type. Where it does not hold, the reduction goes back to the
// last step at which it did.
//
// A reduction that is interrupted leaves no trace: it takes seconds, and is done
// again. The culprit that was named before is kept.
//
// # Decisions
//
// A reproducer lives with the newest compiler that fails. Developers want to hear of that
// one. reify triage -do adopt moves it there and triages it again; where it was stays in a
// note, and in bad: and good: who fails and who does not. The file keeps its name. Reduction
// keeps the versions, too: all that failed on the original must fail on the reduced test,
// for else it drifts to a bug that only one version has. The newest and the oldest are asked
// every few steps, the others at the end.
package triage
