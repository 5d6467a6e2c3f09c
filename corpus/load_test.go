package corpus

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestLoadDir(t *testing.T) {
	results := LoadDir("testdata/mixed")
	require.Len(t, results, 3)
	for i, name := range []string{"a.txtar", "b.txtar", "c.txtar"} {
		assert.Equal(t, filepath.Join("testdata/mixed", name), results[i].Path)
	}
	assert.NoError(t, results[0].Err)
	assert.Equal(t, "-O1", results[0].Entry.Mode)
	assert.EqualError(t, results[1].Err, `testdata/mixed/b.txtar:8: unknown key "modus", and not a note, which begins with x-`)
	assert.Nil(t, results[1].Entry)
	assert.NoError(t, results[2].Err)
	assert.Equal(t, "-O2", results[2].Entry.Mode)
}

func TestLoadDirUnreadable(t *testing.T) {
	dir := t.TempDir()
	assert.Empty(t, LoadDir(dir))

	results := LoadDir(filepath.Join(dir, "missing"))
	require.Len(t, results, 1)
	assert.ErrorIs(t, results[0].Err, os.ErrNotExist)

	require.NoError(t, os.Mkdir(filepath.Join(dir, "a.txtar"), 0o755))
	results = LoadDir(dir)
	require.Len(t, results, 1)
	assert.Error(t, results[0].Err)
}
