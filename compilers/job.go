package compilers

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"
)

// A Job is a program and the answer that it must print.
type Job struct {
	Files []File   // to build together, the main one first
	Want  []byte   // exactly what it prints on standard output
	Mode  Mode     // "-O2"
	Extra []string // further arguments for the target
}

// A File is a file of a program. Its name is a plain one, without a directory,
// that does not start with a dash and is no other file's.
type File struct {
	Name    string
	Content []byte
}

// MainC is the name of the main file of a program in C.
const MainC = "repro.c"

// MainGo is the name of the main file of a program in Go.
const MainGo = "repro.go"

// MainLLVM is the name of the main file of a program in LLVM IR.
const MainLLVM = "repro.ll"

// MainWasm is the name of the main file of a program in WebAssembly: the bytes of a
// module in hexadecimal.
const MainWasm = "repro.wasm.hex"

// MainClass is the name of the main file of a program in Java bytecode: the bytes of a
// class file in hexadecimal.
const MainClass = "repro.class.hex"

// Single returns the files of a program in C that is one file.
func Single(source []byte) []File { return []File{{MainC, source}} }

// Names returns the names of the job's files.
func (j Job) Names() []string {
	var names []string
	for _, f := range j.Files {
		names = append(names, f.Name)
	}
	return names
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
	// The cost of the children, user and system: the compiler's driver and all that it
	// calls, its linker too; a linker called directly, see LinkDirectly, else 0; and the
	// program. Children of one kind are added up.
	CompileCPU, LinkCPU, RunCPU time.Duration
	// Command is lines to paste into a shell, in a directory with the files. The
	// last one runs the program, if it was built.
	Command []string
	// Crash says of an InternalError where the target went wrong. It is the same
	// for all programs that show one bug, unlike the message.
	Crash string
	// Named are the functions that the target spoke of as it gave up.
	Named []string
	// Disputed says that what was Discarded is an answer, but not one of the compiler alone:
	// emulators of two models of the processor differ in it.
	Disputed bool
}

// NoRoom returns the outcome of a job that could not be written.
func NoRoom(err error) Outcome {
	return Outcome{Message: "no room to compile in: " + Normalise(err.Error())}
}

// After returns the outcome of running what was built, with what building cost
// and its commands.
func (o Outcome) After(built Outcome) Outcome {
	o.CompileCPU, o.LinkCPU = built.CompileCPU, built.LinkCPU
	o.Command = slices.Concat(built.Command, o.Command)
	return o
}

// Run runs an executable and compares what it prints with want. A failure that an
// emulator shows with one model of a processor alone is Discarded, and Disputed.
func Run(ctx context.Context, built Built, args []string, want []byte, limits Limits) Outcome {
	traits := built.traits()
	o := run(ctx, built, traits.Runner, args, want, limits)
	if traits.Other == nil || o.Verdict != WrongAnswer && o.Verdict != Crash {
		return o
	}
	other := run(ctx, built, traits.Other, args, want, limits)
	o.RunCPU += other.RunCPU
	if other.Verdict == OK {
		o.Message = fmt.Sprintf("%v, and right with %s: the emulator may be at fault", o, strings.Join(traits.Other[1:], " "))
		o.Verdict, o.Disputed = Discarded, true
	}
	return o
}

func run(ctx context.Context, built Built, runner, args []string, want []byte, limits Limits) Outcome {
	dir := filepath.Dir(built.Path)
	traits := built.traits()
	words := slices.Concat(runner, []string{built.Path}, args)
	c := Child{Space: built.Space, Root: built.Root, Path: words[0], Args: words[1:], Dir: dir, Env: FixedEnv(usualPath, filepath.Join(dir, "tmp")), Bounds: limits.forEmulator(traits).run()}
	if c.Bounds.output > 0 {
		c.Bounds.output = max(c.Bounds.output, len(want)+1)
	}
	e := c.Run(ctx)
	if built.Println && len(e.Stdout) == 0 && len(want) > 0 {
		e.Stdout = e.Stderr
	}
	o := Outcome{
		Signal:  e.Signal,
		Stdout:  e.Stdout,
		Stderr:  e.Stderr,
		RunCPU:  e.CPU,
		Command: []string{built.Command(args)},
	}
	o.Verdict, o.Message = judgeRun(e, c.Bounds, want)
	if complaint := emulatorComplaint(e.Stderr); traits.Emulated && complaint != "" && o.Verdict != OK {
		o.Verdict, o.Message = Discarded, Normalise(complaint)
	}
	o.Report = o.Verdict == WrongAnswer && e.Status != 0 && sanitizerReport(e.Stderr) != ""
	return o
}

// Same tells whether two outcomes have one verdict and, for an internal error,
// one message. A finding counts when Test came to the same a second time.
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

// CommandLine returns a command as a shell reads it. A name with an equals sign
// would set a variable.
func CommandLine(name string, args []string) string {
	words := []string{Quote(name)}
	if words[0] == name && strings.Contains(name, "=") {
		words[0] = "'" + name + "'"
	}
	for _, word := range args {
		words = append(words, Quote(word))
	}
	return strings.Join(words, " ")
}

// Quote puts a word between single quotes unless every character of it is
// plain to a shell.
func Quote(word string) string {
	special := func(r rune) bool {
		plain := r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9'
		return !plain && !strings.ContainsRune("-_./=+,:@%", r)
	}
	if word != "" && !strings.ContainsFunc(word, special) {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}
