// Package corpus reads and writes reproducers. A reproducer is one txtar archive for
// each finding, which holds everything that is needed to see the compiler fail again
// without generating anything.
//
//	goreify: devel/2
//	title: wrong checksum of a loop that goes round three times
//	verdict: wrong-answer
//	language: C
//	source: function
//	trust: proved
//	main: repro.c
//	compiler: gcc-12
//	version: gcc 12.2.0
//	mode: -O2
//	expected: 1873461
//	got: 1873460
//	date: 2026-11-20
//	bad: gcc 12.2.0 : -O2 -O3
//	bad: gcc 12.2.0 -m32 : -O2
//	witness: gcc-12 -O0: ok
//	command: gcc-12 -O2 repro.c -o repro && { ./repro || echo "exit status $?"; } | diff want.txt -
//	-- recipe --
//	body: 00ff
//	-- program.ir --
//	func @f(%a i32) i32 {
//	...
//	-- repro.c --
//	...
//	-- want.txt --
//	1873461
//	-- trace.txt --
//	entry b1 b1 exit
//
// The comment of the archive is the header, and is read strictly: a key that is
// misspelt is an error that names its line. Keys that start with "x-" are notes, which
// any package may add. The files are
//
//	recipe       what the generator was given, as "name: hex" lines
//	program.ir   the program in the text form of package ir
//	repro.c      the main file, which the key main names
//	*.c          the other sources, which have the extension of the main file
//	want.txt     the exact standard output of a correct program
//	trace.txt    the blocks that the program visits
//	reduced.c    the smallest test that shows the same bug; exits with 0 if the compiler is right, and
//	             of the source text prints what the file reduced-want.txt says
//	reduced.ir   its program in the text form of package ir
//	reduced.ll   the smallest test in LLVM IR that shows it, if the compiler is of LLVM; of a
//	             program in LLVM IR smallest.llvm
//	other names  files that a source of programs stores for itself
//
// The main file and want.txt are required, the others are not, so that an entry
// may also be written by hand. Triage adds what it learns to the header:
//
//	good: gcc 12.2.0 : -O0 -O1
//	culprit: tree-ivopts
//	culprit-function: f
//	mended-by: -fno-ivopts
//	mended-alone: -fwrapv
//	reduced-command: gcc-12 -O2 -w reduced.c -o reduced && ./reduced
//	reduced-bad: gcc 12.2.0 : -O2
//	reduced-good: gcc 12.2.0 : -O0 -O1 -Os
//	llvm-run: llc -mtriple=s390x-linux-gnu < reduced.ll
//	llvm-targets: wrong: powerpc64-linux-gnu; right: aarch64-linux-gnu x86_64-linux-gnu
//	bucket: gcc/wrong-answer/tree-ivopts/O2
//
// An entry that was adopted by another compiler, a newer one that fails too, has a note
// about its former one:
//
//	x-former-home: gcc 12.2.0 : -O2; gcc-12; wrong-answer; gcc/wrong-answer/tree-ivopts/O2
//
// An entry that is written by this package has a digest of each file, so that a file
// that is cut, or converted on its way, is not taken for a bug of a compiler:
//
//	digest: repro.c 556ba5a76dc184fa
//
// Parse compares a file with its digest if the header has one. To edit a file by
// hand, remove its digest line; the next command that writes the entry adds it
// again. The header itself may be edited as it is.
//
// The file known.txt beside the entries is the ledger of what the trackers of compilers have of
// their bugs; see LoadKnown, and Remarks for its notes.
//
// # Decisions
//
// A known bug is known in all versions, as long as the flags that mend its reproducer mend
// the new finding. A version in which the reproducer is listed as right ends that, and so do
// later ones: what fails there in the same way is new.
package corpus
