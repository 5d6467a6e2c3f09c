package compilers

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"
)

// A Job is a program and the answer that it must print.
type Job struct {
	Source []byte   // the C file repro.c
	More   []File   // C files to compile and link with it, in this order
	Want   []byte   // exactly what it prints on standard output
	Level  string   // "-O2"
	Extra  []string // further arguments for the compiler
}

// A File is a C file of a Job. Its name is a plain one, without a directory,
// that ends in ".c", does not start with a dash and is no other file's.
type File struct {
	Name    string
	Content []byte
}

// An Outcome is what came of building, running, or both.
type Outcome struct {
	Verdict Verdict
	Signal  syscall.Signal // of a Crash, or of a compiler killed by one; else 0
	// Message says in a line what happened, without anything that differs
	// from run to run. For InternalError it tells one error from another.
	Message string
	Report  bool   // the message is a sanitizer's report
	Stdout  []byte // of the last command, at most Limits.Output bytes
	Stderr  []byte // likewise
	// What the children cost, user and system: the compiler's driver and all
	// that it calls, its linker too; a linker called directly, see LinkDirectly,
	// else 0; and the program. Children of the same kind are added up.
	CompileCPU, LinkCPU, RunCPU time.Duration
	Command                     []string // lines to paste into a shell, in a directory with the C files
}

const (
	sourceName = "repro.c"
	binaryName = "repro"
)

// Build compiles and links the job's program. The binary is the path of an
// executable alone in its directory, or "" unless the verdict is OK; give it to
// Workspace.Remove when it has served.
func (t Toolchain) Build(ctx context.Context, ws *Workspace, job Job, limits Limits) (binary string, o Outcome) {
	dir, err := ws.newJob()
	if err == nil {
		err = job.write(dir)
	}
	if err != nil {
		o.Command = []string{commandLine(t.Name, job.arguments(t, "-o", binaryName))}
		o.Message = "no room to compile in: " + normalise(err.Error())
		return "", o
	}
	o = t.build(ctx, dir, job, limits)
	if o.Verdict != OK {
		// Whatever cannot be removed now goes with the workspace.
		_ = os.RemoveAll(dir)
		return "", o
	}
	return filepath.Join(dir, binaryName), o
}

// build compiles and links the job, which is written, in dir.
func (t Toolchain) build(ctx context.Context, dir string, job Job, limits Limits) Outcome {
	var spent Outcome
	if t.linksDirectly(job) {
		o, linked := t.buildDirectly(ctx, dir, job, limits)
		if linked {
			return o
		}
		spent = o
	}
	o := t.buildByDriver(ctx, dir, job, limits)
	o.CompileCPU += spent.CompileCPU
	o.LinkCPU += spent.LinkCPU
	return o
}

// buildByDriver compiles and links the job in dir with the command that a user
// would type.
func (t Toolchain) buildByDriver(ctx context.Context, dir string, job Job, limits Limits) Outcome {
	c := t.child(dir, job.arguments(t, "-o", binaryName), limits)
	o := judgeBuild(c.run(ctx), c.bounds)
	o.Command = []string{commandLine(t.Name, c.args)}
	if o.Verdict == OK && !executable(filepath.Join(dir, binaryName)) {
		o.Verdict, o.Message = Rejected, "exit status 0, but no executable"
	}
	return o
}

// child returns a call of the toolchain in dir.
func (t Toolchain) child(dir string, args []string, limits Limits) child {
	return child{
		path: t.Path, args: args, dir: dir,
		env:    fixedEnv(t.searchPath, filepath.Join(dir, "tmp")),
		bounds: limits.compile().above(ownPeak()),
	}
}

// judgeBuild returns what a compiler's end means, without its command.
func judgeBuild(e exit, b bounds) Outcome {
	o := Outcome{CompileCPU: e.cpu, Signal: e.signal, Stdout: e.stdout, Stderr: e.stderr}
	o.Verdict, o.Message = judgeCompile(e, b)
	return o
}

// arguments returns those of the driver's call for the job, with some more.
func (j Job) arguments(t Toolchain, more ...string) []string {
	args := slices.Concat(t.Args, []string{j.Level, "-w"}, j.Extra, j.names(), more)
	return slices.DeleteFunc(args, func(a string) bool { return a == "" })
}

// names returns the names of the job's C files.
func (j Job) names() []string {
	names := []string{sourceName}
	for _, f := range j.More {
		names = append(names, f.Name)
	}
	return names
}

// write writes the job's C files.
func (j Job) write(dir string) error {
	for _, f := range append([]File{{sourceName, j.Source}}, j.More...) {
		if err := os.WriteFile(filepath.Join(dir, f.Name), f.Content, 0o600); err != nil {
			return err
		}
	}
	return nil
}

// Run runs a binary and compares what it prints with want.
func Run(ctx context.Context, binary string, args []string, want []byte, limits Limits) Outcome {
	dir := filepath.Dir(binary)
	c := child{path: binary, args: args, dir: dir, env: fixedEnv(usualPath, filepath.Join(dir, "tmp")), bounds: limits.run().above(ownPeak())}
	if c.bounds.output > 0 {
		c.bounds.output = max(c.bounds.output, len(want)+1)
	}
	e := c.run(ctx)
	o := Outcome{
		Signal:  e.signal,
		Stdout:  e.stdout,
		Stderr:  e.stderr,
		RunCPU:  e.cpu,
		Command: []string{commandLine("./"+filepath.Base(binary), args)},
	}
	o.Verdict, o.Message = judgeRun(e, c.bounds, want)
	o.Report = o.Verdict == WrongAnswer && e.status != 0 && sanitizerReport(e.stderr) != ""
	return o
}

// Test builds the job's program, runs it, and leaves nothing behind. The
// outcome is the build's unless that is OK.
func (t Toolchain) Test(ctx context.Context, ws *Workspace, job Job, limits Limits) Outcome {
	binary, built := t.Build(ctx, ws, job, limits)
	if built.Verdict != OK {
		return built
	}
	o := Run(ctx, binary, nil, job.Want, limits)
	// Whatever cannot be removed now goes with the workspace.
	_ = ws.Remove(binary)
	o.CompileCPU, o.LinkCPU = built.CompileCPU, built.LinkCPU
	o.Command = append(built.Command, o.Command...)
	return o
}

// Confirm runs the job again and tells whether the outcome is the same: the
// same verdict and, for an internal error, the same message. It is how a
// finding comes to count.
func (t Toolchain) Confirm(ctx context.Context, ws *Workspace, job Job, limits Limits, first Outcome) (second Outcome, same bool) {
	second = t.Test(ctx, ws, job, limits)
	return second, first.Same(second)
}

// Same tells whether two outcomes have one verdict and, for an internal error,
// one message.
func (o Outcome) Same(p Outcome) bool {
	return o.Verdict == p.Verdict && (o.Verdict != InternalError || o.Message == p.Message)
}

// String returns the verdict and the message.
func (o Outcome) String() string {
	if o.Message == "" {
		return o.Verdict.String()
	}
	return fmt.Sprintf("%v: %s", o.Verdict, o.Message)
}

// commandLine returns a command as a shell reads it.
func commandLine(name string, args []string) string {
	words := make([]string, 0, len(args)+1)
	for _, word := range append([]string{name}, args...) {
		words = append(words, quote(word))
	}
	return strings.Join(words, " ")
}

// quote puts a word between single quotes unless every character of it is
// plain to a shell.
func quote(word string) string {
	special := func(r rune) bool {
		plain := r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9'
		return !plain && !strings.ContainsRune("-_./=+,:@%", r)
	}
	if word != "" && !strings.ContainsFunc(word, special) {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}

// firstLine returns the first line that is not blank.
func firstLine(text []byte) string {
	line, _, _ := bytes.Cut(bytes.TrimSpace(text), []byte("\n"))
	return string(line)
}
