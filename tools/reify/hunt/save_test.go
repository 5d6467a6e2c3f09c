package hunt

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"goreify/corpus"
)

// What a run leaves that is killed between any two steps of recording a
// finding, the next one puts right.
func TestReconcile(t *testing.T) {
	o := fake(t, miscompile, "-O0", "-O2")
	opt := options(t, t.TempDir(), 1, 8)
	_, err := Start(t.Context(), o, opt)
	require.NoError(t, err)
	want, dirs := findings(t, opt.Dir), saved(t, opt.Dir)
	require.NotEmpty(t, dirs)
	whole := filepath.Join(opt.Dir, findingsName)

	change := func(statements ...string) {
		s, err := openStore(opt.Dir)
		require.NoError(t, err)
		for _, text := range statements {
			_, err = s.db.Exec(text)
			require.NoError(t, err)
		}
		require.NoError(t, s.close())
	}
	resume := func() string {
		opt := options(t, opt.Dir, 1, 8)
		_, err := Start(t.Context(), o, opt)
		require.NoError(t, err)
		return opt.Log.(*buffer).String()
	}

	// Renamed, but not recorded, and the batch not done.
	change(`DELETE FROM findings`, `DELETE FROM buckets`, `UPDATE batches SET done = 0`)
	log := resume()
	assert.Equal(t, len(dirs), strings.Count(log, "was saved but not recorded, and is now"))
	assert.Equal(t, want, findings(t, opt.Dir))
	requireSound(t, opt.Dir, 1)

	// Recorded, but the batch not done: nothing counts twice.
	change(`UPDATE batches SET done = 0`)
	resume()
	assert.Equal(t, want, findings(t, opt.Dir))
	requireSound(t, opt.Dir, 1)

	// Half written; and what somebody else has put there.
	change(`DELETE FROM findings`, `DELETE FROM buckets`, `UPDATE batches SET done = 0`)
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
	_, err := Start(t.Context(), o, opt)
	require.NoError(t, err)
	want := findings(t, opt.Dir)
	require.NotEmpty(t, want)

	s, err := openStore(opt.Dir)
	require.NoError(t, err)
	_, err = s.db.Exec(`UPDATE batches SET done = 0`)
	require.NoError(t, err)
	require.NoError(t, s.close())
	o.Levels = append(o.Levels, "-O3")
	_, err = Start(t.Context(), o, opt)
	require.NoError(t, err)
	assert.Equal(t, want, findings(t, opt.Dir))
	requireSound(t, opt.Dir, 1)
}

// repro.sh needs a shell and the compiler, and nothing else.
func TestScript(t *testing.T) {
	o := fake(t, miscompile+`
[ "$level" = -O2 ] && grep -q 'int test_f2(' "$src" && { echo "repro.c:1:1: internal compiler error: in foo, at bar.cc:1" >&2; exit 1; }
`, "-O0", "-O2")
	opt := options(t, t.TempDir(), 1, 8)
	_, err := Start(t.Context(), o, opt)
	require.NoError(t, err)
	compiler := o.Toolchains[0].Path
	run := func(dir, cc string) (string, int) {
		cmd := exec.Command("/bin/sh", filepath.Join(dir, scriptName))
		cmd.Env = []string{"CC=" + cc, "PATH=/usr/bin:/bin"}
		cmd.Dir = t.TempDir()
		out, err := cmd.CombinedOutput()
		if err != nil {
			require.ErrorAs(t, err, new(*exec.ExitError))
		}
		return string(out), cmd.ProcessState.ExitCode()
	}
	verdicts := map[string]bool{}
	for _, name := range saved(t, opt.Dir) {
		dir := filepath.Join(opt.Dir, findingsName, name)
		e, err := corpus.Load(filepath.Join(dir, archiveName))
		require.NoError(t, err)
		verdicts[e.Verdict] = true
		text, err := os.ReadFile(filepath.Join(dir, scriptName))
		require.NoError(t, err)
		assert.Contains(t, string(text), "CC=${CC:-gcc-99}")

		out, status := run(dir, "gcc")
		assert.Equal(t, 0, status, out)
		assert.True(t, strings.HasSuffix(out, "right\n"), out)
		out, status = run(dir, "gcc-0")
		assert.Equal(t, 2, status, out)
		assert.Contains(t, out, "there is no gcc-0 here")
		out, status = run(dir, compiler) // last: it edits the source
		assert.Equal(t, 1, status, out)
		assert.Contains(t, out, "gcc-99 (Fake) 99.1.0")
		assert.Contains(t, out, "WRONG: ")
	}
	assert.True(t, verdicts["internal-error"] && (verdicts["wrong-answer"] || verdicts["crash"]), "%v", verdicts)
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
