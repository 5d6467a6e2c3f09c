package corpus

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
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
		"repro.c":    e.Sources[Main],
		"second.c":   e.Sources["second.c"],
		"want.txt":   "42\n",
		"trace.txt":  "entry\n",
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
// answer is not the one in want.txt.
func TestOneLinerThenCommand(t *testing.T) {
	if _, err := exec.LookPath("cc"); err != nil {
		t.Skip("NOT TESTED: there is no cc on PATH, so the command of the example cannot be run")
	}
	dir := t.TempDir()
	path, err := filepath.Abs("testdata/full.txtar")
	require.NoError(t, err)
	sh(t, dir, oneLiner, path)
	sh(t, dir, load(t, "full.txtar").Command)

	require.NoError(t, os.WriteFile(filepath.Join(dir, "want.txt"), []byte("43\n"), 0o644))
	cmd := exec.Command("sh", "-c", load(t, "full.txtar").Command)
	cmd.Dir = dir
	var exit *exec.ExitError
	require.ErrorAs(t, cmd.Run(), &exit)
	assert.Equal(t, 1, exit.ExitCode())
}

func sh(t *testing.T, dir, script string, args ...string) {
	t.Helper()
	cmd := exec.Command("sh", append([]string{"-ec", script, "sh"}, args...)...)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s", out)
}
