package main

import (
	"context"
	"database/sql"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"goreify/compilers"
	"goreify/compilers/targets"
	"goreify/reify/oracle"
	"goreify/tools/need"
)

// A hunt, its summary, and the same from status, with a real compiler.
func TestHuntAndStatus(t *testing.T) {
	t.Setenv("REIFY_CC", "gcc")
	t.Setenv("REIFY_MODES", "-O0")
	dir := filepath.Join(t.TempDir(), "hunt")
	var summaries []string
	for _, args := range [][]string{
		{"hunt", "-o", dir, "-n", "60", "-mix", "focused", "-workers", "1", "-json"},
		{"status", "-json", dir},
	} {
		status, out := command(t, args...)
		require.Zero(t, status, out)
		var sum map[string]any
		require.NoError(t, json.Unmarshal([]byte(out), &sum), out)
		assert.InDelta(t, 60, sum["functions"], 3)
		assert.EqualValues(t, 1, sum["compilations"])
		for _, key := range []string{"programs", "cpu_seconds", "compiler_cpu_seconds", "findings", "buckets"} {
			assert.Contains(t, sum, key)
		}
		summaries = append(summaries, out)
	}
	assert.Equal(t, summaries[0], summaries[1])
	status, out := command(t, "status", dir)
	require.Zero(t, status)
	assert.Contains(t, out, "1 batch done, 0 not finished")

	db, err := sql.Open("sqlite", filepath.Join(dir, "hunt.db"))
	require.NoError(t, err)
	_, err = db.Exec("UPDATE inputs SET data = x'00'; UPDATE batches SET done = 0")
	require.NoError(t, err)
	require.NoError(t, db.Close())
	for _, args := range [][]string{{"status", dir}, {"status", "-json", dir}} {
		status, out = command(t, args...)
		assert.Equal(t, 2, status, out)
		assert.Contains(t, out, "the input of batch 0 is not what was recorded")
	}
}

func TestHuntUsage(t *testing.T) {
	t.Setenv("REIFY_CC", "gcc")
	dir := t.TempDir()
	for _, args := range [][]string{
		{"hunt", "extra"},
		{"hunt", "-time", "-1s"},
		{"hunt", "-n", "-1"},
		{"hunt", "-workers", "0"},
		{"hunt", "-seed", "0"},
		{"hunt", "-o", ""},
		{"triage", "-do", "reduce", "-workers", "0", "x.txtar"},
		{"hunt", "-plan", "gcc every day"},
		{"hunt", "-mix", "none"},
		{"hunt", "-o", dir, "-plan", "clang-14; all"},
		{"hunt", "-o", dir, "-plan", "gcc -O22; all"},
		{"hunt", "-o", dir, "-plan", ""},
		{"status"},
		{"status", dir},
	} {
		status, _ := command(t, args...)
		assert.Equal(t, 2, status, "%v", args)
	}
}

// Whoever interrupts the search for compilers is not told that there are none.
func TestInterrupted(t *testing.T) {
	need.Command(t, "gcc")
	t.Setenv("REIFY_CC", "gcc")
	ctx, cancel := context.WithCancel(t.Context())
	found, named, err := targets.Find(ctx, compilers.EnvFrom(os.Environ()))
	require.NoError(t, err)
	cancel()
	space, err := compilers.NewWorkspace(t.TempDir())
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, space.Close()) })
	_, err = oracle.New(ctx, space, found, named)
	require.ErrorIs(t, err, context.Canceled)
	assert.ErrorContains(t, err, "interrupted")
	assert.NotContains(t, err.Error(), "usable")
}
