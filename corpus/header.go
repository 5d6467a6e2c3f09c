package corpus

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// A field is a key of the header.
type field struct {
	key      string
	required bool
	finding  bool // required of findings, left out of entries that are Untested
	repeated bool
	set      func(e *Entry, v string) error
	get      func(e *Entry) []string // one value for each line
}

// values returns what the header of e says under the key, one value a line.
func (f field) values(e *Entry) []string {
	if f.finding && e.Verdict == Untested {
		return nil
	}
	return f.get(e)
}

// header is the keys in canonical order. Notes come after them.
var header = []field{
	{key: "goreify", required: true, set: setTool,
		get: func(e *Entry) []string { return []string{fmt.Sprintf("%s/%d", e.Tool, FormatVersion)} }},
	text("title", true, func(e *Entry) *string { return &e.Title }),
	text("verdict", true, func(e *Entry) *string { return &e.Verdict }),
	text("message", false, func(e *Entry) *string { return &e.Message }),
	{key: "compiler", finding: true,
		set: func(e *Entry, v string) error { e.Compiler = v; return nil },
		get: func(e *Entry) []string { return []string{e.Compiler} }},
	{key: "version", finding: true, set: setVersion,
		get: func(e *Entry) []string { return []string{e.Family + " " + e.Version} }},
	{key: "level", finding: true, set: setLevel,
		get: func(e *Entry) []string { return []string{e.Level} }},
	words("flags", func(e *Entry) *[]string { return &e.Flags }),
	text("expected", false, func(e *Entry) *string { return &e.Expected }),
	text("got", false, func(e *Entry) *string { return &e.Got }),
	{key: "date", finding: true, set: setDate,
		get: func(e *Entry) []string { return []string{e.Date} }},
	configurations("bad", func(e *Entry) *[]Bad { return &e.Bad }),
	{key: "witness", repeated: true, set: addWitness, get: witnessLines},
	configurations("good", func(e *Entry) *[]Bad { return &e.Good }),
	text("culprit", false, func(e *Entry) *string { return &e.Culprit }),
	text("culprit-function", false, func(e *Entry) *string { return &e.CulpritFunction }),
	words("mended-by", func(e *Entry) *[]string { return &e.MendedBy }),
	words("mended-alone", func(e *Entry) *[]string { return &e.MendedAlone }),
	text("reduced-command", false, func(e *Entry) *string { return &e.ReducedCommand }),
	configurations("reduced-bad", func(e *Entry) *[]Bad { return &e.ReducedBad }),
	configurations("reduced-good", func(e *Entry) *[]Bad { return &e.ReducedGood }),
	text("command", true, func(e *Entry) *string { return &e.Command }),
	text("bucket", false, func(e *Entry) *string { return &e.Bucket }),
}

// text is a field that is stored as it stands.
func text(key string, required bool, at func(*Entry) *string) field {
	return field{
		key:      key,
		required: required,
		set:      func(e *Entry, v string) error { *at(e) = v; return nil },
		get: func(e *Entry) []string {
			if required {
				return []string{*at(e)}
			}
			return optional(*at(e))
		},
	}
}

// words is a field of words in a line.
func words(key string, at func(*Entry) *[]string) field {
	return field{
		key: key,
		set: func(e *Entry, v string) error { *at(e) = strings.Fields(v); return nil },
		get: func(e *Entry) []string { return optional(strings.Join(*at(e), " ")) },
	}
}

// configurations is a field that names a version of a compiler and levels in
// each of its lines.
func configurations(key string, at func(*Entry) *[]Bad) field {
	return field{
		key:      key,
		repeated: true,
		set: func(e *Entry, v string) error {
			b, err := parseBad(v)
			if err == nil {
				*at(e) = append(*at(e), b)
			}
			return err
		},
		get: func(e *Entry) []string { return badLines(*at(e)) },
	}
}

func optional(v string) []string {
	if v == "" {
		return nil
	}
	return []string{v}
}

func lookup(key string) (field, bool) {
	for _, f := range header {
		if f.key == key {
			return f, true
		}
	}
	return field{}, false
}

func setTool(e *Entry, v string) error {
	slash := strings.LastIndexByte(v, '/')
	if slash <= 0 {
		return fmt.Errorf("want tool version/format version, such as devel/%d", FormatVersion)
	}
	format := v[slash+1:]
	if format != strconv.Itoa(FormatVersion) {
		return fmt.Errorf("file format %q is not known, only %d is", format, FormatVersion)
	}
	e.Tool = v[:slash]
	return nil
}

func setVersion(e *Entry, v string) error {
	words := strings.Fields(v)
	if len(words) != 2 {
		return errors.New("want a compiler family and its version, such as gcc 12.2.0")
	}
	e.Family, e.Version = words[0], words[1]
	return nil
}

func setLevel(e *Entry, v string) error {
	if !isLevel(v) || len(strings.Fields(v)) != 1 {
		return fmt.Errorf("%q is not a level such as -O2", v)
	}
	e.Level = v
	return nil
}

func isLevel(v string) bool { return strings.HasPrefix(v, "-O") }

func setDate(e *Entry, v string) error {
	if _, err := time.Parse(time.DateOnly, v); err != nil {
		return fmt.Errorf("%q is not a date such as 2026-11-20", v)
	}
	e.Date = v
	return nil
}

func parseBad(v string) (Bad, error) {
	words := strings.Fields(v)
	if len(words) < 2 || isLevel(words[0]) || isLevel(words[1]) {
		return Bad{}, errors.New("want family, version and levels, such as gcc 12.2.0 -O2 -O3")
	}
	b := Bad{Family: words[0], Version: words[1]}
	for _, w := range words[2:] {
		if isLevel(w) {
			b.Levels = append(b.Levels, w)
		} else {
			b.Args = append(b.Args, w)
		}
	}
	if len(b.Levels) == 0 {
		return Bad{}, fmt.Errorf("no level after %s %s", b.Family, b.Version)
	}
	return b, nil
}

func badLines(list []Bad) []string {
	var lines []string
	for _, b := range list {
		words := append([]string{b.Family, b.Version}, b.Args...)
		lines = append(lines, strings.Join(append(words, b.Levels...), " "))
	}
	return lines
}

func addWitness(e *Entry, v string) error {
	who, said, ok := strings.Cut(v, ": ")
	who, said = strings.TrimSpace(who), strings.TrimSpace(said)
	if !ok || who == "" || said == "" {
		return errors.New("want who: what they said, such as gcc-12 -O0: ok")
	}
	e.Witness = append(e.Witness, Witness{Who: who, Said: said})
	return nil
}

func witnessLines(e *Entry) []string {
	var lines []string
	for _, w := range e.Witness {
		lines = append(lines, w.Who+": "+w.Said)
	}
	return lines
}
