package safefile_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"goreify/reify/safefile"
)

func TestTree(t *testing.T) {
	dir, _ := trap(t)
	files := safefile.Tree(dir.Path())
	for name, want := range map[string]string{
		"plain": "plain", "in": "plain", "out": "", "up": "", "zero": "", "pipe": "", "dir/secret": "", "sub": "", "none": "", "../x": "",
	} {
		text, err := fs.ReadFile(files, name)
		assert.Equal(t, want, string(text), name)
		assert.Equal(t, want == "", err != nil, name)
		if err != nil {
			assert.NotContains(t, err.Error(), "secret/", name)
		}
	}
}

func TestWalk(t *testing.T) {
	dir, _ := trap(t)
	require.NoError(t, os.WriteFile(filepath.Join(dir.Path(), "sub", "a"), nil, 0o600))
	walked := func() (names []string, err error) {
		err = safefile.Walk(dir.Path(), func(name string) error { names = append(names, name); return nil })
		return names, err
	}
	names, err := walked()
	require.NoError(t, err)
	assert.Equal(t, []string{"plain", "sub/a"}, names)
	require.NoError(t, os.MkdirAll(filepath.Join(dir.Path(), strings.Repeat("d/", 100)), 0o755))
	_, err = walked()
	assert.ErrorIs(t, err, safefile.ErrTree)
}
