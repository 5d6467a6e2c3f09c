package compilers

import "strings"

// A FlagSet is flags that a target is given together. They change how it optimises,
// and not what a program means that has no undefined behaviour.
type FlagSet struct {
	// Flags are arguments, each with the word that it takes if it takes one:
	// "-mllvm -slp-threshold=-50".
	Flags []string
	// Arch flags choose the vectors of today's processors. They go with other sets.
	Arch bool
	// Scout flags are hidden: bugs that show with them alone are not mended.
	Scout bool
}

// A Tunable target knows flags that are worth hunting with. FlagSets returns them.
// They may be flags of another version, or ask for what the processor lacks: Probe
// tells, of the target that has them.
type Tunable interface {
	Configurable
	FlagSets() []FlagSet
}

// A Tuned target has flags that were drawn for it. Its failures are to be shown with
// as few of them as will do.
type Tuned struct {
	Target         // with the flags
	Of     Tunable // without
	Flags  []string
}

// Tune returns a target with flags, each as FlagSet has them.
func Tune(of Tunable, flags ...string) Tuned {
	return Tuned{Target: of.With(strings.Fields(strings.Join(flags, " "))...), Of: of, Flags: flags}
}
