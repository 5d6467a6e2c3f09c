package gccgo

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"goreify/compilers"
	"goreify/tools/need"
)

func program(body string) []compilers.File {
	return []compilers.File{{Name: compilers.MainGo, Content: []byte("package main\n\nimport \"os\"\n\nfunc main() {\n" + body + "\n}\n")}}
}

// Outcomes of programs are told as of those that other compilers made.
func TestVerdicts(t *testing.T) {
	env := compilers.EnvFrom(os.Environ())
	names := here(env)
	if len(names) == 0 {
		need.Missing(t, "gccgo", "there is no gccgo on PATH")
	}
	env.CC = names[len(names)-1]
	found, unknown, err := findAll(t.Context(), env)
	require.NoError(t, err)
	require.Empty(t, unknown)
	ws, err := compilers.NewWorkspace(t.TempDir())
	require.NoError(t, err)
	defer ws.Close()
	limits := compilers.DefaultLimits()
	limits.CompileWall, limits.RunWall = 2*time.Minute, time.Minute
	require.NoError(t, compilers.Probe(t.Context(), found[0], ws, limits))
	for name, tt := range map[string]struct{ body, want string }{
		"right":    {`os.Stdout.WriteString("42\n")`, "ok"},
		"wrong":    {`os.Stdout.WriteString("41\n")`, `wrong-answer: printed "41\n", want "42\n"`},
		"panics":   {`var p *int; defer func() { os.Stdout.WriteString(recover().(error).Error()) }(); os.Exit(*p)`, `wrong-answer: printed "runtime error: invalid memory address or nil pointer dereference", want "42\n"`},
		"endless":  {`for { _ = os.Args }`, "endless: used its CPU time of 1 s"},
		"rejected": {`os.Exit("1")`, "rejected: repro.go:6:10: error: argument 1 has incompatible type"},
	} {
		job := compilers.Job{Files: program(tt.body), Want: []byte("42\n"), Mode: "-O2"}
		o := compilers.Test(t.Context(), found[0], ws, job, limits)
		assert.Contains(t, o.String(), tt.want, name)
		assert.False(t, o.Report, name)
	}
}

// A stand-in tells its version, and has modes and flags as gcc has them.
func TestNames(t *testing.T) {
	dir := t.TempDir()
	standIn := func(name, text string) {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte("#!/bin/sh\necho "+text+"\n"), 0o755))
	}
	standIn("gccgo-7", "7.5.0")
	standIn("gccgo-8", "8.1.0")
	standIn("gccgo-9", "no version")
	env := compilers.Env{Path: dir, CC: "gccgo-7 -fno-inline", Modes: "-O2,@N"}
	found, unknown, err := findAll(t.Context(), env)
	require.NoError(t, err)
	require.Empty(t, unknown)
	tc := found[0].(Toolchain)
	assert.Equal(t, "gccgo-7 -fno-inline", tc.ID().String())
	assert.Equal(t, "7.5.0", tc.ID().Version)
	assert.Equal(t, []compilers.Mode{"-O2"}, tc.Modes())
	assert.Equal(t, []string{"gccgo-7 -fno-inline -static -O2 repro.go -o x", "./x"}, tc.Commands(compilers.Job{Files: program(""), Mode: "-O2"}, "x"))
	require.Len(t, tc.Siblings(), 1)
	assert.Equal(t, "8.1.0", tc.Siblings()[0].ID().Version)
	for flag, want := range map[string]bool{"-fno-tree-vrp": true, "-O3": true, "-fdisable-tree-vrp1": true, "-o": false, "-fplugin=x": false, "-fno-x=y": false} {
		assert.Equal(t, want, tc.Screen(flag) == nil, flag)
	}
	for entry, want := range map[string]string{
		"gcc-12":        "gcc-12: no gccgo has this name",
		"gccgo-6":       "gccgo-6 is not on PATH (package gccgo-6)",
		"gccgo-9":       `"no version" is no version`,
		"gccgo-7 x.go":  `"x.go" is no flag`,
		"gccgo-7-extra": "no gccgo has this name",
	} {
		env.CC = entry
		_, unknown, err := findAll(t.Context(), env)
		require.NoError(t, err)
		assert.ErrorContains(t, unknown[entry], want)
	}
}
