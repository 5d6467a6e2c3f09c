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
//	reduced.ll   the smallest test in LLVM IR that shows it, if the compiler is clang
//	other names  whatever a source of programs stores for itself
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
// their bugs; see LoadKnown.
package corpus

import "path/filepath"

// FormatVersion is the version of the file format that is written. It changes
// when a file of the old format would be misread.
const FormatVersion = 2

// An Entry is a reproducer. Texts of the header are single lines without space at
// either end; OneLine makes one of any text. The contents of files are empty or end in
// a newline, and hold no line that looks like a txtar marker. Check tells whether all
// of this holds.
type Entry struct {
	Tool     string   // version of the tool that wrote the entry, such as "devel"
	Title    string   // the failure in one line
	Verdict  string   // how the compiler failed, such as "wrong-answer" or "internal-error"; or Untested
	Message  string   // line that tells crashes apart: a signal, an assertion; or empty
	Language string   // of the sources, a word such as "C"
	Source   string   // name of the source that the program comes from, a word such as "function"; or empty
	Trust    string   // Proved, Recorded, Agreed; or empty if the answer is not vouched for
	Main     string   // name of the main file, such as "repro.c"
	Weight   int      // number of functions, which limits grow with; 0 is written and read back as 1
	Compiler string   // name it was run as, such as "gcc-12"
	Family   string   // first word of the version, such as "gcc"
	Version  string   // the other words of the version, such as "12.2.0"; none begins with a dash
	Triple   string   // processor and system that the compiler writes code for, or empty
	Mode     string   // mode it was found in, a word such as "-O2" or "@c2"
	Flags    []string // arguments besides the mode
	Expected string   // right answer, or empty if it does not fit a line
	Got      string   // the actual answer, or empty if there was none
	Date     string   // day it was found, as 2006-01-02

	Bad     []Configuration // where else it is known to fail
	Witness []Witness       // answers of other configurations about the same program
	Good    []Configuration // configurations that were asked and are right

	// Results of triage, empty before.
	Culprit         string          // pass to blame, such as "tree-ivopts", or empty if none could be named
	CulpritFunction string          // function that the pass miscompiles, or empty
	MendedBy        []string        // smallest set of flags found that makes the program right
	MendedAlone     []string        // flags, such as -fwrapv, each of which does so alone
	ReducedCommand  string          // shell command that shows the failure of Reduced, run among the files
	ReducedBad      []Configuration // configurations that fail on Reduced
	ReducedGood     []Configuration // configurations that are right about it
	LLVMRun         string          // shell command that shows the failure of the member LLVMFile, or empty
	LLVMTargets     string          // which other targets are wrong about that, and which are right

	Command string // shell command that shows the failure, run among the files
	Bucket  string // FAMILY/VERDICT/CULPRIT/DETAIL of the bug, or empty if not triaged
	Notes   []Note // the keys that start with "x-", in order

	Recipe  map[string][]byte // streams of bytes that the generator was given
	Program string            // the file program.ir, or empty
	Sources map[string]string // files by name that have the extension of Main, which is one of them
	Want    string            // the file want.txt
	Trace   string            // the file trace.txt, or empty

	Reduced        string // the file ReducedMain, or empty
	ReducedProgram string // the file reduced.ir, or empty

	Members map[string]string // all other files by name, which the package gives no meaning
}

// MaxWeight bounds Entry.Weight: limits that grow with it must stay limits.
const MaxWeight = 100_000

// Values of Entry.Source for programs that the reducer can take apart.
const (
	FunctionSource = "function" // a batch of functions
	ProgramSource  = "program"  // a whole program
	TextSource     = "text"     // C that others wrote, or a variant of it
)

// Names of the Members that an entry of TextSource has.
const (
	SeedFile  = "seed.txt"  // the program that the found one is a variant of
	EditsFile = "edits.txt" // its edits; package csource reads them
	LeftFile  = "left.txt"  // the edits that matter, as triage found, in the same form
	// ReducedWantFile is the output of the reduced test if the compiler is right.
	ReducedWantFile = "reduced-want.txt"
)

// LLVMFile is the name of the member that is the smallest test in LLVM IR.
const LLVMFile = "reduced.ll"

// Untested is the verdict of an entry that is not a finding but a program that
// no compiler has been asked about yet. Its header has no compiler, version,
// mode or date.
const Untested = "untested"

// Values of Entry.Trust.
const (
	Proved   = "proved"   // an interpreter executed the program: a failure is the compiler's fault
	Recorded = "recorded" // reference runs under sanitizers gave the answer
	Agreed   = "agreed"   // the answer is that of its seed
)

// WantFile is the name of the file that holds Entry.Want.
const WantFile = "want.txt"

// MainC is the usual name of the main file of a C program.
const MainC = "repro.c"

// ReducedMain returns the name of the reduced test: "reduced" with the extension of
// Main. The reduced test is not a source of the program that was found.
func (e *Entry) ReducedMain() string { return "reduced" + filepath.Ext(e.Main) }

// A File is a file that a compiler is given.
type File struct {
	Name    string
	Content []byte
}

// Files returns the sources in the order in which compilers are given them: Main
// first, then by name.
func (e *Entry) Files() []File {
	var files []File
	for _, name := range e.sourceNames() {
		files = append(files, File{name, []byte(e.Sources[name])})
	}
	return files
}

// A Witness is the answer of a compiler or a sanitizer about the program.
type Witness struct {
	Who  string // a compiler with its arguments; holds no ": "
	Said string // a verdict
}
