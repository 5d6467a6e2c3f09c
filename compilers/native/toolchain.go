package native

import (
	"encoding/binary"
	"regexp"
	"slices"

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
	found      sighting         // when it was identified
	link       *linker          // nil: the driver links; see Direct
	unknown    error            // why it has no version, or nil
}

// Toolchain has all abilities.
var _ interface {
	compilers.Configurable
	compilers.Identified
	compilers.Installed
	compilers.Linker
	compilers.Prober
	compilers.Sanitizer
	compilers.Screener
	events.Reporter
} = Toolchain{}

// A family is a line of compilers that share options and messages.
type family struct {
	banner  *regexp.Regexp // the first line of --version
	vendor  string         // that the rest of it names
	reports reporting
}

// families are those that are known. What else differs between them stands with
// what it is about: package bisect has their ways to name a pass, package report
// the conventions of their trackers.
//
// The banner is looked at closely: many programs of the Free Software Foundation
// answer --version, the shell among them. gcc begins with the name it is called by.
var families = map[string]family{
	"clang": {
		banner:  regexp.MustCompile(`^(?:[A-Z][\w.+-]*(?: \(.*\))? )?clang version \d`),
		reports: remarks,
	},
	"gcc": {
		banner:  regexp.MustCompile(`^(?:\S*gcc\S*|(?:\S+-)?cc(?:-\S+)?) \(.*\) \d+\.\d`),
		vendor:  "Free Software Foundation",
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

// Dirs returns the directories that it is installed in, if they are no usual ones.
func (t Toolchain) Dirs() []string { return compilers.Dirs(t.Path) }

// With returns the toolchain with more arguments.
func (t Toolchain) With(args ...string) compilers.Target { return t.with(args...) }

func (t Toolchain) with(args ...string) Toolchain {
	t.Args = slices.Concat(t.Args, args)
	return t
}
