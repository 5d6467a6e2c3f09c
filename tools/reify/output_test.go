package main

import (
	"bytes"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"goreify/compilers"
	"goreify/corpus"
	"goreify/tools/need"
	"goreify/tools/standin"
)

// commandVar turns the test binary into the command.
const commandVar = "REIFY_TEST_COMMAND"

func TestMain(m *testing.M) {
	if os.Getenv(commandVar) != "" {
		main()
	}
	os.Exit(kept.Run(m))
}

// kept is the shelf of the stand-ins of this package.
var kept standin.Shelf

// families has commands ask gcc and clang in a mode: stand-ins that compile each text
// once. The box, in which they could not, is off.
func families(t *testing.T, mode string) {
	t.Helper()
	dir := t.TempDir()
	for _, name := range []string{"gcc", "clang"} {
		need.Sanitizers(t, name)
		text := "#!/bin/sh\n" + kept.Compile(need.Command(t, name))
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o700))
	}
	for name, value := range map[string]string{
		"REIFY_CC": "gcc,clang", "REIFY_MODES": mode, "REIFY_BOX": "off", "PATH": dir + ":" + os.Getenv("PATH"),
	} {
		t.Setenv(name, value)
	}
}

// These print; extract does not.
var verbs = []string{
	"gen", "show", "hunt", "status", "replay", "triage", "report", "known", "compilers", "doctor", "version", "others", "prove",
}

// process returns the command in a process of its own, with little to ask, and
// what it will have written to standard error.
func process(t *testing.T, args ...string) (*exec.Cmd, *bytes.Buffer) {
	t.Helper()
	need.Command(t, "gcc")
	anyBox(t, args)
	exe, err := os.Executable()
	require.NoError(t, err)
	var stderr bytes.Buffer
	cmd := exec.Command(exe, args...)
	cmd.Env = append(os.Environ(), commandVar+"=1", "REIFY_CC=gcc", "REIFY_MODES=-O0", "TMPDIR="+t.TempDir())
	cmd.Stderr = &stderr
	return cmd, &stderr
}

// A verb that prints, and what it is given to print something.
func printing(t *testing.T) [][]string {
	dir := t.TempDir()
	file := func(name string) string { return filepath.Join(dir, name) }
	write := func(name, text string) {
		require.NoError(t, os.MkdirAll(filepath.Dir(file(name)), 0o755))
		require.NoError(t, os.WriteFile(file(name), []byte(text), 0o644))
	}
	entry, err := os.ReadFile("report/testdata/buckets/b-same.txtar")
	require.NoError(t, err)
	write("some/b.txtar", string(entry))
	write("some/known.txt", "gcc/crash/unknown/O2\n")
	write("a.c", "int main(void) { return 0; }\n")
	status, _ := command(t, "gen", "-n", "2", "-o", file("cases"))
	require.Zero(t, status)
	one, two := file("some/b.txtar"), file("cases")
	t.Setenv("REIFY_CC", "gcc")
	t.Setenv("REIFY_MODES", "-O0")
	status, _ = command(t, "hunt", "-n", "4", "-o", file("hunt"), "-mix", "focused")
	require.Zero(t, status)
	list := [][]string{
		{"-h"},
		{"gen", "-h"},
		{"triage", "-do", "blame", "-h"},
		{"triage", "-do", "reduce", "-h"},
		{"gen", "-n", "2", "-o", file("made")},
		{"gen", "-what", "programs", "-n", "1", "-o", file("made")},
		{"show", one},
		{"show", "-as", "source", one},
		{"show", "-as", "dot", filepath.Join(two, "case-1.txtar")},
		{"gen", "-profiles"},
		{"gen", "-profiles", "-profile", "wild"},
		{"status", file("hunt")},
		{"status", "-json", file("hunt")},
		{"hunt", "-n", "4", "-o", file("hunt"), "-mix", "focused"},
		{"hunt", "-n", "4", "-o", file("hunt"), "-mix", "focused", "-json"},
		{"replay", filepath.Join(two, "case-1.txtar")},
		{"replay", "-v", filepath.Join(two, "case-1.txtar")},
		{"triage", two},
		{"triage", "-do", "adopt", one},
		{"report", "-o", file("reports"), file("some")},
		{"known", "-known", file("some/known.txt")},
		{"compilers"},
		{"doctor"},
		{"version"},
		{"version", "-json"},
		{"others", "-h"},
		{"prove", "-h"},
		{"hunt", "-mixes"},
	}
	write("bin/gcc-99", breaks)
	require.NoError(t, os.Chmod(file("bin/gcc-99"), 0o755))
	e, err := corpus.Load("../../corpus/crash-gcc-12-Os-b7b90d33.txtar")
	require.NoError(t, err)
	e.Verdict, e.Compiler, e.Version, e.Mode = compilers.InternalError.String(), "gcc-99", "99.1.0", "-O2"
	e.Bad, e.Good, e.Culprit, e.MendedBy, e.MendedAlone, e.Bucket = corpus.Add(nil, "gcc", "99.1.0", nil, "-O2"), nil, "", nil, nil, ""
	write("broken.txtar", string(e.Format()))
	return append(list, []string{"triage", "-do", "blame", file("broken.txtar")}, []string{"triage", "-do", "reduce", file("broken.txtar")})
}

// breaks is a compiler that breaks at -O2 unless a flag mends that.
const breaks = `#!/bin/sh
case "$*" in
*--version*) echo "gcc-99 (Fake) 99.1.0"; echo "Copyright (C) Free Software Foundation, Inc."; exit ;;
*--help=optimizers*) printf '  -ftree-vrp  \t[enabled]\n'; exit ;;
*-fdump-passes*) echo "   tree-vrp2   :  ON" >&2 ;;
esac
case "$*" in
*-fno-tree-vrp*|*-fdisable-tree-vrp2*) ;;
*-O2*.c*) echo "repro.c:1:1: internal compiler error: in fold, at tree-vrp.c:4711" >&2; exit 1 ;;
esac
exec gcc "$@"
`

// What cannot be written is an error of every verb that prints, and told.
func TestOutputIsNotLost(t *testing.T) {
	need.Long(t)
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Skipf("NOT TESTED: standard output that is full: %v", err)
	}
	defer full.Close()
	tested := map[string]bool{}
	for _, args := range printing(t) {
		tested[args[0]] = true
		t.Run(strings.Join(args[:len(args)-1], " "), func(t *testing.T) {
			cmd, stderr := process(t, args...)
			if file := args[len(args)-1]; filepath.Base(file) == "broken.txtar" {
				cmd.Env = append(cmd.Env, "REIFY_CC=gcc-99", "REIFY_MODES=-O2", "PATH="+filepath.Join(filepath.Dir(file), "bin")+":"+os.Getenv("PATH"))
			}
			cmd.Env = append(cmd.Env, "REIFY_REQUIRE=") // doctor would ask for more than gcc
			cmd.Stdout = full
			_ = cmd.Run() // the status says it
			assert.Equal(t, 2, cmd.ProcessState.ExitCode(), stderr)
			assert.Contains(t, stderr.String(), "reify: standard output: write /dev/stdout: no space left on device")
			assert.Empty(t, leftBy(t, cmd))
		})
	}
	for _, verb := range verbs {
		assert.True(t, tested[verb], verb)
	}
}

// leftBy returns what a process left in its TMPDIR, but for the directory that
// workspaces are made in.
func leftBy(t *testing.T, cmd *exec.Cmd) []string {
	t.Helper()
	var dir string
	for _, v := range cmd.Env {
		if value, ok := strings.CutPrefix(v, "TMPDIR="); ok {
			dir = value
		}
	}
	left, err := filepath.Glob(filepath.Join(dir, "*", "*"))
	require.NoError(t, err)
	return left
}

// A command without standard output says so, if it has something to print.
func TestOutputThatIsClosed(t *testing.T) {
	run := func(args ...string) (int, string) {
		cmd, stderr := process(t, args...)
		cmd.Args = append([]string{"/bin/sh", "-c", `exec "$0" "$@" >&-`}, cmd.Args...)
		cmd.Path = "/bin/sh"
		_ = cmd.Run() // the status says it
		return cmd.ProcessState.ExitCode(), stderr.String()
	}
	status, said := run("gen", "-profiles")
	if status == 0 {
		need.Missing(t, "gcc", "standard output that is closed; only what is built with cgo can tell, which takes gcc")
	}
	assert.Equal(t, 2, status)
	assert.Equal(t, "reify: standard output: file already closed\n", said)
	status, said = run("export", "-o", t.TempDir(), "report/testdata/buckets/b-same.txtar")
	assert.Zero(t, status, "it has nothing to print: %s", said)
}

// A reader that has enough ends a command in order, and nobody complains.
func TestOutputThatIsCutShort(t *testing.T) {
	cases := t.TempDir()
	status, _ := command(t, "gen", "-n", "4", "-o", cases)
	require.Zero(t, status)
	files, err := filepath.Glob(filepath.Join(cases, "*.txtar"))
	require.NoError(t, err)
	cmd, stderr := process(t, append([]string{"replay", "-v"}, files...)...)
	pipe, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	_, err = io.ReadFull(pipe, make([]byte, 1))
	require.NoError(t, err)
	require.NoError(t, pipe.Close())
	_ = cmd.Wait() // the status says it
	assert.Equal(t, 2, cmd.ProcessState.ExitCode(), cmd.ProcessState)
	assert.Empty(t, stderr.String())
	assert.Empty(t, leftBy(t, cmd))
}

// What is asked for wrongly is no success, and no compiler is blamed for it.
func TestWrongArguments(t *testing.T) {
	need.Long(t)
	t.Setenv("REIFY_CC", "gcc") // or each would look for all
	dir := t.TempDir()
	for _, args := range [][]string{
		{""},
		{"help", "bogus"},
		{"show", "a", "b"},
		{"gen", "-profiles", "-profile", "bogus"},
		{"show", "-as", "c", "report/testdata/buckets/b-same.txtar"},
		{"gen", "-o", "/dev/null/x"},
		{"hunt", "-o", "/dev/null/x"},
		{"status", "a", "b"},
		{"replay", dir},
		{"triage", "-do", "blame"},
		{"triage", "-do", "blame", "none.txtar"},
		{"triage", "-do", "reduce"},
		{"triage", "-do", "reduce", "none.txtar"},
		{"triage", "-do", "reduce", "none.c"},
		{"triage", "-do", "reduce", "-workers", "0", "none.txtar"},
		{"triage", "-do", "reduce", "-workers", "-1", "none.txtar"},
		{"triage", "-do", "reduce", "-time", "-1s", "none.c"},
		{"triage", "-do", "reduce", "-o", "x", "a", "b"},
		{"triage"},
		{"triage", "none"},
		{"triage", "-n", "-1", dir},
		{"triage", "-time", "-1s", dir},
		{"triage", "-workers", "0", dir},
		{"report", "a", "b"},
		{"known", "a", "b"},
		{"known", ""},
		{"known", "-known", "/dev/null/x", "b"},
		{"known", "-known", "none"},
		{"version", "extra"},
		{"doctor", "extra"},
		{"others", "none"},
		{"others", "extra"},
		{"gen", "-json"},
		{"show", "-workers", "2", "a"},
		{"export", "none.txtar"},
		{"export", "none.txtar", "-o", dir},
	} {
		status, out := command(t, args...)
		assert.Equal(t, 2, status, "%q", args)
		assert.Empty(t, out, "%q", args)
	}
	for _, verb := range append([]string{"export"}, verbs...) {
		status, out := command(t, verb, "-bogus")
		assert.Equal(t, 2, status, verb)
		assert.Empty(t, out, "%s: an error is not printed where answers are", verb)
	}
}
