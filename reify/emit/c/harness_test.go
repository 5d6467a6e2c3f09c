package c

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"goreify/reify/interp"
	"goreify/reify/ir"
	"goreify/tools/need"
)

// unitOf returns a unit for a call whose answer the interpreter says.
func unitOf(t testing.TB, f *ir.Function, args []int64, style Style) Unit {
	t.Helper()
	r, err := interp.Run(f, args, interp.Options{})
	require.NoError(t, err, "%s", f)
	return Unit{Claim: &ir.Claim{Func: f, Args: args, Want: r.Value, Path: r.Path}, Style: style}.Watched(interp.Stored)
}

// parseOne returns the one function of text.
func parseOne(t testing.TB, text string) *ir.Function {
	t.Helper()
	p, err := ir.Parse(text)
	require.NoError(t, err)
	require.NoError(t, p.Check())
	require.Len(t, p.Funcs, 1)
	return p.Funcs[0]
}

// compilersFound returns those of the compilers on PATH that the tests use. What
// is missing is said.
func compilersFound(t testing.TB) []string {
	t.Helper()
	first := func(names ...string) string {
		for _, n := range names {
			if _, err := exec.LookPath(n); err == nil {
				return n
			}
		}
		return ""
	}
	gcc := first("gcc-12", "gcc-11", "gcc")
	clang := first("clang-14", "clang-16", "clang-19", "clang")
	switch {
	case gcc == "" && clang == "":
		need.Missing(t, "gcc", "there is neither gcc nor clang on PATH")
	case gcc == "":
		need.Partly(t, "gcc", "gcc: there is none on PATH")
		return []string{clang}
	case clang == "":
		need.Partly(t, "clang", "clang: there is none on PATH")
		return []string{gcc}
	}
	return []string{gcc, clang}
}

// compile runs a compiler on text and returns the name of what it wrote.
func compile(t testing.TB, text, compiler string, flags ...string) (string, error) {
	t.Helper()
	dir := t.TempDir()
	in, out := filepath.Join(dir, "in.c"), filepath.Join(dir, "out")
	require.NoError(t, os.WriteFile(in, []byte(text), 0o666))
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	msg, err := exec.CommandContext(ctx, compiler, append(flags, "-w", "-o", out, in)...).CombinedOutput()
	if err != nil {
		t.Logf("%s %v: %s", compiler, flags, msg)
	}
	return out, err
}

// compileTest compiles the text with flags alone, so that warnings are not
// switched off.
func compileTest(t testing.TB, text, compiler string, flags ...string) string {
	t.Helper()
	dir := t.TempDir()
	in, out := filepath.Join(dir, "in.c"), filepath.Join(dir, "out")
	require.NoError(t, os.WriteFile(in, []byte(text), 0o666))
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	msg, err := exec.CommandContext(ctx, compiler, append(flags, "-o", out, in)...).CombinedOutput()
	require.NoError(t, err, "%s %v: %s\n%s", compiler, flags, msg, text)
	return out
}

// execute runs a program and returns what it prints and its exit status.
func execute(t testing.TB, program string, args ...string) (string, int) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	cmd := exec.CommandContext(ctx, program, args...)
	out, err := cmd.Output()
	if err != nil {
		require.IsType(t, &exec.ExitError{}, err)
	}
	return string(out), cmd.ProcessState.ExitCode()
}

// many are units that take long to optimise.
const many = 8

// share returns those of the units that the compiler of a number, of n, is given: all of few,
// and each nth of many.
func share(units []Unit, number, n int) (list []Unit) {
	if len(units) < many {
		return units
	}
	for i := number % n; i < len(units); i += n {
		list = append(list, units[i])
	}
	return list
}

// requireRight checks that the program of the units gives the right answers
// with every compiler, not optimised and optimised, whether char is signed or not. Each of
// many units is optimised by one of the compilers, and not by another.
func requireRight(t *testing.T, units []Unit) {
	t.Helper()
	require.Equal(t, Want(units), strings.Join(Answers(units), ""))
	all := compilersFound(t)
	for i, compiler := range all {
		requireAnswers(t, share(units, i+1, len(all)), compiler, "-O0", "-funsigned-char")
		requireAnswers(t, share(units, i, len(all)), compiler, "-O2", "-fsigned-char")
	}
}

// requireAnswers checks that the program of the units gives the right answers.
func requireAnswers(t *testing.T, units []Unit, compiler, level, char string) {
	t.Helper()
	text := Emit(units)
	program, err := compile(t, text, compiler, level, char)
	if err != nil {
		t.Fatalf("%s %s rejects\n%s", compiler, level, text)
	}
	got, status := execute(t, program)
	if got == Want(units) && status == 0 {
		return
	}
	for i, answer := range Answers(units) {
		if !strings.HasPrefix(got, answer) {
			t.Fatalf("%s %s: status %d, unit %d: want %q, got %q\n%s", compiler, level, status, i,
				answer, got[:min(len(got), len(answer))], Emit(units[i:i+1]))
		}
		got = got[len(answer):]
	}
	t.Fatalf("%s %s: status %d", compiler, level, status)
}

// assembly returns the assembly that a compiler makes of text.
func assembly(t testing.TB, compiler, level, text string) string {
	t.Helper()
	out, err := compile(t, text, compiler, level, "-S")
	require.NoError(t, err)
	asm, err := os.ReadFile(out)
	require.NoError(t, err)
	return string(asm)
}

// dumpCFG returns what gcc dumps after it has built the control-flow graph.
func dumpCFG(t testing.TB, gcc, text string) string {
	t.Helper()
	dump := filepath.Join(t.TempDir(), "cfg")
	_, err := compile(t, text, gcc, "-O0", "-c", "-fdump-tree-cfg="+dump)
	require.NoError(t, err)
	data, err := os.ReadFile(dump)
	require.NoError(t, err)
	return string(data)
}
