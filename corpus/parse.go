package corpus

import (
	"bytes"
	"encoding/hex"
	"errors"
	"fmt"
	"regexp"
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
	sourceName = regexp.MustCompile(`^[A-Za-z0-9_][A-Za-z0-9_.-]*\.c$`)
	streamName = regexp.MustCompile(`^[A-Za-z0-9_][A-Za-z0-9_.-]*$`)
	noteKey    = regexp.MustCompile(`^x-[A-Za-z0-9_.-]+$`)
)

// Parse reads a reproducer. The name is only used in errors, which are all of
// type *SyntaxError; what is missing is reported at the end of the part that
// it is missing from. What Parse accepts passes Check.
func Parse(name string, data []byte) (*Entry, error) {
	p := &parser{file: name, entry: &Entry{Sources: map[string]string{}}, keys: map[string]int{}}
	if err := p.archive(txtar.Parse(data)); err != nil {
		return nil, err
	}
	return p.entry, nil
}

type parser struct {
	file  string
	line  int // of the line being read
	entry *Entry
	keys  map[string]int // line at which each key was last seen
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
	for _, name := range []string{Main, "want.txt"} {
		if first[name] == 0 {
			return p.errorf("no file %s", name)
		}
	}
	return nil
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
	line = strings.TrimSuffix(line, "\r")
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
	f, known := lookup(key)
	switch note := noteKey.MatchString(key); {
	case !known && !note:
		return p.errorf("unknown key %q", key)
	case value == "":
		return p.errorf("%s: no value", key)
	case note:
		p.entry.Notes = append(p.entry.Notes, Note{Key: key, Value: value})
		return nil
	}
	if at, ok := p.keys[key]; ok && !f.repeated {
		return p.errorf("%s: second value, the first is at line %d", key, at)
	}
	p.keys[key] = p.line
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

// complete complains of keys that are required and missing, or present where
// they make no sense, at the last line of the header.
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
	switch {
	case name == "recipe":
		return p.recipe(data)
	case name == "program.ir":
		e.Program = data
	case name == "want.txt":
		e.Want = data
	case name == "trace.txt":
		e.Trace = data
	case name == ReducedMain:
		e.Reduced = data
	case name == reducedProgram:
		e.ReducedProgram = data
	case sourceName.MatchString(name):
		e.Sources[name] = data
	default:
		return p.errorf("unknown file %q", name)
	}
	if name != "want.txt" && data == "" {
		return p.errorf("%s is empty", name)
	}
	return p.eachLine(data, p.contentLine)
}

// recipe reads the lines of the file recipe.
func (p *parser) recipe(data string) error {
	p.entry.Recipe = map[string][]byte{}
	if data == "" {
		return p.errorf("recipe is empty")
	}
	return p.eachLine(data, func(line string) error {
		name, digits, ok := strings.Cut(line, ":")
		if !ok || !streamName.MatchString(name) {
			return p.errorf("want name: hex")
		}
		if _, ok := p.entry.Recipe[name]; ok {
			return p.errorf("second stream %s", name)
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
