package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"goreify/corpus"
	"goreify/reify/interp"
	"goreify/reify/ir"
)

func TestGenPrograms(t *testing.T) {
	a, b := t.TempDir(), t.TempDir()
	for _, dir := range []string{a, b} {
		status, out := command(t, "gen", "-what", "programs", "-n", "4", "-seed", "3", "-profile", "draw", "-o", dir)
		require.Zero(t, status)
		assert.Contains(t, out, "4 of 4 recipes ended in a program")
	}
	files, err := filepath.Glob(filepath.Join(a, "*.txtar"))
	require.NoError(t, err)
	require.Len(t, files, 4)
	for _, file := range files {
		one, err := os.ReadFile(file)
		require.NoError(t, err)
		two, err := os.ReadFile(filepath.Join(b, filepath.Base(file)))
		require.NoError(t, err)
		assert.Equal(t, string(one), string(two), "the same seed gives the same file")

		e, err := corpus.Load(file)
		require.NoError(t, err)
		p, err := ir.Parse(e.Program)
		require.NoError(t, err)
		require.NoError(t, p.Check())
		assert.NoError(t, interp.VerifyProgram(p))
		sources, err := os.ReadDir(file[:len(file)-len(corpus.Ext)])
		require.NoError(t, err)
		assert.Len(t, sources, len(e.Sources))
		for name, text := range e.Sources {
			data, err := os.ReadFile(filepath.Join(file[:len(file)-len(corpus.Ext)], name))
			require.NoError(t, err)
			assert.Equal(t, text, string(data))
			assert.Contains(t, e.Command, " "+name)
		}
	}
	dir := t.TempDir()
	status, _ := command(t, "gen", "-what", "programs", "-n", "1", "-seed", "3", "-profile", "draw", "-debug", "-o", dir)
	require.Zero(t, status)
	e, err := corpus.Load(filepath.Join(dir, "program-3.txtar"))
	require.NoError(t, err)
	assert.Contains(t, e.Sources[e.Main], "wrong: %s")
	for _, args := range [][]string{{"gen", "-what", "programs", "-n", "-1"}, {"gen", "-what", "programs", "-variants", "1"}, {"gen", "-debug"}} {
		status, _ := command(t, args...)
		assert.Equal(t, 2, status, "%v", args)
	}
}
