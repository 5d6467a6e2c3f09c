package hunt

import (
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"goreify/compilers"
	"goreify/corpus"
	"goreify/reify/language"
)

// CPU seconds that repro.sh gives a compiler. A compilation that takes longer is
// endless: the hunt gave it less. A compilation that was too slow gets the time that
// the hunt gave it.
const scriptCompile = 60

// scriptText needs a POSIX shell, the compiler, and the tools that the command of the
// reproducer names. A compiler that cannot compile an empty program, for want of its own
// parts or of an option, is not accused.
const scriptText = `#!/bin/sh
# %[1]s
# Asks the compiler about %[2]s if triage has made it, or else about the whole program.
# ./repro.sh %[3]s asks another compiler.
# Exit status: 0 the compiler is right, 1 it is wrong, 2 it could not be asked.
PATH=${PATH:-/usr/bin:/bin} # a default of the shell's own is not passed on
export PATH
cd "${0%%/*}" 2>/dev/null || [ "$0" = "${0##*/}" ] || exit 2
unasked() {
	echo "NOT ASKED: $*" >&2
	exit 2
}
tool=%[4]s
cc=%[5]s
other=%[6]s
[ -z "$1" ] || cc=$other$1
command=%[7]s
program=repro
if [ -f %[8]s ] && [ -f %[2]s ]; then
	while IFS= read -r line; do
		case $line in
		'-- '*) break ;;
		'reduced-command: '*) command=${line#*: } program=reduced ;;
		esac
	done <%[8]s
fi
if ! (: >$program) 2>/dev/null; then
	work=${TMPDIR:-/tmp}/repro.$$
	mkdir "$work" || exit 2
	trap 'rm -rf "$work"' EXIT
	trap 'exit 2' HUP INT TERM
	for file in *; do
		[ ! -f "$file" ] || cp "$file" "$work" || exit 2
	done
	cd "$work" || exit 2
fi
eval "set -- $cc"
while [ "$1" = env ] || [ "$1" != "${1#*=}" ]; do shift; done
for need in "$1"%[9]s; do
	command -v "$need" >/dev/null 2>&1 || unasked "there is no $need here"
done
command=" $command "
case $command in
*" $tool "*) command=${command%%%%" $tool "*}" $cc "${command#*" $tool "} ;;
esac
before=${command%%%%" $cc "*}
%[10]sprintf '+%%s\n' "$command"
build=$command run=
case $command in
*' true ') ;;
*' && '*) build=${command%%%%' && '*} run=${command#*' && '} ;;
esac
(ulimit -t %[11]d; eval "$build")
status=$?
if [ $status -ne 0 ]; then
	[ -z "$run" ] || unasked "the compiler ended with status $status"
	echo "WRONG: the compiler ended with status $status"
	exit 1
fi
if [ -n "$run" ] && ! eval "$run"; then
	echo "WRONG: the program does not print the right answer"
	exit 1
fi
echo "right"
`

// scriptProbes ask a compiler in repro.sh whether it works at all, by the name of its
// executable, where the language does not say it.
var scriptProbes = []struct {
	name *regexp.Regexp
	text string
}{
	{regexp.MustCompile(`^go[\d.]*$`), `printf 'package main\nfunc main() {}\n' >empty.go
eval "$before $cc version && $before $cc build -o ./$program empty.go" || unasked "$cc compiles nothing here"
rm -f empty.go
`},
	{regexp.MustCompile(`^java$`), `eval "$cc -version" || unasked "$cc does not say its version"
`},
	{regexp.MustCompile(`^(node|bun|gccgo)(-[\d.]+)?$`), `eval "$cc --version" || unasked "$cc does not say its version"
`},
}

// compileLimit returns the CPU seconds that a compiler had which used them up.
// They are whole seconds for each of its processes; the last was stopped there.
func compileLimit(o compilers.Outcome) int {
	return max(1, int(o.CompileCPU.Round(time.Second)/time.Second))
}

var (
	// commandHead matches what stands in a command before the compiler, and firstWord
	// a word as compilers.Quote writes it.
	commandHead = regexp.MustCompile(`^(timeout \d+ )?(xxd [^&]*&& )?(env )?(\w+=('[^']*'|[^\s'])* )*`)
	firstWord   = regexp.MustCompile(`^('[^']*'|\\.|[^\s'\\])+`)
	// otherTool matches the other tools that a command needs.
	otherTool = regexp.MustCompile(`(?:^|[\s{|])(timeout|xxd|diff|qemu-[\w-]+)\s`)
)

// script returns the text of repro.sh. A slow compilation gets so many CPU seconds.
func script(e *corpus.Entry, slow int) string {
	tool := firstWord.FindString(e.Command[len(commandHead.FindString(e.Command)):])
	name := filepath.Base(strings.Trim(tool, "'"))
	cc, example, other := executable(tool), "/path/to/"+name, ""
	probe := ""
	if lang := language.Find(e.Language); lang != nil && lang.CC() {
		example = lang.Script.Other
		probe = fmt.Sprintf(lang.Script.Probe, compilers.Quote(words(append(slices.Clone(e.Flags), e.Mode)...)))
	}
	for _, p := range scriptProbes {
		if probe == "" && p.name.MatchString(name) {
			probe = p.text
		}
	}
	if name == "go" { // which else asks the one of the command
		other = "env GOTOOLCHAIN=local "
	}
	needs := ""
	for _, found := range otherTool.FindAllStringSubmatch(e.Command, -1) {
		if !strings.Contains(needs+" ", " "+found[1]+" ") {
			needs += " " + found[1]
		}
	}
	limit := scriptCompile
	if v, err := compilers.ParseVerdict(e.Verdict); err == nil && v == compilers.SlowCompile {
		limit = slow
	}
	return fmt.Sprintf(scriptText, e.Title, words(e.ReducedMain()), example, compilers.Quote(tool), compilers.Quote(cc), compilers.Quote(other),
		compilers.Quote(e.Command), corpus.FindingFile, needs, probe, limit)
}

// executable returns a word of a shell that is the name of a compiler, as it is found
// from anywhere: one with a slash is found from here alone.
func executable(word string) string {
	name := strings.Trim(word, "'")
	if strings.Contains(name, "/") && !strings.Contains(name, "'") {
		if path, err := filepath.Abs(name); err == nil {
			return compilers.Quote(path)
		}
	}
	return word
}

// words returns a list of words as a shell reads them.
func words(list ...string) string { return compilers.CommandLine(list[0], list[1:]) }
