package sketch

import (
	"fmt"

	"goreify/reify/sketch/core"
)

// Options describe the contents of a function.
type Options struct {
	core.Options
	// Policy is the part of the language beyond the paper's subset.
	Policy Policy
}

// DefaultOptions returns the paper's defaults for its parameters (section 5.2);
// the percentages were set by experiment.
func DefaultOptions() Options {
	return Options{Options: core.Options{
		Vars: 8, Assigns: 2, AssignTerms: 2, CondTerms: 3,
		Arrays: 15, Memory: 25, Volatile: 5, SelfUpdate: 60, Piloted: 75, Multiply: 60, Hostile: 30,
	}}
}

// Validate returns an error that names the first parameter out of bounds, and
// the bounds.
func (o *Options) Validate() error {
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
