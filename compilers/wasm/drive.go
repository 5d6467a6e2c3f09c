package wasm

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"goreify/compilers"
	"goreify/compilers/served"
	"goreify/reify/answers"
)

// Some engines cannot be told to make the calls of a module. Each of these has a
// program of its own do what it can, in a process for each module:
//
//	wasm-interp   calls exports without arguments, so it gets a module with one for each call
//	wizer         calls one function and writes what the module holds then, so that makes
//	              the calls and leaves the answers in globals. Answers before a trap are lost,
//	              so calls that are to trap are not asked for: their lines are as wanted
//	wasm-opt      optimises the module, which wazero's interpreter is asked about

// A driver has an engine make the calls of a module.
type driver func(d *drive) served.Answer

// A drive is a module that is asked about.
type drive struct {
	ctx    context.Context
	ws     *compilers.Workspace
	e      Engine
	m      mode
	job    compilers.Job
	limits compilers.Limits

	dir    string // of the process
	module []byte
	parsed *binaryModule
}

// drive asks by the engine's own driver.
func (e Engine) drive(ctx context.Context, ws *compilers.Workspace, m mode, job compilers.Job, module []byte, limits compilers.Limits) (a served.Answer) {
	d := &drive{ctx: ctx, ws: ws, e: e, m: m, job: job, limits: limits, module: module}
	var err error
	if d.parsed, err = parseModule(module); err != nil {
		a.Verdict, a.Message = compilers.Rejected, err.Error()
		return a
	}
	if d.dir, err = ws.NewDir(); err != nil {
		a.Outcome = compilers.NoRoom(err)
		return a
	}
	defer ws.Remove(d.dir)
	return e.kind.drive(d)
}

// The files that a driver's program reads and writes.
const (
	moduleIn  = "in.wasm"
	moduleOut = "out.wasm"
)

// run has the engine's program look at a module. ok is false if it did not end in order:
// then the answer says what that means.
func (d *drive) run(module []byte) (exit compilers.Exit, a served.Answer, ok bool) {
	if err := d.ws.Put(d.dir, compilers.File{Name: moduleIn, Content: module}); err != nil {
		a.Outcome = compilers.NoRoom(err)
		return exit, a, false
	}
	c := d.e.child(d.m, d.dir, nil, d.limits)
	c.Space, c.Dir = d.ws, d.dir
	flags, _ := d.e.flags(d.m, d.job.Extra)
	c.Args = append(flags, d.e.kind.takes...)
	exit = c.Run(d.ctx)
	a = d.e.judge(exit, c.Bounds)
	return exit, a, a.Verdict == compilers.OK
}

// refused is what programs say of modules that they cannot read.
var refused = regexp.MustCompile(`(?m)^.*(?:validator error|Fatal: error|error validating|failed to parse|failed to validate|: error: ).*$`)

// rejected tells of a program that refused a module instead of failing.
func rejected(exit compilers.Exit, a served.Answer) served.Answer {
	if line := refused.Find(exit.Stderr); line != nil && exit.Signal == 0 && a.Verdict == compilers.InternalError && !fatal.Match(exit.Stderr) {
		a.Verdict, a.Message, a.Crash = compilers.Rejected, compilers.Normalise(string(line)), ""
	}
	return a
}

// interpreted is a line of wasm-interp: "c0() => i32:5", "c1() => error: unreachable executed".
var interpreted = regexp.MustCompile(`(?m)^([cs])(\d+)\(\) => (?:i(32|64):(\d+)|error: (.*))$`)

func driveInterpreter(d *drive) served.Answer {
	exit, a, ok := d.run(d.parsed.nullary())
	if !ok {
		return rejected(exit, a)
	}
	texts, states := make([]string, len(d.parsed.calls)), make([]string, len(d.parsed.calls))
	for _, m := range interpreted.FindAllSubmatch(exit.Stdout, -1) {
		i, err := strconv.Atoi(string(m[2]))
		if err != nil || i >= len(texts) {
			continue
		}
		v, _ := strconv.ParseUint(string(m[4]), 10, 64)
		switch {
		case string(m[1]) == "s":
			states[i] = strconv.FormatUint(v, 10)
		case len(m[5]) > 0:
			texts[i] = answers.Trap(compilers.Normalise(trapOf(string(m[5]))))
		default:
			texts[i] = string(appendValue(nil, d.parsed.calls[i].kind, v))
		}
	}
	var out []byte
	for i, c := range d.parsed.calls {
		out = append(out, answers.Line(c.name, answers.Stated(texts[i], states[i]))...)
	}
	a.Stdout = out
	return a
}

func driveInitialiser(d *drive) served.Answer {
	asked := func(c call) bool { return !answers.Traps(c.want) }
	module, first := d.parsed.initialised(asked)
	exit, a, ok := d.run(module)
	text := string(exit.Stderr)
	if _, trap, found := strings.Cut(text, "wasm trap: "); found && exit.Signal == 0 {
		// The answer does not tell which call that was.
		trap, _, _ = strings.Cut(trap, "\n")
		a.Verdict, a.Message, a.Crash = compilers.OK, "", ""
		a.Stdout = []byte(answers.Trap(compilers.Normalise(trapOf(trap))) + "\n")
		return a
	}
	if !ok {
		return rejected(exit, a)
	}
	var values []int64
	written, err := d.ws.Read(d.dir, moduleOut)
	if err == nil {
		var m *binaryModule
		if m, err = parseModule(written); err == nil {
			values, err = m.globals(first)
		}
	}
	if err != nil {
		return a.Broken("it wrote no module with the answers: " + compilers.Normalise(err.Error()))
	}
	var out []byte
	for _, c := range d.parsed.calls {
		if !asked(c) {
			out = append(out, answers.Line(c.name, c.want)...)
			continue
		}
		if len(values) < 2 {
			break
		}
		text := string(appendValue(nil, c.kind, uint64(values[0])))
		if _, ok := d.parsed.exports[c.function+".state"]; ok {
			text = answers.Stated(text, strconv.FormatUint(uint64(values[1]), 10))
		}
		out = append(out, answers.Line(c.name, text)...)
		values = values[2:]
	}
	a.Stdout = out
	return a
}

func driveOptimiser(d *drive) served.Answer {
	exit, a, ok := d.run(d.module)
	if !ok {
		return rejected(exit, a)
	}
	written, err := d.ws.Read(d.dir, moduleOut)
	if err != nil {
		return a.Broken("it wrote no module")
	}
	job := d.job
	job.Extra = nil
	job.Files = []compilers.File{{Name: MainFile, Content: Encode(written)}}
	judge := Engine{Installation: compilers.Installation{Name: "wazero", Host: d.e.Host}, kind: wazeroKind}
	b := judge.asker(wazeroKind.modes[0], nil).Ask(d.ctx, d.ws, job, written, d.limits, d.e.served)
	b.CompileCPU += a.CompileCPU
	if b.Verdict == compilers.Rejected { // it wrote something that is no module
		return b.Broken("it wrote a module that is rejected: " + b.Message)
	}
	return b
}

// packageVersion returns the version of the npm package that a program is in.
func packageVersion(path string) (string, error) {
	text, err := os.ReadFile(filepath.Join(filepath.Dir(path), "package.json"))
	if err != nil {
		return "", fmt.Errorf("%s does not tell its version, and there is no package: %w", path, err)
	}
	if m := versionField.FindSubmatch(text); m != nil {
		return string(m[1]), nil
	}
	return "", fmt.Errorf("%s: no version in %s", path, bytes.TrimSpace(text))
}

var versionField = regexp.MustCompile(`"version":\s*"(\d[\w.+-]*)"`)
