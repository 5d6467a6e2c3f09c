package corpus

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestMarkKnown(t *testing.T) {
	path := filepath.Join(t.TempDir(), KnownFile)
	_, err := LoadKnown(path)
	require.ErrorIs(t, err, os.ErrNotExist)

	first := Known{Bucket: "gcc/crash/tree-vrp2/O2,O3", Link: "https://gcc.gnu.org/PR1", Note: "since 11"}
	second := Known{Bucket: "clang/ice/unknown/crash in llvm::f"}
	require.NoError(t, MarkKnown(path, first))
	require.NoError(t, MarkKnown(path, second))
	data, err := os.ReadFile(path)
	require.NoError(t, err)
	assert.Equal(t, "gcc/crash/tree-vrp2/O2,O3\thttps://gcc.gnu.org/PR1\tsince 11\nclang/ice/unknown/crash in llvm::f\n", string(data))

	// What people have written stays where it is.
	require.NoError(t, os.WriteFile(path, []byte("# mine\n\n"+string(data)+"# end"), 0o644))
	first.Note = ""
	require.NoError(t, MarkKnown(path, first))
	data, err = os.ReadFile(path)
	require.NoError(t, err)
	assert.Equal(t, "# mine\n\ngcc/crash/tree-vrp2/O2,O3\thttps://gcc.gnu.org/PR1\nclang/ice/unknown/crash in llvm::f\n# end\n", string(data))
	list, err := LoadKnown(path)
	require.NoError(t, err)
	assert.Equal(t, []Known{first, second}, list)

	for _, bad := range []Known{{}, {Bucket: "# a"}, {Bucket: "a\tb"}, {Bucket: "a", Note: "two\nlines"}, {Bucket: " a"}} {
		assert.ErrorContains(t, MarkKnown(path, bad), "cannot be a line", "%q", bad)
	}
	again, err := os.ReadFile(path)
	require.NoError(t, err)
	assert.Equal(t, string(data), string(again))
}

func TestMalformedKnown(t *testing.T) {
	for text, want := range map[string]string{
		"a\n\nb\tl\tn\tx\n": "f:3: want bucket, link and note with a tab between them",
		"\tlink\n":          "f:1: no bucket",
		"a\x1b\n":           "f:1: the line holds a character that is not printable",
		"a\n#\na\tlink\n":   "f:3: second line for a, the first is at line 1",
	} {
		_, err := parseKnown("f", text)
		assert.EqualError(t, err, want)
	}
	list, err := parseKnown("f", strings.ReplaceAll("# c\na\tl\tn", "\n", "\r\n"))
	require.NoError(t, err)
	assert.Equal(t, []Known{{"a", "l", "n"}}, list)
}
