package mutate

import "goreify/reify/ir"

// A pass is a way to make a variant differ from its seed.
type pass struct {
	name   string // a word, as in notes of reproducers
	live   bool   // it changes what is executed
	weight int    // how often it is drawn, relative to the others
	// apply makes an edit and returns the block it is in, or nil if it found
	// nothing to change; then nothing has changed.
	apply func(*mutant) *ir.Block
}

// table has the passes, each in a file of its name.
var table = []pass{
	{"prune", false, 3, (*mutant).prune},   // statements and branches that are dead go
	{"modify", false, 3, (*mutant).modify}, // constants, operators, operands, destinations of dead statements
	{"edge", false, 4, (*mutant).edge},     // edges that are never taken lead elsewhere, into live loops too

}

// Passes returns the names of all passes.
func Passes() []string {
	var names []string
	for _, p := range table {
		names = append(names, p.name)
	}
	return names
}
