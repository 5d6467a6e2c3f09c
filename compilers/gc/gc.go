package gc

import (
	"encoding/binary"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"goreify/compilers"
)

// family is the name of the one family.
const family = "gc"

// A Toolchain is a version of Go.
type Toolchain struct {
	compilers.Installation

	Root string    // GOROOT, absolute
	std  *archives // of the standard library

	compiler string // in the place of go tool compile, or ""; see Rules
}

var _ interface {
	compilers.Tool
	compilers.Compiler
	compilers.Sibling
} = Toolchain{}

// ID returns the name, arguments, family, version and processor. Where programs are
// none of this machine's own the processor is part of the version.
func (t Toolchain) ID() compilers.ID {
	id := t.Identity(family, t.goarch()+"-linux-gnu")
	if t.goarch() != runtime.GOARCH {
		id.Version += " " + t.goarch()
	}
	return id
}

// Language returns Go.
func (t Toolchain) Language() compilers.Language { return compilers.Go }

// Modes returns those that REIFY_MODES names, or those that are usual.
func (t Toolchain) Modes() []compilers.Mode {
	if t.Chosen != nil {
		return t.Chosen
	}
	return modes.Usual()
}

// Reference returns the mode without optimising and inlining.
func (t Toolchain) Reference() compilers.Mode { return "@N" }

// Traits returns those of the processor. In a program of Go only its runner depends on
// them.
func (t Toolchain) Traits() compilers.Traits {
	p := processors[t.goarch()]
	traits := compilers.Traits{ByteOrder: binary.LittleEndian, CharSigned: true, Long: 8, Pointer: 8}
	if p.big {
		traits.ByteOrder = binary.BigEndian
	}
	if p.small {
		traits.Long, traits.Pointer = 4, 4
	}
	if !native(t.goarch()) {
		traits.Emulated = true
		if path, err := t.emulator(); err == nil {
			traits.Runner = []string{path}
		}
	}
	return traits
}

// Dirs returns the directories that it is installed in, if they are no usual ones.
func (t Toolchain) Dirs() (dirs []string) {
	real, err := filepath.EvalSymlinks(t.Root)
	if err != nil {
		real = t.Root
	}
	for _, root := range slices.Compact([]string{t.Root, real}) {
		if len(compilers.Dirs(filepath.Join(root, goInRoot))) > 0 {
			dirs = append(dirs, root)
		}
	}
	// A tool that is a link needs what it leads to.
	for _, tool := range []string{"compile", "link"} {
		for _, dir := range compilers.Dirs(t.tool(tool)) {
			if !slices.ContainsFunc(dirs, func(root string) bool { return strings.HasPrefix(dir, root+"/") }) {
				dirs = append(dirs, dir)
			}
		}
	}
	return dirs
}

// Stamped returns the toolchain with a digest in its version.
func (t Toolchain) Stamped(digest string) compilers.Target {
	t.Version = compilers.StampVersion(t.Version, digest)
	return t
}

// With returns the toolchain with more arguments.
func (t Toolchain) With(args ...string) compilers.Target {
	t.Args = slices.Concat(t.Args, args)
	return t
}

// WithoutArgs returns the toolchain as it is called by its name alone.
func (t Toolchain) WithoutArgs() compilers.Target {
	t.Args = nil
	return t
}

// Introduces asks for the version, and for the settings that tell what is compiled.
func (t Toolchain) Introduces() []compilers.Query {
	q := compilers.Query{Path: filepath.Join(t.Root, goInRoot), Env: t.env("/tmp", mode{})}
	version, env := q, q
	version.Args = []string{"version"}
	env.Args = []string{"env", "-json", "GOVERSION", "GOOS", "GOARCH", "GOAMD64", "GOARM", "GOPPC64", "GORISCV64", "GOEXPERIMENT", "CGO_ENABLED"}
	return []compilers.Query{version, env}
}

// setting returns the value of an argument such as GOARCH=386, or "".
func (t Toolchain) setting(name string) string {
	value := ""
	for _, arg := range t.Args {
		if v, ok := strings.CutPrefix(arg, name+"="); ok {
			value = v
		}
	}
	return value
}

// goarch returns the processor that programs are for.
func (t Toolchain) goarch() string {
	if arch := t.setting("GOARCH"); arch != "" {
		return arch
	}
	return runtime.GOARCH
}
