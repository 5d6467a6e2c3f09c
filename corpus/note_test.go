package corpus

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestNotes(t *testing.T) {
	e := load(t, "full.txtar")
	before := *e
	assert.Equal(t, "kept: as it stands", e.Note("x-note"))
	assert.Equal(t, []string{"kept: as it stands", "twice"}, e.AllNotes("x-note"))
	assert.Equal(t, "", e.Note(NoteStyle))
	assert.Empty(t, e.AllNotes(NoteStyle))

	e.SetNote(NoteCalls, "7")
	e.SetNote("x-note", "once")
	assert.Equal(t, []Note{{NoteCalls, "7"}, {"x-note", "once"}}, e.Notes)
	e.SetNote("x-note", "")
	assert.Equal(t, []Note{{NoteCalls, "7"}}, e.Notes)
	assert.Equal(t, []string{"kept: as it stands", "twice"}, before.AllNotes("x-note"), "a copy keeps its notes")
}

func TestClean(t *testing.T) {
	e := load(t, "full.txtar")
	assert.Empty(t, e.Clean())
	who := []string{"clang-19 -fsanitize=undefined,address -O1", "valgrind (gcc-12 -O0)"}
	e.SetClean(who)
	assert.Equal(t, who[0]+"; "+who[1], e.Note(NoteReducedClean))
	back, err := Parse("f", e.Format())
	require.NoError(t, err)
	assert.Equal(t, who, back.Clean())
	e.SetClean(nil)
	assert.Empty(t, e.AllNotes(NoteReducedClean))
}
