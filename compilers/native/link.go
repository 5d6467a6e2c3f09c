package native

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"goreify/compilers"
)

// A linker is a command that links objects as a toolchain's driver would. The driver
// itself, which for clang costs twice as much as linking, is left out.
type linker struct {
	path   string
	args   []string // with objectName and binaryName where they stood
	driver string   // Toolchain.String of whom it stands in for
}

const objectName = "repro.o"

// LinkDirectly returns the toolchain such that Build and Test compile with -c
// and then call a linker themselves, with the start files and libraries that
// the driver would give to it: ld.gold if it is there, or else the driver's own
// linker. A program made that way has been linked, run, and found right.
// Otherwise the error says what is missing, and the toolchain is as it was. It
// costs two compilations of a trivial program.
//
// The driver still links for toolchains whose arguments choose a linker or link-time
// optimisation, for jobs at -Ofast, and for jobs with Extra arguments, unless these only
// leave out a part of the optimiser: other arguments may want other libraries. The driver
// also links what the linker refuses: no linker called directly is the reason of a
// Rejected. A finding is to be confirmed with the toolchain as Plain returns it, whose
// commands are those that users type.
func (t Toolchain) LinkDirectly(ctx context.Context, ws *compilers.Workspace, limits compilers.Limits) (compilers.Target, error) {
	t = t.plain()
	if t.other != nil || t.tools != nil && t.tools.name == lli {
		return t, fmt.Errorf("%v is linked by its driver", t)
	}
	for _, arg := range t.Args {
		if strings.HasPrefix(arg, "-flto") || strings.HasPrefix(arg, "-fuse-ld") {
			return t, fmt.Errorf("%v is linked by its driver, as %s asks", t, arg)
		}
	}
	args, program, err := t.linkArgs(ctx, ws, limits)
	if err != nil {
		return t, fmt.Errorf("%v is linked by its driver: %w", t, err)
	}
	var last error
	for _, name := range []string{"ld.gold", program} {
		path, err := lookPath(t.Root, name, t.searchPath)
		if err != nil {
			last = err
			continue
		}
		direct := t
		direct.link = &linker{path: path, args: args, driver: t.String()}
		o := compilers.Test(ctx, direct, ws, t.trivial(), limits)
		linked := slices.ContainsFunc(o.Command, func(line string) bool { return strings.HasPrefix(line, path+" ") })
		if o.Verdict == compilers.OK && linked {
			return direct, nil
		}
		last = fmt.Errorf("%s: %v", strings.Join(o.Command, " && "), o)
	}
	return t, fmt.Errorf("%v is linked by its driver: %w", t, last)
}

// Plain returns the toolchain without what LinkDirectly has given to it.
func (t Toolchain) Plain() compilers.Target { return t.plain() }

func (t Toolchain) plain() Toolchain {
	t.link = nil
	return t
}

// Direct tells whether the toolchain is one that LinkDirectly made.
func (t Toolchain) Direct() bool { return t.link != nil && t.link.driver == t.String() }

// linkArgs asks the driver, which says with -### what it would call, for the
// arguments of its linker and for the linker.
func (t Toolchain) linkArgs(ctx context.Context, ws *compilers.Workspace, limits compilers.Limits) (args []string, program string, err error) {
	dir, err := ws.NewDir(compilers.File{Name: objectName}) // clang wants the object to exist
	if err != nil {
		return nil, "", err
	}
	defer ws.Remove(dir)
	ask := func(last ...string) (compilers.Exit, error) {
		c := t.child(ws, dir, slices.Concat(t.Clang().Args, t.static(), last), limits)
		e := c.Run(ctx)
		return e, e.Failure()
	}
	e, err := ask("-###", probeJob.Mode, "-w", objectName, "-o", binaryName)
	if err != nil {
		return nil, "", fmt.Errorf("-###: %w", err)
	}
	for line := range strings.Lines(string(e.Stderr)) {
		words := splitCommand(line)
		if len(words) > 1 && slices.Contains(words, objectName) && slices.Contains(words, binaryName) {
			program, args = words[0], withoutPlugin(words[1:])
		}
	}
	if args == nil {
		return nil, "", fmt.Errorf("-### shows no link command")
	}
	if filepath.Base(program) == "collect2" { // which would look for the linker itself
		if e, err = ask("-print-prog-name=ld"); err != nil {
			return nil, "", fmt.Errorf("-print-prog-name=ld: %w", err)
		}
		program = compilers.FirstLine(e.Stdout)
	}
	return args, program, nil
}

// withoutPlugin removes the plugin for link-time optimisation: it costs time,
// and objects without code in them are not linked here.
func withoutPlugin(args []string) []string {
	var kept []string
	for i := 0; i < len(args); i++ {
		switch {
		case args[i] == "-plugin":
			i++
		case !strings.HasPrefix(args[i], "-plugin-opt="):
			kept = append(kept, args[i])
		}
	}
	return kept
}

// splitCommand splits a line that -### prints into words: gcc and clang put
// what is not plain between double quotes and backslashes before quotes,
// backslashes and dollars.
func splitCommand(line string) []string {
	var words []string
	var word strings.Builder
	inWord, quoted := false, false
	for i := 0; i < len(line); i++ {
		switch ch := line[i]; {
		case ch == '\\' && i+1 < len(line):
			i++
			word.WriteByte(line[i])
			inWord = true
		case ch == '"':
			quoted, inWord = !quoted, true
		case !quoted && (ch == ' ' || ch == '\n'):
			if inWord {
				words = append(words, word.String())
				word.Reset()
			}
			inWord = false
		default:
			word.WriteByte(ch)
			inWord = true
		}
	}
	if inWord {
		words = append(words, word.String())
	}
	return words
}

// linksDirectly tells whether the job is linked without the driver.
func (t Toolchain) linksDirectly(job compilers.Job) bool {
	return t.Direct() && job.Mode != "-Ofast" && !slices.ContainsFunc(job.Extra, mayLink)
}

// mayLink tells whether a link may depend on an argument: on all except those that a
// bisection adds.
func mayLink(arg string) bool {
	switch arg {
	case "", "-fwrapv", "-fdump-passes", "-mllvm":
		return false
	}
	return !slices.ContainsFunc([]string{"-fno-", "-fdisable-", "-fdbg-cnt", "-opt-bisect-limit="}, func(p string) bool { return strings.HasPrefix(arg, p) })
}

// buildDirectly compiles and links the job in dir. linked is false if the
// linker would not, whatever the reason; the outcome then only tells what it
// cost.
func (t Toolchain) buildDirectly(ctx context.Context, ws *compilers.Workspace, dir string, job compilers.Job, limits compilers.Limits) (o compilers.Outcome, linked bool) {
	o = t.objects(ctx, ws, dir, job, limits)
	if o.Verdict != compilers.OK {
		return o, true
	}
	var objects []string
	for _, name := range job.Names() {
		objects = append(objects, strings.TrimSuffix(name, filepath.Ext(name))+".o")
	}
	args := slices.Clone(t.link.args)
	at := slices.Index(args, objectName) // there by linkArgs
	args = slices.Replace(args, at, at+1, objects...)

	link := t.child(ws, dir, args, limits)
	link.Path = t.link.path
	e := link.Run(ctx)
	o.LinkCPU = max(e.CPU, time.Microsecond) // a clock may be too coarse
	o.Command = append(o.Command, compilers.CommandLine(t.link.path, args))
	if e.Cancelled() {
		o.Verdict, o.Message = compilers.Discarded, "cancelled"
		return o, true
	}
	return o, e.Failure() == nil && !e.Overflow && compilers.Executable("", filepath.Join(dir, binaryName))
}
