package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"goreify/corpus"
	"goreify/tools/need"
)

func TestBlame(t *testing.T) {
	need.Long(t)
	status, _ := command(t, "triage", "-do", "blame")
	assert.NotZero(t, status)
	status, _ = command(t, "triage", "-do", "blame", "no-such-file.txtar")
	assert.NotZero(t, status)
	need.Command(t, "gcc-12")
	// Its flags are the compiler's, whatever is in them.
	e, err := corpus.Load("../../corpus/crash-gcc-12-Os-b7b90d33.txtar")
	require.NoError(t, err)
	e.Flags = []string{"-fno-sanitize=undefined,address"}
	file := filepath.Join(t.TempDir(), "x.txtar")
	require.NoError(t, os.WriteFile(file, e.Format(), 0o600))
	status, out := command(t, "triage", "-do", "blame", file)
	assert.Zero(t, status)
	assert.Contains(t, out, "gcc-12 -fno-sanitize=undefined,address -Os: ")
	assert.Contains(t, out, "mended by -fno-aggressive-loop-optimizations")
	assert.Contains(t, out, "-fwrapv mends it: true")
}
