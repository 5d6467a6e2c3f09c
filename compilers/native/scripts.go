package native

import (
	"regexp"

	"goreify/compilers"
)

// The scripts of other tools for reducing contain commands for gcc and clang: this is
// what such scripts are made of.

// GCC is the family of gcc.
const GCC = "gcc"

const (
	// UsualLevel is the level that users mostly build at.
	UsualLevel compilers.Mode = "-O2"
	// WarningLevel is the lowest level at which compilers see variables that are
	// not initialised.
	WarningLevel compilers.Mode = "-O1"
)

// Warnings are those that tell of undefined behaviour, as -W takes them.
var Warnings = []string{"return-type", "uninitialized", "implicit-function-declaration"}

// ErrorSigns are texts of which each internal error has one.
var ErrorSigns = []string{"internal compiler error", "PLEASE submit a bug report"}

// errorMarks find what tells an internal error from others and is the same for
// smaller programs: the place, the assertion or the pass.
var errorMarks = []*regexp.Regexp{
	regexp.MustCompile(`internal compiler error: .*`),
	regexp.MustCompile("Assertion [`'].*' failed"),
	regexp.MustCompile(`LLVM ERROR: [^:\n]*`),
	regexp.MustCompile(`Running pass ['"][\w-]+`),
}

// ErrorMark returns the part of the text of an internal error that tells it from
// others, or "" if it is like any other.
func ErrorMark(stderr string) string {
	for _, m := range errorMarks {
		if found := m.FindString(stderr); found != "" {
			return found
		}
	}
	return ""
}

// ScriptProbe asks in a shell whether a compiler $cc works at all, with flags that are to be
// put in, and ends it by unasked if not. It makes $program.
const ScriptProbe = `flags=%s
eval "$cc --version" || unasked "$cc does not say its version"
printf '#include <stdio.h>\nint main(void) { return 0; }\n' | (ulimit -t 60; eval "exec $cc $flags -x c - -o ./$program") ||
	unasked "$cc $flags compiles nothing here"
`

// Commands returns the lines, to paste into a shell, that build a program with any
// gcc and run it.
func Commands(files []compilers.File) []string {
	return Toolchain{Name: GCC}.Commands(compilers.Job{Files: files, Mode: UsualLevel}, binaryName)
}
