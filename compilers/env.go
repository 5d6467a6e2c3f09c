package compilers

import "strings"

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
