package jvm

import (
	"bytes"
	"context"
	"path/filepath"
	"slices"
	"strings"

	"goreify/compilers"
)

// sourceRoom is the address space of a machine beyond that for calls: it compiles the source.
const sourceRoom = 1 << 30

// RunSource runs a program that is a file of Java, with flags.
func (m Machine) RunSource(ctx context.Context, ws *compilers.Workspace, file compilers.File, flags []string, limits compilers.Limits) compilers.Outcome {
	dir, err := ws.NewDir(file)
	if err != nil {
		return compilers.NoRoom(err)
	}
	defer ws.Remove(dir)
	limits.CompileMemory += sourceRoom
	limits.CompileWall *= 6 // it starts slowly
	limits.CompileCPU *= 2
	c := m.child(nil, dir, limits)
	c.Space, c.Dir = ws, dir
	c.Env = compilers.FixedEnv(m.Host.Path, filepath.Join(dir, "tmp"))
	compiles := func(flag string) bool { return strings.HasPrefix(flag, "-XX:CompileCommand=") }
	c.Args = slices.Concat(slices.DeleteFunc(slices.Clone(m.kind().household), compiles), flags, []string{file.Name})
	e := c.Run(ctx)
	o := compilers.Outcome{Signal: e.Signal, Stdout: e.Stdout, Stderr: e.Stderr, RunCPU: e.CPU}
	v, message, stopped := compilers.JudgeStopped(e, c.Bounds, compilers.Endless)
	switch {
	case stopped:
		o.Verdict, o.Message = v, message
	case e.Signal == 0 && e.Status == 0:
		o.Verdict = compilers.OK
	case bytes.Contains(slices.Concat(e.Stdout, e.Stderr), []byte("A fatal error has been detected by the Java Runtime Environment")):
		o.Verdict = compilers.InternalError
	default:
		o.Message = compilers.FirstLine(e.Stderr)
	}
	return o
}

// SourceCommand returns the command that runs a file of Java with flags.
func (m Machine) SourceCommand(file string, flags []string) string {
	name, _, _ := strings.Cut(m.Commands(compilers.Job{Files: []compilers.File{{Name: MainFile}}, Mode: m.Reference()}, "")[0], " ")
	return compilers.CommandLine(strings.Trim(name, "'"), append(slices.Clone(flags), file))
}
