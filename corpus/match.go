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
	return listed(e.Bad, family, version, args, mode)
}

// KnownGood reports whether a compiler is listed as right about the entry, in a line of
// Good. A compiler that is in no line at all may be either.
func (e *Entry) KnownGood(family, version string, args []string, mode string) bool {
	return listed(e.Good, family, version, args, mode)
}

func listed(list []Configuration, family, version string, args []string, mode string) bool {
	return slices.ContainsFunc(list, func(c Configuration) bool {
		return family == c.Family && version == c.Version && slices.Equal(args, c.Args) && slices.Contains(c.Modes, mode)
	})
}

var position = regexp.MustCompile(`^[^\s:]+:\d+(:\d+)?: `)

// WithoutPosition returns a message without the position in a source file at its start,
// such as "repro.c:12:3: ".
func WithoutPosition(message string) string { return position.ReplaceAllString(message, "") }

// Fingerprint is a cheap first guess at the bug that e shows. Entries with equal
// fingerprints count as the same bug: they have the compiler's family, version and
// flags, the verdict, the failing modes, and the message in common. The modes are those
// of this version with the same flags. The position of the message in the generated
// source is not part of it.
func (e *Entry) Fingerprint() string {
	return strings.Join(append([]string{e.Family, e.Version}, e.Flags...), " ") + "; " + e.Symptoms()[e.Version]
}

// Symptoms returns the fingerprint without its version, by each version of the family
// that is known to fail with these flags, as if e were of that.
func (e *Entry) Symptoms() map[string]string {
	modes := map[string][]string{e.Version: {e.Mode}}
	for _, b := range e.Bad {
		if b.Family == e.Family && slices.Equal(b.Args, e.Flags) {
			modes[b.Version] = append(modes[b.Version], b.Modes...)
		}
	}
	symptoms := map[string]string{}
	for version, list := range modes {
		slices.Sort(list)
		parts := []string{e.Verdict, strings.Join(slices.Compact(list), " "), WithoutPosition(e.Message)}
		symptoms[version] = strings.Join(parts, "; ")
	}
	return symptoms
}

// Asked returns the plainest mode in which the test of a report fails with the version of the
// entry, and the compiler's arguments: those of the entry, unless the reduced test needs fewer.
func (e *Entry) Asked() (mode string, args []string) {
	list := []Configuration{{Family: e.Family, Version: e.Version, Args: e.Flags, Modes: []string{e.Mode}}}
	if e.Reduced != "" {
		list = append(slices.Clone(e.ReducedBad), list...)
	}
	for _, c := range list {
		if c.Family != e.Family || c.Version != e.Version || len(c.Modes) == 0 {
			continue
		}
		for _, plain := range []string{"@O", "-O2", "-O1", "-O3", "-Os"} {
			if slices.Contains(c.Modes, plain) {
				return plain, c.Args
			}
		}
		return c.Modes[0], c.Args
	}
	return e.Mode, e.Flags
}
