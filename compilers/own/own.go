// Package own makes compilers, virtual machines and engines targets that no package knows. A
// user's file, whose name ends with .txt, has a line for each:
//
//	# NAME   WORD=VALUE ..., a value with blanks in quotes
//	mycc     language=C path=/opt/mycc/bin/mycc says="^MyCC ([0-9.]+)" mode=-O0 mode=-O2 lacks=-w
//	openj9   language=JVM path=/opt/openj9/bin/java ask=-version says="OpenJ9 (\S+)" mode="@int -Xint" mode="@jit -Xjit:count=0"
//	myjs     language=Wasm path=/opt/myjs/bin/myjs says="(.+)" mode="@base --baseline" mode="@opt --optimize"
//
//	language  C, JVM or Wasm: a JVM runs Repro.class, an engine repro.mjs, as node does
//	path      of the executable
//	ask       the argument with which it says its version, --version by default
//	says      the line in which it does, as a regular expression; its last group is the version
//	mode      a mode with its flags, once for each; the first does the least. That of C is a flag
//	flags     in all modes
//	lacks     flags that it does not know (-w), and features that are not to be asked for (vector)
//
// REIFY_CC names the file, for all of its lines, or NAME=FILE. A compiler of C is asked which
// features it has; see compilers.Feature. Nothing is known of how these say that they have
// failed: a signal, or words of gcc or clang, is an internal error.
package own

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"goreify/compilers"
	"goreify/compilers/jvm"
	"goreify/compilers/native"
	"goreify/compilers/wasm"
	"goreify/reify/safefile"
)

// Finder finds what files of lines say, if REIFY_CC names it.
var Finder = compilers.Finder{Find: func(ctx context.Context, env compilers.Env) ([]compilers.Target, map[string]error, error) {
	return compilers.FindNamed(ctx, env, "no file of lines about compilers is named in REIFY_CC", named)
}}

// A maker makes the targets of a language.
type maker struct {
	of    func(context.Context, compilers.Env, compilers.Line, string) (compilers.Target, error)
	usual compilers.Mode // that lines without one have; others begin with the same letter
	flags bool           // a mode may have flags; else it is one
}

var makers = map[compilers.Language]maker{
	compilers.C: {func(ctx context.Context, env compilers.Env, l compilers.Line, entry string) (compilers.Target, error) {
		f := native.Family{Name: l.Name, Path: l.Path, Ask: l.Ask, Banner: l.Says, Flags: l.Flags, Lacks: l.Lacks}
		for _, m := range l.Modes {
			f.Modes = append(f.Modes, m.Mode)
		}
		return f.Named(ctx, env, entry)
	}, "-O0", false},
	compilers.JVM: {func(ctx context.Context, env compilers.Env, l compilers.Line, entry string) (compilers.Target, error) {
		return jvm.Own(ctx, env, l, entry)
	}, "@usual", true},
	compilers.Wasm: {func(ctx context.Context, env compilers.Env, l compilers.Line, entry string) (compilers.Target, error) {
		return wasm.Own(ctx, env, l, entry)
	}, "@usual", true},
}

// named returns the target of an entry of REIFY_CC.
func named(ctx context.Context, env compilers.Env, entry string) (compilers.Target, error) {
	first, _, _ := strings.Cut(entry, " ")
	name, path, given := strings.Cut(first, "=")
	if !given || !IsFile(path) {
		return nil, fmt.Errorf("%s: no file of lines %w", entry, compilers.ErrName)
	}
	lines, err := Read(path)
	if err != nil {
		return nil, err
	}
	for _, l := range lines {
		if l.Name == name {
			return makers[l.Language].of(ctx, env, l, entry)
		}
	}
	return nil, fmt.Errorf("%s has no line that begins with %s", path, name)
}

// IsFile reports whether a path is one of a file of lines.
func IsFile(path string) bool { return strings.HasSuffix(path, ".txt") }

// Entries returns the entries of REIFY_CC for an entry that is the path of a file of lines, or
// NAME=FILE, with an absolute path. Other entries are returned as they are.
func Entries(entry string) ([]string, error) {
	path, args, _ := strings.Cut(entry, " ")
	name, file, given := strings.Cut(path, "=")
	if !given {
		file = path
	}
	if !IsFile(file) {
		return []string{entry}, nil
	}
	file, err := filepath.Abs(file)
	if err != nil {
		return nil, err
	}
	of := func(name string) string { return strings.TrimSpace(name + "=" + file + " " + args) }
	if given {
		return []string{of(name)}, nil
	}
	lines, err := Read(file)
	var entries []string
	for _, l := range lines {
		entries = append(entries, of(l.Name))
	}
	return entries, err
}

// Modes returns the modes of the lines that entries of REIFY_CC name.
func Modes(entries []string) (modes []compilers.Mode) {
	for _, entry := range entries {
		first, _, _ := strings.Cut(entry, " ")
		name, path, given := strings.Cut(first, "=")
		if !given {
			name, path = "", first
		}
		if !IsFile(path) {
			continue
		}
		lines, _ := Read(path) // what is wrong with it is said where it is read for its lines
		for _, l := range lines {
			for _, m := range l.Modes {
				if name == "" || name == l.Name {
					modes = append(modes, m.Mode)
				}
			}
		}
	}
	return modes
}

// Read returns the lines of a file, at least one. The error names the line, and says what is
// wrong with it.
func Read(path string) (list []compilers.Line, err error) {
	text, err := safefile.Read(path, 1<<20)
	if err != nil {
		return nil, err
	}
	n := 0
	for line := range strings.Lines(string(text)) {
		n++
		if line = strings.TrimSpace(line); line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		l, err := parse(line)
		if err == nil && slices.ContainsFunc(list, func(o compilers.Line) bool { return o.Name == l.Name }) {
			err = fmt.Errorf("there are two of the name %s", l.Name)
		}
		if err != nil {
			return nil, fmt.Errorf("%s:%d: %w", path, n, err)
		}
		list = append(list, l)
	}
	if list == nil {
		return nil, fmt.Errorf("%s: no line about a compiler", path)
	}
	return list, nil
}

var (
	namePattern = regexp.MustCompile(`^[a-z][a-z0-9._+-]*$`)
	wordPattern = regexp.MustCompile(`^(\w+)=(?:"([^"]*)"|([^"\s]+))(?:\s+|$)`)
	// Families that packages have: what is known of them would be taken for the other.
	taken = []string{"gcc", "clang", "llvm", "llc", "opt", "lli", "tcc", "gc", "gccgo", "hotspot", "zero", "java", "wazero", "v8", "node", "jsc", "bun", "cranelift", "wizer", "binaryen", "wasm-opt", "wabt", "wasm-interp"}
)

// parse reads a line.
func parse(line string) (l compilers.Line, err error) {
	var rest string
	l.Ask = "--version"
	l.Name, rest, _ = strings.Cut(line, " ")
	switch {
	case !namePattern.MatchString(l.Name):
		return l, fmt.Errorf("%q is no name: want small letters, digits and . _ + -", l.Name)
	case slices.Contains(taken, l.Name):
		return l, fmt.Errorf("%s is the name of what is known: want another", l.Name)
	}
	for rest = strings.TrimSpace(rest); rest != ""; {
		m := wordPattern.FindStringSubmatch(rest)
		if m == nil {
			return l, fmt.Errorf("%q is no WORD=VALUE", rest)
		}
		rest = rest[len(m[0]):]
		if err := set(&l, m[1], m[2]+m[3]); err != nil {
			return l, err
		}
	}
	m, known := makers[l.Language]
	switch {
	case !known:
		return l, fmt.Errorf("language=%s: want C, JVM or Wasm", l.Language)
	case !filepath.IsAbs(l.Path):
		return l, fmt.Errorf("path=%s: want an absolute path", l.Path)
	case l.Says == nil:
		return l, errors.New("says= is missing: how it says its version")
	case l.Modes == nil:
		l.Modes = []compilers.LineMode{{Mode: m.usual}}
	}
	for _, mode := range l.Modes {
		if mode.Mode[0] != m.usual[0] || len(mode.Flags) > 0 && !m.flags {
			return l, fmt.Errorf("mode=%q: that of C is one flag, others begin with @", strings.Join(append([]string{mode.Mode}, mode.Flags...), " "))
		}
	}
	for _, word := range l.Lacks {
		if !strings.HasPrefix(word, "-") && !slices.Contains(compilers.Features(), word) {
			return l, fmt.Errorf("lacks=%s: neither a flag nor a feature: %s", word, strings.Join(compilers.Features(), ", "))
		}
	}
	return l, nil
}

// set sets what a word of a line says.
func set(l *compilers.Line, word, value string) (err error) {
	switch word {
	case "language":
		l.Language = value
	case "path":
		l.Path = value
	case "ask":
		l.Ask = value
	case "says":
		if l.Says, err = regexp.Compile("(?m)" + value); err == nil && l.Says.NumSubexp() == 0 {
			err = errors.New("want a group for the version, as in (.*)")
		}
	case "mode":
		if words := strings.Fields(value); words != nil {
			l.Modes = append(l.Modes, compilers.LineMode{Mode: words[0], Flags: words[1:]})
		}
	case "flags":
		l.Flags = append(l.Flags, strings.Fields(value)...)
	case "lacks":
		l.Lacks = append(l.Lacks, strings.FieldsFunc(value, func(r rune) bool { return r == ',' || r == ' ' })...)
	default:
		err = errors.New("want language, path, ask, says, mode, flags or lacks")
	}
	if err != nil {
		return fmt.Errorf("%s=%q: %w", word, value, err)
	}
	return nil
}
