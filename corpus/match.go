package corpus

import (
	"regexp"
	"slices"
	"strings"
)

// KnownBad reports whether a compiler is known to fail on the entry: a
// configuration named by a line of Bad, or the one the entry was found with.
// The arguments are compared in order; nil and empty are the same.
func (e *Entry) KnownBad(family, version string, args []string, mode string) bool {
	if e.Verdict == Untested {
		return false
	}
	same := family == e.Family && version == e.Version && slices.Equal(args, e.Flags)
	if same && (mode == e.Mode || e.Note(NoteIncomplete) != "") {
		return true
	}
	for _, b := range e.Bad {
		if family == b.Family && version == b.Version && slices.Equal(args, b.Args) &&
			slices.Contains(b.Modes, mode) {
			return true
		}
	}
	return false
}

var position = regexp.MustCompile(`^[^\s:]+:\d+(:\d+)?: `)

// WithoutPosition returns a message without the place in a source file that it
// starts with, such as "repro.c:12:3: ".
func WithoutPosition(message string) string { return position.ReplaceAllString(message, "") }

// Fingerprint is a cheap first guess at which bug e shows. Entries with equal
// fingerprints count as the same bug: they have the compiler's family and
// version, the verdict, the failing modes, and the message in common. The
// modes are those of this version with the same flags. Where in the generated
// source the message points is not part of it.
func (e *Entry) Fingerprint() string {
	modes := []string{e.Mode}
	for _, b := range e.Bad {
		if b.Family == e.Family && b.Version == e.Version && slices.Equal(b.Args, e.Flags) {
			modes = append(modes, b.Modes...)
		}
	}
	slices.Sort(modes)
	parts := []string{
		e.Family + " " + e.Version,
		e.Verdict,
		strings.Join(slices.Compact(modes), " "),
		WithoutPosition(e.Message),
	}
	return strings.Join(parts, "; ")
}
