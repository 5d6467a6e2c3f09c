package hunt

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"goreify/compilers"
	"goreify/corpus"
)

// CPU seconds that repro.sh gives the compiler and the program. Whatever takes
// longer is endless: the hunt gave them less.
const (
	scriptCompile = 60
	scriptRun     = 10
)

// scriptText needs nothing but a POSIX shell and the compiler: what is
// compared is read by the shell itself.
const scriptText = `#!/bin/sh
# %[1]s
# Compiles the program and looks whether it prints what is in want.txt.
# CC=... asks another compiler. Exit status: 0 the compiler is right, 1 it is
# wrong, 2 it could not be asked.
cd "${0%%/*}" 2>/dev/null || [ "$0" = "${0##*/}" ] || exit 2
CC=${CC:-%[2]s}
if ! command -v "${CC%%%% *}" >/dev/null 2>&1; then
	echo "there is no $CC here" >&2
	exit 2
fi
$CC --version || exit 2
echo "+ $CC %[3]s"
(ulimit -t %[4]d; exec $CC %[3]s)
status=$?
if [ $status -ne 0 ]; then
	echo "WRONG: the compiler ended with status $status"
	exit 1
fi
`

// scriptRest runs the program, for what only running it shows.
const scriptRest = `want=$(while IFS= read -r line; do printf '%%s\n' "$line"; done <want.txt; echo "exit status 0")
got=$(ulimit -t %d; ./repro; echo "exit status $?")
if [ "$got" != "$want" ]; then
	echo "WRONG: the program should print"
	printf '%%s\n' "$want"
	echo "but prints"
	printf '%%s\n' "$got"
	exit 1
fi
`

// script returns the text of repro.sh.
func script(e *corpus.Entry) string {
	args := append(slices.Clone(e.Flags), e.Level, "-w")
	args = append(args, slices.Sorted(maps.Keys(e.Sources))...)
	args = append(args, "-o", "repro")
	text := fmt.Sprintf(scriptText, e.Title, e.Compiler, strings.Join(args, " "), scriptCompile)
	v, err := compilers.ParseVerdict(e.Verdict)
	if err != nil || v == compilers.WrongAnswer || v == compilers.Crash || v == compilers.Endless {
		text += fmt.Sprintf(scriptRest, scriptRun)
	}
	return text + "echo \"right\"\n"
}
