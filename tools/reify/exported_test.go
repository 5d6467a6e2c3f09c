package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestExtract(t *testing.T) {
	const archive = "../../corpus/testdata/full.txtar"
	dir := filepath.Join(t.TempDir(), "new", "dir")
	status, out := command(t, "export", "-o", dir, archive)
	require.Zero(t, status)
	assert.Empty(t, out)
	want := filepath.Join(dir, "want.txt")
	files, err := os.ReadDir(dir)
	require.NoError(t, err)
	assert.Len(t, files, 8)

	require.NoError(t, os.WriteFile(want, []byte("mine\n"), 0o600))
	assert.Contains(t, complains(t, "export", "-o", dir, archive), want+" is there with other content")
	data, err := os.ReadFile(want)
	require.NoError(t, err)
	assert.Equal(t, "mine\n", string(data))
	status, _ = command(t, "export", "-f", "-o", dir, archive)
	assert.Zero(t, status)
	data, err = os.ReadFile(want)
	require.NoError(t, err)
	assert.Equal(t, "42\n", string(data))

	text, err := os.ReadFile(archive)
	require.NoError(t, err)
	hostile := filepath.Join(t.TempDir(), "hostile.txtar")
	require.NoError(t, os.WriteFile(hostile, []byte(strings.Replace(string(text), "-- second.c --", "-- ../../x --", 1)), 0o600))
	assert.Contains(t, complains(t, "export", "-o", dir, hostile), `hostile.txtar:51: "../../x" is not a name for a file`)
	for _, args := range [][]string{{}, {archive, dir}, {"-o", dir, "none.txtar"}, {"-o", archive, archive}} {
		status, _ = command(t, append([]string{"export"}, args...)...)
		assert.Equal(t, 2, status, args)
	}
}

// What is damaged is no regression of a compiler: it is not run.
func TestReplayDamaged(t *testing.T) {
	t.Setenv("REIFY_CC", "gcc")
	t.Setenv("REIFY_MODES", "-O0")
	dir := t.TempDir()
	status, _ := command(t, "gen", "-n", "1", "-seed", "7", "-profile", "4,3,1,1,1", "-o", dir)
	require.Zero(t, status)
	data, err := os.ReadFile(filepath.Join(dir, "case-7.txtar"))
	require.NoError(t, err)
	text := string(data)
	want := strings.Index(text, "-- want.txt --\n")
	for said, damaged := range map[string]string{
		"the line ends in CRLF":                 strings.ReplaceAll(text, "\n", "\r\n"),
		"no file want.txt":                      text[:want],
		"no file trace.txt, which has a digest": text[:want+len("-- want.txt --\n")],
		"repro.c was changed after":             strings.Replace(text, "int main", "int  main", 1),
	} {
		file := filepath.Join(dir, "damaged.txtar")
		require.NoError(t, os.WriteFile(file, []byte(damaged), 0o600))
		var out string
		stderr := capture(t, &os.Stderr, func() { status, out = command(t, "replay", file) })
		assert.Equal(t, 2, status, said)
		assert.Empty(t, out, said)
		assert.Contains(t, stderr, file+":")
		assert.Contains(t, stderr, said)
	}
}
