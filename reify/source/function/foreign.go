package function

import (
	"goreify/compilers"
	"goreify/corpus"
	"goreify/reify/ir"
	"goreify/reify/subject"
)

// Others is what the functions of others in a program mean for it.
type Others []*ir.Function

// OthersIn returns the foreign ones of some functions.
func OthersIn(funcs []*ir.Function) Others {
	var list Others
	for _, f := range funcs {
		if f.Foreign != nil {
			list = append(list, f)
		}
	}
	return list
}

// Trust returns who vouches for the program: where there are functions of others, it is
// no better than what was recorded of them.
func (o Others) Trust() subject.Trust {
	if len(o) > 0 {
		return subject.Recorded
	}
	return subject.Proved
}

// Needs returns what targets the answers hold for.
func (o Others) Needs() compilers.Needs {
	var n compilers.Needs
	for _, f := range o {
		n.Little = true
		switch f.Foreign.Models {
		case ir.LP64:
			n = n.And(compilers.Needs{Long: 8})
		case ir.ILP32:
			n = n.And(compilers.Needs{Long: 4})
		}
	}
	return n
}

// Notes returns what a reproducer says of the functions.
func (o Others) Notes() []corpus.Note {
	var notes []corpus.Note
	for _, f := range o {
		notes = append(notes, corpus.OriginOf(f.Foreign.Origin, f.Foreign.Licence))
	}
	if text := o.Needs().String(); text != "" {
		notes = append(notes, corpus.Note{Key: corpus.NoteNeeds, Value: text})
	}
	return notes
}
