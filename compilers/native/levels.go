package native

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"goreify/compilers"
)

// Levels are the optimisation levels that are asked for unless REIFY_MODES
// names others.
var Levels = []compilers.Mode{"-O0", "-O1", "-Os", "-O2", "-O3"}

const levelShape = `-O(?:[0-3gsz]|fast)?`

var levelPattern = regexp.MustCompile("^" + levelShape + "$")

// levelsOf returns the levels of REIFY_MODES without duplicates, or Levels if it is
// empty. A word that is no -O flag is an error that names it.
func levelsOf(e compilers.Env) ([]compilers.Mode, error) {
	if strings.TrimSpace(e.Modes) == "" {
		return Levels, nil
	}
	var levels []compilers.Mode
	for level := range strings.SplitSeq(e.Modes, ",") {
		level = strings.TrimSpace(level)
		if strings.HasPrefix(level, "@") { // a mode of another family
			continue
		}
		if !levelPattern.MatchString(level) {
			return nil, fmt.Errorf("REIFY_MODES=%q: %q is no optimisation level (want for example -O0,-O2)", e.Modes, level)
		}
		if !slices.Contains(levels, level) {
			levels = append(levels, level)
		}
	}
	if levels == nil {
		return Levels, nil
	}
	return levels, nil
}
