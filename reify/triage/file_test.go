package triage

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"goreify/compilers"
	"goreify/corpus"
	"goreify/tools/need"
)

// The reduced test beside a finding of a hunt is written before the entry says
// that all is done.
func TestWriteBeside(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, corpus.FindingFile)
	e := entry(t, compilers.WrongAnswer)
	require.NoError(t, corpus.Update(path, e))
	require.NoError(t, os.WriteFile(filepath.Join(dir, e.Main), nil, 0o600))
	beside := filepath.Join(dir, e.ReducedMain())
	require.NoError(t, os.Mkdir(beside, 0o700))
	e.Bucket, e.Reduced = "b", "int main(void) { }\n"
	require.Error(t, corpus.Update(path, e))
	now, err := corpus.Load(path)
	require.NoError(t, err)
	assert.False(t, Done(now))

	require.NoError(t, os.Remove(beside))
	require.NoError(t, corpus.Update(path, e))
	text, err := os.ReadFile(beside)
	require.NoError(t, err)
	assert.Equal(t, e.Reduced, string(text))
	now, err = corpus.Load(path)
	require.NoError(t, err)
	assert.True(t, Done(now))
}

// One process comes to the end while another has just named the culprit, and is
// killed then: what the first has written stays.
func TestTwoProcesses(t *testing.T) {
	need.Command(t, "gcc")
	path := filepath.Join(t.TempDir(), "a.txtar")
	e := entry(t, compilers.WrongAnswer)
	require.NoError(t, corpus.Update(path, e))
	finished := *e
	finished.Bucket, finished.Reduced = "b", "int main(void) { }\n"
	killed := os.ErrDeadlineExceeded
	func() {
		defer func() { require.Equal(t, killed, recover()) }()
		first := true
		_, _, _ = File(t.Context(), fake(t, ""), path, Options{Progress: func(string) {
			if first {
				first = false
				require.NoError(t, corpus.Update(path, &finished))
				return
			}
			panic(killed)
		}})
	}()
	now, err := corpus.Load(path)
	require.NoError(t, err)
	assert.True(t, Done(now))
}

// What is done again and interrupted stays as it was: a new culprit does not go
// with an old reduced test.
func TestInterruptedAgain(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.txtar")
	e := entry(t, compilers.WrongAnswer)
	e.Bucket, e.Culprit, e.Reduced = "b", "tree-old", "int main(void) { }\n"
	require.NoError(t, corpus.Update(path, e))
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	lines := 0
	_, skipped, err := File(ctx, fake(t, ""), path, Options{Again: true, Progress: func(string) {
		if lines++; lines == 2 { // the culprit is named
			cancel()
		}
	}})
	require.ErrorIs(t, err, context.Canceled)
	assert.False(t, skipped)
	now, err := corpus.Load(path)
	require.NoError(t, err)
	assert.Equal(t, "tree-old", now.Culprit)
}
