package main

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"goreify/corpus"
	"goreify/reify/interp"
	"goreify/reify/ir"
	"goreify/tools/need"
)

// Variants are written as C and as reproducers that hold seed, edits and proof; the
// same seed writes the same.
func TestEmi(t *testing.T) {
	seeds, a, b := t.TempDir(), t.TempDir(), t.TempDir()
	status, _ := command(t, "gen", "-n", "2", "-profile", "5,3,1,1,1", "-inputs", "2", "-o", seeds)
	require.Zero(t, status)
	files, err := filepath.Glob(filepath.Join(seeds, "*.txtar"))
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, dir := range []string{a, b} {
		status, out := command(t, append([]string{"others", "vary", "-n", "3", "-seed", "5", "-how", "fcb, clone,prune", "-o", dir}, files...)...)
		require.Zero(t, status)
		assert.Contains(t, out, " variants are in "+dir)
	}
	made, err := filepath.Glob(filepath.Join(a, "*.txtar"))
	require.NoError(t, err)
	require.NotEmpty(t, made)
	for _, path := range made {
		e, err := corpus.Load(path)
		require.NoError(t, err)
		assert.Contains(t, []string{filepath.Base(files[0]), filepath.Base(files[len(files)-1])}, e.Note(corpus.NoteSeed))
		assert.Regexp(t, `^(fcb|clone|prune)@\w+( (fcb|clone|prune)@\w+)*$`, e.Note(corpus.NoteMutations))
		p, err := ir.Parse(e.Program)
		require.NoError(t, err)
		for _, c := range p.Claims {
			assert.NoError(t, interp.Verify(c))
		}
		text, err := os.ReadFile(path)
		require.NoError(t, err)
		other, err := os.ReadFile(filepath.Join(b, filepath.Base(path)))
		require.NoError(t, err)
		assert.Equal(t, string(text), string(other))
	}

	// A file that cannot be read does not keep the others from having variants.
	c := t.TempDir()
	status, _ = command(t, append([]string{"others", "vary", "-n", "3", "-seed", "5", "-how", "fcb, clone,prune", "-o", c, "absent.txtar"}, files...)...)
	assert.Equal(t, 2, status)
	rest, err := filepath.Glob(filepath.Join(c, "*.txtar"))
	require.NoError(t, err)
	assert.Len(t, rest, len(made))
}

func TestEmiMisuse(t *testing.T) {
	need.Long(t)
	only := filepath.Join(t.TempDir(), "only.txtar")
	e := &corpus.Entry{
		Tool: "devel", Title: "t", Verdict: corpus.Untested, Command: "true", Language: "C", Main: corpus.MainC,
		Sources: map[string]string{corpus.MainC: "int main(void) {\n"},
	}
	require.NoError(t, os.WriteFile(only, e.Format(), 0o644))
	misuses := map[string][]string{
		"x.h: want a reproducer":             {"x.h"},
		"no such file":                       {"x.txtar"},
		"only.txtar: no program":             {only},
		`unknown pass "x": want some of pru`: {"-how", "x", only},
		"-n is -1":                           {"-n", "-1", only},
		"want a number from 1":               {"-how", "-1", only},
	}
	_, gcc := exec.LookPath("gcc")
	_, clang := exec.LookPath("clang")
	if err := errors.Join(gcc, clang); err == nil {
		misuses["only.txtar:1: { without end"] = []string{only}
	} else {
		name := "clang"
		if gcc != nil {
			name = "gcc"
		}
		need.Partly(t, name, "C that does not parse: %v", err)
	}
	for want, args := range misuses {
		assert.Contains(t, complains(t, append([]string{"others", "vary", "-o", t.TempDir()}, args...)...), want)
	}
}

// Variants stand in one file with their function.
func TestGenVariants(t *testing.T) {
	need.Long(t)
	dir := t.TempDir()
	status, _ := command(t, "gen", "-n", "2", "-profile", "5,3,1,1,1", "-variants", "4", "-o", dir)
	require.Zero(t, status)
	files, err := filepath.Glob(filepath.Join(dir, "*.txtar"))
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, path := range files {
		e, err := corpus.Load(path)
		require.NoError(t, err)
		variants := e.AllNotes(corpus.NoteMutations)
		assert.NotEmpty(t, variants)
		p, err := ir.Parse(e.Program)
		require.NoError(t, err)
		assert.Len(t, p.Funcs, 1+len(variants))
	}
}
