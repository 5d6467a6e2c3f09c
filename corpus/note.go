package corpus

import (
	"slices"
	"strings"
)

// A Note is a line of the header that the package keeps. Its value has a meaning for
// its writers and readers only, except for NoteFormerHome, NoteIncomplete,
// NoteReducedClean and, in format 1, NoteFunctions.
type Note struct {
	Key   string // starts with "x-"
	Value string // a line of the header, see Entry
}

// Keys of the notes that more than one package knows.
const (
	NoteVersions      = "x-versions"       // the answer of each installed version of the compiler about the reduced test
	NoteStyle         = "x-style"          // style of a function; one note for each function, in the order of the program
	NoteConfig        = "x-config"         // settings that a function was generated with, one note for each function, for people
	NoteCell          = "x-cell"           // name of a cell of the matrix
	NoteSeed          = "x-seed"           // original of a variant: the name of a function of its batch, or that of a reproducer or a text; one note for each variant
	NoteMutations     = "x-mutations"      // the edits of a variant in order, PASS@BLOCK each, with spaces; one note for each variant
	NoteEdits         = "x-edits"          // how often each pass changed the text of a seed: "guard 2, prune 13"
	NoteEditsLeft     = "x-edits-left"     // the same of the edits that triage could not undo
	NoteOrigin        = "x-origin"         // origin and licence of a function of others: "zlib 1.2.12 inftrees.c inflate_table, Zlib"; one note for each in the reduced test, or else in the program
	NoteNeeds         = "x-needs"          // traits of the targets that may be asked: see compilers.Needs
	NoteFunctions     = "x-functions"      // number of functions of a whole program; its presence marks one
	NoteCalls         = "x-calls"          // number of calls that a whole program makes when it runs
	NoteFirstWrong    = "x-first-wrong"    // name of the function that gives the first wrong answer
	NoteLinked        = "x-linked"         // why linking matters: the program fails only if linked without the compiler's driver
	NoteIncomplete    = "x-incomplete"     // why Bad may lack modes of the versions that it names
	NoteReducedClean  = "x-reduced-clean"  // checkers that find nothing undefined in the reduced test: see Clean
	NoteReducedWant   = "x-reduced-want"   // what the reduced test prints if the answer is right
	NoteReducedGot    = "x-reduced-got"    // what it printed where the answer was wrong
	NoteUntriaged     = "x-untriaged"      // why triage did not come to its end, and must begin anew
	NoteNoLLVM        = "x-llvm-none"      // why there is no test in LLVM IR
	NoteSeen          = "x-culprit-seen"   // how the culprit was seen to go wrong in the compiler's own representation: SeenOverflow or SeenWrong
	NoteRule          = "x-culprit-rule"   // rule of the culprit that goes wrong, in the compiler's own words
	NoteUncovered     = "x-uncovered-by"   // pass that only shows what goes wrong in the culprit
	NoteCode          = "x-wrong-code"     // instructions that wrong code has and right code has not, if code generation is to blame
	NoteMends         = "x-right-with"     // what else makes it right, of what tells the parts of code generation apart
	NoteSame          = "x-same-as"        // names of findings in other buckets that may be the same bug, with commas
	NoteMendedBy      = "x-mended-by"      // flags that make the program right, with commas; written by hand before MendedAlone existed
	NoteFormerHome    = "x-former-home"    // compiler of the entry before another one adopted it: see FormerHomes
	NoteHuntBatch     = "x-hunt-batch"     // decimal number of the batch of a hunt
	NoteHuntMix       = "x-hunt-mix"       // kind of the batch, such as "focused"
	NoteHuntFunctions = "x-hunt-functions" // names of the functions or of the program in the batch, with spaces
	NoteHuntKey       = "x-hunt-key"       // operations and types of a cell of a matrix, which one bug is taken to be of
	NoteHuntFlags     = "x-hunt-flags"     // flags that the failure needed where the hunt met it
)

// Values of NoteSeen.
const (
	SeenOverflow = "overflow" // after the pass a signed integer overflows, and only then
	SeenWrong    = "wrong"    // after the pass the answer is wrong, and only then
)

// A Said is the versions of a compiler that give one verdict about the reduced test, in its
// mode.
type Said struct {
	Verdict  string
	Versions []string // ascending
}

// SetVersions notes what versions of the compiler say of the reduced test.
func (e *Entry) SetVersions(list []Said) {
	var texts []string
	for _, s := range list {
		texts = append(texts, s.Verdict+": "+strings.Join(s.Versions, " "))
	}
	e.SetNote(NoteVersions, strings.Join(texts, "; "))
}

// Versions returns what SetVersions has noted. Further words of a version begin with a letter:
// "1.22.0 ppc64".
func (e *Entry) Versions() (list []Said) {
	for _, text := range strings.Split(e.Note(NoteVersions), "; ") {
		verdict, versions, ok := strings.Cut(text, ": ")
		if !ok {
			continue
		}
		s := Said{Verdict: verdict}
		for _, word := range strings.Fields(versions) {
			if last := len(s.Versions) - 1; last >= 0 && (word[0] < '0' || word[0] > '9') {
				s.Versions[last] += " " + word
			} else {
				s.Versions = append(s.Versions, word)
			}
		}
		list = append(list, s)
	}
	return list
}

// Note returns the first value of a key, or "" if the key has none.
func (e *Entry) Note(key string) string {
	for _, n := range e.Notes {
		if n.Key == key {
			return n.Value
		}
	}
	return ""
}

// AllNotes returns all values of a key in order.
func (e *Entry) AllNotes(key string) []string {
	var values []string
	for _, n := range e.Notes {
		if n.Key == key {
			values = append(values, n.Value)
		}
	}
	return values
}

// SetNote replaces all notes of a key by one, which comes last; an empty value
// only removes them. Copies of the entry keep their notes.
func (e *Entry) SetNote(key, value string) {
	e.Notes = slices.DeleteFunc(slices.Clone(e.Notes), func(n Note) bool { return n.Key == key })
	if value != "" {
		e.Notes = append(e.Notes, Note{Key: key, Value: value})
	}
}

const cleanSeparator = "; "

// Clean returns the checkers that looked for undefined behaviour in the reduced test
// and found none: sanitizers and valgrind, with their arguments.
func (e *Entry) Clean() []string {
	who := e.Note(NoteReducedClean)
	if who == "" {
		return nil
	}
	return strings.Split(who, cleanSeparator)
}

// SetClean stores the list that Clean returns, cut as OneLine does. An empty list
// removes it.
func (e *Entry) SetClean(who []string) {
	e.SetNote(NoteReducedClean, OneLine(strings.Join(who, cleanSeparator)))
}
