package corpus

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"goreify/tools/need"
)

// oneLiner is what the README gives for those who have nothing but a shell.
const oneLiner = `awk '/^-- .* --$/ { f = $2; printf "" > f; next } f { print > f }' "$1"`

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
	require.NoError(t, e.Extract(dir))
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
	assert.ErrorIs(t, e.Extract(filepath.Join(dir, "missing")), os.ErrNotExist)
}

// What a shell extracts is what Extract does, for every file of the archive.
func TestOneLiner(t *testing.T) {
	for _, name := range []string{"full.txtar", "byhand.txtar"} {
		t.Run(name, func(t *testing.T) {
			want, got := t.TempDir(), t.TempDir()
			require.NoError(t, load(t, name).Extract(want))
			path, err := filepath.Abs(filepath.Join("testdata", name))
			require.NoError(t, err)
			sh(t, got, oneLiner, path)
			assert.Equal(t, contents(t, want), contents(t, got))
		})
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
		sh(t, dir, oneLiner, path)
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
