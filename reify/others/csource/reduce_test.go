package csource_test

import (
	"bytes"
	"os"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"goreify/reify/others/csource"
)

// parse preprocesses and parses a file of testdata.
func parse(t testing.TB, name string) *csource.Program {
	t.Helper()
	text, err := os.ReadFile("testdata/" + name)
	require.NoError(t, err)
	text, err = csource.Preprocess(name, text, csource.LP64)
	require.NoError(t, err)
	p, err := csource.Parse(name, text, csource.LP64)
	require.NoError(t, err)
	return p
}

func TestReduceLeavesWhatMatters(t *testing.T) {
	p := parse(t, "queue.c")
	at := bytes.LastIndex(p.Text, []byte("total = 0;"))
	require.Positive(t, at)
	edits := []csource.Edit{
		{From: at, To: at, Text: "verbose <<= 40; "},
		{From: at, To: at, Text: "total *= 7; "},
		{From: bytes.Index(p.Text, []byte("errors++;")), To: 0, Text: ""},
	}
	edits[2].To = edits[2].From + len("errors++;")
	edits[2].Text = ";"
	asked := 0
	holds := func(text []byte) bool {
		asked++
		_, err := csource.Parse("candidate", text, csource.LP64)
		return err == nil && bytes.Contains(text, []byte("<<= 40"))
	}
	text, left := csource.Reduce(t.Context(), p, edits, holds)
	assert.Equal(t, edits[:1], left)
	t.Logf("%d asked\n%s", asked, text)
	assert.Less(t, len(text), 120)
	assert.True(t, holds(text))
}
