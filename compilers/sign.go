package compilers

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// A Sign is how an executable is recognised that REIFY_CC names by its path alone.
type Sign struct {
	Name    string         // that entries of REIFY_CC have for it: "node"
	Ask     string         // the argument that it is given: "--version"
	Says    *regexp.Regexp // in what it prints then
	Example string         // of that, for people
	// Home is where the executable is in a directory that may be named instead; "" if
	// none may.
	Home string
}

// unsupported are compilers that cannot be asked, by what they print of themselves.
var unsupported = []struct {
	says          *regexp.Regexp
	name, instead string
}{
	{regexp.MustCompile(`(?m)\bV8 version \d|^d8> `), "d8, the shell of V8,", "node"},
	{regexp.MustCompile(`(?m)^Usage: jsc \[options\]`), "jsc, the shell of JavaScriptCore,", "bun"},
	{regexp.MustCompile(`(?m)^JavaScript-C\d|^Usage: js \[`), "SpiderMonkey", "node, bun and wazero"},
	{regexp.MustCompile(`(?m)^deno \d`), "deno", "node"},
	{regexp.MustCompile(`(?m)^wasmtime(?:-cli)? \d`), "wasmtime", "wizer, which has its compiler Cranelift,"},
	{regexp.MustCompile(`(?mi)^(?:wasmer|wasmedge|iwasm)\b.* \d`), "this WebAssembly engine", "wazero, node and bun"},
	{regexp.MustCompile(`\bOpenJ9\b|\bIBM J9 VM\b`), "OpenJ9", "HotSpot"},
	{regexp.MustCompile(`\bGraalVM\b`), "GraalVM", "HotSpot"},
	{regexp.MustCompile(`(?m)^tinygo version \d`), "tinygo", "gc"},
	{regexp.MustCompile(`(?m)^(?:icc|icpc) \(ICC\) \d|^Intel\(R\) .*Compiler \d`), "Intel's compiler", "gcc and clang"},
	{regexp.MustCompile(`Microsoft \(R\) .*Compiler Version \d`), "MSVC", "gcc and clang"},
	{regexp.MustCompile(`The CompCert C verified compiler`), "CompCert", "gcc and clang"},
}

// Unsupported returns an error if a text is what a compiler that cannot be asked prints
// of itself, which names it and what is supported instead.
func Unsupported(said string) error {
	for _, u := range unsupported {
		if u.says.MatchString(said) {
			verb := "is"
			if strings.Contains(u.instead, " and ") {
				verb = "are"
			}
			return fmt.Errorf("%s is not supported yet: %s %s; a line of a file makes others known, see \"Hunt your own build\" in README.md", u.name, u.instead, verb)
		}
	}
	return nil
}

// AtHome returns the executable at a path, or that in the directory at the path, where
// homes are the places in which it may be there. The error says what is missing.
func AtHome(path string, homes ...string) (string, error) {
	if !filepath.IsAbs(path) {
		return "", errors.New("want an absolute path")
	}
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return "", fmt.Errorf("%s: there is no such file (a path ends at a blank or a comma: a link may name one that has some)", path)
	case !info.IsDir() && !Executable("", path):
		return "", fmt.Errorf("%s: not an executable file", path)
	case !info.IsDir():
		return path, nil
	}
	for _, home := range homes {
		if file := filepath.Join(path, home); Executable("", file) {
			return file, nil
		}
	}
	return "", fmt.Errorf("%s: a directory without an executable %s", path, strings.Join(homes, " or "))
}

// pathFlag has what stands before a path in one word with it: -B/p, --sysroot=/p.
var pathFlag = regexp.MustCompile(`^(?:-[BIL]|-[^/]*[=:])?(/.*)$`)

// DirsOf returns the directories that arguments name, or that files which they name are
// in, if a box would hide them.
func DirsOf(args []string) (dirs []string) {
	for _, arg := range args {
		m := pathFlag.FindStringSubmatch(arg)
		if m == nil {
			continue
		}
		dir := filepath.Clean(m[1])
		info, err := os.Stat(dir)
		if err == nil && !info.IsDir() {
			dir = filepath.Dir(dir)
		}
		if err == nil && hides(dir) && dir != "/" && !slices.Contains(dirs, dir) {
			dirs = append(dirs, dir)
		}
	}
	return dirs
}
