package triage

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"goreify/compilers"
	"goreify/compilers/native"
	"goreify/reify/safefile"
)

// ErrNoCvise says that cvise is not installed.
var ErrNoCvise = errors.New("cvise, which reduces C that is not ours, is not installed (Debian has it as the package cvise)")

// A CFile is a C file without a program of package ir: self-contained, with a main.
type CFile struct {
	Source []byte
	Target compilers.Target // the compiler that fails
	Mode   compilers.Mode
	// Judges are of two families. They are asked in their reference modes, and must
	// agree.
	Judges [2]compilers.Target
	// Sanitized are the targets with sanitizers that must not complain.
	Sanitized []compilers.Target
	// Message is part of a line of an internal error that tells it from others, or
	// empty for what the compiler prints about this file.
	Message string
}

// failings are the ways in which a program fails, in the words of the script and in
// the order in which they are tried.
var failings = []string{"ice", "crash", "endless", "wrong"}

// A CviseResult is the result of a run of cvise.
type CviseResult struct {
	Source   []byte // the smallest so far
	Failing  string // ice, crash, endless or wrong
	Finished bool   // cvise ended by itself
	CPU      time.Duration
}

// Cvise reduces a C file with cvise, for at most the given time, or without a limit if
// that is 0, trying so many candidates at a time. A file is interesting if the compiler
// fails on it in the same way, the judges agree and warn of neither missing returns nor
// uninitialised variables, and sanitizers report nothing. The targets understand the
// options of gcc. It runs in the workspace's boxes. The error wraps ErrNoCvise if cvise
// is not installed. Else it says what is wrong with the file itself.
func Cvise(ctx context.Context, space *compilers.Workspace, f CFile, most time.Duration, workers int) (*CviseResult, error) {
	cvise, err := exec.LookPath("cvise")
	if err != nil {
		return nil, ErrNoCvise
	}
	const file = "test.c"
	dir, err := space.NewDir(compilers.File{Name: file, Content: f.Source})
	if err != nil {
		return nil, err
	}
	defer space.Remove(dir)
	a := attempt{f, space, dir}
	clock := stopwatch(space)
	r := &CviseResult{}
	var script string
	if r.Failing, script, err = a.prepare(ctx); err != nil {
		return nil, err
	}
	// Programs that cvise tries may write to its directory, and not to the script.
	scripts, err := safefile.Open(space.Fixed())
	if err != nil {
		return nil, err
	}
	defer scripts.Close() // written files are closed
	name := filepath.Base(dir) + ".sh"
	if err := scripts.New(name, []byte(script), 0o755); err != nil {
		return nil, err
	}
	defer func() { _ = scripts.Remove(name) }() // what stays goes with the workspace
	limited := ctx
	if most > 0 {
		var cancel context.CancelFunc
		limited, cancel = context.WithTimeout(ctx, most)
		defer cancel()
	}
	e := a.run(limited, cvise, "--n", strconv.Itoa(max(1, workers)), filepath.Join(space.Fixed(), name), file)
	err = e.Failure()
	r.CPU, r.Finished = clock.lap(), err == nil
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	if err != nil && limited.Err() == nil {
		return nil, fmt.Errorf("cvise: %w\n%s%s", err, e.Stdout, e.Stderr)
	}
	// Cvise may have been stopped while it wrote the file, or a program have written another.
	if r.Source, err = space.Read(dir, file); err == nil {
		err = a.interesting(ctx, script)
	}
	if err != nil {
		r.Source = f.Source
	}
	return r, ctx.Err()
}

// An attempt reduces a C file in a directory of a workspace.
type attempt struct {
	CFile
	space *compilers.Workspace
	dir   string
}

// run runs a command in the directory.
func (a attempt) run(ctx context.Context, path string, args ...string) compilers.Exit {
	a.space.Show(compilers.Dirs(path)...)
	limits := compilers.Limits{Output: 1 << 20, Disk: 1 << 30, Processes: compilers.DefaultLimits().Processes}
	env := compilers.FixedEnv(os.Getenv("PATH"), filepath.Join(a.dir, "tmp"))
	return compilers.Child{Path: path, Args: args, Dir: a.dir, Env: env, Bounds: limits.Compile(), Space: a.space}.Run(ctx)
}

// interesting returns nil if the script says that the file is, else why not. The text of
// the script is handed over, so no program can have written another.
func (a attempt) interesting(ctx context.Context, script string) error {
	e := a.run(ctx, "/bin/sh", "-c", script)
	if why := strings.TrimSpace(string(e.Stdout)); e.Status > 0 && why != "" {
		return errors.New(why)
	}
	return e.Failure()
}

// prepare returns how the file fails, and the script. A warning that the original
// file causes is not asked about.
func (a attempt) prepare(ctx context.Context) (failing, script string, err error) {
	f := a.CFile
	interesting := func(failing string, warnings []string) error {
		script = f.script(failing, warnings)
		return a.interesting(ctx, script)
	}
	var why []string
	for _, failing := range failings {
		err := interesting(failing, nil)
		if ctx.Err() != nil {
			return "", "", context.Cause(ctx)
		}
		if err != nil {
			why = append(why, failing+": "+err.Error())
			continue
		}
		if failing == "ice" && f.Message == "" {
			stderr, err := a.space.Read(a.dir, "ice.txt")
			if err != nil {
				return "", "", err
			}
			f.Message = native.ErrorMark(string(stderr))
		}
		var warnings []string
		for _, w := range native.Warnings {
			if interesting(failing, append(warnings, w)) == nil {
				warnings = append(warnings, w)
			}
		}
		err = interesting(failing, warnings)
		return failing, script, err
	}
	return "", "", fmt.Errorf("%s does not fail on it for sure: %s", compilers.Name(f.Target, f.Mode), strings.Join(why, "; "))
}

// CPU seconds that the script gives compilers and programs.
const (
	cviseCompile = 20
	cviseRun     = 1
	// cviseFile is how much a program may write: 512 bytes times that. A candidate
	// that prints for ever would fill the disk.
	cviseFile = 2048
)

// script returns the text of the script that cvise asks. Its exit status is 0 if the
// file test.c in the working directory is interesting; else it says why not.
func (f CFile) script(failing string, warnings []string) string {
	var b strings.Builder
	under := compilers.Name(f.Target, f.Mode)
	fmt.Fprintf(&b, `#!/bin/sh
# Interesting is a program that %s gets wrong (%s) and nobody else does.
no() { echo "$*"; exit 1; }
compile() { (ulimit -t %d; exec "$@") >compile.txt 2>&1; }
run() { (ulimit -t %d; ulimit -f %d; "$1" >"$2" 2>"$2.err"; status=$?; echo "exit status $status" >>"$2"; exit $status) 2>/dev/null; }
same() { cmp -s "$1" "$2"; }

`, under, failing, cviseCompile, cviseRun, cviseFile)
	first, second := f.Judges[0], f.Judges[1]
	one, other := compilers.Name(first, first.Reference()), compilers.Name(second, second.Reference())
	fmt.Fprintf(&b, "compile %s -w test.c -o one.out || no %s\n", call(first, first.Reference()), compilers.Quote(one+" does not compile it"))
	fmt.Fprintf(&b, "run ./one.out one.txt; [ $? -lt 126 ] || no %s\n", compilers.Quote("it does not end by itself under "+one))
	fmt.Fprintf(&b, "compile %s -w test.c -o test.out ", call(f.Target, f.Mode))
	if failing == "ice" {
		signs := native.ErrorSigns
		if f.Message != "" {
			signs = []string{f.Message}
		}
		patterns := ""
		for _, sign := range signs {
			patterns += " -e " + compilers.Quote(sign)
		}
		fmt.Fprintf(&b, "&& no 'the compiler does not fail'\ncp compile.txt ice.txt; grep -q -F%s ice.txt || no 'the compiler fails in another way'\n", patterns)
	} else {
		b.WriteString("|| no 'the compiler fails'\nrun ./test.out test.txt; status=$?\n")
		b.WriteString(map[string]string{
			"wrong":   "[ $status -lt 126 ] || no 'it does not end by itself'\nsame one.txt test.txt && no 'it is right'\n",
			"crash":   "case $status in 137|152|153) no 'it does not end' ;; esac\n[ $status -gt 128 ] || no 'it does not crash'\n",
			"endless": "case $status in 137|152|153) ;; *) no 'it ends' ;; esac\n",
		}[failing])
	}
	fmt.Fprintf(&b, "compile %s -w test.c -o other.out || no %s\n", call(second, second.Reference()), compilers.Quote(other+" does not compile it"))
	fmt.Fprintf(&b, "run ./other.out other.txt; same one.txt other.txt || no %s\n", compilers.Quote(one+" and "+other+" differ"))
	for _, t := range f.Judges {
		if len(warnings) == 0 {
			continue
		}
		fmt.Fprintf(&b, "compile %s -c test.c -o test.o", call(t, native.WarningLevel))
		for _, w := range warnings {
			b.WriteString(" -Werror=" + w)
		}
		fmt.Fprintf(&b, " || no %s\n", compilers.Quote(t.ID().String()+" warns"))
	}
	for _, t := range f.Sanitized {
		checked := compilers.Quote(native.CheckedAssume)
		fmt.Fprintf(&b, "compile %s %s -w test.c -o sane.out || no 'it does not compile with sanitizers'\n", call(t, t.Reference()), checked)
		b.WriteString("run ./sane.out sane.txt; same one.txt sane.txt || no 'a sanitizer complains'\n")
	}
	b.WriteString("exit 0\n")
	return b.String()
}

// call returns the words that call a target in a mode, for a shell in any
// directory.
func call(t compilers.Target, mode compilers.Mode) string {
	id := t.ID()
	if abs, err := filepath.Abs(id.Name); err == nil && strings.Contains(id.Name, "/") {
		id.Name = abs
	}
	return compilers.CommandLine(id.Name, append(slices.Clone(id.Args), mode))
}
