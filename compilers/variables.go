package compilers

import (
	"fmt"
	"slices"
	"strings"
)

// variables are the variables of the environment whose names begin with REIFY_: those
// that users set, and after them those that the command sets for its own children.
var (
	variables = []string{"REIFY_CC", "REIFY_MODES", "REIFY_BOX", "REIFY_TRUNK", "REIFY_REQUIRE", "REIFY_GO_ON"}
	internal  = []string{boxVar, "REIFY_TEST_COMMAND"}
)

// renamed are the variables of earlier versions, with those that took their place.
var renamed = map[string]string{"REIFY_LEVELS": "REIFY_MODES"}

// CheckEnv returns an error that names the variables of an environment, as os.Environ
// returns it, which begin with REIFY_ and mean nothing: a variable that is misspelt
// would have no effect, and nothing would tell.
func CheckEnv(environ []string) error {
	var unknown []string
	for _, entry := range environ {
		name, _, _ := strings.Cut(entry, "=")
		if !strings.HasPrefix(name, "REIFY_") || slices.Contains(variables, name) || slices.Contains(internal, name) {
			continue
		}
		if now := renamed[name]; now != "" {
			name += " (now " + now + ")"
		}
		unknown = append(unknown, name)
	}
	if unknown == nil {
		return nil
	}
	slices.Sort(unknown)
	return fmt.Errorf("unknown variables in the environment: %s; want %s", strings.Join(unknown, ", "), strings.Join(variables, ", "))
}
