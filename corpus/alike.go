package corpus

import (
	"slices"
	"strings"
)

// Alike returns the path of a reproducer in one of the directories that has the
// fingerprint of an entry, or "" if there is none. For an entry that says that not all
// configurations could be asked, one will do that fails in further modes as well. Files
// that cannot be read are passed over.
func Alike(e *Entry, dirs ...string) string {
	for _, dir := range dirs {
		for _, known := range LoadDir(dir) {
			if known.Err == nil && (known.Entry.Fingerprint() == e.Fingerprint() || e.partOf(known.Entry)) {
				return known.Path
			}
		}
	}
	return ""
}

// partOf tells whether an entry that is not complete may be like another one.
func (e *Entry) partOf(known *Entry) bool {
	if e.Note(NoteIncomplete) == "" || e.Family != known.Family || e.Version != known.Version || !slices.Equal(e.Flags, known.Flags) {
		return false
	}
	split := func(e *Entry) (verdict, modes, message string) {
		verdict, rest, _ := strings.Cut(e.Symptoms()[e.Version], "; ")
		modes, message, _ = strings.Cut(rest, "; ")
		return verdict, modes, message
	}
	verdict, modes, message := split(e)
	verdict2, modes2, message2 := split(known)
	all := strings.Fields(modes2)
	missing := func(mode string) bool { return !slices.Contains(all, mode) }
	return verdict == verdict2 && message == message2 && !slices.ContainsFunc(strings.Fields(modes), missing)
}
