package corpus

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A reproducer is known by its content, and by no name or directory.
func TestLoadOwn(t *testing.T) {
	results := LoadDir(".")
	require.NotEmpty(t, results)
	for _, r := range results {
		require.NoError(t, r.Err)
		assert.True(t, r.Own, r.Path)
	}
	data, err := os.ReadFile(results[0].Path)
	require.NoError(t, err)
	dir := filepath.Join(t.TempDir(), "corpus")
	require.NoError(t, os.Mkdir(dir, 0o755))
	for stranger, content := range map[bool]string{false: string(data), true: strings.Replace(string(data), "\n", "\nx-by: a stranger\n", 1)} {
		path := filepath.Join(dir, filepath.Base(results[0].Path))
		require.NoError(t, os.WriteFile(path, []byte(content), 0o644))
		_, own, err := LoadOwn(path)
		require.NoError(t, err)
		assert.Equal(t, !stranger, own, "the directory is called corpus, and the file as one of ours")
	}
	_, own, err := LoadOwn(filepath.Join("testdata", "byhand.txtar"))
	require.NoError(t, err)
	assert.False(t, own)
}
