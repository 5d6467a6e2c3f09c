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

// The limits of a debug build's compilations follow the one that is told.
func TestLimitsWithCompile(t *testing.T) {
	l := DefaultLimits()
	slow := l.WithCompile(40 * time.Second)
	assert.Equal(t, 40*time.Second, slow.CompileCPU)
	assert.Equal(t, 2*time.Minute, slow.CompileWall, "20 times those 6 s")
	assert.Equal(t, 2*time.Minute, slow.ForSanitizers().CompileCPU)
	assert.Equal(t, 2*time.Minute, slow.ForFunctions(61).CompileCPU)
	assert.Equal(t, 6*time.Minute, slow.ForFunctions(61).CompileWall)
	assert.Equal(t, l, slow.WithCompile(l.CompileCPU), "the others stay")
	assert.Equal(t, 300*time.Millisecond, l.WithCompile(100*time.Millisecond).CompileWall)
	none := l.WithCompile(0)
	assert.Zero(t, none.CompileCPU)
	assert.Zero(t, none.CompileWall)
	assert.Equal(t, none.RunCPU, l.RunCPU)
	assert.Equal(t, Limits{CompileCPU: time.Second}, Limits{}.WithCompile(time.Second), "no limit of wall time stays none")
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
