package hunt

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"goreify/compilers"
	"goreify/corpus"
	"goreify/reify/oracle"
	"goreify/tools/need"
)

// What a run leaves that is killed between any two steps of recording a
// finding, the next one puts right.
func TestReconcile(t *testing.T) {
	o := fake(t, miscompile, "-O0", "-O2")
	opt := options(t, t.TempDir(), 1, 8)
	finished(t, o, opt)
	want, dirs := findings(t, opt.Dir), saved(t, opt.Dir)
	require.NotEmpty(t, dirs)
	whole := filepath.Join(opt.Dir, corpus.FindingsDir)

	resume := func() string {
		opt := options(t, opt.Dir, 1, 8)
		finished(t, o, opt)
		return opt.Log.(*buffer).String()
	}

	// Renamed, but not recorded, and the batch not done.
	change(t, opt.Dir, `DELETE FROM findings`, `DELETE FROM buckets`, `UPDATE batches SET done = 0`)
	log := resume()
	assert.Equal(t, len(dirs), strings.Count(log, "was saved but not recorded, and is now"))
	assert.Equal(t, want, findings(t, opt.Dir))
	requireSound(t, opt.Dir, 1)

	// Recorded, but the batch not done: nothing counts twice.
	change(t, opt.Dir, `UPDATE batches SET done = 0`)
	resume()
	assert.Equal(t, want, findings(t, opt.Dir))
	requireSound(t, opt.Dir, 1)

	// Half written; and what somebody else has put there.
	change(t, opt.Dir, `DELETE FROM findings`, `DELETE FROM buckets`, `UPDATE batches SET done = 0`)
	for _, d := range dirs {
		require.NoError(t, os.Rename(filepath.Join(whole, d), filepath.Join(whole, unsaved+d)))
	}
	foreign := filepath.Join(whole, "mine")
	require.NoError(t, os.Mkdir(foreign, 0o700))
	log = resume()
	assert.Equal(t, len(dirs), strings.Count(log, "was not whole and is removed"))
	assert.Contains(t, log, "mine is not of this hunt and is left alone")
	require.NoError(t, os.Remove(foreign))
	assert.Equal(t, want, findings(t, opt.Dir))
	requireSound(t, opt.Dir, 1)
}

// A batch that was interrupted, and runs again with more levels, finds what it
// found: its findings stay in their buckets, though more configurations fail.
func TestOtherLevels(t *testing.T) {
	o := fake(t, strings.Replace(miscompile, `[ "$level" = -O2 ]`, `[ "$level" = -O2 ] || [ "$level" = -O3 ]`, 1), "-O0", "-O2")
	opt := options(t, t.TempDir(), 1, 8)
	finished(t, o, opt)
	want := findings(t, opt.Dir)
	require.NotEmpty(t, want)

	change(t, opt.Dir, `UPDATE batches SET done = 0`)
	var err error
	o.Targets, err = findFake(t.Context(), filepath.Dir(pathOf(o)), "-O0", "-O2", "-O3")
	require.NoError(t, err)
	finished(t, o, opt)
	assert.Equal(t, want, findings(t, opt.Dir))
	requireSound(t, opt.Dir, 1)
}

// runScript runs the repro.sh in a directory with that environment alone.
func runScript(t *testing.T, dir string, env ...string) (string, int) {
	t.Helper()
	return runScriptOf(t, dir, nil, env...)
}

// runScriptOf runs it with arguments.
func runScriptOf(t *testing.T, dir string, args []string, env ...string) (string, int) {
	t.Helper()
	cmd := exec.Command("/bin/sh", append([]string{filepath.Join(dir, scriptName)}, args...)...)
	cmd.Env = append([]string{}, env...)
	cmd.Dir = t.TempDir()
	out, err := cmd.CombinedOutput()
	if err != nil {
		require.ErrorAs(t, err, new(*exec.ExitError))
	}
	return string(out), cmd.ProcessState.ExitCode()
}

// repro.sh needs a shell and the compiler, and nothing else.
func TestScript(t *testing.T) {
	need.Long(t)
	o := fake(t, miscompile+`
[ "$level" = -O2 ] && grep -q 'int test_f2(' "$src" && { echo "repro.c:1:1: internal compiler error: in foo, at bar.cc:1" >&2; exit 1; }
`, "-O0", "-O2")
	opt := options(t, t.TempDir(), 1, 8)
	finished(t, o, opt)
	compiler := pathOf(o)
	verdicts := map[string]bool{}
	for _, name := range saved(t, opt.Dir) {
		dir := filepath.Join(opt.Dir, corpus.FindingsDir, name)
		e, err := corpus.Load(filepath.Join(dir, corpus.FindingFile))
		require.NoError(t, err)
		verdicts[e.Verdict] = true

		for what, env := range map[string][]string{
			"another compiler":   {"PATH=/usr/bin:/bin"},
			"no PATH":            {},
			"somebody else's CC": {"CC=" + compiler},
		} {
			out, status := runScriptOf(t, dir, []string{"gcc"}, env...)
			assert.Equal(t, 0, status, "%s: %s", what, out)
			assert.True(t, strings.HasSuffix(out, "right\n"), "%s: %s", what, out)
		}
		for cc, want := range map[string]string{
			"":                   "there is no gcc-99 here",
			"gcc-0":              "there is no gcc-0 here",
			"gcc -fno-such-flag": "compiles nothing here",
		} {
			out, status := runScriptOf(t, dir, []string{cc})
			assert.Equal(t, 2, status, "%s: %s", cc, out)
			assert.Contains(t, out, want)
		}

		// Where the program cannot be written: this holds for root, too.
		program := filepath.Join(dir, "repro")
		require.NoError(t, os.RemoveAll(program))
		require.NoError(t, os.Mkdir(program, 0o700))
		tmp := t.TempDir()
		out, status := runScriptOf(t, dir, []string{"gcc"}, "TMPDIR="+tmp)
		assert.Equal(t, 0, status, out)
		left, err := os.ReadDir(tmp)
		require.NoError(t, err)
		assert.Empty(t, left, "it clears up")
		out, status = runScriptOf(t, dir, []string{"gcc"}, "TMPDIR=/nowhere")
		assert.Equal(t, 2, status, out)
		require.NoError(t, os.Remove(program))

		out, status = runScript(t, dir, "PATH="+filepath.Dir(compiler)+":/usr/bin:/bin") // last: it edits the source
		assert.Equal(t, 1, status, out)
		assert.Contains(t, out, "gcc-99 (Fake) 99.1.0")
		assert.Contains(t, out, "WRONG: ")
	}
	assert.True(t, verdicts["internal-error"] && (verdicts["wrong-answer"] || verdicts["crash"]), "%v", verdicts)
}

// A compile that fails is what was found, or a question that was not answered.
func TestScriptOfFailingCompile(t *testing.T) {
	for verdict, want := range map[string]int{
		"internal-error": 1, "rejected": 1, "slow-compile": 1, "wrong-answer": 2, "crash": 2, "endless": 2,
	} {
		dir := t.TempDir()
		e := &corpus.Entry{Language: compilers.C, Verdict: verdict, Compiler: "gcc", Mode: "-O2", Main: corpus.MainC, Command: "timeout 60 gcc -O2 repro.c -o repro"}
		if want == 2 {
			e.Command = "gcc -O2 repro.c -o repro && ./repro | diff want.txt -"
		}
		require.NoError(t, os.WriteFile(filepath.Join(dir, corpus.MainC), []byte("int main(void) { return"), 0o600))
		require.NoError(t, os.WriteFile(filepath.Join(dir, scriptName), []byte(script(e, 60)), 0o600))
		out, status := runScript(t, dir)
		assert.Equal(t, want, status, "%s: %s", verdict, out)
		assert.Contains(t, out, "the compiler ended with status 1", verdict)
	}
}

// What an emulator runs is run by the reproducer's own command.
func TestScriptOfAnotherProcessor(t *testing.T) {
	dir := t.TempDir()
	e := &corpus.Entry{Language: compilers.C, Verdict: "wrong-answer", Compiler: "gcc", Mode: "-O2", Triple: "vax-linux-gnu", Main: corpus.MainC,
		Command: "gcc -O2 repro.c -o repro && qemu-vax ./repro"}
	require.NoError(t, os.WriteFile(filepath.Join(dir, corpus.MainC), []byte("int main(void) { return 0; }\n"), 0o600))
	require.NoError(t, os.WriteFile(filepath.Join(dir, scriptName), []byte(script(e, 60)), 0o600))
	out, status := runScript(t, dir)
	assert.Equal(t, 2, status, out)
	assert.Contains(t, out, "there is no qemu-vax here")
}

// requireSlowScript requires that a compiler that took too long for the hunt does so for
// repro.sh.
func requireSlowScript(t *testing.T, o *oracle.Oracle, hunted string) {
	t.Helper()
	names := saved(t, hunted)
	i := slices.IndexFunc(names, func(name string) bool { return strings.HasPrefix(name, "slow-compile") })
	require.GreaterOrEqual(t, i, 0, names)
	dir := filepath.Join(hunted, corpus.FindingsDir, names[i])
	text, err := os.ReadFile(filepath.Join(dir, scriptName))
	require.NoError(t, err)
	assert.Contains(t, string(text), `(ulimit -t 1; eval "$build")`)
	out, status := runScript(t, dir, "PATH="+filepath.Dir(pathOf(o))+":/usr/bin:/bin")
	assert.Equal(t, 1, status, out)
	assert.Contains(t, out, "WRONG: the compiler ended with status")
}

// A compiler that needs as long for something else has the time.
func TestCompileLimit(t *testing.T) {
	assert.Contains(t, script(&corpus.Entry{Language: compilers.C, Verdict: "rejected", Command: "gcc -c repro.c"}, 2), `ulimit -t 60; eval "$build"`)

	for used, want := range map[time.Duration]int{0: 1, 1990 * time.Millisecond: 2, 32100 * time.Millisecond: 32} {
		assert.Equal(t, want, compileLimit(compilers.Outcome{CompileCPU: used}), used)
	}
}

// A compiler that is named by a path is found from anywhere, and what a shell
// would take apart stays whole.
func TestScriptWords(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	require.NoError(t, os.Mkdir("my bin", 0o700))
	require.NoError(t, os.Symlink("/usr/bin/gcc", filepath.Join("my bin", "gcc")))
	e := &corpus.Entry{
		Language: compilers.C, Verdict: "wrong-answer", Compiler: "./my bin/gcc", Flags: []string{`-DTEXT="it's 1;"`}, Mode: "-O0",
		Main: corpus.MainC, Command: `'./my bin/gcc' '-DTEXT="it'\''s 1;"' -O0 repro.c -o repro && ./repro | diff want.txt -`,
	}
	require.NoError(t, os.WriteFile(corpus.MainC, []byte("#include <stdio.h>\nint main(void) { puts(TEXT); }\n"), 0o600))
	require.NoError(t, os.WriteFile("want.txt", []byte("it's 1;\n"), 0o600))
	require.NoError(t, os.WriteFile(scriptName, []byte(script(e, 60)), 0o600))
	out, status := runScript(t, dir)
	assert.Equal(t, 0, status, out)
	assert.Equal(t, "gcc-12", words(executable("gcc-12")))
}

func TestDisplay(t *testing.T) {
	var out buffer
	l := newLogger(&out, 50)
	l.draw("one\ntwo\n")
	l.line("stays")
	l.draw(strings.Repeat("row\n", mostLines+5))
	l.clear()
	l.clear()
	text := out.String()
	assert.Contains(t, text, "one\ntwo\n\x1b[?7h\x1b[2A\x1b[Jstays\n")
	assert.Contains(t, text, "and 6 lines more")
	assert.Equal(t, 1, strings.Count(text, "\x1b[20A\x1b[J"), "cleared once")

	out = buffer{}
	l = newLogger(&out, 5)
	l.draw(strings.Repeat("row\n", 9))
	l.clear()
	assert.Equal(t, 3, strings.Count(out.String(), "row\n"))
	assert.Contains(t, out.String(), "\x1b[4A\x1b[J", "as much as the terminal shows")
}

// In each language: the compiler is right, wrong, or cannot be asked; the reduced test is
// taken where there is one; an argument names another compiler.
func TestScriptOfLanguages(t *testing.T) {
	for _, tt := range []struct {
		language, compiler, command, main, reduced, reducedCommand string
	}{
		{compilers.C, "gcc-99", "gcc-99 -O2 -w repro.c -o repro && { timeout 10 ./repro || echo \"exit status $?\"; } | diff want.txt -",
			"repro.c", "reduced.c", "gcc-99 -O2 -w reduced.c -o reduced && timeout 10 ./reduced"},
		{compilers.Go, "go", "env GOTOOLCHAIN=go1.99.0 GOARCH=amd64 go build '-gcflags=-N -l' -o repro repro.go && { timeout 10 ./repro || echo \"exit status $?\"; } | diff want.txt -",
			"repro.go", "reduced.go", "env GOTOOLCHAIN=go1.99.0 GOARCH=amd64 go build -o reduced reduced.go && timeout 10 ./reduced"},
		{compilers.JVM, "java", "timeout 60 java -Xint repro.java", "repro.java", "reduced.java", "timeout 60 java -Xint reduced.java && timeout 10 true"},
		{compilers.Wasm, "node", "env REIFY_X=1 node --flag repro.js", "repro.js", "reduced.js", "env REIFY_X=1 node --flag reduced.js && timeout 10 true"},
		{compilers.Wasm, "reify", "timeout 60 reify wazero @compiler repro.hex", "repro.hex", "reduced.hex", "reify wazero @compiler reduced.hex && timeout 10 true"},
	} {
		t.Run(tt.compiler, func(t *testing.T) {
			// The stand-in says what it was asked about in the file asked. Its programs, or it
			// if it makes none, fail unless there is a file right beside it.
			stand := func(name string, right bool) (path string) {
				bin := t.TempDir()
				path = filepath.Join(bin, name)
				text := `#!/bin/sh
for a; do
	case $a in *version) exit 0 ;; empty.go | -) exit 0 ;; repro.* | reduced.*) main=$a ;; esac
	[ "$last" != -o ] || out=$a
	last=$a
done
[ -f "$main" ] || exit 3
echo "$main" >>` + filepath.Join(bin, "asked") + `
code=` + map[bool]string{true: "0", false: "1"}[right] + `
[ -n "$out" ] || exit $code
printf '#!/bin/sh\necho %s\nexit %s\n' $((1 + code)) $code >"$out"
chmod +x "$out"
`
				require.NoError(t, os.WriteFile(path, []byte(text), 0o700))
				return path
			}
			asked := func(path string) string {
				text, _ := os.ReadFile(filepath.Join(filepath.Dir(path), "asked")) // none if it was not asked
				return string(text)
			}
			dir := t.TempDir()
			e := &corpus.Entry{Language: tt.language, Verdict: "wrong-answer", Compiler: tt.compiler, Mode: "-O2", Main: tt.main, Command: tt.command}
			if tt.language != compilers.C && tt.language != compilers.Go {
				e.Verdict = "internal-error"
			}
			for name, text := range map[string]string{scriptName: script(e, 60), tt.main: "", "want.txt": "1\n"} {
				require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600))
			}
			right, wrong := stand(tt.compiler, true), stand(tt.compiler, false)
			path := func(of string) string { return "PATH=" + filepath.Dir(of) + ":/usr/bin:/bin" }
			out, status := runScript(t, dir, path(right))
			assert.Equal(t, 0, status, out)
			out, status = runScript(t, dir, path(wrong))
			assert.Equal(t, 1, status, out)
			assert.Contains(t, out, "WRONG")
			assert.Equal(t, tt.main+"\n", asked(wrong))
			out, status = runScriptOf(t, dir, []string{right}, path(wrong))
			assert.Equal(t, 0, status, out)
			assert.Equal(t, tt.main+"\n", asked(wrong), "not again")

			out, status = runScript(t, dir, "PATH="+minimal(t))
			assert.Equal(t, 2, status, out)
			assert.Contains(t, out, "there is no "+tt.compiler+" here")

			e.ReducedCommand = tt.reducedCommand
			require.NoError(t, os.WriteFile(filepath.Join(dir, corpus.FindingFile), []byte("title: x\nreduced-command: "+tt.reducedCommand+"\n-- repro.x --\nreduced-command: false\n"), 0o600))
			require.NoError(t, os.WriteFile(filepath.Join(dir, tt.reduced), nil, 0o600))
			out, status = runScript(t, dir, path(wrong))
			assert.Equal(t, 1, status, out)
			assert.Equal(t, tt.main+"\n"+tt.reduced+"\n", asked(wrong))
			out, status = runScriptOf(t, dir, []string{right}, path(wrong))
			assert.Equal(t, 0, status, out)
			assert.Equal(t, tt.main+"\n"+tt.main+"\n"+tt.reduced+"\n", asked(right))
		})
	}
}

// minimal returns a directory with the tools that a script needs and no compiler.
func minimal(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for _, name := range []string{"sh", "timeout", "diff", "env", "cat", "rm", "cp", "mkdir"} {
		path, err := exec.LookPath(name)
		require.NoError(t, err)
		require.NoError(t, os.Symlink(path, filepath.Join(dir, name)))
	}
	return dir
}
