package native

import (
	"context"
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"goreify/compilers"
)

// A call is one of a tool.
type call struct {
	tool string
	args []string
}

// A wish is what the further arguments of a job, which are clang's, ask of LLVM's tools.
type wish struct {
	plain    bool     // without passes of the middle end
	assembly bool     // in place of an object
	bisect   []string // which passes may run
	late     []string // of code generation
}

func wishOf(extra []string) (w wish) {
	for i, arg := range extra {
		before := ""
		if i > 0 {
			before = extra[i-1]
		}
		switch {
		case arg == "-S":
			w.assembly = true
		case before == "-Xclang":
			w.plain = w.plain || arg == "-disable-llvm-passes"
		case before != "-mllvm":
		case strings.HasPrefix(arg, "-opt-bisect"):
			w.bisect = append(w.bisect, arg)
		default:
			w.late = append(w.late, arg)
		}
	}
	return w
}

// ofTool returns the arguments that are the tool's and no passes.
func (t Toolchain) ofTool() (list []string) {
	for _, arg := range t.Args {
		if !strings.HasPrefix(arg, passFlag) && forClang([]string{arg}) == nil {
			list = append(list, arg)
		}
	}
	return list
}

// machine returns the arguments of all tools.
func (t Toolchain) machine() []string {
	p := t.platform()
	return slices.Concat(t.opaque(), []string{"-mtriple=" + p.Triple}, p.Tools)
}

// Passes returns the arguments of the opt that runs before code generation in a mode; none if
// that is not to run.
func (t Toolchain) Passes(mode compilers.Mode) []string {
	if t.tools == nil || t.tools.name != opt {
		return nil
	}
	pipeline := t.tools.pipeline(mode, t.Args)
	if pipeline == "" {
		return nil
	}
	args := slices.Concat(t.machine(), t.ofTool())
	if t.tools.layout != "" {
		args = append(args, "-data-layout="+t.tools.layout)
	}
	return append(args, passFlag+pipeline)
}

// Selection returns the arguments of llc in a mode that are not about the processor.
func (t Toolchain) Selection(mode compilers.Mode) []string {
	level, own := []string{mode}, t.ofTool()
	if i := slices.IndexFunc(selectors, func(o selector) bool { return o.mode == mode }); i >= 0 {
		level = selectors[i].args
	}
	if t.tools.name == opt {
		if own = nil; strings.HasPrefix(mode, "@") { // code that is made without optimising shows the pass alone
			level = []string{"-O0"}
		}
	}
	return slices.Concat(level, own)
}

// calls returns the calls of tools that make an object of a file.
func (t Toolchain) calls(job compilers.Job, file string) (list []call) {
	w, base := wishOf(job.Extra), strings.TrimSuffix(file, filepath.Ext(file))
	if args := t.Passes(job.Mode); args != nil && !w.plain {
		list = append(list, call{opt, slices.Concat(args, w.bisect, []string{file, "-o", base + ".bc"})})
		file = base + ".bc"
	}
	kind, end := "-filetype=obj", ".o"
	if w.assembly {
		kind, end = "-filetype=asm", ".s"
	}
	args := slices.Concat(t.Selection(job.Mode), t.machine(), w.bisect, w.late, []string{"-relocation-model=pic", kind, file, "-o", base + end})
	return append(list, call{llc, args})
}

var (
	bisectLog   = regexp.MustCompile(`(?m)^(BISECT: (?:NOT )?running pass \()(\d+)`)
	bisectLimit = "-opt-bisect-limit="
)

// after returns the call where so many passes have run in calls before it: all have one limit.
func (c call) after(passes int) call {
	c.args = slices.Clone(c.args)
	for i, arg := range c.args {
		if text, ok := strings.CutPrefix(arg, bisectLimit); ok {
			if limit, err := strconv.Atoi(text); err == nil && limit >= 0 {
				c.args[i] = bisectLimit + strconv.Itoa(max(limit-passes, 0))
			}
		}
	}
	return c
}

// translate makes an object, or what the job asks for, of each of its files, in dir.
func (t Toolchain) translate(ctx context.Context, ws *compilers.Workspace, dir string, job compilers.Job, limits compilers.Limits) (o compilers.Outcome) {
	var calls []call
	for _, file := range job.Names() {
		calls = append(calls, t.calls(job, file)...)
	}
	passes := 0
	for _, c := range calls {
		c = c.after(passes)
		child := t.child(ws, dir, c.args, limits)
		child.Path = t.tools.file(c.tool)
		before := o
		o = t.judge(child.Run(ctx), child.Bounds)
		o.CompileCPU += before.CompileCPU
		o.Command = append(before.Command, t.commandOf(c))
		ran := 0
		log := bisectLog.ReplaceAllFunc(o.Stderr, func(line []byte) []byte {
			ran++
			m := bisectLog.FindSubmatch(line)
			n, _ := strconv.Atoi(string(m[2])) // digits
			return fmt.Appendf(nil, "%s%d", m[1], n+passes)
		})
		o.Stderr, passes = append(before.Stderr, log...), passes+ran
		if o.Verdict != compilers.OK {
			break
		}
	}
	return o
}

// commandOf returns a call as users type it.
func (t Toolchain) commandOf(c call) string {
	return compilers.CommandLine(fmt.Sprintf(t.tools.called, c.tool), c.args)
}

// linked returns the arguments with which clang makes a program of the objects of a job.
func (t Toolchain) linked(job compilers.Job, binary string) (args []string) {
	args = slices.Concat(forClang(t.Args), t.static())
	for _, name := range job.Names() {
		args = append(args, strings.TrimSuffix(name, filepath.Ext(name))+".o")
	}
	return append(args, "-o", binary)
}

// recipe returns the line that makes a program of a job.
func (t Toolchain) recipe(job compilers.Job, binary string) string {
	var lines []string
	for _, file := range job.Names() {
		for _, c := range t.calls(job, file) {
			lines = append(lines, t.commandOf(c))
		}
	}
	return strings.Join(append(lines, t.Clang().command(t.linked(job, binary))), " && ")
}

// interpreted returns what lli runs: the file as it is.
func (t Toolchain) interpreted(job compilers.Job, dir string) (built compilers.Built) {
	runner := slices.Concat([]string{t.tools.file(lli), job.Mode}, t.opaque())
	runner = append(runner, t.ofTool()...)
	w := wishOf(job.Extra)
	return compilers.Built{Path: filepath.Join(dir, job.Names()[0]), Root: t.Root, Traits: &compilers.Traits{Runner: slices.Concat(runner, w.bisect, w.late)}}
}
