package wasm

import (
	"context"
	_ "embed"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"goreify/compilers"
	"goreify/compilers/served"
)

// Runner is the text of RunnerFile.
//
//go:embed repro.mjs
var Runner string

// Encode returns a module as the main file of a program holds it.
func Encode(module []byte) []byte { return served.Encode(module) }

// Decode returns the module of a main file. The error says where it is corrupt.
func Decode(text []byte) ([]byte, error) { return served.Decode(MainFile, text) }

// Build has the engine compile the module of a job and make its calls: engines do both
// at a time. Run compares their output.
func (e Engine) Build(ctx context.Context, ws *compilers.Workspace, job compilers.Job, limits compilers.Limits) (compilers.Built, compilers.Outcome) {
	o := compilers.Outcome{Command: e.Commands(job, "")[:1]}
	m, ok := e.kind.modes.Find(job.Mode)
	if !ok {
		o.Message = fmt.Sprintf("%s is no mode of %s", job.Mode, e.kind.family)
		return compilers.Built{}, o
	}
	module, err := Decode(job.Files[0].Content)
	if err != nil {
		o.Message = err.Error() // no engine has seen it
		return compilers.Built{}, o
	}
	var a served.Answer
	if e.kind.drive != nil {
		a = e.drive(ctx, ws, m, job, module, limits)
	} else {
		a = e.asker(m, job.Extra).Ask(ctx, ws, job, module, limits, e.served)
	}
	a.Command = o.Command
	return served.Leave(ws, a)
}

// Run compares what the calls printed with want. The arguments are of no use.
func (e Engine) Run(_ context.Context, built compilers.Built, _ []string, want []byte, _ compilers.Limits) compilers.Outcome {
	return served.Run(built, want)
}

// asker returns how the engine is asked in a mode.
func (e Engine) asker(m mode, extra []string) served.Asker {
	k := served.Asker{
		Child: func(dir string, limits compilers.Limits) compilers.Child { return e.child(m, dir, extra, limits) },
		Alone: func(main string) []string {
			if e.Path != "" && main == MainFile {
				return nil
			}
			return []string{main}
		},
		Judge: e.judge,
		Place: place,
	}
	if e.Path != "" {
		k.Files = []compilers.File{{Name: RunnerFile, Content: []byte(Runner)}}
	}
	return k
}

// child returns the process that runs modules in a mode. With files and pipes to be
// named it is called by its runner.
func (e Engine) child(m mode, dir string, extra []string, limits compilers.Limits) compilers.Child {
	c := compilers.Child{Path: e.Path, Env: compilers.FixedEnv(e.Host.Path, filepath.Join(dir, "tmp")), Bounds: served.Together(limits, e.kind.room)}
	if e.Path == "" {
		c.Path = "/proc/self/exe"
		c.Args = []string{serve, m.name}
		return c
	}
	flags, env := e.flags(m, extra)
	c.Env = append(c.Env, env...)
	if e.kind.drive == nil {
		c.Args = append(flags, RunnerFile)
	}
	return c
}

// flags returns the flags of an engine in a mode, and its settings in the environment.
func (e Engine) flags(m mode, extra []string) (flags, env []string) {
	if !e.since(14, 0) {
		m.sync = nil
	}
	return settings(slices.Concat(e.kind.args, m.args, m.sync, m.env, e.Args, extra))
}

// Commands returns the line that asks the engine, and one that does nothing: what is
// built runs at once.
func (e Engine) Commands(job compilers.Job, _ string) []string {
	m, _ := e.kind.modes.Find(job.Mode)
	main := job.Files[0].Name
	flags, env := e.flags(m, job.Extra)
	line := ""
	switch {
	case e.kind.drive != nil:
		// wasm-opt gets the module itself; reify replay makes the modules that the other
		// engines get.
		line = "xxd -r -p " + main + " " + moduleIn + " && " + compilers.CommandLine(e.command(), append(flags, e.kind.takes...))
	case e.Path == "":
		line = compilers.CommandLine("reify", []string{serve, m.name, main})
	default:
		args := append(flags, RunnerFile)
		if main != MainFile {
			args = append(args, main)
		}
		line = compilers.CommandLine(e.command(), args)
		if len(env) > 0 {
			line = compilers.CommandLine("env", env) + " " + line
		}
	}
	return []string{line, "true"}
}

// command returns the name that users type.
func (e Engine) command() string {
	if strings.Contains(e.Name, "=") {
		return e.Path
	}
	return e.Name
}
