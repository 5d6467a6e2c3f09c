package mutate

import "goreify/reify/ir"

// A pass is a way to make a variant differ from its seed.
type pass struct {
	name   string // a word, as in notes of reproducers
	live   bool   // it changes what is executed
	weight int    // how often it is drawn, relative to the others
	// apply makes an edit and returns its block, or nil if it found no possible change;
	// then nothing has changed.
	apply func(*mutant) *ir.Block
}

// table has the passes, each in a file of its name.
var table = []pass{
	{"prune", false, 3, (*mutant).prune},         // dead statements and branches are removed
	{"insert", false, 3, (*mutant).insert},       // hostile statements, and copies of others, into dead blocks
	{"modify", false, 3, (*mutant).modify},       // constants, operators, operands, destinations of dead statements
	{"condition", false, 2, (*mutant).condition}, // terminators of dead blocks
	{"edge", false, 4, (*mutant).edge},           // edges that are never taken get another target, also in live loops
	{"move", false, 2, (*mutant).move},           // dead statements change blocks, live ones are repeated in dead code
	{"alias", false, 2, (*mutant).alias},         // dead code stores through pointers to live variables

	{"fcb", true, 3, (*mutant).fcb},           // a condition that is false on every visit, and dead code behind it
	{"tg", true, 3, (*mutant).tg},             // a live statement behind a condition that is true on every visit
	{"tcb", true, 3, (*mutant).tcb},           // live code without an effect
	{"relate", true, 4, (*mutant).relate},     // an operand becomes an expression with the same values
	{"clone", true, 3, (*mutant).clone},       // an edge of a block gets a copy of the block
	{ForeignPass, true, 6, (*mutant).foreign}, // code that depends on the answer of a foreign function

	{"arm", false, 2, (*mutant).arm}, // the operand of ?:, && or || that is not evaluated
}

// Passes returns the names of all passes.
func Passes() []string {
	var names []string
	for _, p := range table {
		names = append(names, p.name)
	}
	return names
}
