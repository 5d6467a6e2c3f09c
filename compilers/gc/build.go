package gc

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"

	"goreify/compilers"
)

// binaryName is the name of what is built.
const binaryName = "repro"

// Build compiles and links the job's program. There is one unless the verdict is
// not OK.
func (t Toolchain) Build(ctx context.Context, ws *compilers.Workspace, job compilers.Job, limits compilers.Limits) (built compilers.Built, o compilers.Outcome) {
	dir, cfg, o := t.prepare(ctx, ws, job)
	if dir == "" {
		return built, o
	}
	built = t.built(filepath.Join(dir, binaryName), job.Mode)
	built.Space = ws
	commands := o.Command
	if o = t.compile(ctx, ws, dir, cfg, job, limits); o.Verdict == compilers.OK {
		l := t.link(ctx, ws, dir, cfg, job, limits)
		l.CompileCPU = o.CompileCPU
		if l.Verdict == compilers.OK { // what the compiler has said, of rules, say
			l.Stdout, l.Stderr = o.Stdout, o.Stderr
		}
		o = l
	}
	o.Command = commands
	if o.Verdict != compilers.OK {
		built.Remove()
		return compilers.Built{}, o
	}
	return built, o
}

// raceRunner runs programs that detect races, which wait for a second at their end
// otherwise.
var raceRunner = []string{"/usr/bin/env", "GORACE=atexit_sleep_ms=0"}

// built returns the program of a name, of a mode.
func (t Toolchain) built(path string, name compilers.Mode) compilers.Built {
	built, traits := compilers.Built{Path: path}, t.Traits()
	if m, _ := modes.Find(name); m.race && !traits.Emulated {
		traits.Runner = raceRunner
	}
	if traits.Emulated || traits.Runner != nil {
		built.Traits = &traits
	}
	return built
}

// Compile compiles the job's program and leaves nothing behind.
func (t Toolchain) Compile(ctx context.Context, ws *compilers.Workspace, job compilers.Job, limits compilers.Limits) compilers.Outcome {
	dir, cfg, o := t.prepare(ctx, ws, job)
	if dir == "" {
		return o
	}
	commands := o.Command
	o = t.compile(ctx, ws, dir, cfg, job, limits)
	o.Command = commands
	ws.Remove(dir)
	return o
}

// prepare writes the job to a directory. If that cannot be done there is none, and the
// outcome says why. Else the outcome has the command.
func (t Toolchain) prepare(ctx context.Context, ws *compilers.Workspace, job compilers.Job) (dir, cfg string, o compilers.Outcome) {
	o.Command = t.Commands(job, binaryName)[:1]
	m, ok := modes.Find(job.Mode)
	if !ok {
		o.Message = fmt.Sprintf("%s is no mode of gc", job.Mode)
		return "", "", o
	}
	if m.race && t.goarch() != runtime.GOARCH {
		o.Message = fmt.Sprintf("%s is for this machine's own processor, not for %s", job.Mode, t.goarch())
		return "", "", o
	}
	if m.level != "" && (t.goarch() != "amd64" || !runs(m.level)) {
		o.Message = fmt.Sprintf("%s is for amd64 with %v, which this machine does not run for %s", job.Mode, levels[m.level], t.goarch())
		return "", "", o
	}
	cfg, err := t.importcfg(ctx, ws, m)
	if err != nil {
		o.Message = compilers.Normalise(err.Error())
		return "", "", o
	}
	dir, err = ws.NewDir(job.Files...)
	if err != nil {
		o.Message = compilers.NoRoom(err).Message
		return "", "", o
	}
	return dir, cfg, o
}

// level returns what GOAMD64 is in a mode.
func (t Toolchain) level(m mode) string {
	if m.level != "" {
		return m.level
	}
	return t.setting("GOAMD64")
}

// flags returns those of go tool compile for a job.
func (t Toolchain) flags(job compilers.Job) []string {
	m, _ := modes.Find(job.Mode)
	var list []string
	for _, arg := range slices.Concat(t.Args, m.flags, job.Extra) {
		if strings.HasPrefix(arg, "-") {
			list = append(list, arg)
		}
	}
	return list
}

// objectName is the name of what is compiled.
const objectName = "repro.a"

// compile compiles the job, which is written, in dir.
func (t Toolchain) compile(ctx context.Context, ws *compilers.Workspace, dir, cfg string, job compilers.Job, limits compilers.Limits) compilers.Outcome {
	m, _ := modes.Find(job.Mode)
	// Collecting garbage is a tenth to a quarter of what it costs.
	c := compilers.Child{
		Space: ws, Path: t.tool("compile"), Dir: dir, Env: append(t.env(dir, m), "GOGC=800"), Bounds: limits.Compile(),
		Args: slices.Concat([]string{"-p", "main", "-complete", "-importcfg", cfg, "-o", objectName}, t.flags(job), job.Names()),
	}
	return t.write(ctx, c, m, objectName, "nothing was compiled")
}

// write runs a tool that is to write a file in its directory. missing says that it is not
// there.
func (t Toolchain) write(ctx context.Context, c compilers.Child, m mode, file, missing string) compilers.Outcome {
	if m.race {
		c.Args = append([]string{raceFlag}, c.Args...)
	}
	o := judgeBuild(c.Run(ctx), c.Bounds)
	if _, err := os.Stat(filepath.Join(c.Dir, file)); o.Verdict == compilers.OK && err != nil {
		o.Verdict, o.Message = compilers.Discarded, "exit status 0, but "+missing
	}
	return o
}

// link links what was compiled in dir. Its CPU time is that of a linker.
func (t Toolchain) link(ctx context.Context, ws *compilers.Workspace, dir, cfg string, job compilers.Job, limits compilers.Limits) compilers.Outcome {
	m, _ := modes.Find(job.Mode)
	// Collecting garbage costs more than the memory is worth.
	c := compilers.Child{
		Space: ws, Path: t.tool("link"), Dir: dir, Env: append(t.env(dir, m), "GOGC=off"), Bounds: limits.Compile(),
		Args: []string{"-importcfg", cfg, "-s", "-w", "-o", binaryName, objectName},
	}
	o := t.write(ctx, c, m, binaryName, "no executable")
	o.LinkCPU, o.CompileCPU = o.CompileCPU, 0
	return o
}

// Run runs a binary and compares what it prints with want.
func (t Toolchain) Run(ctx context.Context, built compilers.Built, args []string, want []byte, limits compilers.Limits) compilers.Outcome {
	if built.Traits != nil && !built.Traits.Emulated { // races are looked for in terabytes of address space
		limits.RunMemory = 0
	}
	return compilers.RunGo(ctx, built, args, want, limits)
}

// Commands returns the lines, to paste into a shell in a directory with the job's
// files, that build its program under a name and run it.
func (t Toolchain) Commands(job compilers.Job, binary string) []string {
	m, _ := modes.Find(job.Mode)
	var words []string
	command := "go"
	switch _, _, given := strings.Cut(t.Name, "="); {
	case given:
		command = filepath.Join(t.Root, goInRoot)
		words = append(words, "GOTOOLCHAIN=local", "GOROOT="+t.Root)
	case t.Name != family:
		words = append(words, "GOTOOLCHAIN=go"+t.Version)
	}
	if arch := t.setting("GOARCH"); arch != "" {
		words = append(words, "GOARCH="+arch)
	}
	if level := t.level(m); level != "" {
		words = append(words, "GOAMD64="+level)
	}
	args := []string{"build"}
	if m.race {
		args = append(args, raceFlag)
	}
	if flags := t.flags(job); len(flags) > 0 {
		args = append(args, "-gcflags="+strings.Join(flags, " "))
	}
	args = append(append(args, "-o", binary), job.Names()...)
	if words != nil {
		words = append([]string{"env"}, words...)
	}
	words = append(words, compilers.CommandLine(command, args))
	return []string{strings.Join(words, " "), t.built(binary, job.Mode).Command(nil)}
}

// Probe returns nil if the toolchain compiles, links and runs a trivial program, else
// an error that says what went wrong.
func (t Toolchain) Probe(ctx context.Context, ws *compilers.Workspace, limits compilers.Limits) error {
	if traits := t.Traits(); traits.Emulated && traits.Runner == nil {
		if _, err := t.emulator(); err != nil {
			return fmt.Errorf("%v cannot be used: %w", t, err)
		}
	}
	return compilers.ProbeGo(ctx, t, ws, limits)
}

var phaseLine = regexp.MustCompile(`(?m)^    ([\w-]+(?:, [\w-]+)*)$`)

// Phases returns the names of the phases of the compiler's SSA, as -d=ssa takes them.
func (t Toolchain) Phases(ctx context.Context, ws *compilers.Workspace, limits compilers.Limits) ([]string, error) {
	dir, err := ws.NewDir()
	if err != nil {
		return nil, err
	}
	defer ws.Remove(dir)
	c := compilers.Child{Space: ws, Path: t.tool("compile"), Dir: dir, Env: t.env(dir, mode{}), Args: []string{"-d=ssa/help"}, Bounds: limits.Compile()}
	e := c.Run(ctx)
	_, list, ok := strings.Cut(string(e.Stdout)+string(e.Stderr), "<phase> is one of:")
	list, _, _ = strings.Cut(list, "- <flag>")
	if !ok {
		return nil, fmt.Errorf("%v: -d=ssa/help names no phases: %w", t, e.Failure())
	}
	var phases []string
	for _, m := range phaseLine.FindAllStringSubmatch(list, -1) {
		for _, name := range strings.Split(m[1], ", ") {
			switch name {
			case "check", "all", "build", "intrinsics", "genssa":
			default:
				phases = append(phases, name)
			}
		}
	}
	return phases, nil
}

// Siblings returns the other versions that are here, by rising version, with the same
// arguments.
func (t Toolchain) Siblings() []compilers.Target {
	var list []compilers.Target
	for _, version := range append(others(t.Host), "") { // "" is the one on PATH
		u := t
		u.Name, u.std = strings.TrimSuffix(family+"-"+version, "-"), newArchives()
		var err error
		if u.Root, err = rootOf(t.Host, version); err != nil {
			continue
		}
		if u.Version, err = versionOf(context.Background(), t.Host, u.Root, false); err != nil || u.Version == t.Version {
			continue
		}
		if slices.ContainsFunc(list, func(o compilers.Target) bool { return o.ID().Version == u.ID().Version }) {
			continue
		}
		list = append(list, u)
	}
	return list
}
