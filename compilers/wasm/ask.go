package wasm

import (
	"bytes"
	"context"
	_ "embed"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"goreify/compilers"
)

// Runner is the text of RunnerFile.
//
//go:embed repro.mjs
var Runner string

// Encode returns a module as the main file of a program holds it.
func Encode(module []byte) []byte {
	const width = 64 // bytes a line
	out := make([]byte, 0, 2*len(module)+len(module)/width+2)
	for len(module) > 0 {
		n := min(width, len(module))
		out = hex.AppendEncode(out, module[:n])
		out = append(out, '\n')
		module = module[n:]
	}
	return out
}

// Decode returns the module of a main file. The error says where it is corrupt.
func Decode(text []byte) ([]byte, error) {
	packed := make([]byte, 0, len(text))
	for i, line := range bytes.Split(text, []byte("\n")) {
		line = bytes.TrimSpace(line)
		if _, err := hex.Decode(make([]byte, len(line)/2+1), line); err != nil {
			return nil, fmt.Errorf("%s:%d: %w", MainFile, i+1, err)
		}
		packed = append(packed, line...)
	}
	module := make([]byte, len(packed)/2)
	_, err := hex.Decode(module, packed)
	return module, err
}

// answerFile is what Build leaves: a line with the CPU time of the calls in
// microseconds, and then what they printed.
const answerFile = "answer"

// Build has the engine compile the module of a job and make its calls: engines do both
// at a time. What they print, Run compares.
func (e Engine) Build(ctx context.Context, ws *compilers.Workspace, job compilers.Job, limits compilers.Limits) (compilers.Built, compilers.Outcome) {
	o := compilers.Outcome{Command: e.Commands(job, "")[:1]}
	m, ok := e.mode(job.Mode)
	if !ok {
		o.Message = fmt.Sprintf("%s is no mode of %s", job.Mode, e.kind.family)
		return compilers.Built{}, o
	}
	module, err := Decode(job.Files[0].Content)
	if err != nil {
		o.Message = err.Error() // no engine has seen it
		return compilers.Built{}, o
	}
	command := o.Command
	var a answer
	if e.served {
		a = e.ask(ctx, ws, m, job, module, limits)
	} else {
		a = e.start(ctx, ws, m, job, limits)
	}
	o = a.Outcome
	o.Command = command
	if o.Verdict != compilers.OK {
		return compilers.Built{}, o
	}
	dir, err := ws.NewDir()
	path := filepath.Join(dir, answerFile)
	if err == nil {
		err = os.WriteFile(path, slices.Concat(strconv.AppendInt(nil, a.calls.Microseconds(), 10), []byte("\n"), a.Stdout), 0o600)
	}
	if err != nil {
		return compilers.Built{}, compilers.NoRoom(err)
	}
	return compilers.Built{Path: path, Space: ws}, o
}

// Run compares what the calls printed with want. The arguments are of no use.
func (e Engine) Run(_ context.Context, built compilers.Built, _ []string, want []byte, _ compilers.Limits) compilers.Outcome {
	text, err := os.ReadFile(built.Path)
	if err != nil {
		return compilers.NoRoom(err)
	}
	head, got, _ := bytes.Cut(text, []byte("\n"))
	micros, _ := strconv.ParseInt(string(head), 10, 64) // our own
	o := compilers.Outcome{Verdict: compilers.OK, Stdout: got, RunCPU: time.Duration(micros) * time.Microsecond}
	if !bytes.Equal(got, want) {
		o.Verdict, o.Message = compilers.WrongAnswer, differ(got, want)
	}
	return o
}

// differ says in which line an answer first differs.
func differ(got, want []byte) string {
	a, b := strings.Split(string(got), "\n"), strings.Split(string(want), "\n")
	for i := range b {
		if i >= len(a) || a[i] != b[i] {
			line := ""
			if i < len(a) {
				line = a[i]
			}
			return fmt.Sprintf("printed %.100q, want %.100q", line, b[i])
		}
	}
	return "printed more than it should"
}

// An answer is what an engine said of a module, and what the calls cost.
type answer struct {
	compilers.Outcome
	calls time.Duration
}

// start asks in a process of its own.
func (e Engine) start(ctx context.Context, ws *compilers.Workspace, m mode, job compilers.Job, limits compilers.Limits) (a answer) {
	dir, err := ws.NewDir()
	if err == nil {
		err = job.Write(dir)
	}
	if err == nil && e.Path != "" {
		err = os.WriteFile(filepath.Join(dir, RunnerFile), []byte(Runner), 0o600)
	}
	if err != nil {
		a.Outcome = compilers.NoRoom(err)
		return a
	}
	defer compilers.Built{Path: filepath.Join(dir, answerFile), Space: ws}.Remove()
	c := e.child(m, dir, job.Extra, limits)
	c.Space, c.Dir = ws, dir
	if e.Path == "" {
		c.Args = append(c.Args, job.Files[0].Name)
	} else if name := job.Files[0].Name; name != MainFile {
		c.Args = append(c.Args, name)
	}
	return e.judge(c.Run(ctx), c.Bounds)
}

// child returns the process that runs modules in a mode. With files and pipes to be
// named it is called by its runner.
func (e Engine) child(m mode, dir string, extra []string, limits compilers.Limits) compilers.Child {
	limits.CompileCPU += limits.RunCPU
	limits.CompileWall += limits.RunWall
	if limits.CompileMemory += e.kind.room; e.kind.room < 0 {
		limits.CompileMemory = 0
	}
	c := compilers.Child{Path: e.Path, Env: compilers.FixedEnv(e.host.Path, filepath.Join(dir, "tmp")), Bounds: limits.Compile()}
	if e.Path == "" {
		c.Path = "/proc/self/exe"
		c.Env = append(c.Env, serveVar+"="+m.name)
		return c
	}
	flags, env := e.flags(m, extra)
	c.Env = append(c.Env, env...)
	c.Args = append(flags, RunnerFile)
	return c
}

// flags returns the flags of an engine in a mode, and its settings in the environment.
func (e Engine) flags(m mode, extra []string) (flags, env []string) {
	return settings(slices.Concat(e.kind.args, m.args, m.env, e.Args, extra))
}

// wallOfServer is how long a server may live.
const wallOfServer = time.Hour

// fat is how much memory a server may have resident before another takes its place.
const fat = 512 << 20

// ask asks a server. What fails there is asked once more in a process of its own,
// which has limits for this module alone.
func (e Engine) ask(ctx context.Context, ws *compilers.Workspace, m mode, job compilers.Job, module []byte, limits compilers.Limits) (a answer) {
	wide := limits
	wide.CompileCPU, wide.CompileWall = wallOfServer, wallOfServer
	c := e.child(m, "/tmp", job.Extra, wide)
	var files []compilers.File
	if e.Path != "" {
		files = []compilers.File{{Name: RunnerFile, Content: []byte(Runner)}}
	}
	key := strings.Join(slices.Concat([]string{c.Path}, c.Args, c.Env), "\x00")
	s, err := ws.Serve(key, c, files...)
	if err != nil {
		a.Outcome = compilers.NoRoom(err)
		return a
	}
	text, end, err := s.Ask(ctx, base64.StdEncoding.AppendEncode(nil, module), limits.CompileWall+limits.RunWall)
	var compile, calls, resident int64
	if err == nil {
		if _, scan := fmt.Sscan(end, &compile, &calls, &resident); scan != nil {
			err = fmt.Errorf("it ended its answer with %q", end)
		}
	}
	if err != nil {
		slow := errors.Is(err, os.ErrDeadlineExceeded) && !s.Ended(100*time.Millisecond)
		exit := s.Close()
		if ctx.Err() != nil {
			a.Message = "cancelled"
			return a
		}
		if a = e.start(ctx, ws, m, job, limits); a.Verdict != compilers.OK || slow {
			return a // the machine may be what was slow
		}
		b := e.judge(exit, c.Bounds)
		switch {
		case b.Verdict == compilers.InternalError:
		case !exit.Cancelled() && b.Verdict != compilers.OK:
			return a // it was killed, has lived for too long, or had no room
		default: // it lived on, or went away in peace
			b = answer{Outcome: compilers.Outcome{Verdict: compilers.InternalError, Message: compilers.Normalise(err.Error())}}
		}
		b.Message += ", in a process that has run other modules"
		b.Crash = b.Message
		return b
	}
	ws.Keep(s, resident > fat)
	a = said(text)
	a.CompileCPU, a.calls = time.Duration(compile)*time.Microsecond, time.Duration(calls)*time.Microsecond
	return a
}

// Commands returns the line that asks the engine, and one that does nothing: what is
// built runs at once.
func (e Engine) Commands(job compilers.Job, _ string) []string {
	m, _ := e.mode(job.Mode)
	var line string
	if e.Path == "" {
		line = compilers.CommandLine("env", []string{serveVar + "=" + m.name, "reify", job.Files[0].Name})
	} else {
		name, path, ok := strings.Cut(e.Name, "=")
		if ok {
			name = path
		}
		flags, env := e.flags(m, job.Extra)
		args := append(flags, RunnerFile)
		if name := job.Files[0].Name; name != MainFile {
			args = append(args, name)
		}
		line = compilers.CommandLine(name, args)
		if len(env) > 0 {
			line = compilers.CommandLine("env", env) + " " + line
		}
	}
	return []string{line, "true"}
}
