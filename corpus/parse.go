package corpus

import (
	"bytes"
	"encoding/hex"
	"errors"
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/tools/txtar"
)

// A SyntaxError says what is wrong with a file, and where.
type SyntaxError struct {
	File string
	Line int // from 1, of the archive as a whole
	Msg  string
}

// Error returns "file:line: message".
func (e *SyntaxError) Error() string { return fmt.Sprintf("%s:%d: %s", e.File, e.Line, e.Msg) }

var (
	wordName = regexp.MustCompile(`^[A-Za-z0-9_][A-Za-z0-9_.-]{0,254}$`) // of files and streams
	noteKey  = regexp.MustCompile(`^x-[A-Za-z0-9_.-]+$`)
)

// plainName tells whether the name of a file leads to no other directory.
func plainName(s string) bool { return wordName.MatchString(s) && !strings.Contains(s, "..") }

// Parse reads a reproducer. The name is only used in errors, which are
// all of type *SyntaxError. A missing key or file is reported at the end of the part
// that lacks it. An entry that Parse accepts passes Check.
func Parse(name string, data []byte) (*Entry, error) {
	p := &parser{file: name, entry: &Entry{Weight: 1, Sources: map[string]string{}}, keys: map[string]int{}}
	if err := p.withinLimits(data); err != nil {
		return nil, err
	}
	if err := p.archive(txtar.Parse(data)); err != nil {
		return nil, err
	}
	return p.entry, nil
}

type parser struct {
	file    string
	line    int // of the line being read
	entry   *Entry
	keys    map[string]int // line at which each key was last seen
	digests []digestLine
}

func (p *parser) errorf(format string, args ...any) error {
	return &SyntaxError{File: p.file, Line: max(p.line, 1), Msg: fmt.Sprintf(format, args...)}
}

func (p *parser) archive(a *txtar.Archive) error {
	if err := p.eachLine(string(a.Comment), p.headerLine); err != nil {
		return err
	}
	if err := p.complete(); err != nil {
		return err
	}
	first := map[string]int{}
	for _, f := range a.Files {
		p.line++ // the marker
		if at, ok := first[f.Name]; ok {
			return p.errorf("second file %s, the first is at line %d", f.Name, at)
		}
		first[f.Name] = p.line
		if err := p.member(f.Name, string(f.Data)); err != nil {
			return err
		}
	}
	for _, name := range []string{p.entry.Main, WantFile} {
		if first[name] == 0 {
			return p.errorf("no file %s, which every entry has", name)
		}
	}
	return p.checkDigests(a.Files)
}

// eachLine calls f for each line, without its newline, and counts it.
func (p *parser) eachLine(text string, f func(line string) error) error {
	for line := range strings.Lines(text) {
		p.line++
		if err := f(strings.TrimSuffix(line, "\n")); err != nil {
			return err
		}
	}
	return nil
}

func (p *parser) headerLine(line string) error {
	if strings.HasSuffix(line, "\r") {
		return p.errorf(`the line ends in CRLF; if all do, the files of the archive are changed: convert it back, as sed -i 's/\r$//' does`)
	}
	if strings.TrimSpace(line) == "" {
		return nil
	}
	if !printable(line) {
		return p.errorf("the header holds a character that is not printable")
	}
	key, value, ok := strings.Cut(line, ":")
	if !ok {
		return p.errorf("want key: value")
	}
	value = strings.TrimSpace(value)
	i := slices.IndexFunc(header, func(f field) bool { return f.key == key })
	switch note := noteKey.MatchString(key); {
	case i < 0 && !note:
		return p.errorf("unknown key %q, and not a note, which begins with x-", key)
	case value == "":
		return p.errorf("%s: no value", key)
	case note:
		p.entry.Notes = append(p.entry.Notes, Note{Key: key, Value: value})
		return nil
	}
	f := header[i]
	if at, ok := p.keys[key]; ok && !f.repeated {
		return p.errorf("%s: second value, the first is at line %d", key, at)
	}
	p.keys[key] = p.line
	if key == digestKey {
		return p.addDigest(value)
	}
	if err := f.set(p.entry, value); err != nil {
		return p.errorf("%s: %v", key, err)
	}
	return nil
}

// printable reports whether a line of the header can be shown on a terminal.
func printable(line string) bool {
	return utf8.ValidString(line) && strings.IndexFunc(line, unprintable) < 0
}

func unprintable(r rune) bool { return r != '\t' && !unicode.IsPrint(r) }

// complete reports keys that are required and missing, or present and without meaning,
// at the last line of the header.
func (p *parser) complete() error {
	for _, f := range header {
		has, untested := p.keys[f.key] != 0, p.entry.Verdict == Untested
		if !has && (f.required || f.finding && !untested) {
			return p.errorf("no key %s", f.key)
		}
		if has && f.finding && untested {
			return p.errorf("key %s in an entry that is %s", f.key, Untested)
		}
	}
	return nil
}

func (p *parser) member(name, data string) error {
	e := p.entry
	at := e.member(name)
	mayBeEmpty := name == WantFile
	switch {
	case name == "recipe":
		return p.recipe(data)
	case at != nil:
		*at = data
	case !plainName(name):
		return p.errorf("%q is not a name for a file: want letters, digits, underscores, dots and dashes, a letter, digit or underscore first", name)
	case filepath.Ext(name) == filepath.Ext(e.Main):
		e.Sources[name] = data
	default:
		if e.Members == nil {
			e.Members = map[string]string{}
		}
		e.Members[name], mayBeEmpty = data, true
	}
	if data == "" && !mayBeEmpty {
		return p.errorf("%s is empty: fill it or leave it out", name)
	}
	return p.eachLine(data, p.contentLine)
}

// member returns a pointer to the content of a file with a meaning in the format, other
// than the recipe and sources; else nil.
func (e *Entry) member(name string) *string {
	switch name {
	case "program.ir":
		return &e.Program
	case WantFile:
		return &e.Want
	case "trace.txt":
		return &e.Trace
	case e.ReducedMain():
		return &e.Reduced
	case "reduced.ir":
		return &e.ReducedProgram
	}
	return nil
}

// recipe reads the lines of the file recipe.
func (p *parser) recipe(data string) error {
	p.entry.Recipe = map[string][]byte{}
	if data == "" {
		return p.errorf("recipe is empty: fill it or leave it out")
	}
	return p.eachLine(data, func(line string) error {
		name, digits, ok := strings.Cut(line, ":")
		if !ok || !wordName.MatchString(name) {
			return p.errorf("want name: hex")
		}
		if _, ok := p.entry.Recipe[name]; ok {
			return p.errorf("second stream %s", name)
		}
		if len(p.entry.Recipe) == maxLines {
			return p.errorf("more than %d streams", maxLines)
		}
		value, err := hex.DecodeString(strings.TrimSpace(digits))
		if err != nil {
			return p.errorf("%s: %s", name, hexError(err))
		}
		p.entry.Recipe[name] = value
		return nil
	})
}

// hexError says what is wrong with a line of the recipe.
func hexError(err error) string {
	var bad hex.InvalidByteError
	if errors.As(err, &bad) {
		return fmt.Sprintf("%q is not a hexadecimal digit", rune(bad))
	}
	return "odd number of hexadecimal digits"
}

func (p *parser) contentLine(line string) error {
	if likeMarker(line) {
		return p.errorf("%q looks like the start of a file", line)
	}
	return nil
}

// likeMarker reports whether a line could be taken for a txtar marker, by
// txtar or by the awk one-liner that the README gives, which is less precise.
func likeMarker(line string) bool {
	return strings.HasPrefix(line, "-- ") && strings.HasSuffix(strings.TrimRight(line, " \t\r"), " --")
}

// markerAt returns the first line of text that could be taken for a marker,
// counted from 1, or 0.
func markerAt(text []byte) int {
	n := 0
	for line := range bytes.Lines(text) {
		n++
		if likeMarker(strings.TrimSuffix(string(line), "\n")) {
			return n
		}
	}
	return 0
}
