package pool

import "goreify/reify/choice"

// csmithSwitches are features that csmith can be told to do without.
var csmithSwitches = []string{
	"arrays", "bitfields", "comma-operators", "compound-assignment", "consts", "divs", "embedded-assigns", "jumps", "longlong",
	"muls", "pointers", "post-incr-operator", "pre-decr-operator", "structs", "unary-plus-operator", "volatiles",
}

// CsmithOptions returns options of csmith that depend on the number of its program: the
// features of a program are drawn (swarm testing, Groce et al., ISSTA 2012), most of
// them being present. Unions are left out, as Orion does (section 4.1), and packed
// structs, in which pointers to members are not aligned.
func CsmithOptions(seed uint64) []string {
	s := choice.New(choice.Derive(seed, "csmith"))
	options := []string{"--no-unions", "--no-packed-struct"}
	for _, feature := range csmithSwitches {
		if s.Chance(1, 4) {
			options = append(options, "--no-"+feature)
		}
	}
	return options
}
