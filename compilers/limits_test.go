package compilers

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestLimitsForFunctions(t *testing.T) {
	l := DefaultLimits()
	for n, want := range map[int]time.Duration{
		0:  2 * time.Second,
		1:  2 * time.Second, // what makes a compilation endless
		16: 3 * time.Second,
		31: 4 * time.Second,
		61: 6 * time.Second,
	} {
		got := l.ForFunctions(n)
		assert.Equal(t, want, got.CompileCPU, "%d", n)
		assert.Equal(t, 3*want, got.CompileWall, "%d", n)
		got.CompileCPU, got.CompileWall = l.CompileCPU, l.CompileWall
		assert.Equal(t, l, got, "the others stay")
	}
	assert.Equal(t, Limits{}, Limits{}.ForFunctions(60), "no limit stays none")
}

// A limit of less than a second ends a program that goes on for ever, and none
// that waits.
func TestLimitBelowASecond(t *testing.T) {
	limits := patient()
	limits.RunCPU = 100 * time.Millisecond
	script := func(text string) Built {
		file := filepath.Join(t.TempDir(), "program")
		require.NoError(t, os.WriteFile(file, []byte("#!/bin/sh\n"+text+"\n"), 0o700))
		return Built{Path: file}
	}
	o := Run(t.Context(), script("while :; do :; done"), nil, nil, limits)
	assert.Equal(t, Endless, o.Verdict, o)
	assert.Equal(t, "used its CPU time of 100ms", o.Message)
	assert.Less(t, o.RunCPU, time.Second)

	o = Run(t.Context(), script("sleep 1; echo 42"), nil, []byte("42\n"), limits)
	assert.Equal(t, OK, o.Verdict, o)
}
