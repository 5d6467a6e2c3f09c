package corpus

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"goreify/tools/need"
)

// oneLiner returns what the README gives for those who have nothing but a shell,
// as a script that takes the file.
func oneLiner(t *testing.T) string {
	t.Helper()
	readme, err := os.ReadFile(filepath.Join("..", "README.md"))
	require.NoError(t, err)
	line := regexp.MustCompile(`(?ms)^awk .*? PATH/TO/FILE\.txtar$`).FindString(string(readme))
	require.NotEmpty(t, line)
	return strings.Replace(line, "PATH/TO/FILE.txtar", `"$1"`, 1)
}

func contents(t *testing.T, dir string) map[string]string {
	t.Helper()
	files := map[string]string{}
	for _, name := range names(t, dir) {
		data, err := os.ReadFile(filepath.Join(dir, name))
		require.NoError(t, err)
		files[name] = string(data)
	}
	return files
}

func TestExtract(t *testing.T) {
	dir := t.TempDir()
	e := load(t, "full.txtar")
	require.NoError(t, e.Extract(dir, false))
	assert.Equal(t, map[string]string{
		"recipe":     "body:\nconfig: 00ff10\ngraph: 01\nindex: 03\n",
		"program.ir": e.Program,
		"repro.c":    e.Sources[MainC],
		"second.c":   e.Sources["second.c"],
		"want.txt":   "42\n",
		"trace.txt":  "entry\n",
		"reduced.c":  e.Reduced,
		"reduced.ir": e.ReducedProgram,
	}, contents(t, dir))
	assert.ErrorIs(t, e.Extract(filepath.Join(dir, "missing"), true), os.ErrNotExist)
}

// What is there with other content is written over only if that is wanted, and
// then nothing is written through it.
func TestExtractOverOthers(t *testing.T) {
	e := load(t, "full.txtar")
	fresh := t.TempDir()
	require.NoError(t, e.Extract(fresh, false))
	require.NoError(t, e.Extract(fresh, false), "the same is there already")
	for name, put := range map[string]func(path, outside string) error{
		"file":          func(path, _ string) error { return os.WriteFile(path, []byte("mine\n"), 0o644) },
		"link":          func(path, outside string) error { return os.Symlink(outside, path) },
		"dangling link": func(path, outside string) error { return os.Symlink(outside+"none", path) },
		"directory":     func(path, _ string) error { return os.Mkdir(path, 0o755) },
	} {
		t.Run(name, func(t *testing.T) {
			dir, outside := t.TempDir(), filepath.Join(t.TempDir(), "outside")
			require.NoError(t, os.WriteFile(outside, []byte("theirs\n"), 0o644))
			require.NoError(t, put(filepath.Join(dir, "trace.txt"), outside))
			assert.ErrorContains(t, e.Extract(dir, false), "trace.txt")
			assert.Equal(t, []string{"trace.txt"}, names(t, dir), "nothing is written")
			require.NoError(t, e.Extract(dir, true))
			assert.Equal(t, contents(t, fresh), contents(t, dir))
			assert.Equal(t, map[string]string{"outside": "theirs\n"}, contents(t, filepath.Dir(outside)))
		})
	}
}

// What a shell extracts is what Extract does, for every file of the archive.
func TestOneLiner(t *testing.T) {
	for _, name := range []string{"full.txtar", "byhand.txtar"} {
		t.Run(name, func(t *testing.T) {
			want, got := t.TempDir(), t.TempDir()
			require.NoError(t, load(t, name).Extract(want, false))
			path, err := filepath.Abs(filepath.Join("testdata", name))
			require.NoError(t, err)
			sh(t, got, oneLiner(t), path)
			assert.Equal(t, contents(t, want), contents(t, got))
		})
	}
}

// What leads out of the directory, or looks like an option, is not written: by
// what the shell extracts, and because it is no entry.
func TestHostileNames(t *testing.T) {
	for _, name := range []string{"../../x", "/tmp/../tmp/x", "./x", "..", ".", ".x", "-x", "-", "a/../../x", "a/b", "~/x", "$HOME", "`x`", "a;b", "x\x00"} {
		top := t.TempDir()
		dir := filepath.Join(top, "one", "two")
		require.NoError(t, os.MkdirAll(dir, 0o755))
		text := strings.Replace(read(t, "byhand.txtar"), "-- want.txt --", "-- "+name+" --\nbad\n-- want.txt --", 1)
		_, err := Parse("f", []byte(text))
		assert.ErrorContains(t, err, "is not a name for a file")
		path := filepath.Join(t.TempDir(), "a.txtar")
		require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
		cmd := exec.Command("sh", "-c", oneLiner(t), "sh", path)
		cmd.Dir = dir
		out, err := cmd.CombinedOutput()
		assert.Error(t, err, "%q: %s", name, out)
		assert.Equal(t, 2, cmd.ProcessState.ExitCode())
		assert.Equal(t, []string{"one"}, names(t, top), "%q", name)
		assert.Equal(t, []string{"two"}, names(t, filepath.Dir(dir)), "%q", name)
		assert.Equal(t, []string{MainC}, names(t, dir), "%q", name)
	}
}

// The command of an entry runs on what the shell extracted, and fails when the
// answer is not the one in want.txt or the exit status is not 0.
func TestOneLinerThenCommand(t *testing.T) {
	need.Command(t, "gcc", "cc") // the command of the example
	path, err := filepath.Abs("testdata/full.txtar")
	require.NoError(t, err)
	e := load(t, "full.txtar")
	for _, tt := range []struct {
		file, text string // written over what was extracted
		want       int
	}{
		{"want.txt", e.Want, 0},
		{"want.txt", "43\n", 1},
		{MainC, strings.Replace(e.Sources[MainC], "!= 42", "== 42", 1), 1},
	} {
		dir := t.TempDir()
		sh(t, dir, oneLiner(t), path)
		require.NoError(t, os.WriteFile(filepath.Join(dir, tt.file), []byte(tt.text), 0o644))
		cmd := exec.Command("sh", "-c", e.Command)
		cmd.Dir = dir
		out, _ := cmd.CombinedOutput()
		assert.Equal(t, tt.want, cmd.ProcessState.ExitCode(), "%s", out)
	}
}

func sh(t *testing.T, dir, script string, args ...string) {
	t.Helper()
	cmd := exec.Command("sh", append([]string{"-ec", script, "sh"}, args...)...)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s", out)
}
