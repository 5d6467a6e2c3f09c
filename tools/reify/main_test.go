package main

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"goreify/compilers"
	"goreify/corpus"
	"goreify/reify/ir"
	"goreify/tools/need"
)

// command runs a command line and returns its exit status and what it printed.
func command(t *testing.T, args ...string) (status int, stdout string) {
	for _, name := range []string{"gcc", "clang"} {
		if slices.Contains(strings.Split(os.Getenv("REIFY_CC"), ","), name) {
			need.Command(t, name)
		}
	}
	anyBox(t, args)
	stdout = capture(t, &os.Stdout, func() {
		status = run(t.Context(), append([]string{"reify"}, args...))
	})
	return status, stdout
}

// complains returns what a command line that is refused, or cannot do its work, says.
func complains(t *testing.T, args ...string) string {
	return capture(t, &os.Stderr, func() {
		status, _ := command(t, args...)
		assert.Equal(t, 2, status, "%v", args)
	})
}

// fakeCompiler puts gcc-99 into a directory, which it puts on PATH. The lines of shell are its
// bug, of a file $src at $level; else it is gcc.
func fakeCompiler(t *testing.T, dir, bug string) {
	script := `#!/bin/sh
for a; do
	case $a in
	--version) echo "gcc-99 (Fake) 99.1.0"; echo "Copyright (C) Free Software Foundation, Inc."; exit ;;
	-O*) level=$a ;;
	*.c) src=$a ;;
	esac
done
` + bug + "\n" + kept.Compile("gcc")
	require.NoError(t, os.WriteFile(filepath.Join(dir, "gcc-99"), []byte(script), 0o700))
	t.Setenv("PATH", dir+":"+os.Getenv("PATH"))
}

// anyBox has verbs that run programs of files from elsewhere do so behind what there is, where
// this machine has no box of namespaces. They refuse that by default.
func anyBox(t *testing.T, args []string) {
	t.Helper()
	runs := []string{"replay", "triage", "gen", "others", "hunt", "prove"}
	if len(args) == 0 || !slices.Contains(runs, args[0]) || slices.Contains(args, "-box") || os.Getenv("REIFY_BOX") != "" {
		return
	}
	if err := boxed(); err != nil {
		need.Partly(t, "box", "%s in a box: %v", args[0], err)
		t.Setenv("REIFY_BOX", "auto")
	}
}

// boxed tells why there is no box of namespaces, if there is none.
var boxed = sync.OnceValue(func() error {
	space, err := compilers.NewWorkspace(os.TempDir())
	if err != nil {
		return err
	}
	_, _, err = space.Enclose(context.Background(), compilers.BoxRequire)
	return errors.Join(err, space.Close())
})

// capture returns what f writes to the file, os.Stdout or os.Stderr.
func capture(t *testing.T, file **os.File, f func()) string {
	r, w, err := os.Pipe()
	require.NoError(t, err)
	saved := *file
	*file = w
	text := make(chan string)
	go func() {
		data, _ := io.ReadAll(r)
		text <- string(data)
	}()
	f()
	*file = saved
	require.NoError(t, w.Close())
	return <-text
}

func TestGen(t *testing.T) {
	a, b := t.TempDir(), t.TempDir()
	status, out := command(t, "gen", "-n", "5", "-seed", "3", "-profile", "draw", "-o", a)
	require.Zero(t, status)
	assert.Contains(t, out, "of 5 recipes ended in a function")
	status, _ = command(t, "gen", "-n", "5", "-seed", "3", "-profile", "draw", "-o", b)
	require.Zero(t, status)
	files, err := filepath.Glob(filepath.Join(a, "*"))
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, f := range files {
		one, err := os.ReadFile(f)
		require.NoError(t, err)
		two, err := os.ReadFile(filepath.Join(b, filepath.Base(f)))
		require.NoError(t, err)
		assert.Equal(t, string(one), string(two), "the same seed gives the same file")
	}
}

func TestShowAndReplay(t *testing.T) {
	need.Long(t)
	dir := t.TempDir()
	status, _ := command(t, "gen", "-n", "8", "-seed", "7", "-profile", "4,3,1,1,1", "-inputs", "2", "-o", dir)
	require.Zero(t, status)
	files, err := filepath.Glob(filepath.Join(dir, "*.txtar"))
	require.NoError(t, err)
	var file, out string
	for _, file = range files {
		if _, out = command(t, "show", file); strings.Contains(out, "\nf#3 ") {
			break
		}
	}
	assert.Contains(t, out, "func @f(")
	assert.Equal(t, 3, strings.Count(out, "\ncase f("), "a line for each input")
	assert.Equal(t, 3, strings.Count(out, "\ncall @f("), "a trace for each input")
	assert.Contains(t, out, "-- trace.txt --")
	assert.NotContains(t, out, "int main")
	_, out = command(t, "show", "-as", "source", file)
	assert.Contains(t, out, "int main(void)")
	_, out = command(t, "show", "-as", "dot", file)
	assert.Contains(t, out, "digraph cfg {")

	t.Setenv("REIFY_CC", "gcc")
	t.Setenv("REIFY_MODES", "-O0")
	status, out = command(t, "replay", "-v", file)
	assert.Contains(t, out, "gcc: little-endian, signed char, long 8 and pointers 8 bytes\n")
	assert.Zero(t, status, out)
	assert.Contains(t, out, "1 pass, 0 fail as listed, 0 also fail, 0 regressions")

	// A program that does not print what it should fails.
	data, err := os.ReadFile(file)
	require.NoError(t, err)
	const want = "-- want.txt --\n"
	require.Contains(t, string(data), want)
	bad := filepath.Join(dir, "bad.txtar")
	wrong := regexp.MustCompile(`(?m)^digest: want\.txt .*\n`).ReplaceAllString(strings.Replace(string(data), want, want+"more\n", 1), "")
	require.NoError(t, os.WriteFile(bad, []byte(wrong), 0o600))
	status, out = command(t, "replay", file, bad)
	assert.Equal(t, 1, status, out)
	assert.Contains(t, out, "gcc -O0: REGRESSION: wrong-answer")
	assert.Contains(t, out, "1 pass, 0 fail as listed, 0 also fail, 0 regressions", "the other file passes")

	require.NoError(t, os.WriteFile(bad, append(data[:len(data):len(data)], "-- extra.c --\n"...), 0o600))
	status, _ = command(t, "replay", bad)
	assert.Equal(t, 2, status, "a malformed file is an error")

	foreign := bytes.Replace(data, []byte("\nlanguage: C\n"), []byte("\nlanguage: Rust\n"), 1)
	require.NoError(t, os.WriteFile(bad, foreign, 0o600))
	assert.Contains(t, complains(t, "replay", bad), "no compiler for Rust", "nobody was asked")
	require.NoError(t, os.WriteFile(bad, append(data[:len(data):len(data)], "-- extra.c --\n"...), 0o600))

	wrongFile := filepath.Join(dir, "wrong.txtar")
	require.NoError(t, os.WriteFile(wrongFile, []byte(wrong), 0o600))
	for _, files := range [][]string{{bad, wrongFile}, {wrongFile, bad}} {
		var out string
		stderr := capture(t, &os.Stderr, func() {
			status, out = command(t, append([]string{"replay"}, files...)...)
		})
		assert.Equal(t, 1, status, "a finding takes precedence over a malformed file")
		assert.Contains(t, out, "gcc -O0: REGRESSION: wrong-answer")
		assert.Contains(t, stderr, bad)
	}
}

// A reproducer from elsewhere runs no compiler of its own, nor one of ours with
// flags that could do harm; the other files of the call are looked at all the same.
func TestStrangersFile(t *testing.T) {
	need.Long(t)
	dir := t.TempDir()
	good := "../../corpus/crash-gcc-12-Os-b7b90d33.txtar"
	ran := filepath.Join(dir, "ran")
	evil := filepath.Join(dir, "gcc-evil")
	text := "#!/bin/sh\n: >" + ran + "\necho 'gcc-evil (x) 0.1'; echo 'Free Software Foundation'\n"
	require.NoError(t, os.WriteFile(evil, []byte(text), 0o700))
	stranger := func(change func(e *corpus.Entry)) string {
		e, err := corpus.Load(good)
		require.NoError(t, err)
		change(e)
		file := filepath.Join(t.TempDir(), "a.txtar")
		require.NoError(t, os.WriteFile(file, e.Format(), 0o600))
		return file
	}
	both := func(args ...string) (status int, out, stderr string) {
		stderr = capture(t, &os.Stderr, func() { status, out = command(t, args...) })
		return status, out, stderr
	}
	wrapped := stranger(func(e *corpus.Entry) { e.Flags = []string{"-wrapper", evil} })
	named := stranger(func(e *corpus.Entry) { e.Compiler, e.Version, e.Flags = evil, "0.1", nil })

	t.Setenv("REIFY_MODES", "-O0")
	status, out, stderr := both("triage", "-do", "blame", named)
	assert.Equal(t, 2, status, out)
	assert.Contains(t, stderr, "compiler: "+evil+", gcc 0.1: the compiler that failed is not here")

	t.Setenv("REIFY_CC", "gcc")
	status, out, stderr = both("replay", wrapped, good)
	assert.Equal(t, 2, status, out)
	assert.Contains(t, stderr, wrapped+": flags: -wrapper is not a flag that a reproducer may bring")
	assert.Contains(t, out, good+": 1 pass")
	assert.NotContains(t, out, wrapped)
	for _, args := range [][]string{{"triage", "-again", filepath.Dir(wrapped)}, {"triage", "-do", "reduce", wrapped}} {
		status, _, stderr = both(args...)
		assert.Equal(t, 2, status, "%q", args)
		assert.Contains(t, stderr, "flags: -wrapper is not a flag", "%q", args)
	}
	assert.NoFileExists(t, ran)
}

// What cfg.New rejects can be drawn all the same.
func TestShowDrawsEveryProgram(t *testing.T) {
	dir := t.TempDir()
	status, _ := command(t, "gen", "-n", "1", "-seed", "7", "-profile", "4,3,1,1,1", "-o", dir)
	require.Zero(t, status)
	file := filepath.Join(dir, "case-7.txtar")
	e, err := corpus.Load(file)
	require.NoError(t, err)
	for name, test := range map[string]struct{ program, edge string }{
		"unreachable block": {`
func @f(%a i32) i32 {
  entry:
    goto exit
  b1:
    goto exit
  exit:
    return %a
}
case f(a = 1) = 1 path entry exit
`, "1 -> 2"},
		"two successors of the entry": {`
func @f(%a i32) i32 {
  entry:
    if %a < 0 goto b1 else exit
  b1:
    goto exit
  exit:
    return %a
}
case f(a = 1) = 1 path entry exit
`, "0 -> 1"},
		"one block": {`
func @f(%a i32) i32 {
  entry:
    return %a
}
case f(a = 1) = 1 path entry
`, "0 [label=\"entry\""},
	} {
		p, err := ir.Parse(test.program)
		require.NoError(t, err, name)
		require.NoError(t, p.Check(), name)
		e.Program = p.String()
		require.NoError(t, os.WriteFile(file, e.Format(), 0o600))
		status, out := command(t, "show", "-as", "dot", file)
		assert.Zero(t, status, name)
		assert.Contains(t, out, test.edge, name)
	}
	svg := filepath.Join(dir, "graph.svg")
	e.Program = invalid
	require.NoError(t, os.WriteFile(file, e.Format(), 0o600))
	for _, flags := range [][]string{{"-as", "dot"}, {"-as", "svg", "-o", svg}} {
		assert.Contains(t, complains(t, append(append([]string{"show"}, flags...), file)...), file+": program.ir: function @f: ")
		assert.NoFileExists(t, svg)
	}
	for _, flags := range [][]string{{"-as", "c"}, {"-as", "", "-o", svg}} {
		status, out := command(t, append(append([]string{"show"}, flags...), file)...)
		assert.Equal(t, 2, status, "%v", flags)
		assert.Empty(t, out, "%v", flags)
	}
	assert.NoFileExists(t, svg)
}

// invalid is a program that parses, whose types do not agree.
const invalid = `func @f(%a i32) i32 {
    local %b i64 = 1
  entry:
    return %a + %b
}
case f(a = 1) = 2 path entry
`

func TestGenNothing(t *testing.T) {
	status, out := command(t, "gen", "-n", "0", "-o", t.TempDir())
	assert.Zero(t, status)
	assert.Contains(t, out, "0 of 0 recipes ended in a function")
}

func TestUsage(t *testing.T) {
	for _, args := range [][]string{
		{"bogus"},
		{"gen", "-bogus"},
		{"gen", "extra"},
		{"gen", "-n", "-1"},
		{"gen", "-profile", "15,0"},
		{"gen", "-engine", "magic"},
		{"gen", "-inputs", "9"},
		{"show"},
		{"show", "no-such-file.txtar"},
		{"gen", "-profile", "10000,8,64,64,64"},
		{"replay"},
		{"replay", "no-such-file.txtar"},
	} {
		status, _ := command(t, args...)
		assert.Equal(t, 2, status, "%v", args)
	}
	for _, args := range [][]string{{"-h"}, {"gen", "-h"}, {"show", "-h"}, {"replay", "-h"}, {}} {
		status, out := command(t, args...)
		assert.Zero(t, status, "%v", args)
		assert.Contains(t, out, "USAGE", "%v", args)
	}
	assert.Contains(t, complains(t, "blame", "x.txtar"), "reify blame is called reify triage -do blame FILE now")
	assert.Contains(t, complains(t, "counters"), "reify counters is another command now: go run ./tools/lab counters\n")
	assert.Contains(t, complains(t, "known", ""), "known takes the name of a bucket, and it is empty")
	_, help := command(t, "prove", "-help")
	assert.Contains(t, help, "\n  functions    functions with")
	assert.Contains(t, complains(t, "hunr"), `unknown command "hunr"; did you mean hunt?`)
}
