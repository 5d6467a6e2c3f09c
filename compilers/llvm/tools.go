// Package llvm makes of a failure of clang the smallest test in LLVM IR. It knows LLVM's
// tools, which stand beside clang:
//
//	Beside    clang-24@trunk → llc and opt of the same version, in the same root directory
//	Find      the IR of the program as code generation gets it, the function whose code is
//	          wrong, and the calls that show it
//	reduce    that function, cut to a few instructions
//	Test      its text, the command that shows the failure, the assembly, the other targets
//
// Whether a function is wrong is judged by package ll, which executes IR, and by a second
// compilation: a candidate counts if its result is defined, code made without optimising has
// that result, and the code in question has not. So no candidate lives on poison.
package llvm

import (
	"context"
	"fmt"
	"path"
	"path/filepath"
	"strings"

	"goreify/compilers"
	"goreify/compilers/native"
)

// Tools are the programs of LLVM that stand beside a clang.
type Tools struct {
	Clang  native.Toolchain // with the arguments of the finding
	own    native.Toolchain // the same, or the tool that failed
	Space  *compilers.Workspace
	Limits compilers.Limits

	dir string // that they are in, as seen from the root directory
}

// patience is how many times as long as usual tools may take by the clock: that a machine is
// busy must not look like a rejected candidate.
const patience = 10

// Beside returns the tools beside a clang. The error says what is missing.
func Beside(t compilers.Target, ws *compilers.Workspace, limits compilers.Limits) (Tools, error) {
	own, ok := compilers.Plain(t).(native.Toolchain)
	clang := own.Clang()
	if !ok || clang.Family != "clang" {
		return Tools{}, fmt.Errorf("%v is no clang, which LLVM's tools would stand beside", t.ID())
	}
	file, err := compilers.InRoot(clang.Root, own.Maker())
	if err != nil {
		return Tools{}, fmt.Errorf("LLVM's tools beside %v: %w", clang, err)
	}
	dir := filepath.Dir(file)
	if clang.Root != "" {
		root, err := filepath.EvalSymlinks(clang.Root)
		if err != nil {
			return Tools{}, fmt.Errorf("LLVM's tools beside %v: %w", clang, err)
		}
		dir = path.Join("/", strings.TrimPrefix(dir, root))
	}
	limits.CompileWall, limits.RunWall = patience*limits.CompileWall, patience*limits.RunWall
	tools := Tools{Clang: clang, own: own, Space: ws, Limits: limits, dir: dir}
	for _, name := range []string{"llc", "opt"} {
		if !compilers.Executable(clang.Root, path.Join(dir, name)) {
			return Tools{}, fmt.Errorf("there is no %s beside %v, in %s (package llvm has it)", name, clang, dir)
		}
	}
	if clang.Root == "" {
		ws.Show(dir)
	}
	return tools, nil
}

// input and output are the names of the files that a tool reads and writes.
const (
	input  = "in.ll"
	output = "out"
)

// Call calls a tool on a file of IR, and returns the file that it writes, which is nil
// unless the verdict is OK.
func (t Tools) Call(ctx context.Context, tool string, ir string, args ...string) ([]byte, compilers.Outcome) {
	dir, err := t.Space.NewDir(compilers.File{Name: input, Content: []byte(ir)})
	if err != nil {
		return nil, compilers.NoRoom(err)
	}
	defer t.Space.Remove(dir)
	c := compilers.Child{
		Space: t.Space, Root: t.Clang.Root, Path: path.Join(t.dir, tool), Args: append(args, input, "-o", output), Dir: dir,
		Env: compilers.FixedEnv(compilers.RootPath, filepath.Join(dir, "tmp")), Bounds: t.Limits.Compile(),
	}
	o := native.JudgeBuild(c.Run(ctx), c.Bounds)
	o.Command = []string{compilers.CommandLine(tool, c.Args)}
	if o.Verdict != compilers.OK {
		return nil, o
	}
	content, err := t.Space.Read(dir, output)
	if err != nil {
		o.Verdict, o.Message = compilers.Discarded, compilers.Normalise(err.Error())
	}
	return content, o
}

// IR returns the IR that code generation gets of a program of one file in a mode, with further
// arguments of LLVM, and what was said of passes.
func (t Tools) IR(ctx context.Context, job compilers.Job, args ...string) (text, log string, err error) {
	emit := []string{"-S", "-emit-llvm", "-o", output}
	passes := t.own.Passes(job.Mode)
	if t.own.IsTool() {
		job.Mode = "-O0"
		emit = append(emit, "-Xclang", "-disable-llvm-passes")
	} else {
		for _, arg := range args {
			emit = append(emit, "-mllvm", arg)
		}
	}
	job.Extra = append(append([]string{}, job.Extra...), emit...)
	content, o, err := t.Clang.Compile(ctx, t.Space, job, output, t.Limits)
	if err == nil && o.Verdict == compilers.OK && passes != nil {
		content, o = t.Call(ctx, "opt", string(content), append(append([]string{"-S"}, passes...), args...)...)
	}
	if err == nil && o.Verdict != compilers.OK {
		err = fmt.Errorf("%s: %v", strings.Join(o.Command, " && "), o)
	}
	return string(content), string(o.Stderr), err
}

// Object compiles a file, of C or IR, without optimising.
func (t Tools) object(ctx context.Context, name, text string) ([]byte, error) {
	job := compilers.Job{Files: []compilers.File{{Name: name, Content: []byte(text)}}, Mode: "-O0", Extra: []string{"-o", output}}
	object, o, err := t.Clang.Compile(ctx, t.Space, job, output, t.Limits)
	if err == nil && o.Verdict != compilers.OK {
		err = fmt.Errorf("%s: %v", strings.Join(o.Command, " && "), o)
	}
	return object, err
}
