// Package export writes a reproducer as a test of its compiler's own suite, which whoever mends
// the bug may add there as it is.
//
//	f := export.Find("torture")
//	files, err := f.Write(ctx, export.Test{Entry: e, Name: "reify-277b402f"})
//	// gcc.dg/torture/reify-277b402f.c, with dg-do, dg-options and dg-require
//
//	torture    torture.go  GCC, DejaGnu: gcc/testsuite/gcc.dg/torture
//	lit        lit.go      LLVM, lit and FileCheck: llvm/test
//	fixedbugs  golang.go   Go, cmd/internal/testdir: test/fixedbugs
//	jtreg      jtreg.go    OpenJDK, jtreg: test/hotspot/jtreg/compiler
//	wast       wast.go     WebAssembly, the engines' readers of spec tests
//
// harness_test.go runs them by these harnesses: a test fails with the compiler that has the bug,
// and passes with one that has it not.
package export

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"goreify/compilers"
	"goreify/compilers/native"
	"goreify/corpus"
)

// A Form is a kind of test.
type Form struct {
	Name     string   // as the flag -as has it
	Families []string // whose suite has such tests
	Place    string   // of the files in the compiler's repository
	Run      string   // the command that runs it there; %s is the name of its first file, without extension
	IR       bool     // of which Test.IR must be set
	// obeys is what the harness obeys wherever it stands, so that no program may hold it.
	obeys *regexp.Regexp
	write func(context.Context, Test) ([]corpus.File, error)
}

// Forms are all forms.
var Forms = []Form{
	{Name: "torture", Families: []string{"gcc"}, Place: "gcc/testsuite/gcc.dg/torture",
		Run: "make check-gcc RUNTESTFLAGS=dg-torture.exp=%s.c", obeys: regexp.MustCompile(`\{\s*dg-`), write: torture},
	{Name: "lit", Families: []string{"clang"}, Place: "llvm/test",
		Run: "llvm-lit %s.ll", IR: true, write: lit},
	{Name: "fixedbugs", Families: []string{"gc", "gccgo"}, Place: "test/fixedbugs",
		Run: "go test cmd/internal/testdir -run=Test/fixedbugs/%s.go", write: fixedbugs},
	{Name: "jtreg", Families: []string{"hotspot", "zero"}, Place: "test/hotspot/jtreg/compiler/c2",
		Run: "jtreg %s.java", obeys: regexp.MustCompile(`@test\b`), write: jtreg},
	{Name: "wast", Families: []string{"v8", "jsc", "wazero", "cranelift", "binaryen", "wabt"}, Place: "test",
		Run: "wast2json %s.wast && spectest-interp %[1]s.json", write: wast},
}

// Find returns the form of a name, nil if there is none.
func Find(name string) *Form {
	for i, f := range Forms {
		if f.Name == name {
			return &Forms[i]
		}
	}
	return nil
}

// A Test is what a form is filled in with.
type Test struct {
	*corpus.Entry
	Name string // of the test, a word
	// IR compiles C to LLVM IR, after all passes or before any, with some flags.
	IR func(ctx context.Context, source string, mode compilers.Mode, flags []string, optimised bool) (string, error)
}

// ErrNotForThis says that a reproducer cannot be written in a form. It comes wrapped.
var ErrNotForThis = errors.New("it is not for this reproducer")

// Write returns the files of a test.
func (f *Form) Write(ctx context.Context, t Test) ([]corpus.File, error) {
	if !slices.Contains(f.Families, native.Project(t.Family)) {
		return nil, fmt.Errorf("%s is of the suite of %s, the failure of %s: %w", f.Name, strings.Join(f.Families, ", "), t.Family, ErrNotForThis)
	}
	if f.obeys != nil {
		for _, text := range []string{t.Reduced, t.Sources[t.Main], t.Members[sourceFile]} {
			if word := f.obeys.FindString(text); word != "" {
				return nil, fmt.Errorf("the program says %q, which its harness would obey: %w", word, ErrNotForThis)
			}
		}
	}
	return f.write(ctx, t)
}

// NameOf returns the name of the test of a reproducer in a file: "reify" and the digest that ends it.
func NameOf(path string) string {
	stem := strings.TrimSuffix(filepath.Base(path), corpus.Ext)
	return "reify_" + noLetter.ReplaceAllString(stem[strings.LastIndexByte(stem, '-')+1:], "")
}

// noLetter is what names of files and classes do without.
var noLetter = regexp.MustCompile(`[^A-Za-z0-9]`)

// source returns the test: the reduced one, or the program as it was found if that is one file.
func (t Test) source() (string, error) {
	if t.Reduced != "" {
		return t.Reduced, nil
	}
	if len(t.Sources) > 1 {
		return "", fmt.Errorf("the program is %d files, and not reduced: %w", len(t.Sources), ErrNotForThis)
	}
	return t.Sources[t.Main], nil
}

// want returns the output of the test if the compiler is right, or nothing if it prints none.
func (t Test) want() string {
	if t.Reduced == "" {
		return t.Want
	}
	if text := t.Members[corpus.ReducedWantFile]; text != "" {
		return text
	}
	if line := t.Note(corpus.NoteReducedWant); line != "" {
		return line + "\n"
	}
	return ""
}

// compiles tells whether the compiler itself goes wrong, so that the program need not run.
func (t Test) compiles() bool {
	return slices.Contains([]string{compilers.InternalError.String(), compilers.SlowCompile.String(), compilers.Rejected.String()}, t.Verdict)
}

// unsafe are characters that could end a comment, or mean something in a directive.
var unsafe = regexp.MustCompile(`[^\w .,()-]+`)

// origin is the comment that says where the test is from.
func (t Test) origin() string {
	text := "Made and reduced by a fuzzer"
	if t.Culprit != "" {
		text += ", which blames " + unsafe.ReplaceAllString(t.Culprit, " ")
	}
	return text + "."
}

// one returns a test of one file.
func one(name, content string) []corpus.File {
	return []corpus.File{{Name: name, Content: []byte(content)}}
}
