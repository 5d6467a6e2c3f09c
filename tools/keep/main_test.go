package main

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"goreify/corpus"
)

// What the corpus has nothing like is moved. What it has something like stays, and so
// does what would overwrite a file.
func TestKeep(t *testing.T) {
	from, to := t.TempDir(), t.TempDir()
	save := func(dir string, mode, message string) string {
		e := &corpus.Entry{
			Tool: "test", Title: "x", Verdict: "crash", Language: "C", Source: "function", Trust: "proved", Main: "repro.c",
			Compiler: "gcc-99", Family: "gcc", Version: "99.1.0", Mode: mode, Message: message, Expected: "f 1",
			Date: "2026-01-01", Command: "gcc-99", Weight: 1, Sources: map[string]string{"repro.c": "int x;\n"}, Want: "f 1\n",
		}
		path, err := corpus.Save(dir, e)
		require.NoError(t, err)
		return path
	}
	known := save(to, "-O1", "signal 11")
	alike, other := save(from, "-O1", "signal 11"), save(from, "-O2", "signal 11")
	taken := save(from, "-O3", "signal 11")
	require.NoError(t, os.WriteFile(filepath.Join(to, filepath.Base(taken)), nil, 0o644))
	broken := filepath.Join(from, "broken.txtar")
	require.NoError(t, os.WriteFile(broken, []byte("x"), 0o644))

	var out bytes.Buffer
	err := keep(&out, from, to)
	assert.ErrorContains(t, err, broken)
	assert.ErrorContains(t, err, "moving "+taken)
	moved := filepath.Join(to, filepath.Base(other))
	assert.Equal(t, "", compare(out.String(), "stays: "+alike+" looks like "+known+"\n", "moved: "+other+" to "+moved+"\n"))
	assert.FileExists(t, moved)
	assert.FileExists(t, alike)
	assert.FileExists(t, taken)
	assert.NoFileExists(t, other)

	out.Reset()
	require.NoError(t, keep(&out, filepath.Join(from, "none"), to))
	assert.Contains(t, out.String(), "there is nothing in ")
}

// A link in either directory is neither moved nor written through, and a reproducer goes
// to another disk.
func TestKeepLinks(t *testing.T) {
	outside, from, to := t.TempDir(), t.TempDir(), t.TempDir()
	e := &corpus.Entry{
		Tool: "test", Title: "x", Verdict: "crash", Language: "C", Source: "function", Trust: "proved", Main: "repro.c",
		Compiler: "gcc-99", Family: "gcc", Version: "99.1.0", Mode: "-O1", Message: "signal 11", Expected: "f 1",
		Date: "2026-01-01", Command: "gcc-99", Weight: 1, Sources: map[string]string{"repro.c": "int x;\n"}, Want: "f 1\n",
	}
	path, err := corpus.Save(outside, e)
	require.NoError(t, err)
	link := filepath.Join(from, "link.txtar")
	require.NoError(t, os.Symlink(path, link))
	var out bytes.Buffer
	assert.ErrorContains(t, keep(&out, from, to), link+": it is a link")
	assert.NoFileExists(t, filepath.Join(to, "link.txtar"))
	require.NoError(t, os.Remove(link))

	mine := filepath.Join(from, "mine.txtar")
	data, err := os.ReadFile(path)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(mine, data, 0o600))
	victim := filepath.Join(outside, "victim")
	require.NoError(t, os.WriteFile(victim, []byte("x"), 0o600))
	require.NoError(t, os.Symlink(victim, filepath.Join(to, "mine.txtar")))
	assert.ErrorContains(t, keep(&out, from, to), "moving "+mine)
	assert.FileExists(t, mine)
	assert.ErrorIs(t, move(from, to, "mine.txtar"), os.ErrExist)
	left, err := os.ReadFile(victim)
	require.NoError(t, err)
	assert.Equal(t, "x", string(left))

	require.NoError(t, os.Remove(filepath.Join(to, "mine.txtar")))
	require.NoError(t, move(from, to, "mine.txtar"))
	assert.NoFileExists(t, mine)
	copied, err := os.ReadFile(filepath.Join(to, "mine.txtar"))
	require.NoError(t, err)
	assert.Equal(t, data, copied)
}

// compare returns what of a text is left without the lines, or the first line that is
// not in it.
func compare(text string, lines ...string) string {
	for _, line := range lines {
		before, after, found := bytes.Cut([]byte(text), []byte(line))
		if !found {
			return "want " + line + " in " + text
		}
		text = string(before) + string(after)
	}
	return text
}
