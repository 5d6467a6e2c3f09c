// Package corpus reads and writes reproducers: one txtar archive for each
// finding, which holds everything that is needed to see the compiler fail
// again without generating anything.
//
//	goreify: devel/1
//	title: wrong checksum of a loop that goes round three times
//	verdict: wrong
//	compiler: gcc-12
//	version: gcc 12.2.0
//	level: -O2
//	expected: 1873461
//	got: 1873460
//	date: 2026-11-20
//	bad: gcc 12.2.0 -O2 -O3
//	bad: gcc 12.2.0 -m32 -O2
//	witness: gcc-12 -O0: ok
//	command: gcc-12 -O2 repro.c -o repro && { ./repro || echo "exit status $?"; } | diff want.txt -
//	-- recipe --
//	body: 00ff
//	graph: 0102
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
// The comment of the archive is the header, and is read strictly: a key that
// is misspelt is an error that names its line. Keys that start with "x-" are
// free for notes. The files are
//
//	recipe      what the generator was given, as "name: hex" lines
//	program.ir  the program in the text form of package ir
//	repro.c     the C, self-contained and self-checking
//	*.c         more translation units, if any
//	want.txt    the exact standard output of a correct program
//	trace.txt   the blocks that the program visits
//	reduced.c   the smallest test that shows the same bug; exits with 0 if the compiler is right
//	reduced.ir  its program in the text form of package ir
//
// of which repro.c and want.txt are required, so that an entry may also be
// written by hand. Triage adds what it learns to the header:
//
//	good: gcc 12.2.0 -O0 -O1
//	culprit: tree-ivopts
//	culprit-function: f
//	mended-by: -fno-ivopts
//	mended-alone: -fwrapv
//	reduced-command: gcc-12 -O2 -w reduced.c -o reduced && ./reduced
//	reduced-bad: gcc 12.2.0 -O2
//	reduced-good: gcc 12.2.0 -O0 -O1 -Os
//	bucket: gcc/wrong-answer/tree-ivopts/O2
//
// The file known.txt beside the entries lists the buckets that need no
// attention any more; see LoadKnown.
package corpus

// FormatVersion is the version of the file format. It changes when a file of
// the old format would be misread.
const FormatVersion = 1

// An Entry is a reproducer. Texts of the header are single lines without
// space at either end; OneLine makes one of anything. The contents of files
// are empty or end in a newline, and hold no line that looks like a txtar
// marker. Check tells whether all of this holds.
type Entry struct {
	Tool     string // version of the tool that wrote the entry, such as "devel"
	Title    string // what happens, in one line
	Verdict  string // how the compiler failed, such as "wrong" or "ice"
	Message  string // line that tells crashes apart: a signal, an assertion; or empty
	Compiler string // name it was run as, such as "gcc-12"
	Family   string // first word of the version, such as "gcc"
	Version  string // second word of the version, such as "12.2.0"
	Level    string // level it was found at, such as "-O2"
	Flags    []string
	Expected string // right answer, or empty if it does not fit a line
	Got      string // what came instead, or empty if nothing did
	Date     string // day it was found, as 2006-01-02

	Bad     []Bad     // where else it is known to fail
	Witness []Witness // what others said about the same program
	Good    []Bad     // configurations that were asked and are right

	// What triage found out, empty before.
	Culprit         string   // pass to blame, such as "tree-ivopts", or empty if none could be named
	CulpritFunction string   // function that it goes wrong on, or empty
	MendedBy        []string // smallest set of flags found that makes the program right
	MendedAlone     []string // which of -fwrapv and -fno-strict-aliasing do so alone
	ReducedCommand  string   // shell command that shows the failure of Reduced, run among the files
	ReducedBad      []Bad    // configurations that fail on Reduced
	ReducedGood     []Bad    // configurations that are right about it

	Command string // shell command that shows the failure, run among the files
	Bucket  string // FAMILY/VERDICT/CULPRIT/DETAIL of the bug, or empty if not triaged
	Notes   []Note // the keys that start with "x-", in order

	Recipe  map[string][]byte // streams of bytes that the generator was given
	Program string            // the file program.ir, or empty
	Sources map[string]string // C files by name; Main is one of them
	Want    string            // the file want.txt
	Trace   string            // the file trace.txt, or empty

	Reduced        string // the file reduced.c, or empty
	ReducedProgram string // the file reduced.ir, or empty
}

// Untested is the verdict of an entry that is not a finding but a program that
// no compiler has been asked about yet. Its header has no compiler, version,
// level or date.
const Untested = "untested"

// Main is the name of the C file that every entry has.
const Main = "repro.c"

// ReducedMain is the name of the C file of the reduced test. It is no source of
// the program that was found.
const ReducedMain = "reduced.c"

const reducedProgram = "reduced.ir"

// A Bad says at which levels a version of a compiler is known to fail or, in
// Entry.Good and Entry.ReducedGood, to be right.
type Bad struct {
	Family, Version string
	Args            []string // arguments besides the level, such as -m32
	Levels          []string // at least one, each starts with "-O"
}

// A Witness is what a compiler or a sanitizer said about the program.
type Witness struct {
	Who  string // a compiler with its arguments; holds no ": "
	Said string // a verdict
}

// A Note is a line of the header that the package keeps but gives no meaning.
type Note struct {
	Key   string // starts with "x-"
	Value string
}
