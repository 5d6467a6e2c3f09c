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
		"a\n\nb\tl\tn\topen\t2026-11-20\tx\n": "f:3: want bucket, link, note, state and day with a tab between them",
		"a\tl\tn\tfixed in\n":                 `f:1: the state "fixed in" is not known, want open, fixed in VERSION, duplicate of NAME, likely or not found`,
		"a\tl\tn\topened\n":                   `f:1: the state "opened" is not known, want open, fixed in VERSION, duplicate of NAME, likely or not found`,
		"a\tl\tn\topen\ttoday\n":              `f:1: "today" is not a day such as 2026-11-20`,
		"\tlink\n":                            "f:1: no bucket",
		"a\x1b\n":                             "f:1: the line holds a character that is not printable",
		"a\n#\na\tlink\n":                     "f:3: second line for a, the first is at line 1",
	} {
		_, err := parseKnown("f", text)
		assert.EqualError(t, err, want)
	}
	list, err := parseKnown("f", strings.ReplaceAll("# c\na\tl\tn", "\n", "\r\n"))
	require.NoError(t, err)
	assert.Equal(t, []Known{{Bucket: "a", Link: "l", Note: "n"}}, list)
}

// What nothing was found about needs attention, and so do its duplicates.
func TestSettled(t *testing.T) {
	list, err := parseKnown("f", "a\nb\tl\t\topen\t2026-11-20\nc\t\t\tnot found\nd\t\t\tduplicate of c\ne\t\t\tduplicate of b\nf\tl\t\tlikely\ng\t\t\tfixed in 16.2\n")
	require.NoError(t, err)
	var names []string
	for _, k := range Settled(list) {
		names = append(names, k.Bucket)
	}
	assert.Equal(t, []string{"a", "b", "e", "g"}, names)
	assert.Equal(t, "b\tl\t\topen\t2026-11-20", list[1].String())

	e := &Entry{Bucket: "gcc/crash/tree-vrp2/O2"}
	for name, want := range map[string]bool{"gcc/crash/tree-vrp2/O2": true, "crash-gcc-12-O2-1": true, "crash-gcc-12-O2": false} {
		assert.Equal(t, want, Known{Bucket: name}.Of(e, "corpus/crash-gcc-12-O2-1.txtar"), name)
		assert.Equal(t, want, Known{Bucket: name}.Of(e, "h/findings/crash-gcc-12-O2-1/finding.txtar"), name)
	}
}

// The ledger of this repository, and its record, name reproducers that are there.
func TestLedger(t *testing.T) {
	list, err := LoadKnown(KnownFile)
	require.NoError(t, err)
	for _, k := range list {
		assert.FileExists(t, k.Bucket+Ext)
		assert.NotEmpty(t, k.State, k.Bucket)
		assert.NotEmpty(t, k.Looked, k.Bucket)
		if of, ok := strings.CutPrefix(string(k.State), string(DuplicateOf)+" "); ok && !strings.Contains(of, "://") {
			assert.FileExists(t, of+Ext, k.Bucket)
		}
	}
	lives, err := LoadLife(LifeFile)
	require.NoError(t, err)
	for _, l := range lives {
		assert.FileExists(t, l.Finding+Ext)
	}
}

func TestRemarks(t *testing.T) {
	assert.Equal(t, Remarks{Cause: "a rule: x. It is old", Near: "https://example.org/1, of mips", Searched: "arm, rule"},
		Known{Note: "a rule: x. It is old. Near: https://example.org/1, of mips. Searched: arm, rule."}.Remarks())
	assert.Equal(t, Remarks{Tip: "fails", Private: "t[x] is read", Public: "no"}, Known{Note: "Tip: fails. In private: t[x] is read. In public: no"}.Remarks())
	assert.Equal(t, Remarks{}, Known{}.Remarks())
}
