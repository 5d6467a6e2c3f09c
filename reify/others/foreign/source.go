package foreign

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"regexp"
	"slices"
	"strings"

	"goreify/reify/others/csource"
	"goreify/reify/safefile"
)

// standIn has a config.h for projects that were not configured.
//
//go:embed c
var standIn embed.FS

// extractor is part of the sum of a source: it changes with the way in which functions
// are taken from files.
const extractor = 3

// Flags are the flags with which a file is preprocessed.
type Flags struct {
	Text   string // as they were given
	Define string // directives before the first line
	Dirs   []string
}

// ParseFlags reads -IDIR, -DNAME, -DNAME=VALUE, -UNAME and -include FILE, with spaces
// between them. The error names a flag that is none of these.
func ParseFlags(text string) (f Flags, err error) {
	f.Text = strings.Join(strings.Fields(text), " ")
	words := strings.Fields(text)
	for i := 0; i < len(words); i++ {
		w := words[i]
		value := func(flag string) string {
			v := strings.TrimPrefix(w, flag)
			if v == "" && i+1 < len(words) {
				i++
				v = words[i]
			}
			return v
		}
		switch {
		case strings.HasPrefix(w, "-I"):
			f.Dirs = append(f.Dirs, value("-I"))
		case strings.HasPrefix(w, "-D"):
			name, v, ok := strings.Cut(value("-D"), "=")
			if !ok {
				v = "1"
			}
			f.Define += fmt.Sprintf("#define %s %s\n", name, v)
		case strings.HasPrefix(w, "-U"):
			f.Define += fmt.Sprintf("#undef %s\n", value("-U"))
		case w == "-include":
			f.Define += fmt.Sprintf("#include \"%s\"\n", value("-include"))
		default:
			return f, fmt.Errorf("the flag %q is not known: -I, -D, -U and -include are", w)
		}
	}
	return f, nil
}

// systemDirs are searched for headers of which this package has no version of its own.
var systemDirs = []string{"/usr/include", "/usr/include/x86_64-linux-gnu"}

// Load reads and parses a file of a tree, which headers beside it are of, too. Headers of
// the C library are our own. The system's are used for missing ones, or come first if the
// file cannot be parsed with ours. A missing config.h is replaced by one of our own. The sum
// of the source is that of the file and the flags.
func Load(tree fs.FS, file string, flags Flags, o Origin) (*csource.Program, Source, error) {
	s := Source{Origin: o, Cflags: flags.Text}
	text, err := safefile.ReadFrom(tree, file, csource.MaxText)
	if err != nil {
		return nil, s, err
	}
	name := o.File // also that of __FILE__, so the sum does not depend on this machine
	if name == "" {
		name = path.Base(file)
	}
	sum := sha256.New()
	fmt.Fprintf(sum, "%d %s\n%s", extractor, flags.Text, text)
	s.Sum = hex.EncodeToString(sum.Sum(nil))
	near, err := fs.Sub(tree, path.Dir(file))
	if err != nil {
		return nil, s, err
	}
	given := []fs.FS{near}
	for _, dir := range flags.Dirs {
		given = append(given, safefile.Tree(dir))
	}
	ours, err := fs.Sub(standIn, "c")
	if err != nil {
		return nil, s, err
	}
	var system []fs.FS
	for _, dir := range systemDirs {
		system = append(system, os.DirFS(dir))
	}
	text = append([]byte(head+flags.Define), text...)
	p, err := parse(name, text, slices.Concat([]fs.FS{given[0], csource.Headers()}, given[1:], []fs.FS{ours}, system))
	if err != nil {
		var again error
		p, again = parse(name, append([]byte(systemHead), text...), slices.Concat(given, []fs.FS{compilersHeaders{csource.Headers()}}, system, []fs.FS{csource.Headers(), ours}))
		if err = errors.Join(err, again); again == nil {
			err = nil
		}
	}
	return p, s, err
}

// head is defined beforehand by compilers, and not by package cc.
const head = `#define __ATOMIC_RELAXED 0
#define __ATOMIC_CONSUME 1
#define __ATOMIC_ACQUIRE 2
#define __ATOMIC_RELEASE 3
#define __ATOMIC_ACQ_REL 4
#define __ATOMIC_SEQ_CST 5
`

// systemHead makes the C library's headers assume the compiler that package cc can
// parse.
const systemHead = "#undef __GNUC__\n#define __GNUC__ 7\n"

func parse(name string, text []byte, dirs []fs.FS) (*csource.Program, error) {
	expanded, err := csource.PreprocessOver(name, text, csource.LP64, dirs...)
	if err != nil {
		return nil, err
	}
	if err := csource.Try(name, expanded, csource.LP64); err != nil {
		return nil, err
	}
	return csource.ParseUnit(name, expanded, csource.LP64)
}

// compilersHeaders are the headers of ours that come with compilers, not with the C
// library.
type compilersHeaders struct{ fs.FS }

func (c compilersHeaders) Open(name string) (fs.File, error) {
	switch name {
	case "stddef.h", "stdarg.h", "stdbool.h", "limits.h", "float.h", "stdalign.h":
		return c.FS.Open(name)
	}
	return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
}

// licences are patterns of the texts of licences, the more particular first.
var licences = []struct {
	name string
	text *regexp.Regexp
}{
	{"Zlib", regexp.MustCompile(`(?is)provided 'as-is', without any express or implied\s+warranty.*altered source versions|see copyright notice in zlib\.h|conditions of distribution and use, see copyright`)},
	{"Apache-2.0", regexp.MustCompile(`(?i)Apache License,?\s+Version 2\.0`)},
	{"LGPL-3.0-or-later", regexp.MustCompile(`(?i)GNU (Lesser|Library) General Public\s+License\W[\s\S]{0,300}version 3`)},
	{"LGPL-2.1-or-later", regexp.MustCompile(`(?i)GNU (Lesser|Library) General Public`)},
	{"GPL-3.0-or-later", regexp.MustCompile(`(?i)GNU General Public\s+License\W[\s\S]{0,300}version 3`)},
	{"GPL-2.0-or-later", regexp.MustCompile(`(?i)GNU General Public`)},
	{"MPL-2.0", regexp.MustCompile(`(?i)Mozilla Public License`)},
	{"BSD-3-Clause", regexp.MustCompile(`(?i)Redistribution\s+and\s+use\s+in\s+source\s+and\s+binary[\s\S]*(neither the name|may not be used to\s+(\S+\s+)?endorse)`)},
	{"BSD-2-Clause", regexp.MustCompile(`(?i)Redistribution\s+and\s+use\s+in\s+source\s+and\s+binary`)},
	{"MIT", regexp.MustCompile(`(?i)Permission is hereby granted, free of charge`)},
	{"ISC", regexp.MustCompile(`(?i)Permission to use, copy, modify,? and(/or)? distribute`)},
	{"LicenseRef-public-domain", regexp.MustCompile(`(?i)public domain|disclaims copyright`)},
}

var spdx = regexp.MustCompile(`SPDX-License-Identifier:[ \t]*([^\n*]*[^\s*])`)

// UnknownLicence stands for the licence of a file that names none.
const UnknownLicence = "unknown"

// Licence returns the licence of a file of a tree. Sources are a line of SPDX in it, the
// comments at its head and end, and a LICENSE or COPYING beside it or above it in the tree.
// Else it is the one given, or UnknownLicence if that is "". Comments are recognised by a
// few phrases.
func Licence(tree fs.FS, name, given string) string {
	text, err := safefile.ReadFrom(tree, name, csource.MaxText)
	if err != nil {
		return UnknownLicence
	}
	if m := spdx.FindSubmatch(text[:min(len(text), 4096)]); m != nil {
		return string(bytes.TrimSpace(m[1]))
	}
	known := func(text []byte) string {
		for _, l := range licences {
			if l.text.Match(text) {
				return l.name
			}
		}
		return ""
	}
	const head, tail = 6000, 4000
	if name := known(text[:min(len(text), head)]); name != "" {
		return name
	}
	if name := known(text[max(0, len(text)-tail):]); name != "" {
		return name
	}
	for dir := path.Dir(name); ; dir = path.Dir(dir) {
		for _, file := range []string{"LICENSE", "LICENSE.txt", "LICENSE.md", "LICENCE", "COPYING", "COPYING.LIB", "COPYING.NEWLIB"} {
			if text, err := safefile.ReadFrom(tree, path.Join(dir, file), csource.MaxText); err == nil {
				if name := known(text); name != "" {
					return name
				}
			}
		}
		if dir == path.Dir(dir) {
			break
		}
	}
	if given != "" {
		return given
	}
	return UnknownLicence
}
