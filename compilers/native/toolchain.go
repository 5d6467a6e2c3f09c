package native

import (
	"path/filepath"
	"slices"
	"strings"

	"goreify/compilers"
)

// A Toolchain is a C compiler, of programs for this machine or for another processor
// that qemu runs, with the arguments that every call of it gets. It is a compilers.Target that has all
// abilities.
type Toolchain struct {
	Name    string   // as the user calls it: "gcc-12", "gcc-17@trunk"
	Path    string   // of the executable, absolute, in Root
	Root    string   // directory that is / for it and its programs; "" is that of this machine
	Args    []string // go before all others: "-m32"
	Family  string   // "gcc" or "clang", or the name of a tool of LLVM
	Version string   // "12.2.0"; empty if it would not say
	Banner  string   // first line of --version
	Triple  string   // "x86_64-linux-gnu", as it is without arguments; empty if it would not say

	levels     []compilers.Mode   // to be asked at
	ir         bool               // programs are LLVM IR, else C
	tools      *toolset           // that make code of IR in the place of clang, or nil
	sanitizing bool               // the arguments switch sanitizers on
	searchPath string             // PATH of its children
	found      compilers.Sighting // of it, and of a build of the users' own of what it consists of
	survey     *survey            // what it compiles for; nil: it is not asked
	link       *linker            // nil: the driver links; see Direct
	unknown    error              // why it has no version, or nil
	other      *Family            // that it is of, if that is another package's
}

// Toolchain has all abilities.
var _ interface {
	compilers.Tool
	compilers.Lenient
	compilers.Linker
	compilers.Sanitizer
	compilers.Tunable
} = Toolchain{}

// ID returns the name, arguments, family, version and triple. Where programs are for
// another processor the triple is part of the version, as in "12.2.0 s390x-linux-gnu": a
// fact about one need not hold for the other.
func (t Toolchain) ID() compilers.ID {
	id := compilers.ID{Name: t.Name, Args: t.Args, Family: t.Family, Version: t.Version, Triple: t.platform().Triple}
	if id.Version != "" && Emulated(id.Triple) {
		id.Version += " " + id.Triple
	}
	return id
}

// String returns the name and the arguments, as REIFY_CC takes them.
func (t Toolchain) String() string { return compilers.ID{Name: t.Name, Args: t.Args}.String() }

// Language returns C, or LLVM of LLVM's tools and of a clang that is named as "llvm".
func (t Toolchain) Language() compilers.Language {
	if t.ir {
		return compilers.LLVM
	}
	return compilers.C
}

// Modes returns the optimisation levels that REIFY_MODES names, or all that there are; of a
// clang before 15 that is given LLVM IR the lowest alone.
func (t Toolchain) Modes() []compilers.Mode {
	switch {
	case t.sanitizing:
		return []compilers.Mode{sanitizerLevel}
	case t.opaque() != nil: // its passes fail on such pointers, which were being tried out
		return []compilers.Mode{t.Reference()}
	case t.levels == nil:
		return t.all()
	}
	return t.levels
}

// Reference returns the lowest level or, with sanitizers, the level to ask them at.
func (t Toolchain) Reference() compilers.Mode {
	if t.sanitizing {
		return sanitizerLevel
	}
	return t.all()[0]
}

// Dirs returns the directories that it is installed in and that its arguments name, if
// they are no usual ones.
func (t Toolchain) Dirs() []string {
	if t.Root != "" {
		return nil
	}
	return slices.Concat(compilers.Dirs(t.Path), compilers.DirsOf(t.Args))
}

// outside returns the path of the executable as it is on this machine.
func (t Toolchain) outside() string { return filepath.Join(t.Root, t.Path) }

// command returns a command of the toolchain as its users type it, where it is.
func (t Toolchain) command(args []string) string {
	name, _, _ := strings.Cut(t.Name, compilers.RootMark)
	if t.ir && strings.HasPrefix(name, irName) {
		name = strings.TrimPrefix("clang"+strings.TrimPrefix(name, irName), "clang=")
	}
	if t.row().Path != "" {
		name = t.Path
	}
	return compilers.CommandLine(name, args)
}

// With returns the toolchain with more arguments.
func (t Toolchain) With(args ...string) compilers.Target { return t.with(args...) }

// WithoutArgs returns the toolchain as it is called by its name alone.
func (t Toolchain) WithoutArgs() compilers.Target {
	t.Args, t.sanitizing, t.link = nil, false, nil
	return t
}

func (t Toolchain) with(args ...string) Toolchain {
	t.Args = slices.Concat(t.Args, args)
	return t
}
