package native

import (
	"context"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"goreify/compilers"
)

// binaryName is the name of what is built.
const binaryName = "repro"

// Build compiles and links the job's program. There is one unless the verdict is
// not OK.
func (t Toolchain) Build(ctx context.Context, ws *compilers.Workspace, job compilers.Job, limits compilers.Limits) (built compilers.Built, o compilers.Outcome) {
	dir, err := ws.NewDir(job.Files...)
	if err != nil {
		o = compilers.NoRoom(err)
		o.Command = t.Commands(job, binaryName)[:1]
		return built, o
	}
	if t.tools != nil && t.tools.name == lli {
		built = t.interpreted(job, dir)
		built.Space = ws
		return built, compilers.Outcome{Verdict: compilers.OK}
	}
	o = t.build(ctx, ws, dir, job, limits)
	built = compilers.Built{Path: filepath.Join(dir, binaryName), Space: ws, Root: t.Root, Traits: t.emulated()}
	if o.Verdict != compilers.OK {
		built.Remove()
		return compilers.Built{}, o
	}
	return built, o
}

// build compiles and links the job, which is written, in dir.
func (t Toolchain) build(ctx context.Context, ws *compilers.Workspace, dir string, job compilers.Job, limits compilers.Limits) compilers.Outcome {
	var spent compilers.Outcome
	if t.linksDirectly(job) {
		o, linked := t.buildDirectly(ctx, ws, dir, job, limits)
		if linked {
			return o
		}
		spent = o
	}
	o := t.buildByDriver(ctx, ws, dir, job, limits)
	o.CompileCPU += spent.CompileCPU
	o.LinkCPU += spent.LinkCPU
	return o
}

// buildByDriver compiles and links the job in dir with the command that a user
// would type.
func (t Toolchain) buildByDriver(ctx context.Context, ws *compilers.Workspace, dir string, job compilers.Job, limits compilers.Limits) compilers.Outcome {
	var before compilers.Outcome
	args := t.arguments(job, "-o", binaryName)
	if t.tools != nil {
		if before = t.translate(ctx, ws, dir, job, limits); before.Verdict != compilers.OK {
			return before
		}
		args = t.linked(job, binaryName)
	}
	c := t.child(ws, dir, args, limits)
	o := t.judge(c.Run(ctx), c.Bounds)
	o.CompileCPU += before.CompileCPU
	o.Command = append(before.Command, t.Clang().command(c.Args))
	if before.Stderr != nil { // the log of passes
		o.Stderr = before.Stderr
	}
	if o.Verdict == compilers.OK && !compilers.Executable("", filepath.Join(dir, binaryName)) {
		o.Verdict, o.Message = compilers.Discarded, "exit status 0, but no executable"
	}
	return o
}

// Run runs a binary and compares what it prints with want.
func (t Toolchain) Run(ctx context.Context, built compilers.Built, args []string, want []byte, limits compilers.Limits) compilers.Outcome {
	if t.tools == nil || t.tools.name != lli {
		return compilers.Run(ctx, built, args, want, limits)
	}
	limits.RunCPU, limits.RunMemory = limits.RunCPU+limits.CompileCPU, limits.CompileMemory
	o := compilers.Run(ctx, built, args, want, limits)
	if message := internalError(string(o.Stderr)); message != "" && o.Verdict != compilers.OK && o.Verdict.Finding() {
		o.Verdict, o.Message, o.Crash = compilers.InternalError, message, crashLine(o.Stderr)
	}
	return o
}

// child returns a call of the toolchain in dir.
func (t Toolchain) child(ws *compilers.Workspace, dir string, args []string, limits compilers.Limits) compilers.Child {
	return compilers.Child{
		Space: ws, Root: t.Root, Path: t.Path, Args: args, Dir: dir,
		Env:    compilers.FixedEnv(t.searchPath, filepath.Join(dir, "tmp")),
		Bounds: limits.Compile(),
	}
}

// judge returns what the end of the toolchain means, without its command.
func (t Toolchain) judge(e compilers.Exit, b compilers.Bounds) compilers.Outcome {
	o := JudgeBuild(e, b)
	own := t.row().Internal
	if (o.Verdict == compilers.Rejected || o.Verdict == compilers.Discarded && e.Status > 0) && own != nil && own.Match(e.Stderr) {
		o.Verdict, o.Message = compilers.InternalError, compilers.Normalise(string(own.Find(e.Stderr)))
		o.Crash = withoutNumbers(o.Message)
	}
	return o
}

// JudgeBuild returns what the end of a compiler of a family means, without its command.
func JudgeBuild(e compilers.Exit, b compilers.Bounds) compilers.Outcome {
	o := compilers.Outcome{CompileCPU: e.CPU, Signal: e.Signal, Stdout: e.Stdout, Stderr: e.Stderr}
	o.Verdict, o.Message = judgeCompile(e, b)
	if o.Verdict == compilers.InternalError {
		o.Crash = crashLine(e.Stderr)
	}
	if o.Verdict == compilers.InternalError || o.Verdict == compilers.Rejected {
		o.Named = namedFunctions(e.Stderr)
	}
	return o
}

// gcc and clang say which function they were at.
var atFunction = regexp.MustCompile(`(?m)In function '(\w+)'|on function ["']@?(\w+)`)

// namedFunctions returns the functions that a compiler named as it gave up.
func namedFunctions(stderr []byte) []string {
	var names []string
	for _, m := range atFunction.FindAllStringSubmatch(string(stderr), -1) {
		names = append(names, m[1]+m[2])
	}
	return names
}

// arguments returns those of the driver's call for the job, with some more.
func (t Toolchain) arguments(job compilers.Job, more ...string) []string {
	quiet := "-w"
	if slices.Contains(t.row().Lacks, quiet) || slices.ContainsFunc(job.Extra, func(a string) bool { return strings.HasPrefix(a, "-Werror=") }) {
		quiet = "" // it would silence what is to be an error
	}
	args := slices.Concat(t.row().Flags, t.opaque(), t.Args, t.static(), t.checked(), []string{job.Mode, quiet}, job.Extra, job.Names(), more)
	return slices.DeleteFunc(args, func(a string) bool { return a == "" })
}

// opaque has pointers without a type, which versions before 15 know if they are told.
func (t Toolchain) opaque() []string {
	if !t.ir || compilers.CompareVersions(t.Version, "15") >= 0 {
		return nil
	}
	if t.tools != nil {
		return []string{"-opaque-pointers"}
	}
	return []string{"-mllvm", "-opaque-pointers"}
}

// static has the programs of another processor linked statically, so that an
// emulator need not know where the libraries are.
func (t Toolchain) static() []string {
	triple := t.platform().Triple
	switch {
	case !Emulated(triple):
		return nil
	case strings.HasPrefix(triple, "hppa"):
		// Calls reach no further than 256 KB, and linkers mend that between sections.
		return []string{"-static", "-ffunction-sections"}
	}
	return []string{"-static"}
}

// Commands returns the lines, to paste into a shell in a directory with the job's
// files, that build its program under a name and run it.
func (t Toolchain) Commands(job compilers.Job, binary string) []string {
	build, run := "", compilers.Built{Path: binary, Traits: t.emulated()}
	switch {
	case t.tools == nil:
		build = t.command(t.arguments(job, "-o", binary))
	case t.tools.name == lli:
		build, run = "true", t.interpreted(job, "")
	default:
		build = t.recipe(job, binary)
	}
	return []string{build, run.Command(nil)}
}
