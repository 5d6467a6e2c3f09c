package corpus

import "strings"

// Unlicensed is the licence of text of which no licence is known.
const Unlicensed = "unknown"

// OriginOf returns the note for a function of others.
func OriginOf(origin, licence string) Note {
	if licence == "" || licence == "none" {
		licence = Unlicensed
	}
	return Note{Key: NoteOrigin, Value: OneLine(origin + ", " + licence)}
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
