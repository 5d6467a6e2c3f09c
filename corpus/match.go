package corpus

import (
	"regexp"
	"slices"
	"strings"
)

// Incomplete is the key of the note on an entry whose lines of Bad may lack
// configurations of the versions that they name.
const Incomplete = "x-incomplete"

// KnownBad reports whether a compiler is known to fail on the entry: a
// configuration named by a line of Bad, or the one the entry was found with.
// The arguments are compared in order; nil and empty are the same.
func (e *Entry) KnownBad(family, version string, args []string, level string) bool {
	if e.Verdict == Untested {
		return false
	}
	same := family == e.Family && version == e.Version && slices.Equal(args, e.Flags)
	incomplete := slices.ContainsFunc(e.Notes, func(n Note) bool { return n.Key == Incomplete })
	if same && (level == e.Level || incomplete) {
		return true
	}
	for _, b := range e.Bad {
		if family == b.Family && version == b.Version && slices.Equal(args, b.Args) &&
			slices.Contains(b.Levels, level) {
			return true
		}
	}
	return false
}

// position is the place in a source file that a message starts with.
var position = regexp.MustCompile(`^[^\s:]+:\d+(:\d+)?: `)

// Fingerprint is a cheap first guess at which bug e shows. Entries with equal
// fingerprints count as the same bug: they have the compiler's family and
// version, the verdict, the failing levels, and the message in common. The
// levels are those of this version with the same flags. Where in the generated
// source the message points is not part of it.
func (e *Entry) Fingerprint() string {
	levels := []string{e.Level}
	for _, b := range e.Bad {
		if b.Family == e.Family && b.Version == e.Version && slices.Equal(b.Args, e.Flags) {
			levels = append(levels, b.Levels...)
		}
	}
	slices.Sort(levels)
	parts := []string{
		e.Family + " " + e.Version,
		e.Verdict,
		strings.Join(slices.Compact(levels), " "),
		position.ReplaceAllString(e.Message, ""),
	}
	return strings.Join(parts, "; ")
}
