package corpus

import (
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func names(t *testing.T, dir string) []string {
	t.Helper()
	files, err := os.ReadDir(dir)
	require.NoError(t, err)
	var names []string
	for _, f := range files {
		names = append(names, f.Name())
	}
	return names
}

func TestSave(t *testing.T) {
	dir := t.TempDir()
	e := load(t, "full.txtar")
	path, err := Save(dir, e)
	require.NoError(t, err)
	assert.Regexp(t, `^wrong-gcc-12-O2-[0-9a-f]{8}\.txtar$`, filepath.Base(path))
	back, err := Load(path)
	require.NoError(t, err)
	assert.Equal(t, e, back)
	before, err := os.Stat(path)
	require.NoError(t, err)
	assert.Equal(t, os.FileMode(0o644), before.Mode())

	again, err := Save(dir, e)
	require.NoError(t, err)
	assert.Equal(t, path, again)
	after, err := os.Stat(path)
	require.NoError(t, err)
	assert.True(t, os.SameFile(before, after), "the file was written again")

	e.Got = "40"
	other, err := Save(dir, e)
	require.NoError(t, err)
	assert.NotEqual(t, path, other)
	assert.Len(t, names(t, dir), 2)
}

func TestSaveName(t *testing.T) {
	e := load(t, "full.txtar")
	e.Verdict, e.Compiler, e.Mode = "internal compiler error", "/usr/bin/clang-19", "-Os"
	path, err := Save(t.TempDir(), e)
	require.NoError(t, err)
	assert.Regexp(t, `^internal-compiler-error-usr-bin-clang-19-Os-[0-9a-f]{8}\.txtar$`, filepath.Base(path))

	e.Verdict = strings.Repeat("../", 100) + strings.Repeat("long ", 100) + "verdict"
	path, err = Save(t.TempDir(), e)
	require.NoError(t, err)
	assert.Less(t, len(filepath.Base(path)), 100)
}

// A file that has the name but not the content stays as it is.
func TestSaveNeverOverwrites(t *testing.T) {
	dir := t.TempDir()
	e := load(t, "full.txtar")
	var paths []string
	for range 2 {
		path, err := Save(dir, e)
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(path, []byte("mine\n"), 0o644))
		paths = append(paths, path)
	}
	_, err := Save(dir, e)
	assert.ErrorContains(t, err, "exists with other content")
	assert.Len(t, names(t, dir), 2)
	for _, path := range paths {
		data, err := os.ReadFile(path)
		require.NoError(t, err)
		assert.Equal(t, "mine\n", string(data))
	}
}

// Update writes where the entry stands, and not at all if it is malformed.
func TestUpdate(t *testing.T) {
	dir := t.TempDir()
	e := load(t, "full.txtar")
	path, err := Save(dir, e)
	require.NoError(t, err)
	e.Culprit = "tree-vrp2"
	require.NoError(t, Update(path, e))
	e.Bucket = "two\nlines"
	require.ErrorContains(t, Update(path, e), path+": corpus: bucket: ")
	back, err := Load(path)
	require.NoError(t, err)
	assert.Equal(t, "tree-vrp2", back.Culprit)
	assert.Equal(t, "gcc/wrong/tree-ivopts/O2,O3", back.Bucket)
	assert.Equal(t, []string{filepath.Base(path)}, names(t, dir))
}

// Beside a finding of a hunt stands the reduced test that is in it.
func TestUpdateFinding(t *testing.T) {
	dir := t.TempDir()
	e := load(t, "full.txtar")
	require.NoError(t, e.Extract(dir, false))
	e.Reduced = "int x;\n"
	hand := filepath.Join(dir, "hand.txtar")
	require.NoError(t, Update(hand, e))
	assert.NotEqual(t, e.Reduced, contents(t, dir)["reduced.c"], "it is not known to be of this file")
	path := filepath.Join(dir, FindingFile)
	require.NoError(t, Update(path, e))
	assert.Equal(t, e.Reduced, contents(t, dir)["reduced.c"])

	alone := t.TempDir()
	require.NoError(t, Update(filepath.Join(alone, FindingFile), e))
	assert.Equal(t, []string{FindingFile}, names(t, alone))
}

// While many save the same entry, whoever looks sees a whole file or none.
func TestSaveConcurrently(t *testing.T) {
	dir := t.TempDir()
	e := load(t, "full.txtar")
	var wg sync.WaitGroup
	paths := make([]string, 16)
	for i := range paths {
		wg.Go(func() {
			path, err := Save(dir, e)
			assert.NoError(t, err)
			paths[i] = path
			for _, r := range LoadDir(dir) {
				assert.NoError(t, r.Err)
			}
		})
	}
	wg.Wait()
	for _, path := range paths {
		assert.Equal(t, paths[0], path)
	}
	assert.Equal(t, []string{filepath.Base(paths[0])}, names(t, dir))
}

func TestSaveNowhere(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "missing")
	_, err := Save(dir, load(t, "full.txtar"))
	assert.ErrorIs(t, err, os.ErrNotExist)
	assert.ErrorContains(t, err, "corpus: save: open "+dir)
}
