package native

import (
	"context"
	"encoding/binary"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"time"

	"goreify/compilers"
	"goreify/compilers/events"
)

// A Toolchain is a C compiler that makes programs of this machine, with the
// arguments that every call of it gets. It is a compilers.Target that has all
// abilities.
type Toolchain struct {
	Name    string   // as the user calls it: "gcc-12"
	Path    string   // of the executable, absolute
	Args    []string // go before all others: "-m32"
	Family  string   // "gcc" or "clang"
	Version string   // "12.2.0"; empty if it would not say
	Banner  string   // first line of --version
	Triple  string   // "x86_64-linux-gnu", whatever the arguments; empty if it would not say

	levels     []compilers.Mode // to be asked at
	sanitizing bool             // the arguments switch sanitizers on
	searchPath string           // PATH of its children
	link       *linker          // nil: the driver links; see Direct
}

// Toolchain has all abilities.
var _ interface {
	compilers.Configurable
	compilers.Linker
	compilers.Prober
	compilers.Sanitizer
	events.Reporter
} = Toolchain{}

// A family is a line of compilers that share options and messages.
type family struct {
	speaks  func(banner, text string) bool // whether this is what --version prints
	reports reporting
}

// families are those that are known. What else differs between them stands with
// what it is about: package bisect has their ways to name a pass, package report
// the conventions of their trackers.
var families = map[string]family{
	"clang": {
		speaks:  func(banner, _ string) bool { return strings.Contains(banner, "clang version") },
		reports: remarks,
	},
	"gcc": {
		speaks: func(banner, text string) bool {
			return strings.Contains(text, "Free Software Foundation") && !strings.Contains(banner, "clang version")
		},
		reports: statistics,
	},
}

// ID returns the name, arguments, family, version and triple.
func (t Toolchain) ID() compilers.ID {
	return compilers.ID{Name: t.Name, Args: t.Args, Family: t.Family, Version: t.Version, Triple: t.Triple}
}

// String returns the name and the arguments, as REIFY_CC takes them.
func (t Toolchain) String() string { return t.ID().String() }

// Language returns C.
func (t Toolchain) Language() compilers.Language { return compilers.C }

// Modes returns the optimisation levels that REIFY_LEVELS names, or Levels.
func (t Toolchain) Modes() []compilers.Mode {
	switch {
	case t.sanitizing:
		return []compilers.Mode{sanitizerLevel}
	case t.levels == nil:
		return Levels
	}
	return t.levels
}

// Reference returns -O0 or, with sanitizers, the level to ask them at.
func (t Toolchain) Reference() compilers.Mode {
	if t.sanitizing {
		return sanitizerLevel
	}
	return "-O0"
}

// Traits returns those of x86-64 Linux, as far as the arguments do not change
// them. The last of several has its way.
func (t Toolchain) Traits() compilers.Traits {
	traits := compilers.Traits{ByteOrder: binary.LittleEndian, CharSigned: true, Long: 8, Pointer: 8}
	for _, arg := range t.Args {
		switch arg {
		case "-m32", "-mx32":
			traits.Long, traits.Pointer = 4, 4
		case "-m64":
			traits.Long, traits.Pointer = 8, 8
		case "-funsigned-char":
			traits.CharSigned = false
		case "-fsigned-char":
			traits.CharSigned = true
		}
	}
	return traits
}

// With returns the toolchain with more arguments.
func (t Toolchain) With(args ...string) compilers.Target { return t.with(args...) }

func (t Toolchain) with(args ...string) Toolchain {
	t.Args = slices.Concat(t.Args, args)
	return t
}

// identify fills in Family, Version and Banner by running --version, the one
// question that both families answer in full. It costs a millisecond for gcc
// and twenty for clang. The family of one that does not answer is what its name
// says.
func (t *Toolchain) identify(ctx context.Context) error {
	t.Family = familyOfName(t.Name)
	// A cold disk has made clang take more than ten seconds.
	limits := compilers.Limits{CompileWall: time.Minute, Output: 1 << 16}
	c := compilers.Child{Path: t.Path, Args: []string{"--version"}, Dir: "/", Env: compilers.FixedEnv(t.searchPath, os.TempDir()), Bounds: limits.Compile()}
	e := c.Run(ctx)
	if err := e.Failure(); err != nil {
		return fmt.Errorf("%s --version: %w", t.Path, err)
	}
	family, version, err := parseVersion(string(e.Stdout))
	if err != nil {
		return fmt.Errorf("%s --version: %w", t.Path, err)
	}
	t.Banner, _, _ = strings.Cut(string(e.Stdout), "\n")
	t.Family, t.Version = family, version
	t.Triple = tripleOf(string(e.Stdout))
	if t.Triple == "" { // gcc does not say it with its version
		c.Args = []string{"-dumpmachine"}
		if e := c.Run(ctx); e.Failure() == nil {
			t.Triple = tripleOf("Target: " + string(e.Stdout))
		}
	}
	return nil
}

var (
	targetLine    = regexp.MustCompile(`(?m)^Target: (\w+(?:-[\w.]+){1,3})\s*$`)
	parenthesised = regexp.MustCompile(`\([^)]*\)`)
	dotted        = regexp.MustCompile(`\b\d+(\.\d+)+`)
)

// tripleOf returns the target that a text names in a line, or "".
func tripleOf(text string) string {
	if m := targetLine.FindStringSubmatch(text); m != nil {
		return m[1]
	}
	return ""
}

// parseVersion reads what --version prints. Distributions put their own
// version into parentheses and after the compiler's.
func parseVersion(text string) (name, version string, err error) {
	banner, _, _ := strings.Cut(text, "\n")
	for n, f := range families {
		if f.speaks(banner, text) {
			name = n
		}
	}
	if name == "" {
		return "", "", fmt.Errorf("neither gcc nor clang: %q", banner)
	}
	version = dotted.FindString(parenthesised.ReplaceAllString(banner, ""))
	if version == "" {
		return "", "", fmt.Errorf("no version number in %q", banner)
	}
	return name, version, nil
}
