package corpus

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestPaths(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "[a*]")
	_, err := Paths(dir)
	require.ErrorIs(t, err, os.ErrNotExist)
	require.NoError(t, os.Mkdir(dir, 0o755))
	paths, err := Paths(dir)
	require.NoError(t, err)
	assert.Empty(t, paths)

	z, one, two := filepath.Join(dir, "z.txtar"), filepath.Join(dir, FindingsDir, "one", FindingFile), filepath.Join(dir, FindingsDir, "two", FindingFile)
	for _, path := range []string{
		z, two, one,
		filepath.Join(dir, ".saving-1.txtar"),
		filepath.Join(dir, "notes.txt"),
		filepath.Join(dir, FindingsDir, "README"),
		filepath.Join(dir, FindingsDir, "three", "repro.c"),
		filepath.Join(dir, FindingsDir, ".saving-one", FindingFile),
	} {
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
		require.NoError(t, os.WriteFile(path, nil, 0o644))
	}
	paths, err = Paths(dir)
	require.NoError(t, err)
	assert.Equal(t, []string{one, two, z}, paths)
}
