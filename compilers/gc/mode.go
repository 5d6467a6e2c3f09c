package gc

import (
	"fmt"
	"os"
	"regexp"
	"runtime"
	"slices"
	"strings"

	"goreify/compilers"
)

// A mode is a way to ask the compiler.
type mode struct {
	name  compilers.Mode
	flags []string // of go tool compile
	level string   // GOAMD64, if it needs one
	race  bool     // programs look for races of their own, with a library of C
	rare  bool     // asked in if it is named
}

func (m mode) Way() (name compilers.Mode, rare bool) { return m.name, m.rare }

var modes = compilers.Ways[mode]{
	{name: "@N", flags: []string{"-N", "-l"}},
	{name: "@O"},
	{name: "@check", flags: []string{"-d=ssa/check/on"}},
	{name: "@seed", flags: []string{"-d=ssa/check/on,ssa/check/seed=1"}, rare: true}, // values of a block in another order
	// A pointer may point behind an array.
	{name: "@race", flags: []string{"-d=checkptr=0"}, race: true, rare: true},
	{name: "@noinline", flags: []string{"-l"}, rare: true},
	{name: "@v2", level: "v2", rare: true},
	{name: "@v3", level: "v3", rare: true},
	{name: "@v4", level: "v4", rare: true},
}

// Flags returns what a mode gives go tool compile, none for one that is not known.
func Flags(name compilers.Mode) []string {
	m, _ := modes.Find(name)
	return slices.Clone(m.flags)
}

// raceFlag is that of the compiler, the linker and the command go.
const raceFlag = "-race"

// levels are what a processor must have for a value of GOAMD64.
var levels = map[string][]string{
	"v2": {"cx16", "popcnt", "sse4_2"},
	"v3": {"avx", "avx2", "bmi1", "bmi2", "f16c", "fma", "abm", "movbe"},
	"v4": {"avx512f", "avx512bw", "avx512cd", "avx512dq", "avx512vl"},
}

// runs tells whether this machine runs programs of a level.
func runs(level string) bool {
	if runtime.GOARCH != "amd64" {
		return false
	}
	text, err := os.ReadFile("/proc/cpuinfo")
	if err != nil {
		return false
	}
	_, flags, _ := strings.Cut(string(text), "\nflags")
	line, _, _ := strings.Cut(flags, "\n")
	has := strings.Fields(line)
	for _, flag := range levels[level] {
		if !slices.Contains(has, flag) {
			return false
		}
	}
	return true
}

// FlagSets returns flags to hunt with: other orders of the values of blocks, which must
// not matter.
func (t Toolchain) FlagSets() (sets []compilers.FlagSet) {
	for seed := range 6 {
		sets = append(sets, compilers.FlagSet{Flags: []string{fmt.Sprintf("-d=ssa/check/on,ssa/check/seed=%d", seed+1)}})
	}
	return sets
}

// screened are the arguments that a reproducer may bring: they change what the
// compiler does with a program, and start, read and write nothing.
var screened = regexp.MustCompile(`^(?:-[NlB]|-d=ssa/[\w-]+/(?:on|off|seed)(?:=\d+)?(?:,ssa/[\w-]+/(?:on|off|seed)(?:=\d+)?)*|GOARCH=\w+|GOAMD64=v[1-4])$`)

// Screen returns nil if a reproducer may bring these arguments along.
func (t Toolchain) Screen(args ...string) error {
	return compilers.ScreenEach(args, "compiler", func(arg string) bool {
		_, ok := modes.Find(arg)
		return ok || screened.MatchString(arg)
	})
}
