// Package gccgo has GCC's compiler of Go as a family of targets, for this machine's own
// processor.
//
//	gccgo                    that on PATH
//	gccgo-12                 another version
//	gccgo-12 -fno-tree-vrp   with flags
//	gccgo=/opt/gcc           that of an installation, or an executable
//
// GCC has a second implementation of the language. GCC 12 has Go 1.18.
package gccgo

import (
	"context"
	"encoding/binary"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"

	"goreify/compilers"
	"goreify/compilers/native"
)

const family = "gccgo"

// binaryName is the name of what is built.
const binaryName = "repro"

// levels are the modes that are usual, the first of which does the least.
var levels = []compilers.Mode{"-O0", "-O1", "-O2", "-O3"}

// A Toolchain is a version of gccgo.
type Toolchain struct {
	compilers.Installation
}

var _ interface {
	compilers.Tool
	compilers.Sibling
} = Toolchain{}

// ID returns the name, arguments, family and version.
func (t Toolchain) ID() compilers.ID {
	return t.Identity(family, runtime.GOARCH+"-linux-gnu")
}

// Language returns Go.
func (t Toolchain) Language() compilers.Language { return compilers.Go }

// Modes returns those that REIFY_MODES names, or those that are usual.
func (t Toolchain) Modes() []compilers.Mode {
	if t.Chosen != nil {
		return t.Chosen
	}
	return levels
}

// Reference returns -O0.
func (t Toolchain) Reference() compilers.Mode { return levels[0] }

// Traits returns those of this machine. Nothing in a program of Go depends on them.
func (t Toolchain) Traits() compilers.Traits {
	return compilers.Traits{ByteOrder: binary.LittleEndian, CharSigned: true, Long: 8, Pointer: 8}
}

// Stamped returns the toolchain with a digest in its version.
func (t Toolchain) Stamped(digest string) compilers.Target {
	t.Version = compilers.StampVersion(t.Version, digest)
	return t
}

// command returns the name that users type.
func (t Toolchain) command() string {
	if strings.Contains(t.Name, "=") {
		return t.Path
	}
	return t.Name
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

// arguments returns those of the call for a job. Programs are linked statically: so
// they start in a tenth of the time.
func (t Toolchain) arguments(job compilers.Job, binary string) []string {
	return slices.Concat(t.Args, []string{"-static", job.Mode}, job.Extra, job.Names(), []string{"-o", binary})
}

// Commands returns the lines, to paste into a shell in a directory with the job's
// files, that build its program under a name and run it.
func (t Toolchain) Commands(job compilers.Job, binary string) []string {
	return []string{compilers.CommandLine(t.command(), t.arguments(job, binary)), compilers.Built{Path: binary}.Command(nil)}
}

// Build compiles and links the job's program. There is one unless the verdict is
// not OK.
func (t Toolchain) Build(ctx context.Context, ws *compilers.Workspace, job compilers.Job, limits compilers.Limits) (compilers.Built, compilers.Outcome) {
	command := t.Commands(job, binaryName)[:1]
	dir, err := ws.NewDir(job.Files...)
	if err != nil {
		o := compilers.NoRoom(err)
		o.Command = command
		return compilers.Built{}, o
	}
	c := compilers.Child{
		Space: ws, Path: t.Path, Args: t.arguments(job, binaryName), Dir: dir,
		Env: compilers.FixedEnv(t.Host.Path, filepath.Join(dir, "tmp")), Bounds: limits.Compile(),
	}
	o := native.JudgeBuild(c.Run(ctx), c.Bounds)
	o.Command = command
	built := compilers.Built{Path: filepath.Join(dir, binaryName), Space: ws}
	if o.Verdict != compilers.OK {
		built.Remove()
		return compilers.Built{}, o
	}
	return built, o
}

// Run runs a binary and compares what it prints with want.
func (t Toolchain) Run(ctx context.Context, built compilers.Built, args []string, want []byte, limits compilers.Limits) compilers.Outcome {
	return compilers.RunGo(ctx, built, args, want, limits)
}

// Probe returns nil if the toolchain compiles, links and runs a trivial program, else
// an error that says what went wrong.
func (t Toolchain) Probe(ctx context.Context, ws *compilers.Workspace, limits compilers.Limits) error {
	return compilers.ProbeGo(ctx, t, ws, limits)
}

// screened are the arguments that a reproducer may bring: levels, and passes that are
// left out.
var screened = regexp.MustCompile(`^(?:-O[0-3gs]|-fno-[a-z][a-z0-9-]*|-fdisable-(?:tree|rtl|ipa)-[a-z0-9]+)$`)

// Screen returns nil if a reproducer may bring these arguments along.
func (t Toolchain) Screen(args ...string) error {
	return compilers.ScreenEach(args, "compiler", screened.MatchString)
}
