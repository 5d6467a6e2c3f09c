package corpus

import (
	"errors"
	"fmt"
	"path/filepath"
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

// values returns the values of the key in the header of e, one value a line.
func (f field) values(e *Entry) []string {
	if f.finding && e.Verdict == Untested {
		return nil
	}
	return f.get(e)
}

// header is the keys of the header in canonical order. Notes come after them.
var header = []field{
	{key: "goreify", required: true, set: setTool,
		get: func(e *Entry) []string { return []string{fmt.Sprintf("%s/%d", e.Tool, FormatVersion)} }},
	text("title", true, func(e *Entry) *string { return &e.Title }),
	text("verdict", true, func(e *Entry) *string { return &e.Verdict }),
	text("message", false, func(e *Entry) *string { return &e.Message }),
	word("language", true, func(e *Entry) *string { return &e.Language }),
	word("source", false, func(e *Entry) *string { return &e.Source }),
	{key: "trust", set: setTrust, get: func(e *Entry) []string { return optional(e.Trust) }},
	{key: "main", required: true, set: setMain, get: func(e *Entry) []string { return []string{e.Main} }},
	{key: "weight", set: setWeight, get: weightLine},
	{key: "compiler", finding: true,
		set: func(e *Entry, v string) error { e.Compiler = v; return nil },
		get: func(e *Entry) []string { return []string{e.Compiler} }},
	{key: "version", finding: true, set: setVersion,
		get: func(e *Entry) []string { return []string{e.Family + " " + e.Version} }},
	word("triple", false, func(e *Entry) *string { return &e.Triple }),
	{key: "mode", finding: true, set: setWord(func(e *Entry) *string { return &e.Mode }),
		get: func(e *Entry) []string { return []string{e.Mode} }},
	words("flags", func(e *Entry) *[]string { return &e.Flags }),
	text("expected", false, func(e *Entry) *string { return &e.Expected }),
	text("got", false, func(e *Entry) *string { return &e.Got }),
	{key: "date", finding: true, set: setDate,
		get: func(e *Entry) []string { return []string{e.Date} }},
	configurations("bad", func(e *Entry) *[]Configuration { return &e.Bad }),
	{key: "witness", repeated: true, set: addWitness, get: witnessLines},
	configurations("good", func(e *Entry) *[]Configuration { return &e.Good }),
	text("culprit", false, func(e *Entry) *string { return &e.Culprit }),
	text("culprit-function", false, func(e *Entry) *string { return &e.CulpritFunction }),
	words("mended-by", func(e *Entry) *[]string { return &e.MendedBy }),
	words("mended-alone", func(e *Entry) *[]string { return &e.MendedAlone }),
	text("reduced-command", false, func(e *Entry) *string { return &e.ReducedCommand }),
	configurations("reduced-bad", func(e *Entry) *[]Configuration { return &e.ReducedBad }),
	configurations("reduced-good", func(e *Entry) *[]Configuration { return &e.ReducedGood }),
	text("llvm-run", false, func(e *Entry) *string { return &e.LLVMRun }),
	text("llvm-targets", false, func(e *Entry) *string { return &e.LLVMTargets }),
	text("command", true, func(e *Entry) *string { return &e.Command }),
	text("bucket", false, func(e *Entry) *string { return &e.Bucket }),
	{key: digestKey, repeated: true, get: digestLines}, // set by the parser
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

// word is a field of one word.
func word(key string, required bool, at func(*Entry) *string) field {
	f := text(key, required, at)
	f.set = setWord(at)
	return f
}

func setWord(at func(*Entry) *string) func(*Entry, string) error {
	return func(e *Entry, v string) error {
		if !isWord(v) {
			return fmt.Errorf("%q is more than one word", v)
		}
		*at(e) = v
		return nil
	}
}

func isWord(v string) bool { return len(strings.Fields(v)) == 1 }

// configurations is a field of one configuration in each of its lines.
func configurations(key string, at func(*Entry) *[]Configuration) field {
	return field{
		key:      key,
		repeated: true,
		set: func(e *Entry, v string) error {
			c, err := parseConfiguration(v)
			if err == nil {
				*at(e) = append(*at(e), c)
			}
			return err
		},
		get: func(e *Entry) []string {
			var lines []string
			for _, c := range *at(e) {
				lines = append(lines, c.String())
			}
			return lines
		},
	}
}

func optional(v string) []string {
	if v == "" {
		return nil
	}
	return []string{v}
}

// lastOfFormat1 is a commit that reads format 1, which knew programs in C and levels of
// gcc and clang only.
const lastOfFormat1 = "0996a2b"

func setTool(e *Entry, v string) error {
	slash := strings.LastIndexByte(v, '/')
	if slash <= 0 {
		return fmt.Errorf("want tool version/format version, such as devel/%d", FormatVersion)
	}
	switch format := v[slash+1:]; format {
	case strconv.Itoa(FormatVersion):
	case "1":
		return fmt.Errorf("goreify %s wrote this in format 1; goreify of commit %s reads it, and its triage writes format %d", v[:slash], lastOfFormat1, FormatVersion)
	default:
		return fmt.Errorf("file format %q is not known, only %d is; a newer goreify may read it", format, FormatVersion)
	}
	e.Tool = v[:slash]
	return nil
}

func setVersion(e *Entry, v string) error {
	words := strings.Fields(v)
	if n := versionWords(words); n < 2 || n < len(words) {
		return errors.New("want a compiler family and its version, such as gcc 12.2.0")
	}
	e.Family, e.Version = words[0], strings.Join(words[1:], " ")
	return nil
}

func setTrust(e *Entry, v string) error {
	if v != Proved && v != Recorded && v != Agreed {
		return fmt.Errorf("want %s, %s or %s, or remove the line", Proved, Recorded, Agreed)
	}
	e.Trust = v
	return nil
}

// setMain takes names whose extension tells sources from the other files of the
// archive.
func setMain(e *Entry, v string) error {
	e.Main = v
	ext := filepath.Ext(v)
	if !plainName(v) || v == e.ReducedMain() || len(ext) < 2 || ext == ".ir" || ext == ".txt" {
		return fmt.Errorf("%q is not a name for the main file: want a plain file name with the extension of its language, such as %s", v, MainC)
	}
	return nil
}

func setWeight(e *Entry, v string) (err error) {
	if e.Weight, err = strconv.Atoi(v); err != nil || e.Weight < 1 || e.Weight > MaxWeight {
		return fmt.Errorf("%q is not a number of functions, from 1 to %d", v, MaxWeight)
	}
	return nil
}

func weightLine(e *Entry) []string {
	if e.Weight == 0 || e.Weight == 1 {
		return nil
	}
	return []string{strconv.Itoa(e.Weight)}
}

func setDate(e *Entry, v string) error {
	if _, err := time.Parse(time.DateOnly, v); err != nil {
		return fmt.Errorf("%q is not a date such as 2026-11-20", v)
	}
	e.Date = v
	return nil
}

func addWitness(e *Entry, v string) error {
	who, said, ok := strings.Cut(v, ": ")
	who, said = strings.TrimSpace(who), strings.TrimSpace(said)
	if !ok || who == "" || said == "" {
		return errors.New("want NAME: ANSWER, such as gcc-12 -O0: ok")
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
