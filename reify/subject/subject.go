// Package subject defines the programs that compilers are asked about: a text in some
// language, its right answer, and how far that answer can be trusted. Sources make
// subjects, and the oracle asks targets about them; neither knows the other.
//
//	Subject    one program: a function's test, a whole program, a variant
//	Group      several in one artefact, which cost less to compile together
//	Translated a subject that can be written in other languages
//	Clued      a subject that can be asked in other ways, too, once it has failed
//	Celled     a group whose members are cells of a matrix
//	Artefact   the files that a target gets, and what they must print
//	Trust      who vouches for the answer
package subject

import (
	"fmt"
	"slices"
	"strings"

	"goreify/compilers"
	"goreify/corpus"
)

// Trust is how far the answer of a subject can be trusted.
type Trust int

// The degrees of trust. Only a proved subject that targets contradict is our own
// bug; see package oracle.
const (
	Proved   Trust = iota // the interpreter ran it: a failure is the target's fault
	Recorded              // reference runs under sanitizers gave the answer
	Agreed                // the answer is that of its seed
)

var trustNames = [...]string{corpus.Proved, corpus.Recorded, corpus.Agreed}

// String returns the word that reproducers hold, for example "proved".
func (t Trust) String() string {
	if t < 0 || int(t) >= len(trustNames) {
		return fmt.Sprintf("Trust(%d)", int(t))
	}
	return trustNames[t]
}

// An Artefact is a program for a target to build and run.
type Artefact struct {
	Language compilers.Language
	Files    []compilers.File // the main one first
	Want     []byte           // the output of a right program
	Needs    compilers.Needs  // only these targets are asked; nil for all
	// Reference is the seed of a variant, whose output must be equal, or nil. If Want
	// is empty then, the answer is still to be found out.
	Reference *Artefact
}

// Suits tells whether a target of some traits can be asked about the artefact: it has what
// the artefact needs, and all features of C that are in the text.
func (a Artefact) Suits(t compilers.Traits) bool {
	needs := a.Needs
	if len(t.Lacks) > 0 {
		needs = needs.And(compilers.NeedsOf(a.Files))
		if a.Reference != nil {
			needs = needs.And(compilers.NeedsOf(a.Reference.Files))
		}
	}
	return t.Meet(needs)
}

// Job returns the job of a target that is asked about the artefact in a mode.
func (a Artefact) Job(mode compilers.Mode) compilers.Job {
	return compilers.Job{Files: a.Files, Want: a.Want, Mode: mode}
}

// A Subject is a program with an answer. Its methods return the same each time,
// and may be called concurrently.
type Subject interface {
	// Name is unique in its group. It is a word; that of a group is the words of its
	// members with spaces between.
	Name() string
	Artefact() Artefact
	Trust() Trust
	// Weight is how many functions are compiled, from 1. Limits grow with it.
	Weight() int
	// Entry returns a reproducer without answers of targets. Title, verdict and command
	// are the caller's to fill in.
	Entry() (*corpus.Entry, error)
}

// A Group is several subjects in one artefact.
type Group interface {
	Subject
	// Members returns the subjects, at least one, each in an artefact of its own.
	Members() []Subject
	// Only returns a subject of the members with the given indices, which is a
	// Group if they are several.
	Only(members ...int) (Subject, error)
	// Guilty returns the indices of the members that an outcome accuses: those whose
	// answers are wrong in an output that has all of them, or whose functions a
	// compiler named when it gave up. It returns nil if no member can be told from the
	// others.
	Guilty(compilers.Outcome) []int
}

// A Selective group runs one of its members if its program gets arguments.
type Selective interface {
	Group
	// Select returns the arguments that have the program run a member alone. The
	// member's own artefact has the output.
	Select(member int) []string
}

// A Clued subject has other ways to be asked about, which tell more of a failure.
type Clued interface {
	Subject
	Clues() []Clue
}

// A Clue is another way to ask about a subject that has failed.
type Clue struct {
	Artefact Artefact
	// Witness describes in some words how the artefact differs, if the outcome is to be
	// listed among the witnesses; else it is empty.
	Witness string
	// Note returns the conclusion from the outcome, or false. It may be nil.
	Note func(compilers.Outcome) (corpus.Note, bool)
}

// A Celled group has members that are cells of a matrix, of which one bug may break
// hundreds.
type Celled interface {
	Group
	Cell(member int) Cell
}

// A Cell is a member's place in a matrix.
type Cell struct {
	Name string // makes the cell, in whatever group
	// Key is what cells have in common that one bug breaks: its steps, with + between
	// them. A cell is broken, too, if steps of it that follow each other are.
	Key string
}

// Within tells whether the steps of a key are among those of another, one after the
// other.
func (c Cell) Within(key string) bool {
	return c.Key != "" && strings.Contains("+"+key+"+", "+"+c.Key+"+")
}

// A Translated subject exists in other languages: as programs of the same functions,
// with the same answers as far as these languages have them.
type Translated interface {
	Subject
	Translations() []Artefact
}

// An Executed subject is a program whose text can be executed without a compiler, with the
// high or the low byte of an integer first: right if it gives its answers. It is not known
// where the text has what cannot be executed.
type Executed interface {
	Subject
	Execute(big bool) (right, known bool)
}

// AddMember returns a list of members with one more, if it is not there.
func AddMember(list []int, member int) []int {
	if slices.Contains(list, member) {
		return list
	}
	return append(list, member)
}

// Sources returns files as reproducers keep them.
func Sources(files []compilers.File) map[string]string {
	sources := map[string]string{}
	for _, f := range files {
		sources[f.Name] = string(f.Content)
	}
	return sources
}
