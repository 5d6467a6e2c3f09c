package main

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"goreify/corpus"
	"goreify/reify/emit/c"
	"goreify/reify/triage"
	"goreify/tools/need"
	"goreify/tools/reify/hunt"
)

func TestKnown(t *testing.T) {
	file := filepath.Join(t.TempDir(), corpus.KnownFile)
	status, _ := command(t, "known", "-known", file)
	assert.Equal(t, 2, status, "there is none yet")
	dir := filepath.Join("report", "testdata", "buckets")
	const bucket = "gcc/wrong-answer/tree-vrp2/O2,O3"
	status, _ = command(t, "known", "-known", file, "-link", "https://example.org/1", "-note", "a note", bucket, dir)
	require.Zero(t, status)
	status, out := command(t, "known", "-known", file)
	require.Zero(t, status)
	assert.Equal(t, bucket+"\thttps://example.org/1\ta note\n", out)
	for name, want := range map[string]string{
		"gcc/wrong-answer/tree-vrp2/O2,03": "is of the bucket gcc/wrong-answer/tree-vrp2/O2,03; there are\n\t" + bucket,
		"x":                                "or triage that first",
	} {
		assert.Contains(t, complains(t, "known", "-known", file, name, dir), want)
	}
	status, _ = command(t, "known", "-known", file, "-note", "another", bucket)
	assert.Zero(t, status, "it is on the list")

	status, out = command(t, "known", "-known", file, "-look", "b-same", dir)
	require.Zero(t, status)
	assert.Contains(t, out, "wrong-code vrp2\n\thttps://gcc.gnu.org/bugzilla/")
	assert.Contains(t, out, "PR119712")
	status, _ = command(t, "known", "-known", file, "-state", "not found", "b-same", dir)
	require.Zero(t, status)
	list, err := corpus.LoadKnown(file)
	require.NoError(t, err)
	assert.Equal(t, corpus.NotFound, list[1].State)
	assert.Equal(t, time.Now().Format(time.DateOnly), list[1].Looked)
	assert.Contains(t, complains(t, "known", "-known", file, "-state", "gone", "b-same", dir), `-state: the state "gone" is not known`)
}

func TestTriageArguments(t *testing.T) {
	t.Setenv("REIFY_CC", "gcc") // one is tried sooner than all
	for _, args := range [][]string{
		{"triage", "-do", "reduce"}, {"triage", "-do", "reduce", "-o", "x", "a", "b"}, {"triage", "-do", "reduce", "none.txtar"}, {"triage", "-do", "reduce", "none.c"},
		{"triage"}, {"triage", "-n", "-1", "."}, {"triage", filepath.Join(t.TempDir(), "none")},
		{"triage", "-do", "all", "-n", "1", "x.txtar"}, {"triage", "-do", "blame", "."}, {"triage", "-do", "none", "."}, {"hunt", "-known", filepath.Join(t.TempDir(), "none"), "-o", t.TempDir()},
	} {
		status, _ := command(t, args...)
		assert.Equal(t, 2, status, "%q", args)
	}
}

// A real finding, from the corpus to a test that a developer can read.
func TestReduce(t *testing.T) {
	need.Long(t)
	need.Command(t, "gcc-12")
	t.Setenv("REIFY_CC", "gcc-12")
	t.Setenv("REIFY_MODES", "-O0,-O2")
	dir := t.TempDir()
	file := filepath.Join(dir, "a.txtar")
	status, out := command(t, "triage", "-do", "reduce", "-o", file, "../../corpus/wrong-answer-gcc-12-O2-3561240f.txtar")
	require.Zero(t, status)
	assert.Contains(t, out, "got == 1310000000")
	e, err := corpus.Load(file)
	require.NoError(t, err)
	assert.True(t, triage.Done(e))
	assert.Equal(t, out, e.Reduced)
	assert.LessOrEqual(t, c.BodyLines(e.Reduced), 15, e.Reduced)
	assert.NotEmpty(t, e.MendedBy)

	// There is nothing left to do; what cannot be read is said.
	require.NoError(t, os.WriteFile(filepath.Join(dir, "b.txtar"), []byte("?"), 0o600))
	status, out = command(t, "triage", dir)
	assert.Equal(t, 2, status)
	assert.Contains(t, out, "a.txtar: done before")
	assert.Contains(t, out, "b.txtar:1: want key: value")
}

// Of a file of C, which is no reproducer, triage says what it does with it.
func TestTriageOfC(t *testing.T) {
	file := filepath.Join(t.TempDir(), "a.c")
	require.NoError(t, os.WriteFile(file, []byte("int x;\n"), 0o600))
	for _, do := range []string{"all", "blame", "adopt"} {
		assert.Contains(t, complains(t, "triage", "-do", do, file), "of C, triage only does -do reduce", do)
	}
}

// The list of a directory is beside its findings, needs no corpus, and marks what was found
// before.
func TestKnownInDirectory(t *testing.T) {
	const bucket = "gcc/wrong-answer/tree-vrp2/O2,O3"
	dir := t.TempDir()
	require.NoError(t, os.CopyFS(dir, os.DirFS(filepath.Join("report", "testdata", "buckets"))))
	t.Chdir(dir)
	status, out := command(t, "known")
	assert.Zero(t, status, "an empty list")
	assert.Empty(t, out)
	status, _ = command(t, "known", bucket, dir)
	require.Zero(t, status)
	text, err := os.ReadFile(filepath.Join(dir, corpus.KnownFile))
	require.NoError(t, err)
	assert.Contains(t, string(text), bucket)

	sum := hunt.Summary{Buckets: 2, NewBuckets: 2, ByBucket: []hunt.Bucket{{Bucket: bucket, New: true}, {New: true}}}
	list, err := corpus.LoadKnown(filepath.Join(dir, corpus.KnownFile))
	require.NoError(t, err)
	sum.MarkKnown(list)
	sum.MarkKnown(list)
	assert.EqualValues(t, 1, sum.KnownBuckets)
	assert.EqualValues(t, 1, sum.NewBuckets)
	assert.Equal(t, bucket, sum.ByBucket[0].Known)
	assert.True(t, sum.ByBucket[1].New)
}
