package corpus

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
)

// Format 1 knew programs in C and levels of gcc and clang only. It differs from format
// 2 in these points:
//
//   - The key mode is called level, and a mode begins with -O.
//   - Configurations have no colon before the modes: gcc 12.2.0 -m32 -O2 -O3.
//   - The keys language, source, trust, main, weight and triple are missing.
//     Their values follow from the rest.

// format1 finds the line of the header that says that an entry is of format 1.
var format1 = regexp.MustCompile(`(?m)^goreify:.*/1[ \t\r]*$`)

// header1 is the keys of format 1.
var header1 = func() []field {
	var keys []field
	for _, f := range header {
		switch {
		case f.since2:
			continue
		case f.key == "mode":
			f.key, f.set = "level", setLevel
		case f.list != nil:
			f.set = addTo(f.list, parseLevels)
		}
		keys = append(keys, f)
	}
	return keys
}()

func setLevel(e *Entry, v string) error {
	if !isLevel(v) || !isWord(v) {
		return fmt.Errorf("%q is not a level such as -O2", v)
	}
	e.Mode = v
	return nil
}

func isLevel(v string) bool { return strings.HasPrefix(v, "-O") }

// parseLevels reads a configuration, in which each word that begins with -O is a mode.
func parseLevels(v string) (c Configuration, err error) {
	words := strings.Fields(v)
	if versionWords(words) != 2 {
		return c, errors.New("want family, version and levels, such as gcc 12.2.0 -O2 -O3")
	}
	c = Configuration{Family: words[0], Version: words[1]}
	for _, w := range words[2:] {
		if w == ":" {
			return c, errors.New("a lone colon, which only format 2 has before the levels")
		}
		if isLevel(w) {
			c.Modes = append(c.Modes, w)
		} else {
			c.Args = append(c.Args, w)
		}
	}
	if len(c.Modes) == 0 {
		return c, fmt.Errorf("no level after %s %s", c.Family, c.Version)
	}
	return c, nil
}

// infer sets the values that format 1 lacks, except for Language and Main, which are
// needed to read the files.
func (e *Entry) infer() {
	if e.Program == "" {
		return
	}
	e.Trust, e.Source = Proved, FunctionSource
	if e.Note(NoteFunctions) != "" {
		e.Source = ProgramSource
	}
	e.Weight = min(max(1, strings.Count("\n"+e.Program, "\nfunc @")), MaxWeight)
}
