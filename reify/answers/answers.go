package answers

import (
	"bytes"
	"regexp"
	"strconv"
	"strings"
)

// Name returns the name of call i of a function, from 0.
func Name(function string, i int) string {
	if i == 0 {
		return function
	}
	return function + "#" + strconv.Itoa(i+1)
}

const traps = "traps "

// Trap returns the answer of a call that traps.
func Trap(kind string) string { return traps + kind }

// Traps reports whether an answer is that of a call that traps.
func Traps(answer string) bool { return strings.HasPrefix(answer, traps) }

// Stated returns an answer with a checksum of what lasts, in decimal, unless it is empty.
func Stated(answer, checksum string) string {
	if checksum == "" {
		return answer
	}
	return answer + " state " + checksum
}

// Line returns the line of a call.
func Line(name, answer string) string { return name + " " + answer + "\n" }

// printed is a line that tells of a call: its name, and the number or the trap that it
// came to. The rest is what engines say that could not make a call.
var printed = regexp.MustCompile(`^(?:reset: )?(\S+) (?:-?\d+|traps .+|no result|no export .+)(?: state \d+)?(?: varies .+)?\n$`)

// Names returns the names of the calls whose lines a text has, or false if it has others.
func Names(text []byte) (names []string, ok bool) {
	for line := range bytes.Lines(text) {
		m := printed.FindSubmatch(line)
		if m == nil {
			return nil, false
		}
		names = append(names, string(m[1]))
	}
	return names, true
}

// Wrong returns the indices of the units that an output accuses: those that lack a line
// of their wanted output, or have another line in its place. It also returns whether the
// output has the right number of lines. If the program ended early, all units from
// there on are accused.
func Wrong(wanted []string, stdout []byte) (wrong []int, complete bool) {
	got := strings.SplitAfter(string(stdout), "\n") // and the rest of the output after the last line
	for i, want := range wanted {
		lines := min(strings.Count(want, "\n"), len(got))
		if strings.Join(got[:lines], "") != want {
			wrong = append(wrong, i)
		}
		got = got[lines:]
	}
	return wrong, len(got) == 1
}
