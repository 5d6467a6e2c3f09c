package sketch

import "fmt"

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
	// appendix B), which must then not overflow, instead of their CRC-32.
	Sum bool

	Hostile int // blocks off the path that get statements with undefined behaviour, in percent

	// Policy is the part of the language beyond the paper's subset.
	Policy Policy
}

// DefaultOptions returns the paper's defaults for its parameters (section 5.2);
// the percentages were set by experiment.
func DefaultOptions() Options {
	return Options{
		Vars: 8, Assigns: 2, AssignTerms: 2, CondTerms: 3,
		Arrays: 15, Memory: 25, Volatile: 5, SelfUpdate: 60, Piloted: 75, Multiply: 60, Hostile: 30,
	}
}

// Validate returns an error that names the first parameter out of bounds, and
// the bounds.
func (o Options) Validate() error {
	for _, p := range []struct {
		name        string
		val, lo, hi int
	}{
		{"#VAR", o.Vars, 1, 64},
		{"#ASS", o.Assigns, 0, 64},
		{"#TERA", o.AssignTerms, 1, 64},
		{"#TERC", o.CondTerms, 1, 64},
		{"Arrays", o.Arrays, 0, 100},
		{"Memory", o.Memory, 0, 100},
		{"Volatile", o.Volatile, 0, 100},
		{"SelfUpdate", o.SelfUpdate, 0, 100},
		{"Piloted", o.Piloted, 0, 100},
		{"Multiply", o.Multiply, 0, 100},
		{"Hostile", o.Hostile, 0, 100},
	} {
		if p.val < p.lo || p.val > p.hi {
			return fmt.Errorf("%s is %d, must be in [%d, %d]", p.name, p.val, p.lo, p.hi)
		}
	}
	if o.Subset() {
		return nil // quickly: the code below puts it on the heap
	}
	return o.Policy.validate()
}

// Subset reports whether functions stay in the paper's subset of C: i32 and arrays of
// it, arithmetic and comparisons. Switches, which a graph can ask for, are the
// exception. Else a function may have all features to which the Policy gives a share.
func (o Options) Subset() bool { return o.Policy == Policy{} }
