package cmdline

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"

	"github.com/urfave/cli/v3"

	"goreify/compilers"
	"goreify/corpus"
	"goreify/reify/oracle"
	"goreify/reify/solve"
	"goreify/reify/solve/search"
	"goreify/reify/solve/z3"
)

// Names of global flags that only some commands take.
const (
	JSON    = "json"
	Workers = "workers"
	Known   = "known"
	// CompileTime is how long a compiler may take.
	CompileTime = "compile-time"
)

// KnownFile is the list of known buckets unless the flag known names another.
var KnownFile = filepath.Join("corpus", corpus.KnownFile)

// always are the flags that mean something to every command.
var always = []string{"cc", "modes", "box", "trunk"}

// Globals returns the flags that are valid before and after each command. The first
// four set what a variable of the environment sets, and win over it.
func Globals() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "cc", Usage: "`COMPILERS` to ask, as 'gcc-12,clang-19 -m32'; by default all of C (REIFY_CC)"},
		&cli.StringFlag{Name: "modes", Usage: "`MODES` to ask them in, as -O2,-O3; by default all (REIFY_MODES)"},
		&cli.StringFlag{Name: "box", Usage: "`POLICY` of boxes: auto, require, off (REIFY_BOX). By default programs of strangers need namespaces. Behind Landlock (auto) " +
			compilers.Landlock.Leaks() + "; off holds limits only"},
		&cli.StringFlag{Name: "trunk", Usage: "`DIR` that make trunk has made, for gcc-17@trunk (REIFY_TRUNK)"},
		&cli.BoolFlag{Name: JSON, Usage: "print JSON"},
		&cli.IntFlag{Name: Workers, Value: runtime.NumCPU(), Usage: "`NUMBER` of compilations at a time; by default one for each core"},
		&cli.DurationFlag{Name: CompileTime, Usage: "`DURATION` of CPU time that a compiler has for a small program, such as 60s for a debug build"},
		&cli.StringFlag{Name: Known, Value: KnownFile, Usage: "`FILE` of buckets that need no attention; by default known.txt in the directory of findings, or else"},
	}
}

// Environ returns the environment, in which flags have replaced variables.
func Environ(c *cli.Command) []string {
	environ := os.Environ()
	for flag, variable := range map[string]string{"cc": "REIFY_CC", "modes": "REIFY_MODES", "box": "REIFY_BOX", "trunk": "REIFY_TRUNK"} {
		if c.IsSet(flag) {
			environ = append(environ, variable+"="+c.String(flag)) // the last one counts
		}
	}
	return environ
}

// box returns the policy that the flag box or its variable names.
func box(c *cli.Command) string {
	if c.IsSet("box") {
		return c.String("box")
	}
	return os.Getenv("REIFY_BOX")
}

// Limit sets the limits of an oracle, with the time for a compiler that the flag says.
func Limit(c *cli.Command, o *oracle.Oracle, limits compilers.Limits) {
	if c.IsSet(CompileTime) {
		limits = limits.WithCompile(c.Duration(CompileTime))
	}
	o.Limits = limits
}

// NotNegative returns an error if one of the flags, a number or a duration, is
// less than 0.
func NotNegative(c *cli.Command, names ...string) error {
	for _, name := range names {
		if c.Int(name) < 0 || c.Duration(name) < 0 {
			return fmt.Errorf("-%s is %v, want 0 or more", name, c.Value(name))
		}
	}
	return nil
}

// EngineFlag selects how paths are solved.
func EngineFlag() cli.Flag {
	return &cli.StringFlag{Name: "engine", Value: "search", Usage: "`NAME` of the solver: search, z3, or portfolio (search, then z3)"}
}

// NewEngine returns the solver of that name.
func NewEngine(name string) (solve.Solver, error) {
	switch name {
	case "search":
		return search.Engine{}, nil
	case "z3", "portfolio":
		smt, err := z3.New(z3.Options{})
		if err != nil {
			return nil, err
		}
		if name == "z3" {
			return smt, nil
		}
		return solve.Portfolio{search.Engine{}, smt}, nil
	}
	return nil, fmt.Errorf("unknown engine %q: want search, z3 or portfolio", name)
}
