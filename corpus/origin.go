package corpus

import (
	"slices"
	"strings"
)

// Unlicensed is the licence of text of which no licence is known.
const Unlicensed = "unknown"

// noLicence are words that stand where a licence could: they grant nothing.
var noLicence = []string{"", "none", "noassertion", Unlicensed, "unlicensed", "proprietary"}

// OriginOf returns the note for a function of others. A licence that is none by its name, or
// no name at all, is Unlicensed. However long the origin is, the licence is not cut off.
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

// An Origin says where a function of others in a reproducer comes from.
type Origin struct{ From, Licence string }

// Origins returns what the notes say of the functions of others in a reproducer.
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
