// Package language is the table of the languages that cases can be written in beside C:
// a line for each. Everything that a language does not have in its line, such as the
// drawing of inputs and the contents of a reproducer, is the same for all.
//
//	Go     reify/emit/golang
//	Wasm   reify/emit/wasm
//	JVM    reify/emit/jvm
package language

import (
	"fmt"
	"slices"

	"goreify/answers"
	"goreify/compilers"
	"goreify/reify/choice"
	"goreify/reify/emit/frame"
	"goreify/reify/emit/golang"
	"goreify/reify/emit/jvm"
	"goreify/reify/emit/wasm"
	"goreify/reify/interp"
	"goreify/reify/ir"
)

// A Language is a language that cases are written in.
type Language struct {
	Name  compilers.Language
	Short string   // as -lang, kinds of hunts and file names have it
	Under ir.Under // the meaning of its programs where C leaves them undefined
	// Masked are the features, by the names of reify.Features, whose nodes it cannot
	// write: they are never drawn.
	Masked  []string
	Vectors int // bytes of the vectors that it has instructions for; 0 if it has none
	// Supports returns nil if it can write a function, else an error that names the
	// node and wraps ErrUnsupported of the package that writes.
	Supports func(*ir.Function) error
	// DrawStyle draws the way in which a function is written, as words.
	DrawStyle func(*choice.Stream) string
	// CheckStyle says which word of a style is not known.
	CheckStyle func(style string) error
	// Write writes units, at least one, which it supports.
	Write func([]Unit) Text
	// Members returns the further files of a reproducer beside a main file, for people,
	// by name. Their names begin with stem. It is nil if there are none.
	Members func(stem, source string) map[string]string
	// Commands are the shell commands that build and run a main file.
	Commands func(file string) []string
	// BodyLines returns the number of lines in the bodies of tested functions.
	BodyLines func(source string) int
	// Forms are the styles in which reduced tests are written, the plainest first, for a
	// function that was found in a style.
	Forms func(style string) []string
}

// A Unit is a function with claims about it, in a style that is words.
type Unit = frame.Unit[string]

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

// unitsOf returns units whose styles are values, as parse reads them, and whose claims say
// what is left of their calls. It panics if a style is malformed or a claim is wrong: all
// of them were made here, or have been checked.
func unitsOf[S any](list []Unit, parse func(string) (S, error)) (units []frame.Unit[S]) {
	must := func(err error) {
		if err != nil {
			panic("language: a unit of our own: " + err.Error())
		}
	}
	for _, u := range list {
		must(interp.Close(u.Claims()...))
		parsed, err := frame.Parsed(u, parse)
		must(err)
		units = append(units, parsed)
	}
	return units
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

var languages = []*Language{
	{
		Name:     compilers.Go,
		Short:    "go",
		Under:    interp.Go,
		Masked:   golang.Masked,
		Supports: golang.Supports,
		DrawStyle: func(s *choice.Stream) string {
			return golang.DrawStyle(s).String()
		},
		CheckStyle: func(style string) error {
			_, err := golang.ParseStyle(style)
			return err
		},
		Write:     writeGo,
		Commands:  func(file string) []string { return []string{"go build -o repro " + file, "./repro"} },
		BodyLines: golang.BodyLines,
		Forms:     golang.Forms,
	},
	{
		Name:     compilers.Wasm,
		Short:    "wasm",
		Under:    interp.Wasm,
		Masked:   wasm.Masked,
		Vectors:  16,
		Supports: wasm.Supports,
		DrawStyle: func(s *choice.Stream) string {
			return wasm.DrawStyle(s).String()
		},
		CheckStyle: func(style string) error {
			_, err := wasm.ParseStyle(style)
			return err
		},
		Write:     writeWasm,
		Members:   wasmMembers,
		Commands:  func(file string) []string { return []string{"node --no-liftoff repro.mjs " + file} },
		BodyLines: wasmLines,
		Forms:     wasm.Forms,
	},
	{
		Name:     compilers.JVM,
		Short:    "jvm",
		Under:    interp.JVM,
		Masked:   jvm.Masked,
		Supports: jvm.Supports,
		DrawStyle: func(s *choice.Stream) string {
			return jvm.DrawStyle(s).String()
		},
		CheckStyle: func(style string) error {
			_, err := jvm.ParseStyle(style)
			return err
		},
		Write:     writeClass,
		Members:   classMembers,
		Commands:  func(file string) []string { return []string{"java Repro.java " + file} },
		BodyLines: classLines,
		Forms:     jvm.Forms,
	},
}

// All returns the languages.
func All() []*Language { return slices.Clone(languages) }

// Find returns the language of a name, or nil if it is not in the table, as C is not.
func Find(name compilers.Language) *Language {
	for _, l := range languages {
		if l.Name == name {
			return l
		}
	}
	return nil
}

// Named returns the language that a short name stands for: nil for "c". The error lists
// the names of the languages.
func Named(short string) (*Language, error) {
	if short == "c" {
		return nil, nil
	}
	names := []string{"c"}
	for _, l := range languages {
		if l.Short == short {
			return l, nil
		}
		names = append(names, l.Short)
	}
	return nil, fmt.Errorf("unknown language %q: want one of %v", short, names)
}

// A goText is a file of Go.
type goText struct {
	units []golang.Unit
	text  string
}

func writeGo(list []Unit) Text {
	t := goText{units: unitsOf(list, golang.ParseStyle)}
	t.text = golang.Emit(t.units)
	return t
}

func (t goText) Files() []compilers.File {
	return []compilers.File{{Name: compilers.MainGo, Content: []byte(t.text)}}
}

func (t goText) Want() []byte { return []byte(golang.Want(t.units)) }

func (t goText) Guilty(o compilers.Outcome) []int {
	named := func(name string) int { return golang.UnitOf(t.units, name) }
	return Accused(o, named, golang.Answers(t.units))
}

func (t goText) Select(unit int) []string { return golang.Alone(unit) }

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
