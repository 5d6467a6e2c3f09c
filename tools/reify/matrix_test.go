package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"goreify/tools/need"
)

// All cells of a pattern are asked about, by a real compiler, and the page of a directory
// can be drawn again.
func TestMatrix(t *testing.T) {
	need.Long(t)
	need.Command(t, "gcc")
	dir := filepath.Join(t.TempDir(), "matrix")
	args := []string{"matrix", "-cc", "gcc", "-modes", "-O0", "-only", "rotl.u8.const*,min.u8", "-o", dir, "-workers", "1"}
	page := filepath.Join(dir, "matrix", "index.html")
	for _, again := range []bool{false, true} {
		status, out := command(t, args...)
		require.Zero(t, status, out)
		assert.Contains(t, out, "the matrix: "+page)
		assert.Regexp(t, `\ngcc +([0-9]+) +([0-9]+) +0 +0 +0 +0\n`, out)
		assert.Contains(t, out, "1 batch done, 0 not finished", "%v", again)
		require.NoError(t, os.Remove(page))
	}
	status, out := command(t, "status", dir)
	require.Zero(t, status, out)
	require.FileExists(t, page)
	require.FileExists(t, filepath.Join(dir, "matrix", "gcc.svg"))
	require.NoError(t, os.Remove(page))
	status, _ = command(t, "report", dir)
	assert.Equal(t, 2, status, "there are no findings")
	require.FileExists(t, page)

	// Of the same compiler with other arguments, code differs or does not.
	other := filepath.Join(t.TempDir(), "against")
	status, out = command(t, "matrix", "-cc", "gcc", "-modes", "-O0", "-only", "rotl.u8.const*,min.u8", "-o", other, "-workers", "1", "-against", "gcc -g")
	require.Zero(t, status, out)
	assert.Regexp(t, `gcc was not asked about [0-9]+ cells of the same code\n`, out)

	for _, wrong := range [][]string{
		{"-against", "gcc"}, {"-against", "gcc -m32"}, {"-against", "none"}, {"-only", "rotl.u8.const["}, {"-only", "none.u8"}, {"-o", ""}, {"-time", "-1s"}, {"-workers", "0"}, {"extra"}, {"-cc", "none"},
	} {
		status, out := command(t, append([]string{"matrix", "-o", t.TempDir(), "-cc", "gcc", "-only", "min.u8"}, wrong...)...)
		assert.Equal(t, 2, status, "%v: %s", wrong, out)
	}
}
