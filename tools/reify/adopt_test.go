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

// A real finding, as if of an older compiler, moves once, and is live then. Package triage tests
// each step of that with stand-ins.
func TestAdopt(t *testing.T) {
	need.Named(t)
	need.Command(t, "gcc-12")
	t.Setenv("REIFY_CC", "gcc-12")
	t.Setenv("REIFY_MODES", "-O0,-O2")
	dir := t.TempDir()
	e, err := corpus.Load("../../corpus/wrong-answer-gcc-12-O2-3561240f.txtar")
	require.NoError(t, err)
	e.Compiler, e.Version = "gcc-9", "9.1.0"
	e.Good = append(e.Good, corpus.Configuration{Family: "gcc", Version: "8.1.0", Modes: []string{"-O2"}})
	file, bad := filepath.Join(dir, "a.txtar"), filepath.Join(dir, "b.txtar")
	require.NoError(t, corpus.Update(file, e))
	require.NoError(t, os.WriteFile(bad, []byte("?"), 0o600))

	status, out := command(t, "triage", "-do", "adopt", "-box", "auto", bad, file, "-to", "gcc-12 -fwrapv,gcc-12")
	assert.Equal(t, 2, status, "of the malformed one")
	assert.Regexp(t, `^`+file+`: from gcc 9\.1\.0 to gcc 12\.\d\.\d: gcc/wrong-answer/.* lines of `, out)
	moved, err := corpus.Load(file)
	require.NoError(t, err)
	assert.Equal(t, "gcc-12", moved.Compiler)
	assert.Empty(t, moved.Flags, "with -fwrapv it does not fail")
	assert.True(t, triage.Done(moved))
	require.Len(t, moved.FormerHomes(), 1)
	assert.Equal(t, "gcc-9", moved.FormerHomes()[0].Compiler)
	assert.True(t, moved.KnownBad("gcc", "9.1.0", nil, "-O2"))
	assert.True(t, moved.KnownGood("gcc", "8.1.0", nil, "-O2"))

	require.NoError(t, os.Remove(bad))
	for _, cc := range [][]string{{"-to", "gcc-12"}, nil} {
		status, out = command(t, append([]string{"triage", "-do", "adopt", "-box", "auto", file}, cc...)...)
		assert.Zero(t, status)
		assert.Equal(t, file+": stays as it is: gcc "+moved.Version+": it is there already\n", out)
	}
	same, err := corpus.Load(file)
	require.NoError(t, err)
	assert.Equal(t, moved, same)

	status, out = command(t, "report", "-live", dir)
	require.Zero(t, status)
	assert.Contains(t, out, ".md: Fails since gcc 12.")
	assert.Contains(t, out, filepath.Join(dir, "live", "index.html")+": 1 finding in 1 bucket\n")
	moved.ReducedGood = append(moved.ReducedGood, corpus.Configuration{Family: "gcc", Version: "13.1.0", Modes: []string{"-O2"}})
	require.NoError(t, corpus.Update(file, moved))
	status, out = command(t, "report", "-live", dir)
	require.Zero(t, status)
	assert.Equal(t, filepath.Join(dir, "live", "index.html")+": 0 findings in 0 buckets\n", out)
	reports, err := filepath.Glob(filepath.Join(dir, "live", "*.md"))
	require.NoError(t, err)
	assert.Empty(t, reports, "it works again")
}

// What is heard of the others is written to files that stay where they are only if
// this is asked for.
func TestAdoptHeard(t *testing.T) {
	t.Setenv("REIFY_CC", "gcc")
	t.Setenv("REIFY_MODES", "-O0")
	e, err := corpus.Load("../../corpus/testdata/byhand.txtar")
	require.NoError(t, err)
	e.Family, e.Version = "gcc", "1.0.0"
	file := filepath.Join(t.TempDir(), "a.txtar")
	require.NoError(t, corpus.Update(file, e))
	for _, heard := range []bool{false, true} {
		args := []string{"triage", "-do", "adopt", "-box", "auto", file}
		if heard {
			args = append(args, "-again")
		}
		status, out := command(t, args...)
		assert.Zero(t, status)
		assert.Contains(t, out, "none of the compilers named fails: no compiler to adopt it\n")
		now, err := corpus.Load(file)
		require.NoError(t, err)
		assert.Equal(t, heard, len(now.Good) > len(e.Good))
		assert.Equal(t, "1.0.0", now.Version)
	}
}

func TestAdoptArguments(t *testing.T) {
	t.Setenv("REIFY_CC", "gcc")
	for _, args := range [][]string{{"triage", "-do", "adopt"}, {"triage", "-do", "adopt", "-workers", "0", "x.txtar"}, {"triage", "-do", "adopt", "-to", "no-such-cc", "x.txtar"}, {"triage", "-do", "adopt", "none.txtar"}} {
		assert.NotContains(t, complains(t, args...), "panic")
	}
}
