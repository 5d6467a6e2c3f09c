package core

// Options describe the contents of a function. The first four are the parameters of
// section 5.2 of the paper; percentages are shares in [0, 100].
type Options struct {
	Vars        int // #VAR, variables; 1 to 64
	Assigns     int // #ASS, assignments in a block; 0 to 64
	AssignTerms int // #TERA, terms in the value of an assignment; 1 to 64
	CondTerms   int // #TERC, terms in a condition; 1 to 64

	Arrays     int // variables that are arrays, in percent
	Memory     int // variables that are globals or statics, in percent
	Volatile   int // variables, parameters excepted, that are volatile, in percent
	SelfUpdate int // assignments whose value starts from their destination, in percent
	Piloted    int // conditions that turn on a variable that their block updates, in percent
	Multiply   int // terms that multiply, divide or take a remainder, in percent

	// Sum makes the function return the sum of its variables (rule RETURN of
	// appendix B), which wraps, instead of their CRC-32.
	Sum bool

	Hostile int // blocks off the path that get statements with undefined behaviour, in percent
}

// A Config is the contents of a function: what is in all functions, and its shapes in the
// order in which they draw.
type Config struct {
	Options Options
	Policy  Policy
	Shapes  []Shape
	Memory  *Memory // for the nodes; nil for a new one
}
