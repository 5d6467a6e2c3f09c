package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"goreify/corpus"
	"goreify/reify/triage"
	"goreify/tools/need"
)

func TestKnown(t *testing.T) {
	file := filepath.Join(t.TempDir(), corpus.KnownFile)
	status, _ := command(t, "known", "-file", file)
	assert.Equal(t, 2, status, "there is none yet")
	status, _ = command(t, "known", "-file", file, "-link", "https://example.org/1", "-note", "a note", "gcc/crash/tree-vrp2/O2")
	require.Zero(t, status)
	status, out := command(t, "known", "-file", file)
	require.Zero(t, status)
	assert.Equal(t, "gcc/crash/tree-vrp2/O2\thttps://example.org/1\ta note\n", out)
	status, _ = command(t, "known", "-file", file, "one", "two")
	assert.Equal(t, 2, status)
}

func TestTriageArguments(t *testing.T) {
	t.Setenv("REIFY_CC", "gcc") // one is tried sooner than all
	for _, args := range [][]string{
		{"reduce"}, {"reduce", "-o", "x", "a", "b"}, {"reduce", "none.txtar"}, {"reduce", "none.c"},
		{"triage"}, {"triage", "a", "b"}, {"triage", "-n", "-1", "."}, {"triage", filepath.Join(t.TempDir(), "none")},
		{"bench-triage"}, {"hunt", "-known", filepath.Join(t.TempDir(), "none"), "-o", t.TempDir()},
	} {
		status, _ := command(t, args...)
		assert.Equal(t, 2, status, "%q", args)
	}
}

// A real finding, from the corpus to a test that a developer can read.
func TestReduce(t *testing.T) {
	need.Command(t, "gcc-12")
	t.Setenv("REIFY_CC", "gcc-12")
	t.Setenv("REIFY_MODES", "-O0,-O2")
	dir := t.TempDir()
	file := filepath.Join(dir, "a.txtar")
	status, out := command(t, "reduce", "-o", file, "../../corpus/wrong-answer-gcc-12-O2-3561240f.txtar")
	require.Zero(t, status)
	assert.Contains(t, out, "__builtin_abort();")
	e, err := corpus.Load(file)
	require.NoError(t, err)
	assert.True(t, triage.Done(e))
	assert.Equal(t, out, e.Reduced)
	assert.LessOrEqual(t, triage.BodyLines(e.Reduced), 15, e.Reduced)
	assert.NotEmpty(t, e.MendedBy)

	// There is nothing left to do; what cannot be read is said.
	require.NoError(t, os.WriteFile(filepath.Join(dir, "b.txtar"), []byte("?"), 0o600))
	status, out = command(t, "triage", dir)
	assert.Equal(t, 2, status)
	assert.Contains(t, out, "a.txtar: done before")
	assert.Contains(t, out, "b.txtar:1: want key: value")
}
