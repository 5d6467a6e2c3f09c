package csource

import (
	"bytes"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"

	"modernc.org/cc/v4"
)

//go:embed libc/*.h
var libc embed.FS

// header returns the text of one of our headers, which must exist.
func header(name string) string {
	text, err := libc.ReadFile("libc/" + name)
	if err != nil {
		panic(err)
	}
	return string(text)
}

// MaxText bounds the bytes of a program.
const MaxText = 16 << 20

// expansions bounds the work of macros: a few hundred bytes could ask for hours.
const expansions = 50_000_000

// Preprocess returns text in the form that Parse takes: with its macros expanded and
// without directives, except #pragma. Headers of the C library are our own, which have
// types, limits and prototypes only; further headers are looked for in dirs, in order.
// A header that is in neither place is an error that names it.
func Preprocess(name string, text []byte, m Model, dirs ...fs.FS) ([]byte, error) {
	config := &cc.Config{SysIncludePaths: numbers(1 + len(dirs))}
	config.IncludePaths = append(slices.Concat([]string{beside}, config.SysIncludePaths[1:]), "0")
	return preprocess(name, text, m, config, append([]fs.FS{Headers()}, dirs...))
}

// PreprocessOver is Preprocess with headers from dirs alone, in order; Headers may be one
// of them.
func PreprocessOver(name string, text []byte, m Model, dirs ...fs.FS) ([]byte, error) {
	config := &cc.Config{SysIncludePaths: numbers(len(dirs))}
	config.IncludePaths = slices.Concat([]string{beside}, config.SysIncludePaths)
	return preprocess(name, text, m, config, dirs)
}

// Headers returns our headers of the C library, which have types, limits and prototypes
// only.
func Headers() fs.FS {
	headers, err := fs.Sub(libc, "libc")
	if err != nil {
		panic(err)
	}
	return headers
}

// expand does what preprocess does. It may take all time and all memory.
func expand(name string, text []byte, m Model, config *cc.Config, headers *includes) (out []byte, err error) {
	if m := lost.Find(text); m != nil {
		return nil, fmt.Errorf("%s: needs %s, which cannot be kept", name, m)
	}
	tokens, err := shallow(name, text, true)
	if err != nil {
		return nil, err
	}
	abi, err := m.abi()
	if err != nil {
		return nil, err
	}
	headers.sizes[path.Base(name)] = tokens
	config.ABI, config.FS, config.FSOnly, config.ExpansionLimit = abi, headers, true, expansions
	config.IncludePaths, config.SysIncludePaths = counted(config.IncludePaths), counted(config.SysIncludePaths)
	defer recovered(name, &err)
	relative := strings.TrimLeft(name, "/") // an absolute one could be included, and not be counted
	var b output
	err = cc.Preprocess(config, []cc.Source{
		{Name: "<predefined>", Value: m.predefined()},
		{Name: relative, Value: hidePragmas(text)},
	}, &b)
	if err != nil {
		err = first(err)
		if strings.HasPrefix(err.Error(), relative) {
			err = errors.New(strings.TrimSuffix(name, relative) + err.Error())
		}
		return nil, err
	}
	return tidy(b.Bytes()), nil
}

// lost finds constructs whose meaning is lost by preprocessing beforehand: macros whose
// value is the time, and an operator that package cc drops.
var lost = regexp.MustCompile(`\b(__(DATE|TIME|TIMESTAMP)__|_Pragma)\b`)

// clock finds those of them that would make a program depend on when a header was read.
var clock = regexp.MustCompile(`\b__(DATE|TIME|TIMESTAMP)__\b`)

// Package cc recurses into brackets and operands, and an overflow of the stack cannot
// be recovered from. Thus the depth of brackets is bounded, and so is the number of
// characters without a semicolon, a comma or a brace.
const (
	mostBrackets = 10_000
	mostOperands = 50_000
)

// mostTokens bounds the tokens of a text, and those of files that it includes, each as often
// as it is included. Package cc takes 230 bytes for one before it is parsed.
const mostTokens = 2 << 20

// shallow returns an error that names the line where text exceeds these bounds, or how many
// tokens it has. Before preprocessing the second bound is for lines: only those of #if are
// parsed.
func shallow(name string, text []byte, lines bool) (tokens int, err error) {
	depth, run, line := 0, 0, 1
	inWord := false
	for i := 0; i < len(text); i++ {
		c := text[i]
		wasWord := inWord
		if inWord = isWord(c); !inWord || !wasWord {
			tokens++
		}
		switch c {
		case '\n':
			line++
			if lines && (i == 0 || text[i-1] != '\\') {
				run = 0
			}
			tokens--
			continue
		case ' ', '\t', '\r', '\f', '\v':
			tokens--
			continue
		case '"', '\'':
			for i++; i < len(text) && text[i] != c && text[i] != '\n'; i++ {
				if text[i] == '\\' {
					i++
				}
			}
			if i < len(text) && text[i] == '\n' {
				i-- // an apostrophe
			}
		case '/':
			if bytes.HasPrefix(text[i:], []byte("/*")) {
				n := bytes.Index(text[i+2:], []byte("*/"))
				tokens--
				if n < 0 {
					return tokens, nil
				}
				line += bytes.Count(text[i:i+2+n], []byte("\n"))
				i += n + 3
				continue
			}
			if bytes.HasPrefix(text[i:], []byte("//")) {
				tokens--
				if n := bytes.IndexByte(text[i:], '\n'); n >= 0 {
					i += n - 1
					continue
				}
				return tokens, nil
			}
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			depth = max(0, depth-1)
		}
		run++
		if c == ';' || c == ',' || c == '{' || c == '}' {
			run = 0
		}
		if depth > mostBrackets || run > mostOperands {
			return tokens, fmt.Errorf("%s:%d: nested too deeply", name, line)
		}
		if tokens > mostTokens {
			return tokens, fmt.Errorf("%s:%d: more than %d tokens", name, line, mostTokens)
		}
	}
	return tokens, nil
}

// first returns the first line of an error of package cc, which lists many.
func first(err error) error {
	line, _, _ := strings.Cut(err.Error(), "\n")
	return errors.New(strings.TrimSpace(line))
}

// recovered turns a panic of package cc into an error about the file: it panics at
// constructs that it does not know.
func recovered(name string, err *error) {
	if r := recover(); r != nil {
		line, _, _ := strings.Cut(fmt.Sprint(r), "\n")
		*err = fmt.Errorf("%s: cannot be parsed: %s", name, line)
	}
}

// The preprocessor drops pragmas, which may lay out structs. Thus they go through it as
// declarations with a name of our own.
var (
	pragma = regexp.MustCompile(`(?m)^[ \t]*#[ \t]*pragma[ \t]+([^\n"\\]*)$`)
	hidden = regexp.MustCompile(`(?m)\s*__reify_pragma "([^"\n]*)";\s*`)
	blank  = regexp.MustCompile(`\n([ \t]*\n)+`)
)

func hidePragmas(text []byte) []byte {
	if !bytes.Contains(text, []byte("pragma")) { // the pattern is slow
		return text
	}
	return pragma.ReplaceAll(text, []byte(`__reify_pragma "$1";`))
}

// tidy restores pragmas and removes the lines that directives leave empty.
func tidy(text []byte) []byte {
	text = hidden.ReplaceAll(text, []byte("\n#pragma $1\n"))
	text = blank.ReplaceAll(text, []byte("\n"))
	return append(bytes.TrimSpace(text), '\n')
}

// library returns the names that our headers declare, sorted: names that a program may
// use and not define.
var library = sync.OnceValue(func() []string {
	var names []string
	function := regexp.MustCompile(`(?m)^[a-z].*?[ *](\w+)\(.*\)[^()]*;$|^[a-z].*?[ *](\w+)(?:\(.*)?;$`)
	entries, err := libc.ReadDir("libc")
	if err != nil {
		panic(err)
	}
	for _, e := range entries {
		for _, m := range function.FindAllStringSubmatch(header(e.Name()), -1) {
			names = append(names, m[1]+m[2])
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
})
