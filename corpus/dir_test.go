package corpus

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"goreify/reify/safefile"
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

// Links in a directory of a stranger lead to nothing of ours.
func TestLinks(t *testing.T) {
	outside, dir := t.TempDir(), t.TempDir()
	path, err := Save(outside, load(t, "full.txtar"))
	require.NoError(t, err)
	finding := filepath.Join(outside, "one")
	require.NoError(t, os.Mkdir(finding, 0o755))
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(finding, FindingFile), text, 0o644))
	for name, to := range map[string]string{"a.txtar": path, "b.txtar": "/dev/zero", "c.txtar": "/etc/shadow"} {
		require.NoError(t, os.Symlink(to, filepath.Join(dir, name)))
	}
	require.NoError(t, syscall.Mkfifo(filepath.Join(dir, "d.txtar"), 0o644))
	require.NoError(t, os.Mkdir(filepath.Join(dir, FindingsDir), 0o755))
	require.NoError(t, os.Symlink(finding, filepath.Join(dir, FindingsDir, "one")))

	results := LoadDir(dir)
	require.Len(t, results, 4)
	for _, r := range results {
		assert.Error(t, r.Err, r.Path)
	}
	paths, err := Paths(dir)
	require.NoError(t, err)
	require.Len(t, paths, 4, "and no finding behind a link")
	for _, path := range paths[:3] {
		_, err := Load(path)
		assert.Error(t, err, path)
		assert.NotContains(t, err.Error(), "root:")
	}
	for _, name := range []string{"one", "../../" + filepath.Base(outside) + "/one", ".."} {
		_, err = LoadFinding(dir, name)
		assert.Error(t, err, name)
	}
	require.NoError(t, os.Rename(filepath.Join(dir, FindingsDir), filepath.Join(dir, "was")))
	require.NoError(t, os.Symlink(outside, filepath.Join(dir, FindingsDir)))
	_, err = Paths(dir)
	assert.ErrorIs(t, err, safefile.ErrLink)
	_, err = LoadFinding(dir, "one")
	assert.ErrorIs(t, err, safefile.ErrLink)
	_, err = Save(dir, load(t, "full.txtar"))
	require.NoError(t, err)
	require.NoError(t, Update(filepath.Join(dir, "a.txtar"), load(t, "full.txtar")))
	after, err := os.ReadFile(path)
	require.NoError(t, err)
	assert.Equal(t, string(text), string(after))
}
