// Package language is the table of the languages that cases can be written in: a row for
// each. Everything that a language does not have in its row, such as the drawing of inputs
// and the contents of a reproducer, is the same for all.
//
//	C      reify/emit/c
//	Go     reify/emit/golang
//	Wasm   reify/emit/wasm
//	JVM    reify/emit/jvm
//	LLVM   reify/emit/llvm
package language

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"goreify/compilers"
	"goreify/reify"
	"goreify/reify/answers"
	"goreify/reify/choice"
	"goreify/reify/emit/frame"
	"goreify/reify/ir"
	"goreify/reify/lower"
)

// A Style is the way in which a function is written: a value of the package that writes.
// Its words are those that ParseStyle of its language reads.
type Style = fmt.Stringer

// A Language is a language that cases are written in.
type Language struct {
	Name  compilers.Language
	Short string   // as -lang, kinds of hunts and file names have it
	Under ir.Under // the meaning of its programs where C leaves them undefined
	// Masked are the features, by the names of reify.Features, whose nodes it cannot
	// write: they are never drawn.
	Masked []string
	// Vectors are the bytes of the vectors that it has instructions for: 0 if it has
	// none, AnyVector if it has all.
	Vectors int
	// OddLanes means that lanes of vectors may have any width from 2 to 64 bits.
	OddLanes bool
	// Cells are how many small functions make a batch whose compilation costs as much as
	// its start, CellStyle is how these are written; nil for a style that is drawn.
	Cells     int
	CellStyle Style
	// Prefix begins the names of kinds of hunts; it may be empty.
	Prefix string
	// Usual is the compiler that is asked where none is named.
	Usual string
	// Linked says that a whole program is linked and makes one call, whose answer is the
	// checksum of all. If it is not set, each function of a program is called for itself.
	Linked bool
	// Voucher is the language whose compilers vouch for the answers of programs, too; nil
	// if there is none beside its own.
	Voucher *Language
	// Execute executes the text of a program without a compiler, with the high or the low byte
	// of an integer first, and returns its output, and whether it ends as it should: undefined
	// behaviour after the output is no end. It is not known where the text has what cannot be
	// executed, or takes too long.
	Execute func(text string, big bool) (output string, ends, known bool)
	// Supports returns nil if it can write a function, else an error that names the
	// node and wraps ErrUnsupported of the package that writes.
	Supports func(*ir.Function) error
	// Lacks takes out of functions what Supports and Ready lower before the writer sees it.
	Lacks []lower.Pass
	// DrawStyle draws the way in which a function of a configuration is written.
	DrawStyle func(*choice.Stream, *reify.Config) Style
	// ParseStyle returns the style of some words. The error says which is not known.
	ParseStyle func(words string) (Style, error)
	// Write writes units, at least one, which it supports, and which are Ready.
	Write func([]Unit) Text
	// ready notes at a unit what its calls do, as far as the writer asks for that: nil for closed.
	ready func(*Unit) error
	// Members returns the further files of a reproducer beside a main file, for people,
	// by name. Their names begin with stem. There may be none.
	Members func(stem, source string) map[string]string
	// Binary returns the bytes of a main file that is the hex of them; nil where it is text.
	Binary func(hex []byte) ([]byte, error)
	// Source returns a program, and the name of its file, in the language that this one is
	// usually compiled from: it makes the call of a claim until it is hot, with other inputs
	// between if that is wanted. nil if there is no such language.
	Source func(c *ir.Claim, others bool) (name, text string, err error)
	// Commands are the shell commands that build and run a program, whose main file is
	// the first.
	Commands func([]compilers.File) []string
	// BodyLines returns the number of lines in the bodies of tested functions.
	BodyLines func(source string) int
	// Unchecked says that its programs can do what is undefined without a word of a runtime:
	// sanitizers and valgrind look at them.
	Unchecked bool
	// Others says that programs by other people can be varied and called: see package others.
	Others bool
	Script Script
	// Proved are how many of each thing package prove proves by default, by its words.
	Proved map[string]int
	// Graphs reads back the graphs of what is written of units; nil if there is no reader.
	Graphs func([]Unit) ([]Picture, error)
	// plain are the styles, as words, in which reduced tests are written, the plainest
	// first, for a function that was found in a style; forms takes their place, if set.
	plain func(found string) []string
	forms func(p *ir.Program, styles []string) []Form
	// lacking are the features that its compilers lack, if it is a dialect.
	lacking []string
}

// A Script is what the file repro.sh of a finding has of a language whose compilers all take
// the same flags: shell commands that ask whether a compiler $cc works at all, with a place
// for flags, and an example of another compiler. Without it the name of the tool decides.
type Script struct{ Probe, Other string }

// A Picture is the graph of a function, by block the sorted successors, what was read of
// what was written, and how that is written.
type Picture struct {
	Want, Got [][]int
	How       string
}

// CC reports whether its compilers are called as cc is: flags, files, -o and a name.
func (l *Language) CC() bool { return l.Script.Probe != "" }

func sorted(list []int) []int {
	list = append([]int{}, list...)
	slices.Sort(list)
	return list
}

// A printed is a text that prints the lines of its units in turn, whatever its arguments are.
// No engine names a function.
type printed struct {
	main    string // its file
	content []byte
	lines   []string // of each unit
}

func (t printed) Files() []compilers.File {
	return []compilers.File{{Name: t.main, Content: t.content}}
}
func (t printed) Want() []byte        { return []byte(strings.Join(t.lines, "")) }
func (t printed) Select(int) []string { return nil }
func (t printed) Guilty(o compilers.Outcome) []int {
	return Accused(o, func(string) int { return -1 }, t.lines)
}

// AnyVector stands for vectors of all sizes.
const AnyVector = -1

// HasVector reports whether the language has instructions for vectors of a type.
func (l *Language) HasVector(t ir.Vector) bool {
	return l.Vectors == AnyVector || t.Lanes*t.Elem.Bits == 8*l.Vectors
}

// WideLanes reports whether the language has vectors of integers of 128 bits.
func (l *Language) WideLanes() bool { return l.Wide() && l.Vectors == AnyVector }

// Wide reports whether the language has integers of more than 64 bits.
func (l *Language) Wide() bool { return !slices.Contains(l.Masked, "int128") }

// A Unit is a function with claims about it, and how it is written.
type Unit = frame.Unit[Style]

// A Form is a form of text in which a reduced test is written: the test checks itself,
// and makes the calls of a program's cases.
type Form struct {
	Name string
	// Write returns the text, and exactly what it prints if the answer is right.
	Write  func(p *ir.Program) (source, want string)
	Aborts bool // a wrong answer ends the test by abort, and it prints nothing
	// Printed, if not nil, is the form that prints the answer, or more of it than this, and is else the same.
	Printed *Form
}

// A Text is a program of some units that checks itself.
type Text interface {
	Files() []compilers.File // the main one first
	Want() []byte            // its output if all answers are right
	// Guilty returns the indices of the units that an outcome accuses, or nil if none
	// can be told from the others.
	Guilty(compilers.Outcome) []int
	// Select returns the arguments that have the program run a unit alone, or nil.
	Select(unit int) []string
}

var languages = []*Language{C, Go, Wasm, JVM, LLVM}

// All returns the languages.
func All() []*Language { return slices.Clone(languages) }

// Usual returns the language where none is named: the first.
func Usual() *Language { return languages[0] }

// Find returns the language of a name, or nil if it is not in the table. Without a name it is
// the usual one.
func Find(name compilers.Language) *Language {
	for _, l := range languages {
		if l.Name == cmp.Or(name, Usual().Name) {
			return l
		}
	}
	return nil
}

// Named returns the language that a short name stands for. The error lists the names.
func Named(short string) (*Language, error) {
	for _, l := range languages {
		if l.Short == short {
			return l, nil
		}
	}
	return nil, fmt.Errorf("unknown language %q: want one of %v", short, Shorts())
}

// Shorts returns the short names.
func Shorts() (names []string) {
	for _, l := range languages {
		names = append(names, l.Short)
	}
	return names
}

// caller is a function that calls another one.
var caller = ir.MustParse(`
func @g(%a i32) i32 {
  entry:
    return %a
}
func @f(%a i32) i32 {
  entry:
    return @g(%a)
}
`).Funcs[1]

// Calls reports whether it can write functions that call others.
func (l *Language) Calls() bool { return l.Supports(caller) == nil }

// Without returns a configuration without the features that it cannot write.
func (l *Language) Without(c reify.Config) (reify.Config, error) {
	if l.Masked == nil {
		return c, nil
	}
	return c.With("-" + strings.Join(l.Masked, ",-"))
}

// unitsOf returns units whose styles are of the type that their writer has.
func unitsOf[S Style](list []Unit) (units []frame.Unit[S]) {
	for _, u := range list {
		of := frame.Unit[S]{Claim: u.Claim, More: u.More, Style: u.Style.(S), Held: u.Held}
		for f, style := range u.Called {
			if of.Called == nil {
				of.Called = map[*ir.Function]S{}
			}
			of.Called[f] = style.(S)
		}
		units = append(units, of)
	}
	return units
}

// style returns how styles of a type are drawn, and read.
func style[S Style](draw func(*choice.Stream) S, parse func(string) (S, error)) (func(*choice.Stream, *reify.Config) Style, func(string) (Style, error)) {
	return func(s *choice.Stream, _ *reify.Config) Style { return draw(s) }, func(words string) (Style, error) { return parse(words) }
}

// Forms returns the forms in which reduced tests of a program are written whose functions
// were found in the given styles: the plainest first, and that in which it was found last.
// There is none for a program that the language does not support. The error says which
// word of a style is not known.
func (l *Language) Forms(p *ir.Program, styles []string) (list []Form, err error) {
	if l.forms != nil {
		return l.forms(p, styles), nil
	}
	for _, words := range styles {
		if _, err := l.ParseStyle(words); err != nil {
			return nil, err
		}
	}
	for _, f := range p.Funcs {
		if l.Supports(f) != nil {
			return nil, nil
		}
	}
	for _, words := range l.plain(append(styles, "")[0]) {
		style := l.must(words)
		list = append(list, Form{Name: "in " + l.Name + ", " + words, Write: func(p *ir.Program) (string, string) {
			called := map[*ir.Function]Style{}
			for _, f := range p.Funcs {
				called[f] = style
			}
			return l.one(p.Claims[0], style, called)
		}})
	}
	if len(p.Funcs) > 1 && len(styles) == len(p.Funcs) {
		list = append(list, l.asFound(p, styles))
	}
	return list, nil
}

// must returns the style of words that were drawn here, or have been checked.
func (l *Language) must(words string) Style {
	style, err := l.ParseStyle(words)
	if err != nil {
		panic("language: a style of our own: " + err.Error())
	}
	return style
}

// one returns the text of one claim, and what it prints if the answer is right.
func (l *Language) one(c *ir.Claim, style Style, called map[*ir.Function]Style) (source, want string) {
	again := *c
	again.End = nil // the function may be another one than it was
	text := l.Write(l.Ready([]Unit{{Claim: &again, Style: style, Called: called}}))
	return string(text.Files()[0].Content), string(text.Want())
}

// asFound returns the form in which a whole program was written: each function in its own
// style, or in that of the first if its name is new.
func (l *Language) asFound(p *ir.Program, styles []string) Form {
	named := map[string]Style{}
	for i, f := range p.Funcs {
		named[f.Name] = l.must(styles[i])
	}
	first := named[p.Funcs[0].Name]
	return Form{Name: "as found: a whole program", Write: func(p *ir.Program) (string, string) {
		of := map[*ir.Function]Style{}
		for _, f := range p.Funcs {
			of[f] = cmp.Or(named[f.Name], first)
		}
		k := p.Claims[0]
		return l.one(k, of[k.Func], of)
	}}
}

// Accused returns the units whose functions a compiler named as it gave up, or whose
// lines are wrong in an output that has all of them. named returns the unit of a
// function, or -1; wanted are the lines that each unit has to print.
func Accused(o compilers.Outcome, named func(function string) int, wanted []string) []int {
	var list []int
	for _, name := range o.Named {
		if i := named(name); i >= 0 && !slices.Contains(list, i) {
			list = append(list, i)
		}
	}
	if o.Verdict != compilers.WrongAnswer {
		return list
	}
	if units, complete := answers.Wrong(wanted, o.Stdout); complete {
		return units
	}
	return nil
}
