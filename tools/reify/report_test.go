package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"goreify/corpus"
)

func TestReport(t *testing.T) {
	out := t.TempDir()
	status, said := command(t, "report", "-o", out, filepath.Join("report", "testdata", "buckets"))
	require.Zero(t, status)
	assert.Contains(t, said, "index.html: 4 findings in 3 buckets")
	page, err := os.ReadFile(filepath.Join(out, "index.html"))
	require.NoError(t, err)
	assert.Contains(t, string(page), "https://example.org/bug/1", "known.txt is read")
	assert.FileExists(t, filepath.Join(out, "gcc-wrong-answer-tree-vrp2-O2-O3.md"))

	// What cannot be read does not keep the rest from being reported.
	dir := t.TempDir()
	data, err := os.ReadFile(filepath.Join("report", "testdata", "buckets", "b-same.txtar"))
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "a.txtar"), data, 0o666))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "b.txtar"), []byte("nonsense"), 0o666))
	e, err := corpus.Load(filepath.Join(dir, "a.txtar"))
	require.NoError(t, err)
	e.Program = invalid
	require.NoError(t, os.WriteFile(filepath.Join(dir, "c.txtar"), e.Format(), 0o666))
	stderr := capture(t, &os.Stderr, func() { status, said = command(t, "report", dir) })
	assert.Equal(t, 1, status)
	assert.Contains(t, stderr, filepath.Join(dir, "b.txtar")+":1: ")
	assert.Contains(t, stderr, filepath.Join(dir, "c.txtar")+": program.ir: function @f: ")
	assert.Contains(t, said, "1 finding in 1 bucket")
	assert.FileExists(t, filepath.Join(dir, "reports", "index.html"))

	for _, args := range [][]string{{"report"}, {"report", t.TempDir()}, {"report", "-known", "none.txt", dir}, {"report", filepath.Join(dir, "none")}} {
		status, _ = command(t, args...)
		assert.Equal(t, 2, status, args)
	}

	// A record that cannot be read is said before there is anything to wait for.
	life := filepath.Join(dir, corpus.LifeFile)
	require.NoError(t, os.WriteFile(life, []byte("# days\nnonsense\n"), 0o666))
	for _, args := range [][]string{{"report", dir}, {"triage", "-do", "again", filepath.Join(dir, "a.txtar")}} {
		assert.Contains(t, complains(t, args...), life+":2: want day, finding, compiler", args)
	}
}
