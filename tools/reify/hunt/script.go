package hunt

import (
	"fmt"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"goreify/compilers"
	"goreify/compilers/native"
	"goreify/corpus"
)

// CPU seconds that repro.sh gives the compiler and the program. Whatever takes
// longer is endless: the hunt gave them less. A compilation that was too slow
// gets what the hunt gave it.
const (
	scriptCompile = 60
	scriptRun     = 10
)

// scriptText needs nothing but a POSIX shell and the compiler: what is
// compared is read by the shell itself. A compiler that cannot compile an empty
// program, for want of its own parts or of an option, is not accused.
const scriptText = `#!/bin/sh
# %[1]s
# Compiles the program and looks whether it prints what is in want.txt.
# REPRO_CC='gcc -m32' asks another compiler. Exit status: 0 the compiler is
# right, 1 it is wrong, 2 it could not be asked.
PATH=${PATH:-/usr/bin:/bin} # a default of the shell's own is not passed on
export PATH
cd "${0%%/*}" 2>/dev/null || [ "$0" = "${0##*/}" ] || exit 2
work=.
if ! (: >repro) 2>/dev/null; then
	work=${TMPDIR:-/tmp}/repro.$$
	mkdir "$work" || exit 2
	trap 'rm -rf "$work"' EXIT
	trap 'exit 2' HUP INT TERM
fi
set -f
set -- %[2]s
[ -z "$REPRO_CC" ] || set -- $REPRO_CC
if ! command -v "$1" >/dev/null 2>&1; then
	echo "there is no $1 here" >&2
	exit 2
fi
"$@" --version || exit 2
set -- "$@" %[3]s
if ! printf '#include <stdio.h>\nint main(void) { return 0; }\n' | (ulimit -t %[5]d; exec "$@" -x c - -o "$work/repro"); then
	echo "$* compiles nothing here" >&2
	exit 2
fi
set -- "$@" %[4]s -o "$work/repro"
echo "+ $*"
(ulimit -t %[5]d; exec "$@")
status=$?
if [ $status -ne 0 ]; then
	echo "%[6]s: the compiler ended with status $status"
	exit %[7]d
fi
`

// scriptRest runs the program, for what only running it shows.
const scriptRest = `want=$(while IFS= read -r line; do printf '%%s\n' "$line"; done <want.txt; echo "exit status 0")
got=$(ulimit -t %d; "$work/repro"; echo "exit status $?")
if [ "$got" != "$want" ]; then
	echo "WRONG: the program should print"
	printf '%%s\n' "$want"
	echo "but prints"
	printf '%%s\n' "$got"
	exit 1
fi
`

// compileLimit returns the CPU seconds that a compiler had which used them up.
// They are whole seconds for each of its processes; the last was stopped there.
func compileLimit(o compilers.Outcome) int {
	return max(1, int(o.CompileCPU.Round(time.Second)/time.Second))
}

// scripts are the texts of repro.sh by language. A script gives a slow
// compilation so many CPU seconds.
var scripts = map[string]func(e *corpus.Entry, slow int) string{compilers.C: scriptOfC}

// script returns the text of repro.sh.
func script(e *corpus.Entry, slow int) string {
	// What an emulator runs, the command knows how to.
	if of, ok := scripts[e.Language]; ok && !native.Emulated(e.Triple) {
		return of(e, slow)
	}
	return fmt.Sprintf(scriptPlain, e.Title, firstWord.FindString(e.Command), e.Command)
}

// firstWord matches the first word of a command, as compilers.Quote writes it.
var firstWord = regexp.MustCompile(`^('[^']*'|\\.|[^\s'\\])+`)

// scriptPlain runs the command of a reproducer, whatever its language. A compiler
// that is not there is not accused.
const scriptPlain = `#!/bin/sh
# %s
# Exit status: 0 the answer is right, 1 it is wrong or there is none, 2 the
# compiler could not be asked.
PATH=${PATH:-/usr/bin:/bin} # a default of the shell's own is not passed on
export PATH
cd "${0%%/*}" 2>/dev/null || [ "$0" = "${0##*/}" ] || exit 2
set -- %s
if ! command -v "$1" >/dev/null 2>&1; then
	echo "there is no $1 here" >&2
	exit 2
fi
if [ -n "$REPRO_CC" ]; then
	echo "REPRO_CC is for programs in C; this asks $1 alone" >&2
	exit 2
fi
if { %s; }; then
	echo "right"
else
	echo "WRONG"
	exit 1
fi
`

// scriptOfC returns a script for compilers that take the options of gcc.
func scriptOfC(e *corpus.Entry, slow int) string {
	v, err := compilers.ParseVerdict(e.Verdict)
	ran := err != nil || v == compilers.WrongAnswer || v == compilers.Crash || v == compilers.Endless
	failed, status := "WRONG", 1
	if ran {
		failed, status = "NOT ASKED", 2
	}
	limit := scriptCompile
	if v == compilers.SlowCompile {
		limit = slow
	}
	args := append(slices.Clone(e.Flags), e.Mode, "-w")
	text := fmt.Sprintf(scriptText, e.Title, words(executable(e.Compiler)), words(args...), words(slices.Sorted(maps.Keys(e.Sources))...),
		limit, failed, status)
	if ran {
		text += fmt.Sprintf(scriptRest, scriptRun)
	}
	return text + "echo \"right\"\n"
}

// executable returns the name of a compiler as it is found from anywhere: one
// with a slash is found from here alone.
func executable(name string) string {
	if strings.Contains(name, "/") {
		if path, err := filepath.Abs(name); err == nil {
			return path
		}
	}
	return name
}

// words returns a list of words as a shell reads them.
func words(list ...string) string { return compilers.CommandLine(list[0], list[1:]) }
