package corpus

import (
	"slices"
	"strings"
)

// Unlicensed stands for an unknown licence.
const Unlicensed = "unknown"

// noLicence are words in place of a licence, which grant nothing.
var noLicence = []string{"", "none", "noassertion", Unlicensed, "unlicensed", "proprietary"}

// OriginOf returns the note for a function of others. A licence in noLicence, or an
// empty one, becomes Unlicensed. A long origin does not cut the licence off.
func OriginOf(origin, licence string) Note {
	licence = strings.TrimSpace(licence)
	if slices.Contains(noLicence, strings.ToLower(licence)) || !printable(licence) || strings.Contains(licence, ",") || len(licence) > maxLine/2 {
		licence = Unlicensed
	}
	origin = OneLine(origin)
	if r := []rune(origin); len(r) > maxLine/2 {
		origin = strings.TrimSpace(string(r[:maxLine/2-1])) + "…"
	}
	return Note{Key: NoteOrigin, Value: origin + ", " + licence}
}

// An Origin is the origin of a function of others in a reproducer.
type Origin struct{ From, Licence string }

// Origins returns the origins of the functions of others in a reproducer, from the
// notes.
func (e *Entry) Origins() []Origin {
	var list []Origin
	for _, text := range e.AllNotes(NoteOrigin) {
		o := Origin{text, Unlicensed}
		if i := strings.LastIndex(text, ", "); i >= 0 {
			o = Origin{text[:i], text[i+2:]}
		}
		list = append(list, o)
	}
	return list
}
