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
	LLVMRun         string          // shell command that shows the failure of the member of LLVMFile, or empty
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
	// ReducedAssemblyFile is the code that the compiler makes of the function of the reduced test.
	ReducedAssemblyFile = "reduced.s"
	// CompilerFile is what the compiler said of itself when triage asked it.
	CompilerFile = "compiler.txt"
)

// LLVMFile is the name of the member that is the smallest test in LLVM IR. Members of
// programs in LLVM IR have other names than their sources.
func (e *Entry) LLVMFile() string {
	if filepath.Ext(e.Main) == ".ll" {
		return "smallest.llvm"
	}
	return "reduced.ll"
}

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
