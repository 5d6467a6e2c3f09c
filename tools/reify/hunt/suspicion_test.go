package hunt

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"goreify/corpus"
	"goreify/tools/need"
)

// A suspicion is saved, once however often its batch runs, and is no finding.
func TestSuspicionsAreSaved(t *testing.T) {
	o := fake(t, wrongUnoptimised, "-O0")
	opt := options(t, t.TempDir(), 1, 3)
	var said string
	for range 2 {
		half := filepath.Join(opt.Dir, unconfirmedName, unsaved+"x")
		require.NoError(t, os.MkdirAll(half, 0o755))
		sum := finished(t, o, opt)
		assert.Zero(t, sum.Findings)
		assert.EqualValues(t, 1, sum.Unconfirmed)
		assert.EqualValues(t, 1, sum.Discards)
		assert.NoDirExists(t, half)
		assert.Empty(t, saved(t, opt.Dir))

		whole, _, err := suspicions(opt.Dir, unconfirmedName)
		require.NoError(t, err)
		require.Len(t, whole, 1)
		dir := filepath.Join(opt.Dir, unconfirmedName, whole[0])
		e, err := corpus.Load(filepath.Join(dir, corpus.FindingFile))
		require.NoError(t, err)
		assert.Contains(t, e.Notes, corpus.Note{Key: corpus.NoteHuntFunctions, Value: "f1"})
		for _, name := range []string{scriptName, "repro.c", "want.txt"} {
			assert.FileExists(t, filepath.Join(dir, name))
		}
		var text strings.Builder
		require.NoError(t, sum.Write(&text))
		assert.Contains(t, text.String(), "1 discard, 1 unconfirmed, ")
		said = opt.Log.(*buffer).String()

		change(t, opt.Dir, `UPDATE batches SET done = 0`)
	}
	assert.Equal(t, 1, strings.Count(said, "unconfirmed: gcc-99 -O0: wrong-answer in "))
	assert.Contains(t, strings.Join(query(t, opt.Dir, `SELECT text FROM log`), "\n"), "batch 0: discarded: gcc-99 -O0: not confirmed: ")
}

// Suspicions of whole programs are saved, too, and so many in all.
func TestMostSuspicions(t *testing.T) {
	need.Long(t)
	o := fake(t, wrongPrograms, "-O0")
	opt := options(t, t.TempDir(), 1, 2)
	opt.Kinds, opt.Mix = linkedKind(2), linkedKind(2)
	for i := range mostUnconfirmed - 1 {
		require.NoError(t, os.MkdirAll(filepath.Join(opt.Dir, unconfirmedName, fmt.Sprint(i)), 0o755))
	}
	sum := finished(t, o, opt)
	assert.EqualValues(t, mostUnconfirmed, sum.Unconfirmed)
	assert.Contains(t, opt.Log.(*buffer).String(), "unconfirmed: ", "two are suspected, one was saved")
	assert.EqualValues(t, 1, sum.Discards, "it is one configuration")
}
