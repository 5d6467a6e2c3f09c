package triage

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"goreify/compilers"
	"goreify/corpus"
)

// A reproducer brings no compiler, and no arguments that could do harm.
func TestScreen(t *testing.T) {
	ran := filepath.Join(t.TempDir(), "ran")
	evil := filepath.Join(t.TempDir(), "gcc-evil")
	require.NoError(t, os.WriteFile(evil, []byte("#!/bin/sh\n: >"+ran+"\n"), 0o700))
	o := fake(t, "case $args in *evil*) : >"+ran+" ;; esac")
	for name, tt := range map[string]struct {
		change func(e *corpus.Entry)
		want   string
	}{
		"compiler":     {func(e *corpus.Entry) { e.Compiler, e.Version = evil, "1.0" }, "compiler: " + evil + ", gcc 1.0: the compiler that failed is not here"},
		"family":       {func(e *corpus.Entry) { e.Family = "sh" }, "compiler: gcc-99, sh 99.1.0: the compiler that failed is not here"},
		"flags":        {func(e *corpus.Entry) { e.Flags = []string{"-fwrapv", "-fplugin=evil"} }, "flags: -fplugin=evil is not a flag"},
		"mode":         {func(e *corpus.Entry) { e.Mode = "-specs=evil" }, "mode: -specs=evil is not a flag"},
		"mode's file":  {func(e *corpus.Entry) { e.Mode = "@evil" }, "mode: @evil is not a flag"},
		"mended-by":    {func(e *corpus.Entry) { e.MendedBy = []string{"-fno-tree-vrp", "@evil"} }, "mended-by: @evil is not a flag"},
		"mended-alone": {func(e *corpus.Entry) { e.MendedAlone = []string{"-Bevil"} }, "mended-alone: -Bevil is not a flag"},
		"culprit":      {func(e *corpus.Entry) { e.Culprit = "tree-vrp2=/evil" }, "culprit: -fdisable-tree-vrp2=/evil is not a flag"},
	} {
		e := entry(t, compilers.WrongAnswer)
		e.Bucket = "given"
		tt.change(e)
		_, err := Finding(t.Context(), o, e, Options{})
		assert.ErrorContains(t, err, tt.want, name)
		_, err = Blame(t.Context(), o, e)
		assert.ErrorContains(t, err, tt.want, name)
	}
	e := entry(t, compilers.WrongAnswer)
	e.Flags = []string{"-fplugin=evil"}
	_, err := Target(t.Context(), o, e)
	assert.ErrorContains(t, err, "flags: -fplugin=evil")
	e.Reduced = "int main(void) { return 0; }\n"
	_, err = BlameReduced(t.Context(), o, e)
	assert.ErrorContains(t, err, "flags: -fplugin=evil")

	k := &Known{buckets: []knownBucket{{Known: corpus.Known{Bucket: "b"}, family: "gcc", verdict: compilers.WrongAnswer.String(), mending: [][]string{{"-fno-tree-vrp", "-Bevil"}}}}}
	_, ok := k.Match(t.Context(), o, entry(t, compilers.WrongAnswer))
	assert.False(t, ok)
	assert.NoFileExists(t, ran)
}
