package function

import (
	"goreify/compilers"
	"goreify/corpus"
	"goreify/reify/ir"
	"goreify/reify/subject"
)

// Others describes the functions of others in a program.
type Others []*ir.Function

// OthersIn returns the foreign functions among some functions.
func OthersIn(funcs []*ir.Function) Others {
	var list Others
	for _, f := range funcs {
		if f.Foreign != nil {
			list = append(list, f)
		}
	}
	return list
}

// Trust returns the trust of the program: with functions of others, it is no better
// than that of their recorded answers.
func (o Others) Trust() subject.Trust {
	if len(o) > 0 {
		return subject.Recorded
	}
	return subject.Proved
}

// Needs returns the traits of the targets for which the answers hold.
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

// Notes returns the notes about the functions for a reproducer.
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
