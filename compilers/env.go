package compilers

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// An Env is what the environment asks for.
type Env struct {
	Path   string // PATH: where compilers are looked for, and where they look
	CC     string // REIFY_CC: compilers to use instead, 'gcc-12,clang-19 -m32'
	Levels string // REIFY_LEVELS: levels to use instead, '-O0,-O2'
}

// EnvFrom picks the variables out of an environment as os.Environ returns it.
func EnvFrom(environ []string) Env {
	var e Env
	for _, entry := range environ {
		name, value, _ := strings.Cut(entry, "=")
		switch name {
		case "PATH":
			e.Path = value
		case "REIFY_CC":
			e.CC = value
		case "REIFY_LEVELS":
			e.Levels = value
		}
	}
	return e
}

var levelPattern = regexp.MustCompile(`^-O([0-3gsz]|fast)?$`)

// OptimisationLevels returns the levels of REIFY_LEVELS without duplicates, or
// -O0, -O1, -Os, -O2 and -O3 if it is empty. Anything but a -O flag is an error
// that names it.
func (e Env) OptimisationLevels() ([]string, error) {
	if strings.TrimSpace(e.Levels) == "" {
		return []string{"-O0", "-O1", "-Os", "-O2", "-O3"}, nil
	}
	var levels []string
	for level := range strings.SplitSeq(e.Levels, ",") {
		level = strings.TrimSpace(level)
		if !levelPattern.MatchString(level) {
			return nil, fmt.Errorf("REIFY_LEVELS=%q: %q is no optimisation level (want for example -O0,-O2)", e.Levels, level)
		}
		if !slices.Contains(levels, level) {
			levels = append(levels, level)
		}
	}
	return levels, nil
}
