package corpus

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"golang.org/x/tools/txtar"
)

// Format returns the canonical text of e in the format FormatVersion: the keys and
// the files in a fixed order. Parse reads it back if e passes Check.
func (e *Entry) Format() []byte {
	var head bytes.Buffer
	for _, f := range header {
		for _, v := range f.values(e) {
			fmt.Fprintf(&head, "%s: %s\n", f.key, v)
		}
	}
	for _, n := range e.Notes {
		fmt.Fprintf(&head, "%s: %s\n", n.Key, n.Value)
	}
	return txtar.Format(&txtar.Archive{Comment: head.Bytes(), Files: e.members()})
}

// members returns the files of the archive in canonical order.
func (e *Entry) members() []txtar.File {
	var files []txtar.File
	add := func(name, data string) {
		files = append(files, txtar.File{Name: name, Data: []byte(data)})
	}
	if len(e.Recipe) > 0 {
		add("recipe", e.recipeText())
	}
	if e.Program != "" {
		add("program.ir", e.Program)
	}
	for _, name := range e.sourceNames() {
		add(name, e.Sources[name])
	}
	add(WantFile, e.Want)
	if e.Trace != "" {
		add("trace.txt", e.Trace)
	}
	if e.Reduced != "" {
		add(e.ReducedMain(), e.Reduced)
	}
	if e.ReducedProgram != "" {
		add("reduced.ir", e.ReducedProgram)
	}
	for _, name := range slices.Sorted(maps.Keys(e.Members)) {
		add(name, e.Members[name])
	}
	return files
}

func (e *Entry) recipeText() string {
	var b strings.Builder
	for _, name := range slices.Sorted(maps.Keys(e.Recipe)) {
		b.WriteString(name + ":")
		if value := e.Recipe[name]; len(value) > 0 {
			fmt.Fprintf(&b, " %x", value)
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// sourceNames returns the names of the sources, Main first.
func (e *Entry) sourceNames() []string {
	return slices.SortedFunc(maps.Keys(e.Sources), func(a, b string) int {
		switch {
		case a == b:
			return 0
		case a == e.Main:
			return -1
		case b == e.Main:
			return 1
		}
		return strings.Compare(a, b)
	})
}

// Answers turns the output of a program into one line, with commas between its lines: a
// value of Entry.Expected and Entry.Got.
func Answers(printed string) string {
	return OneLine(strings.ReplaceAll(strings.TrimSpace(printed), "\n", ", "))
}

// maxLine is the number of characters that OneLine keeps.
const maxLine = 300

// OneLine turns any output of a compiler or a program into a value of the header: it is
// trimmed, quoted as in Go if it holds characters that cannot be printed, and cut after
// 300 characters.
func OneLine(s string) string {
	s = strings.TrimSpace(s)
	if !printable(s) {
		s = strconv.Quote(s)
	}
	if utf8.RuneCountInString(s) > maxLine {
		s = strings.TrimSpace(string([]rune(s)[:maxLine])) + "…"
	}
	return s
}
